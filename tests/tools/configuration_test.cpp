// One file, the environment and the command line, in rising priority; errors with file and line.
#include "tools/configuration.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/data.hpp"
#include "support/lines.hpp"
#include "support/loopback_tls.hpp"
#include "support/scratch_folder.hpp"
#include "tools/configuration_options.hpp"

using namespace citestream;
using namespace citestream::tools;
using citestream_tests::run;
using citestream_tests::scratch_file;

namespace {

struct loaded {
  proxy_configuration all;
  std::vector<std::string> errors;  ///< `WHERE: WHAT`
};

loaded load(const configuration_sources& from) {
  loaded out;
  for (const configuration_error& one : load_proxy_configuration(from, out.all)) {
    out.errors.push_back(one.text());
  }
  return out;
}

loaded load_file(const scratch_file& file) {
  configuration_sources from;
  from.file = file.path();
  return load(from);
}

/// The errors of a file, without its path.
std::vector<std::string> errors_of(const std::string& text) {
  const scratch_file file("c.toml", text);
  std::vector<std::string> out = load_file(file).errors;
  for (std::string& one : out) {
    REQUIRE(one.starts_with(file.path() + ":"));
    one.erase(0, file.path().size() + 1);
  }
  return out;
}

using errors = std::vector<std::string>;

/// A certificate with its key in one file, and each in one of its own.
struct issued {
  explicit issued(const std::string& prefix = {})
      : both(prefix + "both.pem", ""), cert(prefix + "cert.pem", ""), key(prefix + "key.pem", "") {
    loopback::authority().issue("DNS:localhost", both.path());
    std::ifstream in(both.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t end = text.find("-----BEGIN PRIVATE KEY");
    std::ofstream(cert.path()) << text.substr(0, end);
    std::ofstream(key.path()) << text.substr(end);
  }
  scratch_file both;
  scratch_file cert;
  scratch_file key;
};

std::string line_of(const std::string& printed, const std::string& key) {
  const std::size_t at = ("\n" + printed).find("\n" + key + " = ");
  return at == std::string::npos ? "" : printed.substr(at, printed.find('\n', at) - at);
}

std::string without_comments(const std::string& printed) {
  std::string out;
  for (const std::string& line : citestream_tests::lines_of(printed)) {
    out += line.substr(0, line.find("  # ")) + "\n";
  }
  return out;
}

/// A valid value for each row, as TOML, other than the default. A row without one fails a test.
std::map<std::string, std::string> samples(const std::string& readable) {
  std::map<std::string, std::string> out{{"listen", "\"[::1]:0\""},
                                         {"tls_listen", "\"127.0.0.1:0,unix:/run/c.sock\""},
                                         {"unix_mode", "\"0600\""},
                                         {"upstream", "\"https://a.example/v1\""},
                                         {"style", "\"numeric\""},
                                         {"markers", "[\"numeric\", \"ref\"]"},
                                         {"marker", R"(["[ref:{key}]", "[c,{number}|{label}]"])"},
                                         {"identifiers", "\"uuid\""},
                                         {"dialect", "\"perplexity\""},
                                         {"offsets", "\"codepoint\""},
                                         {"file_url", "\"https://d.example/{file_id}?a=\\\"\\\\\\u0001é\""},
                                         {"egress", "\"enforce\""},
                                         {"egress_code", "\"exact\""},
                                         {"unresolved", "\"drop\""},
                                         {"check", "\"report\""},
                                         {"egress_allow", R"(["https://*.b.example:8443"])"},
                                         {"citations", "\"never\""},
                                         {"json_paths", "[\"/v1/chat\", \"/v1/applications\"]"},
                                         {"provenance_agents", "[\"ask\", \"tell\"]"},
                                         {"provenance_tools", "[\"read\"]"},
                                         {"provenance_keys", "\"content\""},
                                         {"url", "\"http://b.example\""},
                                         {"admin", "\":9091\""},
                                         {"otlp_endpoint", "\"http://c.example:4318\""},
                                         {"log_level", "\"warn\""},
                                         {"log_format", "\"json\""},
                                         {"record", "\"recordings\""},
                                         {"path", "\"/w\""},
                                         {"host", "\"h.example\""},
                                         {"name", "\"w\""}};
  for (const configuration_option& one : configuration_options()) {
    const std::string key(one.key);
    if (one.type == option_type::boolean) out[key] = one.default_text == "true" ? "false" : "true";
    if (one.type == option_type::seconds) out[key] = "7.25";
    if (one.type == option_type::fraction) out[key] = "0.5";
    if (one.type == option_type::whole) out[key] = "77";
    if (one.argument == "FILE") out[key] = "\"" + readable + "\"";
  }
  return out;
}

/// A configuration that sets every option, including those of routes and upstreams.
std::string everything(const std::string& readable) {
  const std::map<std::string, std::string> values = samples(readable);
  std::string top;
  std::string upstream = "[upstreams.\"u 1\"]\n";
  std::string route = "[[routes]]\n";
  for (const configuration_option& one : configuration_options()) {
    const std::string key(one.key);
    const bool names_one = one.place == option_place::route && key == "upstream";
    INFO(key);
    REQUIRE((names_one || values.contains(key)));
    const std::string line = key + " = " + (names_one ? "\"u 1\"" : values.at(key)) + "\n";
    if (is_on_command_line(one)) top += line;
    if (one.place == option_place::answer || one.place == option_place::route) route += line;
    if (one.place == option_place::upstream) upstream += line;
  }
  return top + upstream + route;
}

}  // namespace

TEST_CASE("flags override the environment and it overrides the file") {
  const scratch_file file("a.toml", "threads = 2\nstyle = \"keep\"\noffsets = \"utf8\"\ndrain = 1.5\n");
  configuration_sources from;
  from.file = file.path();
  from.environment = {{"CITESTREAM_STYLE", "numeric"}, {"CITESTREAM_OFFSETS", "codepoint"}, {"STYLE", "x"}};
  from.flags = {
      {"style", {"label"}}, {"citation_instructions", {"false"}}, {"upstream", {"http://a.example"}}};
  const loaded got = load(from);
  CHECK(got.errors == errors{});
  REQUIRE(got.all.proxy.routes.size() == 1);
  CHECK(got.all.proxy.routes[0].session.style == &label_style);
  CHECK(got.all.proxy.routes[0].session.offsets == offset_unit::codepoint);
  CHECK_FALSE(got.all.proxy.routes[0].requests.sources.instructions);
  CHECK(got.all.proxy.threads == 2);
  CHECK(got.all.proxy.deadlines.drain == std::chrono::milliseconds(1500));
  const std::string printed = print_configuration(got.all);
  CHECK(line_of(printed, "style") == "style = \"label\"  # from --style");
  CHECK(line_of(printed, "offsets") == "offsets = \"codepoint\"  # from CITESTREAM_OFFSETS");
  CHECK(line_of(printed, "threads") == "threads = 2  # from " + file.path() + ":1");
  CHECK(line_of(printed, "drain") == "drain = 1.5  # from " + file.path() + ":4");
  CHECK(line_of(printed, "idle_timeout") == "idle_timeout = 120  # default");
  CHECK(line_of(printed, "citation_instructions") ==
        "citation_instructions = false  # from --no-citation-instructions");
}

TEST_CASE("defaults of the table are those of the options that it sets") {
  const loaded got = load({});
  CHECK(got.errors == errors{});
  CHECK(line_of(print_configuration(got.all), "unix_mode") == "unix_mode = \"0660\"  # default");
  CHECK(got.all.proxy.listen.unix_mode == proxy_options{}.listen.unix_mode);
  CHECK(got.all.proxy.threads == proxy_options{}.threads);
  CHECK(got.all.proxy.trace.sample_ratio == proxy_options{}.trace.sample_ratio);
  CHECK(got.all.proxy.admin == proxy_options{}.admin);
  CHECK(got.all.proxy.routes.empty());
  configuration_sources from;
  from.flags = {{"upstream", {"http://a.example"}}};
  const session_options session = load(from).all.proxy.routes.at(0).session;
  const session_options plain;
  CHECK(session.style == plain.style);
  CHECK(session.grammars.empty());
  CHECK(session.offsets == plain.offsets);
  CHECK(session.add == plain.add);
  CHECK(session.dialect == plain.dialect);
  CHECK(session.bounds.max_event_bytes == limits{}.max_event_bytes);
  CHECK(session.bounds.max_body_bytes == limits{}.max_body_bytes);
  CHECK(session.bounds.max_marker_bytes == limits{}.max_marker_bytes);
}

TEST_CASE("memory limits of an answer are set globally and per route") {
  const scratch_file file("bounds.toml",
                          "upstream = \"http://a.example\"\nmax_event_bytes = 1001\nmax_body_bytes = "
                          "1002\nmax_marker_bytes = 1003\n"
                          "[[routes]]\npath = \"/w\"\nmax_body_bytes = 99\n");
  const loaded got = load_file(file);
  CHECK(got.errors == errors{});
  REQUIRE(got.all.proxy.routes.size() == 2);
  for (const session_options& one : {got.all.proxy.routes[1].session, got.all.proxy.routes[0].session}) {
    CHECK(one.bounds.max_event_bytes == 1001);
    CHECK(one.bounds.max_marker_bytes == 1003);
    CHECK(one.bounds.max_json_depth == limits{}.max_json_depth);
  }
  CHECK(got.all.proxy.routes[1].session.bounds.max_body_bytes == 1002);
  CHECK(got.all.proxy.routes[0].session.bounds.max_body_bytes == 99);
  for (const std::string key : {"max_event_bytes", "max_body_bytes", "max_marker_bytes"}) {
    CHECK(errors_of(key + " = 0\n") == errors{"1: " + key + ": must be at least 1"});
    CHECK(errors_of(key + " = -1\n") ==
          errors{"1: " + key + ": '-1' is not a whole number of at most 1000000000000"});
  }
}

TEST_CASE("every option that is printed loads again as it was") {
  const issued files;
  const scratch_file file("all.toml", everything(files.both.path()));
  const loaded once = load_file(file);
  CHECK(once.errors == errors{});
  const std::string printed = print_configuration(once.all);
  for (const configuration_option& one : configuration_options()) {
    INFO(one.key);
    CHECK(printed.find(std::string(one.key) + " = ") != std::string::npos);
  }
  CHECK(printed.find("# default") == std::string::npos);
  const scratch_file again("again.toml", printed);
  const loaded twice = load_file(again);
  CHECK(twice.errors == errors{});
  CHECK(without_comments(print_configuration(twice.all)) == without_comments(printed));
  CHECK(twice.all.proxy.routes.at(0).session.file_url == "https://d.example/{file_id}?a=\"\\\x01\xC3\xA9");
  for (const std::string number : {".5", "5.", "05", "00.9", "7"}) {
    configuration_sources from;
    from.environment = {{"CITESTREAM_DRAIN", number}, {"CITESTREAM_THREADS", "007"}};
    const loaded given = load(from);
    const loaded read = load_file(scratch_file("shown.toml", print_configuration(given.all)));
    CHECK(read.errors == errors{});
    CHECK(read.all.proxy.deadlines.drain == given.all.proxy.deadlines.drain);
    CHECK(read.all.proxy.threads == 7);
  }
  const scratch_file defaults("defaults.toml", print_configuration(load({}).all));
  CHECK(load_file(defaults).errors == errors{});
}

TEST_CASE("every option with a flag is read from the environment too") {
  const issued files;
  const scratch_file file("all.toml", everything(files.both.path()));
  const loaded wanted = load_file(file);
  configuration_sources from;
  for (const configuration_option& one : configuration_options()) {
    if (!is_on_command_line(one)) continue;
    std::string value;
    const option_values& values = wanted.all.values.top.at(std::string(one.key)).values;
    const char separator = one.key == "marker" ? '\n' : ',';
    for (const std::string& part : values) value += (value.empty() ? "" : std::string(1, separator)) + part;
    from.environment.emplace_back(option_variable(one), value);
  }
  const loaded got = load(from);
  CHECK(got.errors == errors{});
  for (const auto& [key, value] : wanted.all.values.top) {
    INFO(key);
    CHECK(got.all.values.top.at(key).values == value.values);
  }
}

TEST_CASE("pool and deadlines and client certificate of an upstream are configured") {
  const issued files;
  const std::string both = files.both.path();
  const scratch_file file("pool.toml", "upstream = \"https://a\"\nupstream_cert = \"" + files.cert.path() +
                                           "\"\nupstream_key = \"" + files.key.path() + R"("
pool_max_idle = 5
pool_idle_timeout = 1.5
pool_max_age = 60
name_max_age = 0
total_timeout = 0.25
[upstreams.b]
url = "https://b"
cert_file = ")" + both + R"("
key_file = ")" + both + "\"\n");
  const loaded got = load_file(file);
  REQUIRE(got.errors == errors{});
  const proxy_options& proxy = got.all.proxy;
  CHECK(proxy.upstream.cert_file == files.cert.path());
  CHECK(proxy.upstream.key_file == files.key.path());
  CHECK(proxy.pool.max_idle == 5);
  CHECK(proxy.pool.max_idle_time == std::chrono::milliseconds(1500));
  CHECK(proxy.pool.max_age == std::chrono::seconds(60));
  CHECK(proxy.pool.names == std::chrono::seconds(0));
  CHECK(proxy.deadlines.total == std::chrono::milliseconds(250));
  REQUIRE(proxy.upstreams.size() == 1);
  CHECK(proxy.upstreams[0].cert_file == both);
  CHECK(proxy.upstreams[0].key_file == both);
}

TEST_CASE("a deadline of zero is rejected and a comment interval of zero is not") {
  for (const configuration_option& one : configuration_options()) {
    if (!one.key.ends_with("_timeout") || one.key.starts_with("pool_")) continue;
    const std::string key(one.key);
    CHECK(errors_of(key + " = 0\n") == errors{"1: " + key + ": must be greater than 0"});
  }
  CHECK(errors_of("keep_alive_comment = 0\npool_idle_timeout = 0\ndrain = 0\n").empty());
}

TEST_CASE("the text of a list in a file is divided by commas as in a flag") {
  const scratch_file file("r.toml", R"(
upstream = "https://api.writer.com"
markers = "numeric,link"
marker = "[{key}] a,b"
json_paths = "/a,/b"
provenance_tools = "search, lookup"
)");
  const loaded got = load_file(file);
  REQUIRE(got.errors == errors{});
  const route_options& route = got.all.proxy.routes.front();
  CHECK(route.session.grammars.size() == 2);
  CHECK(route.session.patterns.size() == 1);
  CHECK(route.json_paths == std::vector<std::string>{"/a", "/b"});
  CHECK(route.requests.sources.tools == std::vector<std::string>{"search", "lookup"});
}

TEST_CASE("values of variables are read as those of flags") {
  configuration_sources from;
  from.environment = {{"CITESTREAM_PROVENANCE_TOOLS", " search, lookup,"},
                      {"CITESTREAM_PROVENANCE", "on"},
                      {"CITESTREAM_REQUEST_REFERENCES", "off"},
                      {"CITESTREAM_ADMIN", "off"},
                      {"CITESTREAM_DRAIN", "0.0004"},
                      {"CITESTREAM_IDLE_TIMEOUT", "0.0004"},
                      {"CITESTREAM_UPSTREAM", "http://a"}};
  const loaded got = load(from);
  REQUIRE(got.errors == errors{});
  const auto& requests = got.all.proxy.routes.front().requests;
  CHECK(requests.sources.tools == std::vector<std::string>{"search", "lookup"});
  CHECK(requests.provenance);
  CHECK_FALSE(requests.references);
  CHECK(got.all.proxy.admin.empty());
  CHECK(got.all.proxy.deadlines.drain == std::chrono::milliseconds(1));
  const std::string printed = print_configuration(got.all);
  CHECK(line_of(printed, "provenance") == "provenance = true  # from CITESTREAM_PROVENANCE");
  CHECK(line_of(printed, "request_references") ==
        "request_references = false  # from CITESTREAM_REQUEST_REFERENCES");
  from.environment = {{"CITESTREAM_MAX_HEAD_BYTES", "2000000000000"}};
  CHECK(load(from).errors ==
        errors{"CITESTREAM_MAX_HEAD_BYTES: '2000000000000' is not a whole number of at most "
               "1000000000000"});
}

TEST_CASE("the endpoint of a collector has no path of its own") {
  CHECK(
      errors_of("otlp_endpoint = \"http://a:4318/v1/traces\"\n") ==
      errors{
          "1: otlp_endpoint: 'http://a:4318/v1/traces' must not end with /v1/traces: the proxy appends it"});
  CHECK(errors_of("otlp_endpoint = \"http://a:4318/base\"\n").empty());
}

TEST_CASE("routes inherit the top level's options and can override them") {
  const scratch_file file("r.toml", R"(
upstream = "https://api.writer.com"
style = "numeric"
markers = ["link"]
provenance = true

[upstreams.openai]
url = "https://api.openai.com"

[[routes]]
path = "/openai"
upstream = "openai"
strip_prefix = true
style = "label"
json_paths = ["/openai/v1/chat"]

[[routes]]
host = "raw.example"
bypass = true
)");
  const loaded got = load_file(file);
  REQUIRE(got.errors == errors{});
  const std::vector<route_options>& routes = got.all.proxy.routes;
  REQUIRE(routes.size() == 3);
  CHECK(routes[0].upstream == "openai");
  CHECK(routes[0].strip_prefix);
  CHECK(routes[0].session.style == &label_style);
  CHECK(routes[0].session.grammars.size() == 1);
  CHECK(routes[0].requests.provenance);
  CHECK(routes[0].json_paths == std::vector<std::string>{"/openai/v1/chat"});
  CHECK(routes[1].host == "raw.example");
  CHECK(routes[1].upstream == "default");
  CHECK(routes[1].bypass);
  CHECK(routes[1].session.style == &numeric_style);
  CHECK(routes[2].path == "/");
  CHECK(routes[2].session.style == &numeric_style);
  CHECK_FALSE(routes[2].bypass);
}

TEST_CASE("each error is reported with its line and reason") {
  CHECK(errors_of("\nsytle = \"keep\"\n") == errors{"2: unknown key 'sytle', did you mean 'style'?"});
  CHECK(errors_of("completely_other = 1\n") == errors{"1: unknown key 'completely_other'"});
  const std::string styles =
      R"("auto", "strip", "keep", "numeric", "footnote", "superscript", "html", "label", "markdown")";
  CHECK(errors_of("\n\nstyle = 3\n") ==
        errors{"3: style: expected one of " + styles + ", not a whole number"});
  CHECK(errors_of("threads = \"2\"\n") == errors{"1: threads: expected a whole number, not a string"});
  CHECK(errors_of("threads = 2.5\n") ==
        errors{"1: threads: expected a whole number, not a number with a fraction"});
  CHECK(errors_of("threads = -1\n") ==
        errors{"1: threads: '-1' is not a whole number of at most 1000000000000"});
  CHECK(errors_of("drain = true\n") == errors{"1: drain: expected a number, not a boolean"});
  CHECK(errors_of("provenance = 1\n") == errors{"1: provenance: expected true or false, not a whole number"});
  CHECK(errors_of("style = [\"keep\"]\n") ==
        errors{"1: style: expected one of " + styles + ", not an array"});
  CHECK(errors_of("drain = -0.5\n") ==
        errors{"1: drain: '-0.5' is not a number of seconds from 0 to a year"});
  CHECK(errors_of("drain = inf\n") == errors{"1: drain: 'inf' is not a number of seconds from 0 to a year"});
  CHECK(errors_of("offsets = \"bytes\"\n") ==
        errors{"1: offsets: 'bytes' is not one of utf8, utf16, codepoint"});
  CHECK(errors_of("file_url = \"/{file_id}\"\n") ==
        errors{"1: file_url: '/{file_id}' is not a URL that starts with http:// or https://"});
  CHECK(errors_of("supported = 1.5\n") == errors{"1: supported: '1.5' is not a number from 0 to 1"});
  CHECK(errors_of("supported = 0.5\n\nnot_found = 0.75\n") ==
        errors{"3: not_found (0.75) must not exceed supported (0.5)"});
  CHECK(errors_of("supported = 0.2\n") == errors{"1: not_found (0.3) must not exceed supported (0.2)"});
  CHECK(errors_of("not_found = 0.1\nsupported = 0.2\n").empty());
  CHECK(errors_of("max_head_bytes = 0\n") == errors{"1: max_head_bytes: must be at least 1"});
  CHECK(errors_of("max_head_bytes = 65536\n").empty());
  CHECK(errors_of("max_head_bytes = 65537\n") == errors{"1: max_head_bytes: must be at most 65536"});
  CHECK(errors_of("json_paths = [\"/a\", \"b\"]\n") == errors{"1: json_paths: 'b' does not begin with /"});
  CHECK(errors_of("upstream = \"ftp://a\"\n") ==
        errors{"1: upstream: 'ftp://a' is not an http or https URL"});
  CHECK(errors_of("upstream_ca = \"/no/such.pem\"\n") ==
        errors{"1: upstream_ca: cannot read '/no/such.pem': No such file or directory"});
  const scratch_file other("other.pem", "no certificate");
  CHECK(errors_of("upstream_ca = \"" + other.path() + "\"\n") ==
        errors{"1: upstream_ca: '" + other.path() + "' contains no certificates (PEM)"});
  CHECK(errors_of("log_file = \"/no/such/log\"\n") == errors{"1: log_file: no such directory '/no/such'"});
  CHECK(errors_of("listen = \"127.0.0.1:0,unix:/no/such/s\"\n") ==
        errors{"1: listen: no such directory '/no/such'"});
  CHECK(errors_of("tls_listen = \"unix:/tmp\"\n").front() == "1: tls_listen: '/tmp' is a directory");
  CHECK(errors_of("log_file = \"/tmp\"\n") == errors{"1: log_file: '/tmp' is a directory"});
  CHECK(errors_of("record = \"" + other.path() + "/x/y\"\n") ==
        errors{"1: record: '" + other.path() + "' is not a directory"});
  CHECK(errors_of("log_file = \"here\"\nrecord = \"/tmp/no/such\"\n").empty());
  CHECK(errors_of("record = \"/proc/no/such\"\n") ==
        errors{"1: record: cannot create '/proc/no/such': No such file or directory"});
  const errors pattern = errors_of("marker = [\"[ref\"]\n");
  REQUIRE(pattern.size() == 1);
  CHECK(pattern.front().starts_with("1: marker: '[ref' at character "));
}

TEST_CASE("upstreams and routes that do not match are reported with their lines") {
  CHECK(errors_of("[upstreams.a]\nca_file = \"/no/such\"\n") ==
        errors{"1: upstreams.a: url is missing",
               "2: ca_file: cannot read '/no/such': No such file or directory"});
  CHECK(errors_of("upstreams = 1\nroutes = 2\n") ==
        errors{"1: upstreams: expected tables like [upstreams.NAME]",
               "2: routes: expected tables like [[routes]]"});
  CHECK(errors_of("[upstreams]\na = 1\n") ==
        errors{"2: upstreams.a: expected a table like [upstreams.NAME]"});
  CHECK(errors_of("[upstreams.default]\nurl = \"http://a\"\n") ==
        errors{"1: 'default' is reserved for the option upstream; choose another name"});
  CHECK(errors_of("[upstreams.writer]\nurl = \"http://a\"\n[[routes]]\nupstream = \"wirter\"\n") ==
        errors{"4: upstream: no upstream is named 'wirter', did you mean 'writer'?"});
  CHECK(errors_of("[upstreams.writer]\nurl = \"http://a\"\nlisten = \"x\"\n[[routes]]\npath = \"x\"\n") ==
        errors{"3: unknown key 'listen'",
               "4: routes: the route has no upstream; set upstream in it or at the top level",
               "5: path: 'x' does not begin with /"});
  CHECK(errors_of("upstream = \"http://a\"\n[[routes]]\npath = \"/a b\"\nhost = \"h:80\"\n") ==
        errors{"3: path: '/a b' contains characters that are not allowed in a path; percent-encode them (%20 "
               "for a space)",
               "4: host: 'h:80' is not a host name, or an address (IPv6 in brackets), without a port"});
  CHECK(errors_of("upstream = \"http://a\"\n[[routes]]\nhost = \"[::1]\"\n").empty());
  CHECK(errors_of("upstream = \"http://a\"\n[[routes]]\npath = \"/x\"\n[[routes]]\npath = \"/x\"\n") ==
        errors{"4: routes: duplicate route '/x'"});
  CHECK(errors_of(
            "upstream = \"http://a\"\n[[routes]]\npath = \"/a%20b\"\n[[routes]]\npath = \"//%61%20b\"\n") ==
        errors{"4: routes: duplicate route '//%61%20b'"});
  const std::string stripped = "upstream = \"http://a\"\njson_paths = \"/v1\"\n[[routes]]\npath = \"/x\"\n";
  const std::string not_of_clients =
      "json_paths: none is below '/x'; with strip_prefix too, they are the paths of clients";
  CHECK(errors_of(stripped).empty());
  CHECK(errors_of(stripped + "strip_prefix = true\n") == errors{"3: " + not_of_clients});
  CHECK(errors_of(stripped + "strip_prefix = true\njson_paths = \"/y,/xy\"\n") ==
        errors{"6: " + not_of_clients});
  for (const char* const valid :
       {"json_paths = \"/x/v1,/y\"\n", "json_paths = \"/\"\n", "json_paths = []\n", "bypass = true\n"}) {
    CHECK(errors_of(stripped + "strip_prefix = true\n" + valid).empty());
  }
  const std::string twice =
      "upstream = \"http://a\"\n[[routes]]\npath = \"/x\"\nhost = \"a.b\"\n[[routes]]\n";
  CHECK(errors_of(twice + "path = \"/x/\"\nhost = \"A.b\"\n") ==
        errors{"5: routes: duplicate route 'A.b/x/'"});
  CHECK(errors_of(twice + "path = \"/X\"\nhost = \"a.b\"\n").empty());
  CHECK(errors_of(twice + "name = \"a\\nb\"\n") == errors{"6: name: must not contain control characters"});
  CHECK(errors_of("[upstreams.a]\nurl = \"http://a\"\n[upstreams.b]\nurl = \"http://b\"\n") ==
        errors{"3: several upstreams but no [[routes]]; add a route or set upstream"});
}

TEST_CASE("an invalid port is reported with the valid range") {
  const std::string range = "port 99999: not between 1 and 65535";
  CHECK(errors_of("upstream = \"http://a:99999/v1\"\n") ==
        errors{"1: upstream: 'http://a:99999/v1': " + range});
  CHECK(errors_of("upstream = \"http://[::1]:0\"\n") ==
        errors{"1: upstream: 'http://[::1]:0': port 0: not between 1 and 65535"});
  CHECK(errors_of("listen = \"127.0.0.1:1,127.0.0.1:99999\"\n") ==
        errors{"1: listen: '127.0.0.1:99999': " + range + ", or 0 for a free port"});
  CHECK(errors_of("admin = \"99999\"\n") ==
        errors{"1: admin: '99999': not an address and port like 127.0.0.1:9090"});
  CHECK(errors_of("admin = \":99999\"\n") ==
        errors{"1: admin: ':99999': " + range + ", or 0 for a free port"});
  CHECK(errors_of("listen = \"127.0.0.1\"\n") ==
        errors{"1: listen: '127.0.0.1': not a valid host:port like 127.0.0.1:8080"});
  CHECK(errors_of("listen = \"127.0.0.1:x\"\n") ==
        errors{"1: listen: '127.0.0.1:x': not a valid host:port like 127.0.0.1:8080"});
  CHECK(errors_of("listen = \"300.0.0.1:80\"\n") ==
        errors{"1: listen: '300.0.0.1:80': not a valid host:port like 127.0.0.1:8080"});
  CHECK(errors_of("listen = \"[1::2::3]:80\"\n") ==
        errors{"1: listen: '[1::2::3]:80': not a valid host:port like 127.0.0.1:8080"});
}

TEST_CASE("TOML errors are reported in plain words") {
  const errors unclosed{"1: string without a closing quote"};
  CHECK(errors_of("upstream = \"http://a\nstyle = \"keep\"\n") == unclosed);
  CHECK(errors_of("upstream = \"http://a") == unclosed);
  CHECK(errors_of("upstream = 'http://a\r\n") == unclosed);
  CHECK(errors_of("upstream = \"\"\"http://a\n").front().ends_with("string without a closing quote"));
  CHECK(errors_of("json_paths = [\"/a\", \"/b\n") == unclosed);
  CHECK(errors_of("upstream = \"a\x01\"\n").front().starts_with("1: not valid TOML: string: "));
  CHECK(errors_of("upstream = http://a\n") ==
        errors{"1: not a value; text is written in quotes, such as \"text\""});
  CHECK(errors_of("upstream =\n") == errors{"1: value is missing after ="});
  CHECK(errors_of("upstream http://a\n") == errors{"1: expected key = value"});
  CHECK(errors_of("threads = 1\nthreads = 2\n") == errors{"2: set twice: integer 'threads'"});
}

TEST_CASE("relative paths are resolved against the file that names them") {
  const citestream_tests::scratch_folder folder;
  const issued files;
  std::filesystem::create_directories(folder.path("conf/tls"));
  std::filesystem::copy_file(files.both.path(), folder.path("conf/tls/both.pem"));
  std::ofstream(folder.path("conf/c.toml"))
      << "tls_cert = \"tls/both.pem\"\nlog_file = \"../log\"\nrecord = \"rec\"\n"
         "[upstreams.a]\nurl = \"https://a\"\nca_file = \"./tls/both.pem\"\n";
  configuration_sources from;
  from.file = folder.path("conf/c.toml");
  const loaded got = load(from);
  CHECK(got.errors == errors{});
  CHECK(got.all.proxy.listen.cert_file == folder.path("conf/tls/both.pem"));
  CHECK(got.all.proxy.log.file == folder.path("log"));
  CHECK(got.all.proxy.record.directory == folder.path("conf/rec"));
  CHECK(got.all.proxy.upstreams.front().ca_file == folder.path("conf/tls/both.pem"));
  const std::string shown = summarize_configuration(from, got.all);
  CHECK(shown.starts_with("ok\n  from: " + from.file + " (5 values), 0 variables, 0 flags\n"));
  CHECK(shown.find("\n  tls_cert: " + folder.path("conf/tls/both.pem") + "\n") != std::string::npos);
  CHECK(shown.find("\n  record: " + folder.path("conf/rec") + " (will be created)\n") != std::string::npos);
  CHECK(shown.find("\n  upstreams.a.ca_file: ") != std::string::npos);
  std::ofstream(folder.path("conf/c.toml")) << "tls_cert = \"tls/none.pem\"\n";
  CHECK(load(from).errors == errors{from.file + ":1: tls_cert: cannot read '" +
                                    folder.path("conf/tls/none.pem") + "': No such file or directory"});
  // Those of the command line and the environment are relative to where the program was started.
  from.file.clear();
  from.flags = {{"log_file", {"log"}}};
  CHECK(load(from).all.proxy.log.file == "log");
}

TEST_CASE("addresses that collide are reported where they are set") {
  CHECK(
      errors_of("listen = \"0.0.0.0:8080\"\nadmin = \"127.0.0.1:8080\"\n") ==
      errors{"2: admin: '127.0.0.1:8080' overlaps with listen '0.0.0.0:8080'; set another address or port"});
  const std::string loops =
      " is this proxy itself (listen 127.0.0.1:8080); requests would loop; set the address of the API";
  CHECK(errors_of("\nupstream = \"http://localhost:8080\"\n") ==
        errors{"2: upstream: 'http://localhost:8080'" + loops});
  CHECK(errors_of("[upstreams.a]\nurl = \"http://127.0.0.1:8080/v1\"\n") ==
        errors{"2: url: 'http://127.0.0.1:8080/v1'" + loops});
}

TEST_CASE("a TLS address without a certificate is reported with its line") {
  const issued files;
  CHECK(errors_of("\ntls_listen = \"127.0.0.1:0\"\n") == errors{"2: tls_listen requires tls_cert"});
  CHECK(errors_of("tls_key = \"" + files.key.path() + "\"\n") == errors{"1: tls_key requires tls_cert"});
  CHECK(errors_of("upstream_key = \"" + files.key.path() + "\"\n") ==
        errors{"1: upstream_key requires upstream_cert"});
  const auto flag = run({"proxy", "--upstream", "http://127.0.0.1:1", "--tls-listen", "127.0.0.1:0"});
  CHECK(flag.code == 1);
  CHECK(flag.err == "citestream: proxy: --tls-listen requires --tls-cert\n");
}

TEST_CASE("thresholds that contradict each other are reported with the names of the flags") {
  const auto flags = run({"proxy", "--upstream", "http://127.0.0.1:1", "--not-found", "0.9"});
  CHECK(flags.code == 1);
  CHECK(flags.err == "citestream: proxy: --not-found (0.9) must not exceed --supported (0.85)\n");
}

TEST_CASE("a certificate and key that do not match are reported with the wrong line") {
  const issued files;
  const issued other("other_");
  const scratch_file rsa("rsa.pem", "");
  const scratch_file locked("locked.pem", "");
  const scratch_file none("none.pem", "no certificate");
  loopback::write_key(loopback::key_kind::rsa, rsa.path());
  loopback::write_key(loopback::key_kind::locked, locked.path());
  const std::string& cert = files.cert.path();
  const std::string unfit = "': does not match the certificate '" + cert + "'";
  struct wrong {
    std::string cert;
    std::string key;
    std::string line;
  };
  const std::vector<wrong> all{
      {cert, other.key.path(), "2: KEY: key '" + other.key.path() + unfit},
      {cert, rsa.path(), "2: KEY: key '" + rsa.path() + unfit},
      {cert, locked.path(), "2: KEY: key '" + locked.path() + "': has a passphrase, which is not supported"},
      {cert, none.path(), "2: KEY: key '" + none.path() + "': contains no private key (PEM)"},
      {none.path(), files.key.path(),
       "1: CERT: certificate '" + none.path() + "': contains no certificate (PEM)"},
      {cert, "", "1: CERT: key '" + cert + "': contains no private key (PEM)"}};
  for (const auto& [section, cert_key, key_key, lines] :
       {std::tuple{"", "tls_cert", "tls_key", 0}, std::tuple{"", "upstream_cert", "upstream_key", 0},
        std::tuple{"[upstreams.a]\nurl = \"https://a\"\n", "cert_file", "key_file", 2}}) {
    const auto written = [&](const std::string& cert_path, const std::string& key_path) {
      return section + (cert_key + (" = \"" + cert_path)) + "\"\n" +
             (key_path.empty() ? "" : key_key + (" = \"" + key_path) + "\"\n");
    };
    for (const wrong& one : all) {
      std::string line = one.line;
      line.replace(0, 1, std::to_string(line.front() - '0' + lines));
      const bool in_key = line.find("KEY") != std::string::npos;
      line.replace(line.find(in_key ? "KEY" : "CERT"), in_key ? 3 : 4, in_key ? key_key : cert_key);
      const errors got = errors_of(written(one.cert, one.key));
      INFO(line);
      REQUIRE(got.size() == 1);
      CHECK(got.front().starts_with(line));
    }
    CHECK(errors_of(written(cert, files.key.path())).empty());
    CHECK(errors_of(written(files.both.path(), "")).empty());
  }
}

TEST_CASE("a missing file and one that is not TOML are reported") {
  const errors broken = errors_of("style = \"keep\"\nlisten = \n");
  REQUIRE(broken.size() == 1);
  CHECK(broken.front().starts_with("2: "));
  configuration_sources from;
  from.file = "/no/such.toml";
  CHECK(load(from).errors == errors{"/no/such.toml: No such file or directory"});
  from.file = "/";
  CHECK(load(from).errors.size() == 1);
}

TEST_CASE("any bytes as a file give errors with lines or a configuration") {
  const issued files;
  const std::string whole = everything(files.both.path());
  std::mt19937 random(7);
  for (int turn = 0; turn < 500; ++turn) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) text[at] = static_cast<char>(random() & 0xFFU);
      if (random() % 3 == 0) text.erase(at, random() % 40);
    }
    const scratch_file file("any.toml", text);
    for (const std::string& one : load_file(file).errors) CHECK(one.starts_with(file.path() + ":"));
  }
}

TEST_CASE("variables with a bad value or a misspelled name are reported") {
  configuration_sources from;
  from.environment = {{"CITESTREAM_STYLE", "bold"},
                      {"CITESTREAM_THREDS", "2"},
                      {"CITESTREAM_DIALECT", "opneai"},
                      {"CITESTREAM_DATA", "/data"},
                      {"CITESTREAM_PROVENANCE", "maybe"}};
  const errors got = load(from).errors;
  const auto has = [&](const std::string& one) { return std::ranges::find(got, one) != got.end(); };
  CHECK(got.size() == 4);
  CHECK(std::ranges::any_of(got, [](const std::string& one) {
    return one.starts_with("CITESTREAM_DIALECT: ") && one.ends_with("; did you mean openai?");
  }));
  CHECK(has("CITESTREAM_THREDS: unknown variable, did you mean 'CITESTREAM_THREADS'?"));
  CHECK(has("CITESTREAM_PROVENANCE: 'maybe' is not true or false"));
  std::string names = "auto";
  for (const style* one : styles()) names.append(", ").append(one->name);
  CHECK(has("CITESTREAM_STYLE: 'bold' is not one of " + names));
}

TEST_CASE("each load reads the file again") {
  const citestream_tests::scratch_folder folder;
  configuration_sources from;
  from.file = folder.write("n.toml", "style = \"keep\"\nupstream = \"http://a.example\"\n");
  CHECK(load(from).all.proxy.routes.at(0).session.style == &keep_style);
  folder.write("n.toml", "style = \"html\"\nupstream = \"http://a.example\"\n");
  CHECK(load(from).all.proxy.routes.at(0).session.style == &html_style);
}

TEST_CASE("check-config reports errors and print-config prints a loadable file") {
  const scratch_file good("good.toml", "upstream = \"https://api.writer.com\"\n");
  const scratch_file bad("bad.toml", "\nstlye = \"keep\"\nthreads = \"x\"\n");
  const scratch_file empty_route("route.toml", "[[routes]]\npath = \"/a\"\n");
  const auto no_upstream = run({"proxy", "--config", empty_route.path(), "--check-config"});
  CHECK(no_upstream.err ==
        "citestream: proxy: " + empty_route.path() +
            ":1: routes: the route has no upstream; set upstream in it or at the top level\n");
  const auto right = run({"proxy", "--config", good.path(), "--check-config", "--admin", ":9090"});
  CHECK(right.code == 0);
  CHECK(right.err.empty());
  CHECK(right.out == "ok\n  from: " + good.path() +
                         " (1 value), 0 variables, 1 flag\n  listen: 127.0.0.1:8080\n  admin: :9090\n"
                         "  upstream: https://api.writer.com\n  route: / to default\n");
  const auto missing = run({"proxy", "--config", "/no/such.toml", "--check-config"});
  CHECK(missing.code == 1);
  CHECK(missing.err == "citestream: proxy: /no/such.toml: No such file or directory\n");
  const auto wrong = run({"proxy", "--config", bad.path(), "--check-config"});
  CHECK(wrong.code == 1);
  CHECK(wrong.out.empty());
  const std::string at = "citestream: proxy: " + bad.path();
  CHECK(wrong.err == at + ":2: unknown key 'stlye', did you mean 'style'?\n" + at +
                         ":3: threads: expected a whole number, not a string\n" + at +
                         ": no upstream is configured; set upstream or add an [upstreams.NAME] table\n");
  CHECK(run({"proxy", "--config", bad.path()}).code == 1);
  CHECK(run({"proxy", "--check-config", "--style", "bold"}).code == 2);
  CHECK(run({"proxy", "--check-config"}).code == 1);
  const auto shown = run({"proxy", "--config", good.path(), "--print-config", "--no-request-options"});
  CHECK(shown.code == 0);
  CHECK(line_of(shown.out, "request_options") == "request_options = false  # from --no-request-options");
  const scratch_file again("again.toml", shown.out);
  CHECK(run({"proxy", "--config", again.path(), "--check-config"}).code == 0);
}

TEST_CASE("a secret is never printed") {
  const std::string canary = "c4n4ry-s3cr3t";
  const std::string url = "https://user:" + canary + "@api.example";
  const scratch_file file("secret.toml",
                          "upstream = \"" + url + "\"\n[upstreams.a]\nurl = \"" + url + "\"\n");
  ::setenv("CITESTREAM_UPSTREAM_TOKEN", canary.c_str(), 1);
  ::setenv("CITESTREAM_STYLES_TOKEN", canary.c_str(), 1);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--check-config"}, {"--print-config"}, {"--upstream", url}}) {
    std::vector<std::string> arguments{"proxy", "--config", file.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto got = run(arguments);
    CHECK(got.code != 0);
    CHECK_FALSE(got.err.empty());
    CHECK((got.out + got.err).find(canary) == std::string::npos);
  }
  CHECK(run({"proxy", "--print-config", "--upstream", "https://a.example"}).out.find(canary) ==
        std::string::npos);
  ::unsetenv("CITESTREAM_UPSTREAM_TOKEN");
  ::unsetenv("CITESTREAM_STYLES_TOKEN");
}

TEST_CASE("every key is in the dictionary of the configuration fuzzer") {
  const std::string words =
      citestream_tests::read_file(std::string(CITESTREAM_SOURCE_DIR) + "/tests/fuzz/dictionaries/config");
  for (const configuration_option& one : configuration_options()) {
    CAPTURE(one.key);
    CHECK(words.find("\"" + std::string(one.key) + " = \"\n") != std::string::npos);
  }
}
