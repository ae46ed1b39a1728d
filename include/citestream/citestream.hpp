/// \file
/// Everything for embedding the stream rewriter in C++: sessions, answers, their options, and the descriptors
/// of dialects, grammars and styles. Checking answers against their references is a separate library with its
/// own headers in `citestream/check/`.
///
/// \code
///   citestream::session_options options;
///   options.style = &citestream::numeric_style;  // prints [1] for each citation
///   citestream::session session(options);
///   std::string out;
///   if (auto error = session.write(stream, out)) note(error);
///   if (auto error = session.finish(out)) note(error);
/// \endcode
#pragma once

#include <citestream/base/byte_range.hpp>
#include <citestream/base/limits.hpp>
#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/base/status.hpp>
#include <citestream/base/version.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/cite/citation.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/egress/egress.hpp>
#include <citestream/marker/grammar.hpp>
#include <citestream/marker/pattern.hpp>
#include <citestream/provenance/provenance.hpp>
#include <citestream/session/answer.hpp>
#include <citestream/session/options.hpp>
#include <citestream/session/rewrite_mode.hpp>
#include <citestream/session/session.hpp>
#include <citestream/style/style.hpp>
