/// \file
/// A Beast body that contains only the bytes of the last read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/optional.hpp>

namespace citestream::load {

/// Appends the body's bytes, without framing, to a string. The owner clears the string after each read.
struct arriving_body {
  using value_type = std::string;

  class reader {
   public:
    template <bool Request, class Fields>
    reader(boost::beast::http::header<Request, Fields>& /*head*/, value_type& to) : to_(to) {}

    void init(const boost::optional<std::uint64_t>& /*length*/, boost::system::error_code& error) {
      error = {};
    }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, boost::system::error_code& error) {
      error = {};
      const std::size_t before = to_.size();
      for (const boost::asio::const_buffer each : boost::beast::buffers_range_ref(buffers)) {
        to_.append(static_cast<const char*>(each.data()), each.size());
      }
      return to_.size() - before;
    }
    void finish(boost::system::error_code& error) { error = {}; }

   private:
    value_type& to_;
  };
};

}  // namespace citestream::load
