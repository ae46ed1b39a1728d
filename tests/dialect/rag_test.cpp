// Plain RAG servers. Their payloads are in golden/rag.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

TEST_CASE("every documented field name of a source is read in every list") {
  const struct {
    const char* names[6];
    std::string (*value)(const reference&);
  } fields[] = {
      {{"title", "name", "filename", "file_name", "document_name", "file_path"},
       [](const reference& r) { return r.title; }},
      {{"text", "content", "snippet", "description", "body", "chunk"},
       [](const reference& r) { return r.text; }},
      {{"url", "source", "uri", "link", "href"}, [](const reference& r) { return r.url; }},
      {{"id", "id_", "key", "cite", "doc_id", "node_id"}, [](const reference& r) { return r.id + r.cite; }},
      {{"page", "page_number", "page_label"},
       [](const reference& r) { return r.page ? std::to_string(*r.page) : ""; }},
      {{"score"}, [](const reference& r) { return r.score ? std::to_string(*r.score).substr(0, 1) : ""; }},
  };
  document doc;
  dialect_event event;
  for (const char* list :
       {"references", "citations", "sources", "source_documents", "source_nodes", "documents", "context"}) {
    for (const auto& field : fields) {
      for (const char* name : field.names) {
        if (name == nullptr) break;
        const bool digits = std::string_view(name) == "score" || std::string_view(name).starts_with("page");
        const std::string payload = R"({"choices":[],")" + std::string(list) + R"(":[{)" +
                                    (&field == &fields[1] ? "" : R"("text":"x",)") + "\"" + name +
                                    "\":" + (digits ? "7" : R"("https://x.org/7")") + "}]}";
        CAPTURE(payload);
        REQUIRE_FALSE(doc.parse(payload));
        REQUIRE(find_dialect("rag")->read(doc.root(), payload_kind::event, event));
        REQUIRE(event.references.size() == 1);
        CHECK(field.value(event.references[0].ref).find('7') != std::string::npos);
      }
    }
  }
}

TEST_CASE("a plain RAG server is recognised by its list alone or next to choices") {
  document doc;
  const auto known = [&](const std::string& payload) {
    REQUIRE_FALSE(doc.parse(payload));
    return find_dialect("rag")->recognise(doc.root(), payload_kind::event);
  };
  CHECK(known(R"({"references":[{"title":"A","text":"a"}],"choices":[{"delta":{"content":"x"}}]})"));
  CHECK(known(R"({"sources":[{"title":"A","text":"a"}]})"));
  CHECK_FALSE(known(R"({"choices":[{"delta":{"content":"x"}}]})"));
  CHECK_FALSE(known(R"({"references":7,"choices":[]})"));
  CHECK_FALSE(known(R"({"references":{"a":1}})"));
}

TEST_CASE("a very long list of sources is read up to one more than the limit") {
  std::string payload = R"({"answer":"a","sources":["s")";
  for (int i = 0; i < 150'000; ++i) payload += ",\"s\"";
  payload += "]}";
  document doc;
  dialect_event event;
  REQUIRE_FALSE(doc.parse(payload));
  REQUIRE(find_dialect("rag")->read(doc.root(), payload_kind::event, event));
  CHECK(event.references.size() == limits{}.max_references + 1);
}
