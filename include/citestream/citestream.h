/**
 * \file
 * The C interface: rewrites one answer of an LLM API, an event stream or a JSON body, with clean text and
 * citations. No I/O, no threads; C11 or C++.
 *
 * \code{.c}
 *   citestream_options* options = NULL;
 *   citestream_session* session = NULL;
 *   citestream_text out = {NULL, 0};
 *   citestream_options_create(&options);
 *   citestream_options_set(options, "style", "numeric", CITESTREAM_NUL_TERMINATED);
 *   citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session);
 *   while (read_some(&bytes, &size)) {
 *     citestream_session_write(session, bytes, size, NULL);  // below 0: it failed
 *     citestream_session_take(session, &out);
 *     send(out.data, out.size);
 *   }
 *   citestream_session_finish(session, NULL);
 *   citestream_session_take(session, &out);
 *   send(out.data, out.size);
 *   citestream_session_free(session);
 *   citestream_options_free(options);
 * \endcode
 *
 * **Codes.** Functions return \ref citestream_code as an int. Below 0, the call failed; unless the
 * description of the code states otherwise, it had no effect. 0 is success. Above 0, the call succeeded and
 * reports something. No function throws or aborts.
 *
 * **Threads.** A session or workspace may be used by one thread at a time. Options can no longer be changed
 * once a session has been created from them; any number of threads may share them then.
 *
 * **Structs.** Structs provided by the caller begin with `struct_size`, which the caller sets to `sizeof`.
 * Later versions only add members at the end. The library never accesses memory after `struct_size` bytes,
 * and treats members that an older caller does not have as 0. A size smaller than the first version's is
 * CITESTREAM_BAD_ARGUMENT. Members that this library does not know must be 0, otherwise the result is
 * CITESTREAM_UNSUPPORTED. Structs provided by the library grow at the end too, and have their size in them.
 *
 * **Texts.** Texts from the library are not NUL-terminated, and `data` is never NULL. They are UTF-8, except
 * those of citestream_session_take() and citestream_request_body(), which can have any bytes of the input.
 * Option values and references must be UTF-8.
 */
#ifndef CITESTREAM_CITESTREAM_H
#define CITESTREAM_CITESTREAM_H

#include <citestream/version.h>

#include <stddef.h>
#include <stdint.h>

#if defined(CITESTREAM_BUILDING_C) && defined(__GNUC__)
#define CITESTREAM_API __attribute__((visibility("default")))
#else
/** Marks functions that the shared library exports. */
#define CITESTREAM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- codes and version --- */

/** What functions return as an int; see **Codes** at the top of this file. */
typedef enum citestream_code {
  CITESTREAM_OK = 0,
  /* Above 0, about single events: they pass through unchanged, and the stream continues. */
  CITESTREAM_EVENT_TOO_LARGE = 1, /**< an event is larger than `max_event_bytes` */
  CITESTREAM_INVALID_JSON = 2,    /**< a payload is not JSON, or not UTF-8 */
  CITESTREAM_JSON_TOO_DEEP = 3,   /**< a payload nests deeper than `max_json_depth` */
  CITESTREAM_DUPLICATE_KEY = 4,   /**< an object has a duplicate key that matters */
  CITESTREAM_BODY_TOO_LARGE = 5,  /**< a JSON body is larger than `max_body_bytes` */
  CITESTREAM_INCOMPLETE =
      7, /**< incomplete stream or body: close the connection without ending the response */
  CITESTREAM_DAMAGED_MESSAGE = 9, /**< a binary message is damaged: all bytes from there pass */
  CITESTREAM_MORE = 32,           /**< output is buffered: call citestream_session_read() */
  /* Below 0: the call failed. Unless noted, it had no effect. */
  CITESTREAM_BAD_ARGUMENT = -1,   /**< a null or invalid pointer, struct_size or value */
  CITESTREAM_BAD_STATE = -2,      /**< not allowed after the end, within a sink, or for options in use */
  CITESTREAM_UNKNOWN_OPTION = -3, /**< no option has that name */
  CITESTREAM_BAD_VALUE = -4,      /**< the value is not valid; see citestream_options_problem() */
  CITESTREAM_NO_MEMORY = -5,      /**< out of memory; the session can only be freed */
  CITESTREAM_UNSUPPORTED = -6,    /**< this version or build does not support it */
  CITESTREAM_STOPPED = -7,        /**< a sink returned an error: the input was read, the output is lost */
  CITESTREAM_INTERNAL = -8        /**< a bug in the library; the session can only be freed */
} citestream_code;

/** One line about \p code, NUL-terminated, static, never NULL. */
CITESTREAM_API const char* citestream_message(int code);

/** "major.minor.patch" of the library at run time; static. The headers' version is \ref CITESTREAM_VERSION.
 */
CITESTREAM_API const char* citestream_version(void);
/** The same as a number, like \ref CITESTREAM_VERSION_NUMBER. The library is compatible if its major version
 * is the same and it is not older. */
CITESTREAM_API uint32_t citestream_version_number(void);

/** Borrowed bytes. */
typedef struct citestream_text {
  const char* data; /**< may have no NUL at its end */
  size_t size;      /**< bytes */
} citestream_text;

/* --- memory --- */

/** Hooks for all memory of the library. If simdjson is a shared library, as in Debian, they do not get the
 * indexes of its parsers: about 300 KB, more if an event is larger than 16 KiB. */
typedef struct citestream_allocator {
  size_t struct_size; /**< sizeof(citestream_allocator) */
  /** Returns \p size bytes (more than 0), aligned as by malloc(), or NULL. Must not throw or longjmp. */
  void* (*allocate)(void* user, size_t size);
  /** Frees memory from allocate(); never NULL. */
  void (*release)(void* user, void* memory);
  void* user; /**< given to both */
} citestream_allocator;

/**
 * Sets the hooks; NULL restores malloc() and free(). Allowed only while no handle exists (otherwise
 * CITESTREAM_BAD_STATE), and not in two threads at once. Hooks are called in the threads that call the
 * library, possibly concurrently. The static library uses the program's `operator new`:
 * CITESTREAM_UNSUPPORTED.
 */
CITESTREAM_API int citestream_set_allocator(const citestream_allocator* hooks);

/* --- options --- */

/** Options of sessions; they cannot be changed once a session was created from them. */
typedef struct citestream_options citestream_options;

/** Size of a value for citestream_options_set() that is NUL-terminated. */
#define CITESTREAM_NUL_TERMINATED SIZE_MAX

/** Options with their defaults, to be freed with citestream_options_free(). */
CITESTREAM_API int citestream_options_create(citestream_options** out);
/** Frees options; sessions created from them do not need them any more. NULL is allowed. */
CITESTREAM_API void citestream_options_free(citestream_options* options);

/**
 * Sets one option from \p size bytes of text, which are copied.
 *
 * | name | value | default |
 * |---|---|---|
 * | `style` | `auto` `strip` `keep` `numeric` `footnote` `superscript` `html` `label` `markdown` | `auto` |
 * | `markers` | grammars, separated by commas: `link,numeric`; empty: those of the dialect | empty |
 * | `marker` | an additional grammar, `[ref:{key}]`; each call adds one | |
 * | `identifiers` | `any` `uuid` `url` | `any` |
 * | `dialect` | `auto` or a dialect's name | `auto` |
 * | `dialects` | dialects to try before the others, separated by commas: `rag,openai`; for `auto` | empty |
 * | `offsets` | `utf8` `utf16` `codepoint`: unit of positions in JSON | `utf16` |
 * | `citations` | `auto` `always` `never`: whether citations are added to the stream | `auto` |
 * | `file_url` | an http or https link to a cited file, with `{file_id}`, `{page}`, `{title}` | empty |
 * | `only_known` | `on` `off`: markers that cite no reference known before the text remain text | `off` |
 * | `unresolved` | `keep` `drop` `mark`: printing of citations without a known reference | `keep` |
 * | `repair` | `on` `off`: match corrupted identifiers | `off` |
 * | `check` | `off` `report`: whether claims are compared with the references that they cite | `off` |
 * | `supported` | least support of a claim with the verdict supported, 0 to 1 | `0.85` |
 * | `not_found` | claims with less support are not found; at most `supported` | `0.3` |
 * | `egress` | `off` `report` `enforce`: URLs that are neither allowed nor a reference's | `off` |
 * | `egress_code` | `inert` `exact`: `exact` keeps URLs in code that all renderers read as code | `inert` |
 * | `egress_allow` | further allowed URLs: `https://a.example,https://b.example:8443` | empty |
 * | `provenance` | `on` `off`: resolve `[REF|d_1]` keys and add a summary by key | `off` |
 * | `events` | `on` `off`: produce events for citestream_session_next() | `off` |
 * | `json_paths` | paths below which JSON answers are rewritten, separated by commas; empty: none | `/` |
 * | `max_…` | a limit by its name in `limits`, decimal: `max_event_bytes` `max_body_bytes` … | |
 *
 * Only the shared library can check claims: `check=report` is CITESTREAM_UNSUPPORTED in the static one.
 */
CITESTREAM_API int citestream_options_set(citestream_options* options, const char* name, const char* value,
                                          size_t size);
/** Why the last citestream_options_set() rejected an option, in one line. If it succeeded: why no session can
 * be created with the options set so far (`not_found (0.9) must not exceed supported (0.85)`), or empty.
 * Other codes have no reason here: CITESTREAM_BAD_ARGUMENT, CITESTREAM_BAD_STATE. Valid until the next. */
CITESTREAM_API const char* citestream_options_problem(const citestream_options* options);

/** Flags: which numbers of a citestream_reference or citestream_citation are known. */
enum { CITESTREAM_HAS_SCORE = 1, CITESTREAM_HAS_PAGE = 2, CITESTREAM_HAS_NUMBER = 4 };

/** What a position in a source counts. */
typedef enum citestream_source_unit {
  CITESTREAM_SOURCE_UNIT_NONE = -1,
  CITESTREAM_SOURCE_UNIT_CHAR = 0,
  CITESTREAM_SOURCE_UNIT_PAGE = 1,
  CITESTREAM_SOURCE_UNIT_BLOCK = 2,
  CITESTREAM_SOURCE_UNIT_CHUNK = 3
} citestream_source_unit;

/** What kind of thing a reference is. */
typedef enum citestream_source_type {
  CITESTREAM_SOURCE_UNKNOWN = -1,
  CITESTREAM_SOURCE_FILE = 0,
  CITESTREAM_SOURCE_WEB = 1,
  CITESTREAM_SOURCE_DOCUMENT = 2,
  CITESTREAM_SOURCE_AGENT = 3,
  CITESTREAM_SOURCE_SEARCH_RESULT = 4,
  CITESTREAM_SOURCE_TOOL = 5,
  CITESTREAM_SOURCE_PLACE = 6
} citestream_source_type;

/** A thing that can be cited. Unknown texts are empty. */
typedef struct citestream_reference {
  size_t struct_size;    /**< sizeof(citestream_reference) of its creator, the caller or the library */
  int32_t type;          /**< citestream_source_type */
  uint32_t has;          /**< CITESTREAM_HAS_… of the three numbers */
  double score;          /**< higher is better */
  int64_t page;          /**< from 1 */
  int64_t number;        /**< its place in the provider's list, from 1, for numeric markers */
  citestream_text id;    /**< the provider's id */
  citestream_text cite;  /**< the identifier by which markers cite it; empty: by `id`, `url` or `number` */
  citestream_text title; /**< title or file name */
  citestream_text url;   /**< unchanged */
  citestream_text text;  /**< the snippet; for a tool result, all of it */
  citestream_text tool;  /**< for a tool result: the name of the tool */
  citestream_text tool_call_id;    /**< for a tool result: the id of the call */
  citestream_text file_path;       /**< for a tool result: the file that it names */
  const citestream_text* excerpts; /**< what the provider's citation quotes from it, or NULL */
  size_t excerpt_count;            /**< of `excerpts` */
  int64_t span_start;              /**< start of the cited part of the source; 0 if unknown */
  int64_t span_end;                /**< end of that part, exclusive */
  int32_t span_unit;               /**< citestream_source_unit */
  int32_t span_base;               /**< number of the source's first unit: 0, or 1 for pages */
  citestream_text container;       /**< id of the container that a file is in */
  citestream_text opaque;          /**< data for the provider only: a JSON object, or empty */
  citestream_text uses;            /**< for an agent's output: the content keys in it, separated by blanks */
} citestream_reference;

/** Adds a reference known before the answer; everything is copied. Members after `file_path` are ignored. */
CITESTREAM_API int citestream_options_add_reference(citestream_options* options,
                                                    const citestream_reference* reference);

/* --- requests --- */

/** What citestream_request_create() does with a request; flags. */
typedef enum citestream_request_work {
  /** Its documents and search results become references of the answer. */
  CITESTREAM_REQUEST_DOCUMENTS = 1,
  /** Each tool result gets a key such as `[REF|d_1]` above its content and becomes a reference. */
  CITESTREAM_REQUEST_KEYS = 2,
  /** With keys: the system prompt tells the model to cite them. */
  CITESTREAM_REQUEST_INSTRUCTIONS = 4,
  /** Graph tools and graph questions of Writer request inline citations. */
  CITESTREAM_REQUEST_INLINE_CITATIONS = 8,
  /** Citations that were added to answers are removed from the history in the request. */
  CITESTREAM_REQUEST_REMOVE_OWN = 16,
  /** With keys: they are made from the bytes of the results, so that they do not depend on the history. */
  CITESTREAM_REQUEST_CONTENT_KEYS = 32
} citestream_request_work;

/** What to do with a request. */
typedef struct citestream_request_rules {
  size_t struct_size;          /**< sizeof(citestream_request_rules) */
  uint32_t work;               /**< citestream_request_work, added up */
  uint32_t reserved;           /**< 0 */
  citestream_text agent_tools; /**< comma-separated names of tools that return another agent's output */
  citestream_text tools;       /**< names of the tools whose results get keys; empty: all */
} citestream_request_rules;

/** A request that has been read. Any number of threads may share it. */
typedef struct citestream_request citestream_request;

/**
 * Reads the JSON body of a chat request of any protocol that is supported, and rewrites it. A request whose
 * body is signed must not be rewritten: use CITESTREAM_REQUEST_DOCUMENTS only.
 *
 * \return a code above 0 if the body had to be parsed and cannot be read, such as CITESTREAM_INVALID_JSON:
 * \p out is then a request with the body unchanged. A body with nothing to work on is not parsed.
 */
CITESTREAM_API int citestream_request_create(const citestream_request_rules* rules, const char* body,
                                             size_t size, citestream_request** out);
/** Frees a request; sessions created for it have a copy of what they need. NULL is allowed. */
CITESTREAM_API void citestream_request_free(citestream_request* request);
/** The body to send instead; valid until the request is freed. */
CITESTREAM_API int citestream_request_body(const citestream_request* request, citestream_text* out);
/** Number of references; 0 for NULL. */
CITESTREAM_API size_t citestream_request_reference_count(const citestream_request* request);
/** The reference with that \p index, from 0, in the order of the request; documents come before tool results.
 * Valid until the request is freed. */
CITESTREAM_API int citestream_request_reference(const citestream_request* request, size_t index,
                                                const citestream_reference** out);

/* --- what is rewritten --- */

/** How an answer is handled. */
typedef enum citestream_rewrite_mode {
  CITESTREAM_PASS = 0,     /**< byte for byte */
  CITESTREAM_BYPASSED = 1, /**< byte for byte, only because it is compressed or `bypass` is set */
  CITESTREAM_EVENTS = 2,   /**< an event stream or NDJSON, rewritten as it flows */
  CITESTREAM_JSON = 3      /**< one JSON body, rewritten as a whole */
} citestream_rewrite_mode;

/** What is known from the heads of a request and its answer. Texts need not be NUL-terminated. */
typedef struct citestream_answer_facts {
  size_t struct_size;               /**< sizeof(citestream_answer_facts) */
  int32_t status;                   /**< of the answer: 200 */
  int32_t bypass;                   /**< other than 0: rewrite nothing */
  citestream_text method;           /**< of the request: `POST` */
  citestream_text path;             /**< of the request, with or without a query */
  citestream_text content_type;     /**< of the answer, with parameters; empty: none, or several */
  citestream_text content_encoding; /**< of the answer; empty: none */
} citestream_answer_facts;

/** Decides how to handle an answer, as the proxy does: a \ref citestream_rewrite_mode, or below 0. */
CITESTREAM_API int citestream_decide(const citestream_options* options, const citestream_answer_facts* facts);

/* --- sessions --- */

/** Memory for parsing. */
typedef struct citestream_workspace citestream_workspace;
/** One answer that is being rewritten. */
typedef struct citestream_session citestream_session;

/** Memory for parsing, shared by the sessions of one thread; about 120 KiB once used. */
CITESTREAM_API int citestream_workspace_create(citestream_workspace** out);
/** Frees a workspace, after all sessions that use it. NULL is allowed. */
CITESTREAM_API void citestream_workspace_free(citestream_workspace* workspace);

/**
 * Creates a session for one answer. With CITESTREAM_JSON it collects the body and writes it rewritten at the
 * end, or unchanged once it is larger than `max_body_bytes`. With CITESTREAM_PASS and CITESTREAM_BYPASSED all
 * bytes pass through unchanged.
 *
 * \p mode is a citestream_rewrite_mode. \p workspace must outlive the session; with NULL, the session has
 * one of its own. CITESTREAM_BAD_VALUE if `not_found` is greater than `supported`.
 */
CITESTREAM_API int citestream_session_create(const citestream_options* options, int mode,
                                             citestream_workspace* workspace, citestream_session** out);
/** Like citestream_session_create(), for the answer to \p request: the answer may cite its references, in
 * addition to those of the options. If the request asks for JSON ("structured output"), the answer passes
 * unchanged, except for egress. */
CITESTREAM_API int citestream_session_create_for(const citestream_options* options,
                                                 const citestream_request* request, int mode,
                                                 citestream_workspace* workspace, citestream_session** out);
/** Frees a session at any time; within a sink of the session, when that call returns. NULL is allowed. */
CITESTREAM_API void citestream_session_free(citestream_session* session);
/** Prepares for another answer of the same kind. Buffered output is dropped, memory is kept. */
CITESTREAM_API int citestream_session_reset(citestream_session* session);

/** Receives output, at most once per call; the bytes are valid until it returns. If it returns other than 0,
 * the call returns CITESTREAM_STOPPED. */
typedef int (*citestream_sink)(void* user, const char* bytes, size_t size);

/** Destination of output: \p sink if it is set, otherwise the caller's buffer. */
typedef struct citestream_output {
  size_t struct_size;   /**< sizeof(citestream_output) */
  citestream_sink sink; /**< NULL: into the buffer */
  void* user;           /**< for the sink */
  char* data;           /**< the caller's buffer */
  size_t capacity;      /**< its size */
  size_t size;          /**< set by the call: bytes written into the buffer, or given to the sink */
  size_t waiting;       /**< set by the call: bytes still buffered */
} citestream_output;

/**
 * Takes the next bytes of the answer, cut anywhere, and always all of them. Output that can be released is
 * written in this call. If \p out is NULL, it is buffered for citestream_session_take() or
 * citestream_session_read().
 *
 * \return CITESTREAM_MORE if the caller's buffer is full: the rest is buffered, and a code about an event is
 * returned with the last of it. Otherwise a code about an event in these bytes, or CITESTREAM_OK.
 */
CITESTREAM_API int citestream_session_write(citestream_session* session, const char* bytes, size_t size,
                                            citestream_output* out);
/** Call when the transport confirms that all bytes have arrived: text held back is written. Returns
 *  CITESTREAM_INCOMPLETE if the answer is not complete. The output of an event stream then ends with an error
 *  event, unless the upstream sent one or the format is unknown. An incomplete JSON body is written
 *  unchanged. */
CITESTREAM_API int citestream_session_finish(citestream_session* session, citestream_output* out);
/** Call when the transport was cut off: like citestream_session_finish(), with \p message and \p code for
 * `event: error` (NUL-terminated; NULL: the library's). If they are not UTF-8, `?` replaces all bytes that
 * are not ASCII. */
CITESTREAM_API int citestream_session_abort(citestream_session* session, const char* message,
                                            const char* code, citestream_output* out);
/** Writes buffered output; \p out must not be NULL. Returns the same as citestream_session_write(). */
CITESTREAM_API int citestream_session_read(citestream_session* session, citestream_output* out);
/** Gives all buffered output as a view, without a copy, valid until the next write, finish, abort, reset or
 * free. The buffer is then empty. Returns the code that CITESTREAM_MORE delayed, or CITESTREAM_OK. */
CITESTREAM_API int citestream_session_take(citestream_session* session, citestream_text* out);
/** Invalidates the view from citestream_session_take(), and lends its memory to the next session of the
 * workspace that writes. Idle sessions then need no memory for output. No effect without a workspace or while
 * output is buffered. Optional. */
CITESTREAM_API int citestream_session_release(citestream_session* session);

/** Counters since the start of the answer. */
typedef struct citestream_statistics {
  size_t struct_size;      /**< sizeof(citestream_statistics) */
  uint64_t events;         /**< that arrived, `[DONE]` included */
  uint64_t deltas;         /**< text deltas; an event may have several */
  uint64_t bytes_in;       /**< of the answer */
  uint64_t bytes_out;      /**< written or buffered */
  uint64_t held;           /**< bytes of text held back now */
  uint64_t held_max;       /**< maximum of bytes held back at once in one text */
  uint64_t abandoned;      /**< how often text was released because of the limit */
  uint64_t passed_through; /**< events passed through unread: malformed, too large, unknown */
  uint64_t citations;      /**< of markers: the sum of the next three. Others are the provider's */
  uint64_t resolved;       /**< at least one reference matched */
  uint64_t unresolved;     /**< no reference matched */
  uint64_t pending;        /**< references may still arrive */
  uint64_t problem_offset; /**< byte of the stream at which the last problem occurred */
  int32_t problem;         /**< the last code about a single event, or the end; 0: none */
  int32_t upstream_error;  /**< other than 0: the stream ended with an error of its own */
} citestream_statistics;

/** Fills in \p out, whose `struct_size` the caller has set. */
CITESTREAM_API int citestream_session_statistics(const citestream_session* session,
                                                 citestream_statistics* out);
/** The name of the dialect recognised so far; empty if none. Static. */
CITESTREAM_API int citestream_session_dialect(const citestream_session* session, citestream_text* out);

/* --- citations --- */

/** A position in the output text, in three units. */
typedef struct citestream_position {
  uint64_t utf8;      /**< bytes */
  uint64_t utf16;     /**< UTF-16 code units */
  uint64_t codepoint; /**< Unicode scalar values */
} citestream_position;

/** Whether the references of a citation are known. */
typedef enum citestream_citation_status {
  CITESTREAM_PENDING = 0,   /**< references have not arrived yet */
  CITESTREAM_RESOLVED = 1,  /**< at least one reference matched */
  CITESTREAM_UNRESOLVED = 2 /**< no reference matched: the model cited something that does not exist */
} citestream_citation_status;

/** How an identifier and a reference match. */
typedef enum citestream_match {
  CITESTREAM_MATCH_NONE = -1,
  CITESTREAM_MATCH_EXACT = 0,
  CITESTREAM_MATCH_NORMALIZED = 1, /**< URLs that are equal once normalized */
  CITESTREAM_MATCH_NATIVE = 2,     /**< the provider states which reference it cites */
  CITESTREAM_MATCH_REPAIRED = 3    /**< a corrupted identifier, see the option `repair` */
} citestream_match;

/** The result of comparing a claim with its references; requires the option `check`. */
typedef enum citestream_verdict {
  CITESTREAM_VERDICT_NONE = -1, /**< not compared: not checked, nothing to compare, or too large */
  CITESTREAM_SUPPORTED = 0,     /**< much the same words are in the references */
  CITESTREAM_CONTRADICTED = 1,  /**< a rule found a word that excludes one of the claim */
  CITESTREAM_NOT_FOUND = 2,     /**< little of the claim is in the references */
  CITESTREAM_UNSURE = 3         /**< between the two, or the claim has too few words */
} citestream_verdict;

/** Who has cited. */
typedef enum citestream_origin {
  CITESTREAM_ORIGIN_MARKER = 0,   /**< the model, with a marker in the text */
  CITESTREAM_ORIGIN_PROVIDER = 1, /**< the provider, outside the text */
  CITESTREAM_ORIGIN_BOTH = 2      /**< both cite the same reference at the same place */
} citestream_origin;

/** What `start` and `end` of a citation are. */
typedef enum citestream_anchor {
  CITESTREAM_ANCHOR_MARKER = 0, /**< where the marker is, or what was printed for it */
  CITESTREAM_ANCHOR_CLAIM = 1,  /**< the words that the citation supports */
  CITESTREAM_ANCHOR_POINT = 2,  /**< one place in the text, or what was printed there */
  CITESTREAM_ANCHOR_BLOCK = 3,  /**< a whole text of the answer, such as a content block */
  CITESTREAM_ANCHOR_NONE = 4    /**< unknown: all positions are 0 */
} citestream_anchor;

/** The unit of the positions in a citation of the provider. Ends are exclusive. */
typedef enum citestream_unit {
  CITESTREAM_UNIT_NONE = -1, /**< it has no positions in the text of the answer */
  CITESTREAM_UNIT_UTF8 = 0,
  CITESTREAM_UNIT_UTF16 = 1,
  CITESTREAM_UNIT_CODEPOINT = 2
} citestream_unit;

/** A citation and its references. It, its texts and its references are valid until the next call with the
 * session (statistics and dialect excepted). */
typedef struct citestream_citation {
  size_t struct_size;              /**< set by the library */
  uint32_t choice;                 /**< its `index` in the payloads */
  uint32_t number;                 /**< number of its source, from 1; 0: not printed, see `unresolved` */
  citestream_text label;           /**< as in the marker, inert if egress is enforced; may be empty */
  citestream_text identifier;      /**< the same; without a marker, a URL or id of the provider */
  citestream_text marker;          /**< its bytes, inert if egress is enforced; empty without a marker */
  citestream_position start;       /**< its position; equal to `end` if the style prints nothing */
  citestream_position end;         /**< exclusive */
  citestream_position claim_start; /**< the text that it supports */
  citestream_position claim_end;   /**< exclusive */
  int32_t status;                  /**< citestream_citation_status */
  int32_t match;                   /**< citestream_match */
  int32_t source_type;             /**< citestream_source_type, of the first reference */
  int32_t reserved;                /**< 0 */
  const citestream_reference* const* references; /**< best first; NULL if there are none */
  size_t reference_count;                        /**< of `references` */
  citestream_text title;                         /**< of the first reference; may be empty */
  uint32_t group;      /**< from 0; the citations of one marker, or of one place of the provider, share it */
  int32_t origin;      /**< citestream_origin */
  int32_t anchor;      /**< citestream_anchor */
  int32_t native_unit; /**< citestream_unit of the positions in `native` */
  citestream_text native; /**< what the provider wrote, a JSON object; may be empty, or not kept */
  double support;  /**< from 0 to 1, if there is a verdict: how much of the claim is in the references */
  int32_t verdict; /**< citestream_verdict on the claim */
  int32_t reserved_verdict;      /**< 0 */
  citestream_text attributed_to; /**< words at the start of the claim that name its source; or empty */
  /** The verdict and its evidence, a JSON object, with positions in the unit of the option `offsets`:
   * `{"support":0.17,"verdict":"contradicted","evidence":{…},"matched_words":[…],"missing_words":[…],"contradictions":[…]}`.
   * Empty if there is no verdict. */
  citestream_text finding;
  double score;          /**< the provider's confidence in its own citation; see `has` */
  uint32_t has;          /**< CITESTREAM_HAS_SCORE if `score` is known */
  uint32_t reserved_has; /**< 0 */
  /** Which text of the answer it is in, a JSON object such as `{"block":2}` or `{"output":1,"content":0}`.
   * Empty if the protocol does not divide answers into texts, or the place of the citation is not known. */
  citestream_text path;
} citestream_citation;

/** Choices seen so far; 0 for NULL. */
CITESTREAM_API size_t citestream_session_choices(const citestream_session* session);
/** Number of citations of the choice at \p place in order of first appearance, from 0: those of markers, then
 * those that only the provider has made, which are known once the choice has ended. */
CITESTREAM_API size_t citestream_session_citation_count(const citestream_session* session, size_t place);
/** The citation with that \p index, from 0, as known so far. */
CITESTREAM_API int citestream_session_citation(citestream_session* session, size_t place, size_t index,
                                               const citestream_citation** out);

/* --- typed events --- */

/** The kind of a typed event. */
typedef enum citestream_event_type {
  CITESTREAM_EVENT_TEXT = 0,     /**< text of a choice, in the chosen style */
  CITESTREAM_EVENT_CITATION = 1, /**< a marker was found and has its position */
  CITESTREAM_EVENT_RESOLVED = 2, /**< a citation's complete record; the only event of one without a marker */
  CITESTREAM_EVENT_END = 3       /**< a choice has ended */
} citestream_event_type;

/** A typed event. Its texts and its citation are valid until the next call with the session. The events of a
 * choice are in the order of its text: a citation follows exactly the text up to `citation->end`. Exception:
 * style `keep` releases the text of a marker before the marker is recognised. Its citation may then come
 * later; its position is in text already given. */
typedef struct citestream_event {
  size_t struct_size;                  /**< sizeof(citestream_event) */
  int32_t type;                        /**< citestream_event_type */
  uint32_t choice;                     /**< its `index` in the payloads */
  int64_t delta;                       /**< the text delta, from 0, that released this; -1: the end did */
  citestream_text text;                /**< of CITESTREAM_EVENT_TEXT */
  citestream_text finish_reason;       /**< of CITESTREAM_EVENT_END; empty if the stream had none */
  const citestream_citation* citation; /**< of CITESTREAM_EVENT_CITATION and _RESOLVED; otherwise NULL */
} citestream_event;

/** The next typed event, in order. Events are queued until they are taken; without the option `events` there
 * are none. \return 1: \p out is set; 0: no event is left; below 0: a \ref citestream_code */
CITESTREAM_API int citestream_session_next(citestream_session* session, citestream_event* out);

#ifdef __cplusplus
}
#endif

#endif
