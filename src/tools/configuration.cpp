// How a configuration is loaded: all sources are merged into one table of values by key, each with its
// origin. The file is read first, then the environment, then the command line; a later source overrides an
// earlier one, and defaults fill what is missing. Each value is then checked and stored by its row in
// configuration_options.cpp. Upstreams and routes follow; a route starts as a copy of the top-level options.
// Further checks compare several values: certificates with keys, routes with upstreams, and addresses with
// each other. All errors are collected and sorted by line, so that one run reports all of them.
#include "configuration.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unistd.h>

#include <boost/algorithm/string/join.hpp>

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "nearest.hpp"
#include "proxy/own_addresses.hpp"
#include "proxy/proxy_options.hpp"
#include "proxy/tls.hpp"

namespace citestream::tools {
namespace {

constexpr std::string_view variable_prefix = "CITESTREAM_";

using errors = std::vector<configuration_error>;

/// Reads the environment, which overrides the file. An unknown CITESTREAM_… variable may belong to another
/// program of the project, so it is an error only if it resembles the name of an option.
void read_environment(const configuration_sources& from, configuration_text& into, errors& out) {
  std::vector<std::string> known{"CONFIG"};  // without prefix
  for (const configuration_option& one : configuration_options()) {
    if (is_on_command_line(one)) known.push_back(option_variable(one).substr(variable_prefix.size()));
  }
  for (const auto& [name, value] : from.environment) {
    if (!name.starts_with(variable_prefix)) continue;
    const std::string tail = name.substr(variable_prefix.size());
    const auto is_it = [&](const configuration_option& one) {
      return is_on_command_line(one) && option_variable(one) == name;
    };
    const auto found = std::ranges::find_if(configuration_options(), is_it);
    if (found != configuration_options().end()) {
      into.top.insert_or_assign(std::string(found->key), configured_value{split_values(*found, value), name});
    } else if (const std::string meant = nearest(tail, known); !meant.empty() && meant != tail) {
      out.push_back({name, "unknown variable, did you mean '" + std::string(variable_prefix) + meant + "'?"});
    }
  }
}

void add_flags(const configuration_sources& from, configuration_text& into) {
  for (const auto& [key, values] : from.flags) {
    const configuration_option* one = find_option(key, option_place::proxy);
    if (one != nullptr) into.top.insert_or_assign(key, configured_value{values, option_flag(*one)});
  }
}

void add_defaults(configuration_text& into) {
  for (const configuration_option& one : configuration_options()) {
    if (!is_on_command_line(one)) continue;
    into.top.emplace(one.key, configured_value{split_values(one, one.default_text), {}});
  }
}

/// Returns true if \p origin is a place in a file, `FILE:LINE`. Otherwise it is the name of a flag or
/// variable.
bool is_in_file(const std::string& origin) {
  return origin.find(':') != std::string::npos;
}

/// Returns an error about the option \p key. The origin alone names the option if it is a flag or variable.
configuration_error error_about(const std::string& origin, const std::string& key, const std::string& why) {
  return {origin, is_in_file(origin) ? key + ": " + why : why};
}

/// Returns the name of the option \p key in the kind of source that \p origin is.
std::string name_for(const std::string& origin, const std::string& key) {
  const configuration_option* const one = find_option(key, option_place::proxy);
  if (one == nullptr || is_in_file(origin)) return key;
  return origin.starts_with("--") ? option_flag(*one) : option_variable(*one);
}

/// Returns an error about the option \p key, which has no effect without the option \p needed.
configuration_error missing_option(const std::string& origin, const std::string& key,
                                   const std::string& needed) {
  return {is_in_file(origin) ? origin : "", name_for(origin, key) + " requires " + name_for(origin, needed)};
}

void apply(const configured_values& values, option_place place, option_target& to, errors& out) {
  for (const auto& [key, value] : values) {
    const std::string why = apply_option(*find_option(key, place), value.values, to);
    if (!why.empty()) out.push_back(error_about(value.origin, key, why));
  }
}

/// Names of the options for a certificate file and its key file.
struct certificate_keys {
  const char* cert;
  const char* key;
};

std::string first_of(const configured_values& values, std::string_view key) {
  const auto found = values.find(key);
  const bool given = found != values.end() && !found->second.values.empty();
  return given ? found->second.values.front() : std::string{};
}

/// Checks that a certificate can be loaded and matches its key.
void check_certificate(const configured_values& values, certificate_keys keys, errors& out) {
  const std::string cert = first_of(values, keys.cert);
  const std::string key = first_of(values, keys.key);
  if (cert.empty()) {
    if (!key.empty()) out.push_back(missing_option(values.at(keys.key).origin, keys.key, keys.cert));
    return;
  }
  const auto there = [](const std::string& path) { return path.empty() || std::ifstream(path); };
  if (!there(cert) || !there(key)) return;  // the check of the option has already reported the missing file
  const certificate_error why = certificate_error_of(cert, key);
  const std::string_view wrong = why.in_key && !key.empty() ? keys.key : keys.cert;
  if (why) out.push_back(error_about(values.find(wrong)->second.origin, std::string(wrong), why.what));
}

void check_tls(const configuration_text& text, errors& out) {
  check_certificate(text.top, {"tls_cert", "tls_key"}, out);
  check_certificate(text.top, {"upstream_cert", "upstream_key"}, out);
  const bool listens = !first_of(text.top, "tls_listen").empty();
  if (listens && first_of(text.top, "tls_cert").empty()) {
    out.push_back(missing_option(text.top.at("tls_listen").origin, "tls_listen", "tls_cert"));
  }
}

/// Returns the origin to report for an error about \p key in a section.
std::string origin_of(const configured_section& section, std::string_view key) {
  const auto found = section.values.find(key);
  return found == section.values.end() ? section.origin : found->second.origin;
}

/// Reports duplicate listen addresses and upstreams that are the proxy's own address.
void check_addresses(const configuration_text& text, const proxy_options& proxy, errors& out) {
  for (const address_conflict& one : find_address_conflicts(proxy)) {
    if (one.upstream.empty()) {
      out.push_back(error_about(text.top.at(one.option).origin, one.option, one.what));
      continue;
    }
    const auto named = [&](const configured_section& section) { return section.name == one.upstream; };
    const auto found = std::ranges::find_if(text.upstreams, named);
    if (found != text.upstreams.end()) {
      out.push_back({origin_of(*found, one.option), one.option + ": " + one.what});
    }
  }
}

void add_upstreams(const configuration_text& text, option_target& to, errors& out) {
  for (const configured_section& section : text.upstreams) {
    to.upstream = {};
    to.upstream.name = section.name;
    apply(section.values, option_place::upstream, to, out);
    const bool taken = section.name == default_upstream;
    if (taken)
      out.push_back({section.origin, "'default' is reserved for the option upstream; choose another name"});
    if (!section.values.contains("url")) {
      out.push_back({section.origin, "upstreams." + section.name + ": url is missing"});
    }
    check_certificate(section.values, {"cert_file", "key_file"}, out);
    to.proxy.upstreams.push_back(to.upstream);
  }
}

/// Checks that the options of a session agree. Reports where one of them is set.
void check_session(const configured_values& values, const session_options& session, errors& out) {
  for (const char* const key : {"not_found", "supported"}) {
    const auto found = values.find(key);
    if (found == values.end() || found->second.origin.empty()) continue;
    const std::string& origin = found->second.origin;
    const std::string why =
        option_conflict(session, name_for(origin, "not_found"), name_for(origin, "supported"));
    if (!why.empty()) out.push_back({is_in_file(origin) ? origin : "", why});
    return;
  }
}

/// `json_paths` are compared with the paths of clients. Returns true if they look like paths at the upstream,
/// after `strip_prefix`: no answer of the route is below them.
bool has_forwarded_json_paths(const route_options& one) {
  const auto meets = [&](const std::string& path) {
    return is_below(path, one.path) || is_below(one.path, path);
  };
  return one.strip_prefix && !one.bypass && !one.json_paths.empty() &&
         std::ranges::none_of(one.json_paths, meets);
}

/// Checks that the upstream of a route exists, that no earlier route matches the same requests, and that
/// `json_paths` fit the path.
/// \return an error; its text is empty if the route is valid
configuration_error check_route(const configured_section& section, const route_options& one,
                                const proxy_options& proxy) {
  std::vector<std::string> known;
  known.reserve(proxy.upstreams.size());
  for (const upstream_options& upstream : proxy.upstreams) known.push_back(upstream.name);
  if (!proxy.upstream.url.empty()) known.emplace_back(default_upstream);
  if (proxy.upstream.url.empty() && !section.values.contains("upstream")) {
    return {section.origin, "routes: the route has no upstream; set upstream in it or at the top level"};
  }
  if (std::ranges::find(known, one.upstream) == known.end()) {
    const std::string meant = nearest(one.upstream, known);
    return {origin_of(section, "upstream"),
            "upstream: no upstream is named '" + one.upstream + "'" +
                (meant.empty() ? "; the upstreams are " + boost::algorithm::join(known, ", ")
                               : ", did you mean '" + meant + "'?")};
  }
  const auto same = [&](const route_options& other) { return match_the_same_requests(other, one); };
  if (std::ranges::any_of(proxy.routes, same)) {
    return {section.origin, "routes: duplicate route '" + one.host + one.path + "'"};
  }
  if (has_forwarded_json_paths(one)) {
    return {origin_of(section, "json_paths"), "json_paths: none is below '" + one.path +
                                                  "'; with strip_prefix too, they are the paths of clients"};
  }
  return {};
}

void add_routes(const configuration_text& text, const route_options& base, option_target& to, errors& out) {
  for (const configured_section& section : text.routes) {
    to.route = base;
    to.route.upstream = default_upstream;
    apply(section.values, option_place::route, to, out);
    check_session(section.values, to.route.session, out);
    configuration_error why = check_route(section, to.route, to.proxy);
    if (!why.what.empty()) out.push_back(std::move(why));
    to.proxy.routes.push_back(to.route);
  }
}

/// Sorts the errors of the file by line. Other errors follow in the order in which they were found.
errors sorted_by_line(const std::string& file, errors all) {
  const auto line = [&](const configuration_error& one) {
    const std::string prefix = file + ":";
    const bool in_file = !file.empty() && one.where.starts_with(prefix);
    return in_file ? std::atol(one.where.c_str() + prefix.size()) : (one.where == file ? 0L : 1L << 30);
  };
  std::multimap<long, configuration_error> sorted;  // equal lines stay in order
  for (configuration_error& one : all) sorted.emplace(line(one), std::move(one));
  errors out;
  for (auto& [unused, one] : sorted) out.push_back(std::move(one));
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.append("\\") += c;
    } else if (ascii::is_control(c)) {
      char escaped[7];
      std::snprintf(escaped, sizeof escaped, "\\u%04X", static_cast<unsigned char>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// TOML has numbers with digits on both sides of the point, and none with leading zeros.
std::string number_in_toml(const std::string& value, bool whole) {
  if (whole) return value.substr(std::min(value.find_first_not_of('0'), value.size() - 1));
  double number{};
  if (read_decimal(value, number) != std::errc{}) return value;
  std::string out;
  append_decimal(number, out);
  return out;
}

std::string written(const configuration_option& one, const option_values& values) {
  const auto write = [&](const std::string& value) {
    if (one.type == option_type::boolean)
      return std::string(read_boolean(value).value_or(false) ? "true" : "false");
    const bool text = is_list(one) || one.type == option_type::text || one.type == option_type::choice;
    return text ? quoted(value) : number_in_toml(value, one.type == option_type::whole);
  };
  if (!is_list(one)) return write(values.front());
  std::string out;
  for (const std::string& value : values) out.append(out.empty() ? "" : ", ").append(write(value));
  return "[" + out + "]";
}

/// Returns a comment with the origin of a value, and a line break. Control characters in a path, such as line
/// breaks, are replaced because they would end the comment.
std::string from(std::string origin) {
  std::ranges::replace_if(origin, ascii::is_control, '?');
  return "  # from " + origin + "\n";
}

/// Calls \p use with each option that has a value, and the value, in the order of the table.
template <class Use>
void for_each_value(const configured_values& values, option_place place, const Use& use) {
  for (const configuration_option& one : configuration_options()) {
    const auto found = values.find(one.key);
    if (found != values.end() && find_option(one.key, place) == &one) use(one, found->second);
  }
}

void print_values(const configured_values& values, option_place place, std::string& out) {
  for_each_value(values, place, [&](const configuration_option& one, const configured_value& value) {
    out.append(one.key).append(" = ").append(written(one, value.values));
    out.append(value.origin.empty() ? "  # default\n" : from(value.origin));
  });
}

void add_line(std::string_view what, const std::string& value, std::string& out) {
  if (!value.empty()) out.append("  ").append(what).append(": ").append(value).append("\n");
}

std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Returns a summary of the sources, such as `/etc/c.toml (12 values), 1 variable, 2 flags`.
std::string sources_of(const configuration_sources& from, const proxy_configuration& all) {
  std::size_t in_file = 0;
  std::size_t variables = 0;
  std::size_t flags = 0;
  for (const auto& [key, value] : all.values.top) {
    if (value.origin.empty()) continue;
    ++(is_in_file(value.origin) ? in_file : value.origin.starts_with("--") ? flags : variables);
  }
  for (const configured_section& one : all.values.upstreams) in_file += one.values.size();
  for (const configured_section& one : all.values.routes) in_file += one.values.size();
  std::error_code error;
  const std::string file =
      from.file.empty() ? "no file" : std::filesystem::absolute(from.file, error).string();
  return file + " (" + counted(in_file, "value") + "), " + counted(variables, "variable") + ", " +
         counted(flags, "flag");
}

/// Appends a line with the absolute path of each file and directory that is configured.
void add_paths(const configured_values& values, option_place place, const std::string& section,
               std::string& out) {
  for_each_value(values, place, [&](const configuration_option& one, const configured_value& value) {
    if (one.argument != "FILE" && one.argument != "DIR") return;
    const std::string& path = value.values.front();
    if (path.empty()) return;
    std::error_code error;
    const bool exists = std::filesystem::exists(path, error);
    add_line(section + std::string(one.key),
             std::filesystem::absolute(path, error).string() + (exists ? "" : " (will be created)"), out);
  });
}

}  // namespace

std::string summarize_configuration(const configuration_sources& from, const proxy_configuration& all) {
  std::string out = "ok\n";
  add_line("from", sources_of(from, all), out);
  add_line("listen", all.proxy.listen.addresses, out);
  add_line("tls_listen", all.proxy.listen.tls_addresses, out);
  add_line("admin", all.proxy.admin.empty() ? "off" : all.proxy.admin, out);
  add_line("upstream", all.proxy.upstream.url, out);
  for (const upstream_options& one : all.proxy.upstreams) add_line("upstreams." + one.name, one.url, out);
  for (const route_options& one : all.proxy.routes) {
    add_line("route", one.host + one.path + " to " + one.upstream, out);
  }
  add_paths(all.values.top, option_place::proxy, "", out);
  for (const configured_section& one : all.values.upstreams) {
    add_paths(one.values, option_place::upstream, "upstreams." + one.name + ".", out);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> process_environment() {
  std::vector<std::pair<std::string, std::string>> out;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view one = *at;
    const std::size_t equals = std::min(one.find('='), one.size());
    out.emplace_back(one.substr(0, equals), one.substr(std::min(equals + 1, one.size())));
  }
  return out;
}

std::vector<configuration_error> load_proxy_configuration(const configuration_sources& from,
                                                          proxy_configuration& out) {
  out = {};
  errors wrong;
  configuration_text& text = out.values;
  if (!from.file.empty()) wrong = read_configuration_file(from.file, text);
  read_environment(from, text, wrong);
  add_flags(from, text);
  add_defaults(text);
  option_target to;
  apply(text.top, option_place::proxy, to, wrong);
  const route_options base = to.route;
  check_tls(text, wrong);
  check_session(text.top, base.session, wrong);
  add_upstreams(text, to, wrong);
  add_routes(text, base, to, wrong);
  out.proxy = std::move(to.proxy);
  check_addresses(text, out.proxy, wrong);
  add_default_route(base, out.proxy);
  if (out.proxy.routes.empty() && out.proxy.upstreams.size() > 1) {
    wrong.push_back(
        {text.upstreams.back().origin, "several upstreams but no [[routes]]; add a route or set upstream"});
  }
  return sorted_by_line(from.file, std::move(wrong));
}

std::string print_configuration(const proxy_configuration& all) {
  std::string out;
  print_values(all.values.top, option_place::proxy, out);
  for (const configured_section& one : all.values.upstreams) {
    out += "\n[upstreams." + quoted(one.name) + "]" + from(one.origin);
    print_values(one.values, option_place::upstream, out);
  }
  for (const configured_section& one : all.values.routes) {
    out += "\n[[routes]]" + from(one.origin);
    print_values(one.values, option_place::route, out);
  }
  return out;
}

}  // namespace citestream::tools
