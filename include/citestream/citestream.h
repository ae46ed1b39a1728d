/**
 * \file
 * The C interface: the event stream of one chat completion in, the same stream with clean text and citations
 * out. No I/O, no threads; C11 or C++.
 *
 * \code{.c}
 *   citestream_options* options = NULL;
 *   citestream_session* session = NULL;
 *   citestream_text out = {NULL, 0};
 *   citestream_options_create(&options);
 *   citestream_options_set(options, "style", "numeric", CITESTREAM_NUL_TERMINATED);
 *   citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session);
 *   while (read_some(&bytes, &size)) {
 *     citestream_session_write(session, bytes, size, NULL);  // below 0: it did not work
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
 * **Codes.** Functions return \ref citestream_code as an int. Below 0 the call did nothing; 0 is success;
 * above 0 the call did its work and tells something. Nothing is thrown, and nothing aborts.
 *
 * **Threads.** One session, and one workspace, belongs to one thread at a time. Options may be shared by any
 * number of threads once a session was made from them: they can no longer be changed then.
 *
 * **Structs.** Those that the caller provides begin with `struct_size`, which the caller sets to `sizeof`.
 * Later versions only add members at the end; the library never touches what lies behind `struct_size`, and
 * takes what an older caller does not have for 0. A size below the first version's is
 * CITESTREAM_BAD_ARGUMENT; members that this library does not know must be 0, or it is
 * CITESTREAM_UNSUPPORTED. Structs that the library provides grow at the end likewise, and say their size.
 *
 * **Texts.** What the library provides is UTF-8 as it came, not NUL-terminated, and `data` is never NULL.
 */
#ifndef CITESTREAM_CITESTREAM_H
#define CITESTREAM_CITESTREAM_H

#include <citestream/version.h>

#include <stddef.h>
#include <stdint.h>

#if defined(CITESTREAM_BUILDING_C) && defined(__GNUC__)
#define CITESTREAM_API __attribute__((visibility("default")))
#else
/** Stands before what the shared library exports. */
#define CITESTREAM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- codes and version --------------------------------------------------------------------------------- */

/** What functions return as an int; see above. */
typedef enum citestream_code {
  CITESTREAM_OK = 0,
  /* Above 0, about single events: they passed as they came, and the stream goes on. */
  CITESTREAM_EVENT_TOO_LARGE = 1, /**< an event is larger than `max_event_bytes` */
  CITESTREAM_INVALID_JSON = 2,    /**< a payload is not JSON, or not UTF-8 */
  CITESTREAM_JSON_TOO_DEEP = 3,   /**< a payload nests deeper than `max_json_depth` */
  CITESTREAM_DUPLICATE_KEY = 4,   /**< an object holds twice a key that matters */
  CITESTREAM_BODY_TOO_LARGE = 5,  /**< a JSON body is larger than `max_body_bytes` */
  CITESTREAM_INCOMPLETE = 7, /**< the stream ended inside an answer: close the connection, do not end it */
  CITESTREAM_MORE = 32,      /**< output waits: call citestream_session_read() */
  /* Below 0: the call did nothing. */
  CITESTREAM_BAD_ARGUMENT = -1, /**< a null or foreign pointer, a struct_size or value that cannot be */
  CITESTREAM_BAD_STATE = -2, /**< not now: bytes after the end, a call from within a sink, options in use */
  CITESTREAM_UNKNOWN_OPTION = -3, /**< no option has that name */
  CITESTREAM_BAD_VALUE = -4,      /**< the option has no such value; see citestream_options_problem() */
  CITESTREAM_NO_MEMORY = -5,      /**< the session cannot be used any more, only freed */
  CITESTREAM_UNSUPPORTED = -6,    /**< this library cannot do that */
  CITESTREAM_STOPPED = -7,        /**< a sink said no; what it was given is not given again */
  CITESTREAM_INTERNAL = -8        /**< a defect of the library; the session can only be freed */
} citestream_code;

/** One line about \p code, NUL-terminated, static, never NULL. */
CITESTREAM_API const char* citestream_message(int code);

/** "major.minor.patch" of the library that runs; static. Headers say \ref CITESTREAM_VERSION. */
CITESTREAM_API const char* citestream_version(void);
/** The same as a number, as \ref CITESTREAM_VERSION_NUMBER. Compatible: the same major version, not older. */
CITESTREAM_API uint32_t citestream_version_number(void);

/** Bytes that somebody else owns. */
typedef struct citestream_text {
  const char* data; /**< may have no NUL at its end */
  size_t size;      /**< bytes */
} citestream_text;

/* --- memory -------------------------------------------------------------------------------------------- */

/** Where all memory of the library comes from. */
typedef struct citestream_allocator {
  size_t struct_size; /**< sizeof(citestream_allocator) */
  /** \p size bytes, above 0, aligned as malloc() does; NULL: there are none. Must not throw or jump. */
  void* (*allocate)(void* user, size_t size);
  /** Gives back what allocate() gave; never NULL. */
  void (*release)(void* user, void* memory);
  void* user; /**< given to both */
} citestream_allocator;

/**
 * Sets the hooks; NULL: malloc() and free() again. Only while no handle exists (CITESTREAM_BAD_STATE), and in
 * no other thread at the same time. Hooks are called in the threads that call the library, at once if several
 * do. In the static library memory is the program's `operator new`: CITESTREAM_UNSUPPORTED.
 */
CITESTREAM_API int citestream_set_allocator(const citestream_allocator* hooks);

/* --- options ------------------------------------------------------------------------------------------- */

/** What sessions are to do; unchangeable once one was made. */
typedef struct citestream_options citestream_options;

/** \p size of a text that ends with a NUL. */
#define CITESTREAM_NUL_TERMINATED SIZE_MAX

/** Options with their defaults, to be freed with citestream_options_free(). */
CITESTREAM_API int citestream_options_create(citestream_options** out);
/** At any time, sessions do not need them any more; NULL is allowed. */
CITESTREAM_API void citestream_options_free(citestream_options* options);

/**
 * Sets one option from \p size bytes of text, which are copied.
 *
 * | name | value | default |
 * |---|---|---|
 * | `style` | `strip` `keep` `numeric` `footnote` `superscript` `html` `label` `markdown` | `strip` |
 * | `markers` | grammars, separated by commas: `link,numeric`; empty: as the dialect says | empty |
 * | `marker` | one grammar more, `[ref:{key}]`; each call adds one | |
 * | `identifiers` | `any` `uuid` `url` | `any` |
 * | `dialect` | `auto` or a dialect's name | `auto` |
 * | `offsets` | `utf8` `utf16` `codepoint`: of positions in JSON that leaves | `utf16` |
 * | `citations` | `auto` `always` `never`: whether citations are added to the stream | `auto` |
 * | `file_url` | a link to a cited file, with `{file_id}`, `{page}`, `{title}` | empty |
 * | `only_known` | `on` `off`: markers that mean no reference known before the text stay text | `off` |
 * | `egress` | `off` `report` `enforce`: addresses in answers that are neither a reference's nor allowed | `off` |
 * | `egress_allow` | those that are, separated by commas: `https://a.example,https://b.example:8443` | empty |
 * | `provenance` | `on` `off`: `[REF|d_1]` keys are on, and summed up | `off` |
 * | `events` | `on` `off`: citestream_session_next() is going to be called | `off` |
 * | `json_paths` | where JSON answers are rewritten, separated by commas; empty: nowhere | `/` |
 * | `max_…` | a bound of `limits` by name, decimal: `max_event_bytes` `max_body_bytes` … | |
 */
CITESTREAM_API int citestream_options_set(citestream_options* options, const char* name, const char* value,
                                          size_t size);
/** Why the last citestream_options_set() failed, in one line; empty: it did not. Valid until the next. */
CITESTREAM_API const char* citestream_options_problem(const citestream_options* options);

/** Which numbers of a citestream_reference are known. */
enum { CITESTREAM_HAS_SCORE = 1, CITESTREAM_HAS_PAGE = 2, CITESTREAM_HAS_NUMBER = 4 };

/** What kind of thing a reference is. */
typedef enum citestream_source_type {
  CITESTREAM_SOURCE_UNKNOWN = -1,
  CITESTREAM_SOURCE_FILE = 0,
  CITESTREAM_SOURCE_WEB = 1,
  CITESTREAM_SOURCE_DOCUMENT = 2,
  CITESTREAM_SOURCE_AGENT = 3
} citestream_source_type;

/** A thing that may be cited. Texts are empty where nothing is known. */
typedef struct citestream_reference {
  size_t struct_size;    /**< sizeof(citestream_reference) of who made it: the caller, or the library */
  int32_t type;          /**< citestream_source_type */
  uint32_t has;          /**< CITESTREAM_HAS_… of the three numbers */
  double score;          /**< higher is better */
  int64_t page;          /**< from 1 */
  int64_t number;        /**< its place in the provider's list, from 1, for numeric markers */
  citestream_text id;    /**< the provider's id */
  citestream_text cite;  /**< what a marker's identifier says to mean this; empty: `id`, `url`, `number` do */
  citestream_text title; /**< title or file name */
  citestream_text url;   /**< as it came */
  citestream_text text;  /**< the snippet; of a tool result all of it */
  citestream_text tool;  /**< of a tool result: the tool */
  citestream_text tool_call_id; /**< of a tool result: the call */
  citestream_text file_path;    /**< of a tool result: the file that it names */
} citestream_reference;

/** Adds a reference known before the answer; everything is copied. */
CITESTREAM_API int citestream_options_add_reference(citestream_options* options,
                                                    const citestream_reference* reference);

/* --- what is rewritten -----------------------------------------------------------------------------------
 */

/** What is done with an answer. */
typedef enum citestream_treatment {
  CITESTREAM_PASS = 0,     /**< byte for byte */
  CITESTREAM_BYPASSED = 1, /**< byte for byte although of a kind that is rewritten: compressed, or told to */
  CITESTREAM_EVENTS = 2,   /**< an event stream, rewritten as it flows */
  CITESTREAM_JSON = 3      /**< one JSON body, rewritten as a whole */
} citestream_treatment;

/** What the heads of a request and its answer say. Texts need not be NUL-terminated. */
typedef struct citestream_answer_facts {
  size_t struct_size;               /**< sizeof(citestream_answer_facts) */
  int32_t status;                   /**< of the answer: 200 */
  int32_t bypass;                   /**< other than 0: nothing is to be rewritten */
  citestream_text method;           /**< of the request: `POST` */
  citestream_text path;             /**< of the request, a query behind it or not */
  citestream_text content_type;     /**< of the answer, parameters and all; empty: none, or several */
  citestream_text content_encoding; /**< of the answer; empty: none */
} citestream_answer_facts;

/** What is to be done with an answer, as the proxy decides: a \ref citestream_treatment, or below 0. */
CITESTREAM_API int citestream_decide(const citestream_options* options, const citestream_answer_facts* facts);

/* --- sessions --------------------------------------------------------------------------------------------
 */

/** Room to parse in. */
typedef struct citestream_workspace citestream_workspace;
/** One answer on its way. */
typedef struct citestream_session citestream_session;

/** Room to parse in, for the sessions of one thread to share; some 120 KiB once used. */
CITESTREAM_API int citestream_workspace_create(citestream_workspace** out);
/** After all sessions that use it; NULL is allowed. */
CITESTREAM_API void citestream_workspace_free(citestream_workspace* workspace);

/**
 * A session for one answer. With CITESTREAM_JSON it collects the body, which leaves rewritten at the end, or
 * as it came once it is larger than `max_body_bytes`. With CITESTREAM_PASS and CITESTREAM_BYPASSED bytes
 * pass.
 * \param how        one of citestream_treatment
 * \param workspace  outlives the session; NULL: one of its own
 */
CITESTREAM_API int citestream_session_create(const citestream_options* options, int how,
                                             citestream_workspace* workspace, citestream_session** out);
/** At any time; NULL is allowed. From within a sink of this session it happens when the call returns. */
CITESTREAM_API void citestream_session_free(citestream_session* session);
/** Ready for another answer of the same kind; output that waits is dropped, memory is kept. */
CITESTREAM_API int citestream_session_reset(citestream_session* session);

/** Is given output, at most once a call; bytes live until it returns. Other than 0: CITESTREAM_STOPPED. */
typedef int (*citestream_sink)(void* user, const char* bytes, size_t size);

/** Where output goes: to \p sink where there is one, else into the caller's buffer. */
typedef struct citestream_output {
  size_t struct_size;   /**< sizeof(citestream_output) */
  citestream_sink sink; /**< NULL: into the buffer */
  void* user;           /**< for the sink */
  char* data;           /**< the caller's buffer */
  size_t capacity;      /**< its size */
  size_t size;          /**< set by the call: bytes written into the buffer, or given to the sink */
  size_t waiting;       /**< set by the call: bytes that found no place */
} citestream_output;

/**
 * Takes the next bytes of the answer, cut anywhere; all of them, always. What can leave, leaves in this call.
 * \param out  NULL: output waits for citestream_session_take() or citestream_session_read()
 * \return CITESTREAM_MORE where the buffer is full: the rest waits, nothing is lost, a code about an event
 *         comes with the last of it. Else a code about an event in these bytes, or CITESTREAM_OK.
 */
CITESTREAM_API int citestream_session_write(citestream_session* session, const char* bytes, size_t size,
                                            citestream_output* out);
/** The transport says that all bytes were there: what was withheld leaves. CITESTREAM_INCOMPLETE: they were
 *  not; output then ends with `event: error`. */
CITESTREAM_API int citestream_session_finish(citestream_session* session, citestream_output* out);
/** The transport broke off: as citestream_session_finish(), with \p message and \p code for `event: error`
 *  (NUL-terminated UTF-8; NULL: the library's). */
CITESTREAM_API int citestream_session_abort(citestream_session* session, const char* message,
                                            const char* code, citestream_output* out);
/** Gives output that waits; \p out is not NULL. Returns as citestream_session_write(). */
CITESTREAM_API int citestream_session_read(citestream_session* session, citestream_output* out);
/** Gives all output that waits as a view, without a copy: valid until the next write, finish, abort, reset or
 *  free. It waits no longer. Returns the code that CITESTREAM_MORE held back, or CITESTREAM_OK. */
CITESTREAM_API int citestream_session_take(citestream_session* session, citestream_text* out);
/** The view that citestream_session_take() gave has been used, and dies: its memory is lent to whichever session
 *  of the workspace writes next. Many sessions that wait then need no memory for output, and it stays in the
 *  processor's cache. Without a workspace, or where output waits, it does nothing. Never needed. */
CITESTREAM_API int citestream_session_release(citestream_session* session);

/** Counters since the start of the answer. */
typedef struct citestream_statistics {
  size_t struct_size;      /**< sizeof(citestream_statistics) */
  uint64_t events;         /**< that arrived, `[DONE]` included */
  uint64_t deltas;         /**< text deltas among them */
  uint64_t bytes_in;       /**< of the answer */
  uint64_t bytes_out;      /**< given or waiting */
  uint64_t held;           /**< bytes of text withheld now */
  uint64_t held_max;       /**< at most at once in one choice */
  uint64_t abandoned;      /**< times that the bound let withheld text go */
  uint64_t passed_through; /**< events that passed unread */
  uint64_t citations;      /**< all of them: the sum of the next three */
  uint64_t resolved;       /**< at least one reference matched */
  uint64_t unresolved;     /**< none did */
  uint64_t pending;        /**< references may still come */
  uint64_t problem_offset; /**< byte of the stream where the last problem was seen */
  int32_t problem;         /**< the last code about a single event, or the end; 0: none */
  int32_t upstream_error;  /**< other than 0: the stream said that its answer is an error */
} citestream_statistics;

/** Fills in \p out, whose `struct_size` the caller has set. */
CITESTREAM_API int citestream_session_statistics(const citestream_session* session,
                                                 citestream_statistics* out);
/** The name of the dialect recognised so far; empty: none yet. Static. */
CITESTREAM_API int citestream_session_dialect(const citestream_session* session, citestream_text* out);

/* --- citations -------------------------------------------------------------------------------------------
 */

/** A position in the text that left, in three units. */
typedef struct citestream_position {
  uint64_t utf8;      /**< bytes */
  uint64_t utf16;     /**< UTF-16 code units */
  uint64_t codepoint; /**< Unicode scalar values */
} citestream_position;

/** Whether what a citation means is known. */
typedef enum citestream_citation_status {
  CITESTREAM_PENDING = 0,   /**< references have not come yet */
  CITESTREAM_RESOLVED = 1,  /**< at least one reference matched */
  CITESTREAM_UNRESOLVED = 2 /**< none did: the model cited what does not exist */
} citestream_citation_status;

/** How an identifier and a reference were found to agree. */
typedef enum citestream_match {
  CITESTREAM_MATCH_NONE = -1,
  CITESTREAM_MATCH_EXACT = 0,
  CITESTREAM_MATCH_NORMALIZED = 1 /**< addresses that mean the same place */
} citestream_match;

/** One marker and what it means. It, its texts and its references are valid until the next call with the
 *  session (statistics and dialect excepted). */
typedef struct citestream_citation {
  size_t struct_size;              /**< set by the library */
  uint32_t choice;                 /**< its `index` in the payloads */
  uint32_t number;                 /**< its source's, from 1 */
  citestream_text label;           /**< as in the marker; empty where there is none */
  citestream_text identifier;      /**< as in the marker */
  citestream_text marker;          /**< its exact bytes */
  citestream_position start;       /**< where it stands; equal to `end` where nothing is left of it */
  citestream_position end;         /**< exclusive */
  citestream_position claim_start; /**< the text that it supports */
  citestream_position claim_end;   /**< exclusive */
  int32_t status;                  /**< citestream_citation_status */
  int32_t match;                   /**< citestream_match */
  int32_t source_type;             /**< citestream_source_type, of the first reference */
  int32_t reserved;                /**< 0 */
  const citestream_reference* const* references; /**< best first; NULL where there are none */
  size_t reference_count;                        /**< of `references` */
} citestream_citation;

/** Choices seen so far; 0 for NULL. */
CITESTREAM_API size_t citestream_session_choices(const citestream_session* session);
/** Citations of the choice with that \p place in order of first appearance, from 0; 0: none, or no such. */
CITESTREAM_API size_t citestream_session_citation_count(const citestream_session* session, size_t place);
/** One of them, by \p index from 0, as it is known by now. */
CITESTREAM_API int citestream_session_citation(citestream_session* session, size_t place, size_t index,
                                               const citestream_citation** out);

/* --- typed events ----------------------------------------------------------------------------------------
 */

/** What a typed event tells. */
typedef enum citestream_event_type {
  CITESTREAM_EVENT_TEXT = 0,     /**< text of a choice, in the chosen style */
  CITESTREAM_EVENT_CITATION = 1, /**< a marker found and placed; what it cites may not be known yet */
  CITESTREAM_EVENT_RESOLVED = 2, /**< a citation's whole record */
  CITESTREAM_EVENT_END = 3       /**< a choice has ended */
} citestream_event_type;

/** A typed event. Its texts and its citation are valid until the next call with the session. */
typedef struct citestream_event {
  size_t struct_size;                  /**< sizeof(citestream_event) */
  int32_t type;                        /**< citestream_event_type */
  uint32_t choice;                     /**< its `index` in the payloads */
  int64_t delta;                       /**< the text delta, from 0, that released this; -1: the end did */
  citestream_text text;                /**< of CITESTREAM_EVENT_TEXT */
  citestream_text finish_reason;       /**< of CITESTREAM_EVENT_END; empty where the stream had none */
  const citestream_citation* citation; /**< of the two in the middle; else NULL */
} citestream_event;

/** The next typed event, in order; needs the option `events`. Events wait until they are pulled.
 *  \return 1: here it is; 0: none waits; below 0: a \ref citestream_code */
CITESTREAM_API int citestream_session_next(citestream_session* session, citestream_event* out);

#ifdef __cplusplus
}
#endif

#endif
