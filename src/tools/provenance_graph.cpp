// How the graph is made. A run of its own reads the input, too, and its citations are the edges. Each kind of
// record is collected in a section of its own, in the order of the references; entities and agents have an
// entry each, however often they are cited.
#include "provenance_graph.hpp"

#include <citestream/cite/citations.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/provenance_key.hpp"
#include "commands.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream::tools {

namespace {

/// An object of PROV-JSON that is being written: `{"name":{…},…`.
class graph_section {
 public:
  /// Starts an entry. Members follow it.
  object_writer open(std::string_view id) { return object_writer(entries_.runtime_key(id)); }
  [[nodiscard]] bool empty() const noexcept { return text_.size() == 1; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  object_writer entries_{text_};
};

void set(object_writer& entry, std::string_view key, std::string_view value) {
  if (!value.empty()) append_json_string(value, entry.runtime_key(key));
}
void set(object_writer& entry, std::string_view key, std::uint64_t value) {
  entry.runtime_key(key).append(std::to_string(value));
}

/// Sets a type of PROV or of our own: a qualified name, which in PROV-JSON is not a plain string.
void set_type(object_writer& entry, std::string_view qualified) {
  object_writer type(entry.key("prov:type"));
  type.string("$", qualified);
  type.string("type", "prov:QUALIFIED_NAME");
  type.end();
}

std::string qualified(std::string_view name) {
  return "citestream:" + std::string(name);
}

/// The graph of one answer, which may have several choices.
class answer_graph {
 public:
  explicit answer_graph(offset_unit unit) : unit_(unit) {
    sections_[activities].open(qualified("answering")).end();
  }

  void add(std::string_view text, const citations& cites) {
    ++choices_;
    const std::string answer = qualified(choices_ == 1 ? "answer" : "answer_" + std::to_string(choices_));
    const std::span<const reference> all = cites.references();
    const std::vector<std::string> ids = ids_of(all);
    std::set<std::string> unknown;
    std::vector<std::size_t> fresh;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!has_provenance_key(all[i]) && !all[i].requested) continue;
      if (add_given(all[i], ids[i])) fresh.push_back(i);
    }
    for (const std::size_t i : fresh) add_uses(all[i], ids[i]);
    for (std::size_t i = 0; i < cites.count(); ++i) {
      const citation& cite = cites.at(i);
      if (cite.references.empty()) unknown.insert(cite.identifier);
      for (const std::uint32_t index : cite.references) {
        add_entity(all[index], ids[index]);
        add_derivation(answer, cite, ids[index], text);
      }
    }
    object_writer entity = sections_[entities].open(answer);
    set_type(entity, qualified("answer"));
    if (!unknown.empty()) append_json_array(unknown, entity.runtime_key(qualified("unresolved")));
    entity.end();
    relate(generated, {{"prov:entity", answer}, {"prov:activity", qualified("answering")}});
  }

  [[nodiscard]] std::string json() const {
    std::string out = R"({"prefix":{"citestream":"urn:citestream:","prov":"http://www.w3.org/ns/prov#"})";
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].empty()) continue;
      out.append(",\"").append(section_names[i]).append("\":").append(sections_[i].text()).append("}");
    }
    return out + "}\n";
  }

 private:
  /// The kinds of records. Their names are in the order in which they are written.
  enum section : std::uint8_t {
    entities,
    activities,
    agents,
    generated,
    used,
    associated,
    attributed,
    derived
  };
  static constexpr std::array<const char*, 8> section_names{
      "entity", "activity",          "agent",           "wasGeneratedBy",
      "used",   "wasAssociatedWith", "wasAttributedTo", "wasDerivedFrom"};
  using members = std::initializer_list<std::pair<std::string_view, std::string>>;

  void relate(section to, const members& all) {
    object_writer relation = sections_[to].open("_:r" + std::to_string(++relations_));
    for (const auto& [key, value] : all) set(relation, key, value);
    relation.end();
  }

  /// The entities of a choice's references. Equal references of several choices are one.
  std::vector<std::string> ids_of(std::span<const reference> all) {
    std::vector<std::string> ids;
    for (const reference& ref : all) {
      const std::size_t number =
          numbers_.try_emplace({ref.type, ref.id, ref.title, ref.url, ref.text}, numbers_.size() + 1)
              .first->second;
      ids.push_back(qualified(has_provenance_key(ref) ? ref.cite : "reference_" + std::to_string(number)));
    }
    return ids;
  }

  /// Adds the entity of a reference. \return false if it has been added before
  bool add_entity(const reference& ref, const std::string& id) {
    if (!known_.insert(id).second) return false;
    object_writer entity = sections_[entities].open(id);
    set(entity, "prov:label", ref.title);
    set(entity, qualified("type"), name(ref.type));
    set(entity, qualified("id"), ref.id);
    set(entity, qualified("url"), ref.url);
    set(entity, qualified("file_path"), ref.file_path);
    entity.end();
    return true;
  }

  /// Adds a document or the result of a tool that the request has: with its call, and the tool as the agent.
  bool add_given(const reference& ref, const std::string& id) {
    if (!add_entity(ref, id)) return false;
    relate(used, {{"prov:activity", qualified("answering")}, {"prov:entity", id}});
    if (!has_provenance_key(ref)) return true;
    const std::string call = qualified("call_" + ref.cite);
    object_writer activity = sections_[activities].open(call);
    set(activity, qualified("tool"), ref.tool);
    set(activity, qualified("tool_call_id"), ref.tool_call_id);
    activity.end();
    relate(generated, {{"prov:entity", id}, {"prov:activity", call}});
    if (ref.tool.empty()) return true;
    const std::string agent = agent_of(ref.tool);
    relate(associated, {{"prov:activity", call}, {"prov:agent", agent}});
    if (ref.type == source_type::agent) relate(attributed, {{"prov:entity", id}, {"prov:agent", agent}});
    return true;
  }

  /// Adds what an agent's output cites. The keys may belong to results that are not in this request.
  void add_uses(const reference& ref, const std::string& id) {
    for (std::string_view rest = ref.uses; !rest.empty();) {
      const std::string source = qualified(provenance_key::take_key(rest));
      if (known_.insert(source).second) sections_[entities].open(source).end();
      relate(derived, {{"prov:generatedEntity", id}, {"prov:usedEntity", source}});
    }
  }

  const std::string& agent_of(const std::string& tool) {
    const auto [at, fresh] =
        tools_.try_emplace(tool, qualified("agent_" + std::to_string(tools_.size() + 1)));
    if (fresh) {
      object_writer agent = sections_[agents].open(at->second);
      set_type(agent, "prov:SoftwareAgent");
      set(agent, "prov:label", tool);
      agent.end();
    }
    return at->second;
  }

  void add_derivation(const std::string& answer, const citation& cite, const std::string& id,
                      std::string_view text) {
    object_writer relation = sections_[derived].open("_:r" + std::to_string(++relations_));
    set(relation, "prov:generatedEntity", answer);
    set(relation, "prov:usedEntity", id);
    set(relation, qualified("citation"), cite.number);
    const auto begin = static_cast<std::size_t>(cite.claim_start.utf8);
    set(relation, qualified("claim"), text.substr(begin, cite.claim_end.utf8 - begin));
    set(relation, qualified("claim_start"), cite.claim_start.in(unit_));
    set(relation, qualified("claim_end"), cite.claim_end.in(unit_));
    set(relation, qualified("offsets"), name(unit_));
    relation.end();
  }

  offset_unit unit_;
  std::size_t choices_{};
  std::size_t relations_{};
  std::map<std::tuple<source_type, std::string, std::string, std::string, std::string>, std::size_t>
      numbers_;                               ///< of references
  std::set<std::string> known_;               ///< entities of references
  std::map<std::string, std::string> tools_;  ///< the id of each agent
  std::array<graph_section, section_names.size()> sections_;
};

class graph_pipeline final : public pipeline {
 public:
  graph_pipeline(std::unique_ptr<pipeline> inner, const filter_request& request)
      : inner_(std::move(inner)),
        run_(make_run(request.options, request.from)),
        unit_(request.options.offsets),
        path_(request.graph) {}

  void write(std::string_view bytes, std::string& out) override {
    run_->write(bytes, taker());
    inner_->write(bytes, out);
  }
  std::string finish(std::string& out) override {
    if (std::string error = inner_->finish(out); !error.empty()) return error;
    std::string error = run_->finish(taker());
    if (texts_.empty()) error = unknown_format;
    if (!error.empty()) throw command_error(error);
    answer_graph graph(unit_);
    for (const auto& [choice, text] : texts_) {
      if (const citations* const cites = run_->cites(choice)) graph.add(text, *cites);
    }
    std::ofstream file(path_, std::ios::binary);
    file << graph.json();
    file.close();
    if (!file) throw command_error("cannot write " + path_);
    return {};
  }
  [[nodiscard]] std::string notice() override { return inner_->notice(); }

 private:
  event_taker taker() {
    return [this](const session_event& event) { texts_[event.choice] += added_text(event); };
  }

  std::unique_ptr<pipeline> inner_;
  std::unique_ptr<answer_run> run_;
  std::map<std::uint32_t, std::string> texts_;  ///< by choice
  offset_unit unit_;
  std::string path_;
};

}  // namespace

std::unique_ptr<pipeline> with_provenance_graph(std::unique_ptr<pipeline> inner,
                                                const filter_request& request) {
  return std::make_unique<graph_pipeline>(std::move(inner), request);
}

}  // namespace citestream::tools
