-- Clean text and checked citations from the event streams of language models, for LuaJIT: OpenResty, Kong, APISIX,
-- or nginx with its Lua module. Needs libcitestream.so.1. If the system does not find it, CITESTREAM_LIBRARY names it (in
-- nginx: `env CITESTREAM_LIBRARY;`).
--
-- In nginx, between the model and the client. nginx does not start if an option is wrong:
--
--   init_by_lua_block { require("citestream").define("chat", { style = "numeric" }) }
--
-- In the location:
--
--   header_filter_by_lua_block { require("citestream").header_filter("chat") }
--   body_filter_by_lua_block   { require("citestream").body_filter() }
--   log_by_lua_block {
--     local s = require("citestream").statistics()
--     if s then ngx.log(ngx.WARN, "cited ", tonumber(s.citations), " unresolved ", tonumber(s.unresolved)) end
--   }
--
-- Outside nginx:
--
--   local stream = require("citestream").stream({ style = "numeric" })
--   io.write(stream:feed(chunk)); io.write((stream:finish()))

local ffi = require("ffi")

-- The declarations of citestream/citestream.h that this module uses. The tests compare both.
ffi.cdef([[
typedef struct citestream_options citestream_options;
typedef struct citestream_session citestream_session;
typedef struct citestream_workspace citestream_workspace;
typedef struct citestream_output citestream_output;
typedef struct citestream_text { const char* data; size_t size; } citestream_text;
typedef struct citestream_request citestream_request;
typedef struct citestream_request_rules {
  size_t struct_size; uint32_t work; uint32_t reserved; citestream_text agent_tools; citestream_text tools;
} citestream_request_rules;
typedef struct citestream_answer_facts {
  size_t struct_size; int32_t status; int32_t bypass;
  citestream_text method; citestream_text path; citestream_text content_type; citestream_text content_encoding;
} citestream_answer_facts;
typedef struct citestream_statistics {
  size_t struct_size;
  uint64_t events; uint64_t deltas; uint64_t bytes_in; uint64_t bytes_out; uint64_t held; uint64_t held_max;
  uint64_t abandoned; uint64_t passed_through; uint64_t citations; uint64_t resolved; uint64_t unresolved;
  uint64_t pending; uint64_t problem_offset; int32_t problem; int32_t upstream_error;
} citestream_statistics;
typedef struct citestream_position { uint64_t utf8; uint64_t utf16; uint64_t codepoint; } citestream_position;
typedef struct citestream_reference {
  size_t struct_size; int32_t type; uint32_t has; double score; int64_t page; int64_t number;
  citestream_text id; citestream_text cite; citestream_text title; citestream_text url; citestream_text text;
  citestream_text tool; citestream_text tool_call_id; citestream_text file_path;
  const citestream_text* excerpts; size_t excerpt_count; int64_t span_start; int64_t span_end;
  int32_t span_unit; int32_t span_base; citestream_text container; citestream_text opaque;
  citestream_text uses;
} citestream_reference;
typedef struct citestream_citation {
  size_t struct_size; uint32_t choice; uint32_t number;
  citestream_text label; citestream_text identifier; citestream_text marker;
  citestream_position start; citestream_position end;
  citestream_position claim_start; citestream_position claim_end;
  int32_t status; int32_t match; int32_t source_type; int32_t reserved;
  const citestream_reference* const* references; size_t reference_count; citestream_text title;
  uint32_t group; int32_t origin; int32_t anchor; int32_t native_unit; citestream_text native;
  double support; int32_t verdict; int32_t reserved_verdict; citestream_text attributed_to; citestream_text finding;
  double score; uint32_t has; uint32_t reserved_has; citestream_text path;
} citestream_citation;
const char* citestream_message(int code);
const char* citestream_version(void);
int citestream_options_create(citestream_options** out);
void citestream_options_free(citestream_options* options);
int citestream_options_set(citestream_options* options, const char* name, const char* value, size_t size);
const char* citestream_options_problem(const citestream_options* options);
int citestream_decide(const citestream_options* options, const citestream_answer_facts* facts);
int citestream_session_create(const citestream_options* options, int mode, citestream_workspace* workspace,
                              citestream_session** out);
int citestream_request_create(const citestream_request_rules* rules, const char* body, size_t size,
                              citestream_request** out);
void citestream_request_free(citestream_request* request);
int citestream_request_body(const citestream_request* request, citestream_text* out);
size_t citestream_request_reference_count(const citestream_request* request);
int citestream_request_reference(const citestream_request* request, size_t index, const citestream_reference** out);
int citestream_session_create_for(const citestream_options* options, const citestream_request* request, int mode,
                                  citestream_workspace* workspace, citestream_session** out);
void citestream_session_free(citestream_session* session);
int citestream_session_write(citestream_session* session, const char* bytes, size_t size, citestream_output* out);
int citestream_session_finish(citestream_session* session, citestream_output* out);
int citestream_session_abort(citestream_session* session, const char* message, const char* code,
                             citestream_output* out);
int citestream_session_take(citestream_session* session, citestream_text* out);
int citestream_session_statistics(const citestream_session* session, citestream_statistics* out);
size_t citestream_session_choices(const citestream_session* session);
size_t citestream_session_citation_count(const citestream_session* session, size_t place);
int citestream_session_citation(citestream_session* session, size_t place, size_t index,
                                const citestream_citation** out);
]])

local C = ffi.load(os.getenv("CITESTREAM_LIBRARY") or "libcitestream.so.1")

local PASS, BYPASSED, EVENTS, JSON = 0, 1, 2, 3
local INCOMPLETE = 7

local M = { PASS = PASS, BYPASSED = BYPASSED, EVENTS = EVENTS, JSON = JSON }

local function checked(code)
  if code < 0 then error("citestream: " .. ffi.string(C.citestream_message(code)), 3) end
  return code
end

local function word(value)
  if value == true then return "on" elseif value == false then return "off" end
  if type(value) == "table" then return table.concat(value, ",") end
  return tostring(value)
end

local Options = {}
Options.__index = Options

--- Options, by the names of citestream_options_set(): { style = "numeric", markers = { "link" } }. Made once and shared
--- by any number of streams. `marker` is one pattern or a list of them. An unknown option or value is an error.
function M.options(values)
  local handle = ffi.new("citestream_options*[1]")
  checked(C.citestream_options_create(handle))
  local self = setmetatable({ handle = ffi.gc(handle[0], C.citestream_options_free) }, Options)
  local function set(name, value)
    if type(name) ~= "string" then error("citestream: options have names: style = \"numeric\"", 4) end
    if C.citestream_options_set(self.handle, name, value, #value) < 0 then
      error("citestream: " .. ffi.string(C.citestream_options_problem(self.handle)), 4)
    end
  end
  for name, value in pairs(values or {}) do
    if name == "marker" and type(value) == "table" then
      for _, pattern in ipairs(value) do set(name, pattern) end
    else
      set(name, word(value))
    end
  end
  local conflict = ffi.string(C.citestream_options_problem(self.handle))
  if conflict ~= "" then error("citestream: " .. conflict, 3) end
  return self
end

-- Options by the name that define() gave them, and by the table that they were made from: a plugin's configuration is
-- one table for all requests.
local defined = {}
local options_by_table = setmetatable({}, { __mode = "k" })
local defaults

--- Checks options and gives them a name, for header_filter() and stream(). Call it in init_by_lua: nginx then does not
--- start, and keeps its configuration at a reload, if an option is wrong.
function M.define(name, values)
  local options = M.options(values)
  defined[name] = options
  return options
end

local function defined_options(name)
  if defined[name] then return defined[name] end
  local names = {}
  for each in pairs(defined) do names[#names + 1] = each end
  table.sort(names)
  error("citestream: no options are defined as \"" .. name .. "\" (defined: "
        .. (#names > 0 and table.concat(names, ", ") or "none; call define() in init_by_lua") .. ")", 4)
end

local function options_of(values)
  if getmetatable(values) == Options then return values end
  if type(values) == "string" then return defined_options(values) end
  if values == nil then
    defaults = defaults or M.options()
    return defaults
  end
  local options = options_by_table[values]
  if not options then
    options = M.options(values)
    options_by_table[values] = options
  end
  return options
end

local function text(value)
  return { value, #value }
end

--- How to treat an answer: M.PASS, M.BYPASSED, M.EVENTS or M.JSON. \p facts has `content_type`, and optionally
--- `method` (POST), `path` (/), `status` (200), `content_encoding` (none) and `bypass` (false).
function Options:decide(facts)
  local method, path = facts.method or "POST", facts.path or "/"
  local content_type, encoding = facts.content_type or "", facts.content_encoding or ""
  local raw = ffi.new("citestream_answer_facts")
  raw.struct_size = ffi.sizeof(raw)
  raw.status, raw.bypass = facts.status or 200, facts.bypass and 1 or 0
  raw.method, raw.path = text(method), text(path)
  raw.content_type, raw.content_encoding = text(content_type), text(encoding)
  return checked(C.citestream_decide(self.handle, raw))
end

local Request = {}
Request.__index = Request

local WORK = { documents = 1, keys = 2, instructions = 4, inline_citations = 8, remove_own = 16 }
local CONTENT_KEYS = 32
local USUAL = { documents = true, instructions = true, remove_own = true }

--- The JSON body of a chat request: what it gives the model to cite, and what is sent instead of it. \p rules may have:
---   documents         its documents and search results are references of the answer; default: true
---   keys              each tool result gets a key such as `[REF|d_1]`; with "content" it is made from the bytes of the
---                     result; default: false
---   tools             a list of names: only the results of these tools get keys
---   agent_tools       a list of names: the results of these tools are another agent's
---   instructions      with `keys`, tells the model to cite them; default: true
---   inline_citations  Writer's graph tools request inline citations; default: false
---   remove_own        removes citations that were added to answers from the history (Anthropic); default: true
--- The request has `body`, and `problem` if the body could not be read, which is then unchanged. Do not change a request
--- whose body is signed.
function M.request(body, rules)
  rules = rules or {}
  local work = 0
  for name in pairs(rules) do
    local is_rule = WORK[name] or name == "agent_tools" or name == "tools"
    if not is_rule then error("citestream: unknown rule: " .. name, 2) end
  end
  for name, bit in pairs(WORK) do
    local value = rules[name]
    if value == nil then value = USUAL[name] end
    if value then work = work + bit end
  end
  if type(rules.keys) == "string" then
    if rules.keys ~= "content" and rules.keys ~= "counter" then
      error("citestream: keys is not one of true, false, counter, content", 2)
    end
    if rules.keys == "content" then work = work + CONTENT_KEYS end
  end
  local names, tools = word(rules.agent_tools or {}), word(rules.tools or {})
  local raw = ffi.new("citestream_request_rules")
  raw.struct_size, raw.work, raw.agent_tools, raw.tools = ffi.sizeof(raw), work, text(names), text(tools)
  local handle, taken = ffi.new("citestream_request*[1]"), ffi.new("citestream_text")
  local code = checked(C.citestream_request_create(raw, body, #body, handle))
  local self = setmetatable({ handle = ffi.gc(handle[0], C.citestream_request_free) }, Request)
  checked(C.citestream_request_body(self.handle, taken))
  self.body = ffi.string(taken.data, taken.size)
  self.problem = code > 0 and ffi.string(C.citestream_message(code)) or nil
  return self
end

local Stream = {}
Stream.__index = Stream

--- One answer. \p values are options, the name of defined options, or a table; \p mode is the result of decide(), an
--- event stream by default. The answer to \p request, if it is given, may cite its references, too.
function M.stream(values, mode, request)
  local options = options_of(values)
  local handle = ffi.new("citestream_session*[1]")
  if request then
    checked(C.citestream_session_create_for(options.handle, request.handle, mode or EVENTS, nil, handle))
  else
    checked(C.citestream_session_create(options.handle, mode or EVENTS, nil, handle))
  end
  return setmetatable({
    handle = ffi.gc(handle[0], C.citestream_session_free),
    options = options,
    taken = ffi.new("citestream_text"),
  }, Stream)
end

local function take(self)
  checked(C.citestream_session_take(self.handle, self.taken))
  return ffi.string(self.taken.data, self.taken.size)
end

--- Takes the next bytes of the answer and returns the bytes to send, which may be empty.
function Stream:feed(bytes)
  checked(C.citestream_session_write(self.handle, bytes, #bytes, nil))
  return take(self)
end

--- Ends the answer: returns the text that was held back, and whether the answer is complete.
function Stream:finish()
  local code = checked(C.citestream_session_finish(self.handle, nil))
  return take(self), code ~= INCOMPLETE
end

--- For an upstream that failed: as finish(), with an `event: error` that has \p message and \p code, both optional. If they are
--- not UTF-8, `?` replaces all bytes that are not ASCII.
function Stream:abort(message, code)
  local result = checked(C.citestream_session_abort(self.handle, message, code, nil))
  return take(self), result ~= INCOMPLETE
end

--- Frees the memory now. The stream cannot be used afterwards. The garbage collector does not see how much memory a stream
--- needs, so streams that are not closed may use much of it.
function Stream:close()
  if self.handle then
    C.citestream_session_free(ffi.gc(self.handle, nil))
    self.handle = nil
  end
end

--- Returns counters since the start of the answer: a struct with the members of citestream_statistics.
function Stream:statistics()
  local raw = ffi.new("citestream_statistics")
  raw.struct_size = ffi.sizeof(raw)
  checked(C.citestream_session_statistics(self.handle, raw))
  return raw
end

local STATUS = { [0] = "pending", "resolved", "unresolved" }
local MATCH = { [0] = "exact", "normalized", "native", "repaired" }
local TYPE = { [0] = "file", "web", "document", "agent", "search_result", "tool", "place" }
local ORIGIN = { [0] = "marker", "provider", "both" }
local ANCHOR = { [0] = "marker", "claim", "point", "block", "none" }
local VERDICT = { [0] = "supported", "contradicted", "not_found", "unsure" }
local UNIT = { [0] = "utf8", "utf16", "codepoint" }
local SOURCE_UNIT = { [0] = "char", "page", "block", "chunk" }
local HAS_SCORE, HAS_PAGE, HAS_NUMBER = 1, 2, 4

local function text_or_nil(raw)
  return raw.size > 0 and ffi.string(raw.data, raw.size) or nil
end

local function place_of(raw)
  return { utf8 = tonumber(raw.utf8), utf16 = tonumber(raw.utf16), codepoint = tonumber(raw.codepoint) }
end

local function has(raw, flag)
  return math.floor(raw.has / flag) % 2 == 1
end

local function reference_of(raw)
  local one = {
    type = TYPE[raw.type], id = text_or_nil(raw.id), cite = text_or_nil(raw.cite), title = text_or_nil(raw.title),
    url = text_or_nil(raw.url), text = text_or_nil(raw.text),
    tool = text_or_nil(raw.tool), tool_call_id = text_or_nil(raw.tool_call_id),
    file_path = text_or_nil(raw.file_path), excerpts = {},
    score = has(raw, HAS_SCORE) and raw.score or nil,
    page = has(raw, HAS_PAGE) and tonumber(raw.page) or nil,
    number = has(raw, HAS_NUMBER) and tonumber(raw.number) or nil,
    container = text_or_nil(raw.container), opaque = text_or_nil(raw.opaque),
  }
  for key in (text_or_nil(raw.uses) or ""):gmatch("%S+") do
    one.uses = one.uses or {}
    table.insert(one.uses, key)
  end
  for i = 0, tonumber(raw.excerpt_count) - 1 do one.excerpts[i + 1] = text_or_nil(raw.excerpts[i]) or "" end
  if SOURCE_UNIT[raw.span_unit] then
    one.source_span = { unit = SOURCE_UNIT[raw.span_unit], start = tonumber(raw.span_start),
                        ["end"] = tonumber(raw.span_end), base = raw.span_base }
  end
  return one
end

--- What the answer may cite: documents and search results, then tool results with keys. Tables as in a citation.
function Request:references()
  local all, raw = {}, ffi.new("const citestream_reference*[1]")
  for index = 0, tonumber(C.citestream_request_reference_count(self.handle)) - 1 do
    checked(C.citestream_request_reference(self.handle, index, raw))
    all[#all + 1] = reference_of(raw[0])
  end
  return all
end

local function citation_of(raw)
  local one = {
    choice = raw.choice, number = raw.number, group = raw.group, label = text_or_nil(raw.label),
    identifier = text_or_nil(raw.identifier), marker = text_or_nil(raw.marker), start = place_of(raw.start),
    ["end"] = place_of(raw["end"]), claim_start = place_of(raw.claim_start), claim_end = place_of(raw.claim_end),
    origin = ORIGIN[raw.origin], anchor = ANCHOR[raw.anchor], status = STATUS[raw.status], match = MATCH[raw.match],
    source_type = TYPE[raw.source_type], native = text_or_nil(raw.native), native_unit = UNIT[raw.native_unit],
    verdict = VERDICT[raw.verdict], support = VERDICT[raw.verdict] and raw.support,
    attributed_to = text_or_nil(raw.attributed_to), finding = text_or_nil(raw.finding), references = {},
    score = has(raw, HAS_SCORE) and raw.score or nil, path = text_or_nil(raw.path),
  }
  for i = 0, tonumber(raw.reference_count) - 1 do one.references[i + 1] = reference_of(raw.references[i][0]) end
  return one
end

--- Returns the citations so far, of all choices: a list of tables with the members of a citation record. `start`, `end`,
--- `claim_start` and `claim_end` have `utf8`, `utf16` and `codepoint`, from 0; `native`, `finding` and `path` are JSON. Unknown members are nil.
function Stream:citations()
  local all, raw = {}, ffi.new("const citestream_citation*[1]")
  for place = 0, tonumber(C.citestream_session_choices(self.handle)) - 1 do
    for index = 0, tonumber(C.citestream_session_citation_count(self.handle, place)) - 1 do
      checked(C.citestream_session_citation(self.handle, place, index, raw))
      all[#all + 1] = citation_of(raw[0])
    end
  end
  return all
end

-- Headers that describe the exact bytes of a body, or ranges of it.
local EXACT_BYTES = { "Content-Length", "ETag", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest", "Accept-Ranges" }

-- A header that occurs once. Several Content-Type headers are not a known type.
local function header(value)
  return type(value) == "string" and value or ""
end

--- For header_filter_by_lua: decides whether this answer is rewritten. \p values as for stream(); prefer a name, because
--- a table in the block is checked at each request. \p request is that of request(), if it was used.
function M.header_filter(values, request)
  if ngx.is_subrequest then return end
  local options = options_of(values)
  local mode = options:decide({
    status = ngx.status,
    method = ngx.req.get_method(),
    path = ngx.var.request_uri,
    content_type = header(ngx.header.content_type),
    content_encoding = header(ngx.header.content_encoding),
  })
  if mode ~= EVENTS and mode ~= JSON then return end
  ngx.ctx.citestream = M.stream(options, mode, request)
  for _, name in ipairs(EXACT_BYTES) do ngx.header[name] = nil end
end

--- For body_filter_by_lua: rewrites this part of the body. If the answer is incomplete, the output ends with an error event
--- and the body ends properly: nginx cannot send bytes and then close the connection. An answer in an unknown format gets no
--- event. Then this function raises an error, for which nginx closes the connection (HTTP/2: resets the stream).
--- If the connection to the upstream breaks, nginx does not call this function again: text held back is lost.
function M.body_filter()
  local stream = ngx.ctx.citestream
  if not stream or stream.ended then return end
  local bytes, last = ngx.arg[1], ngx.arg[2]
  local out, complete = bytes ~= "" and stream:feed(bytes) or "", true
  if last then
    local rest
    rest, complete = stream:finish()
    out = out .. rest
    stream.ended = stream:statistics()
    stream:close()  -- the garbage collector does not see its memory
  end
  ngx.arg[1] = out
  if not complete and out == "" and stream.ended.upstream_error == 0 then
    error("citestream: " .. ffi.string(C.citestream_message(INCOMPLETE)), 0)
  end
end

--- For log_by_lua: counters of this request's answer, or nil if it was not rewritten.
function M.statistics()
  local stream = ngx.ctx.citestream
  return stream and (stream.ended or stream:statistics())
end

--- `major.minor.patch` of the loaded library.
function M.version()
  return ffi.string(C.citestream_version())
end

return M
