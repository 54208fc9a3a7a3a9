// SPDX-License-Identifier: BSL-1.0
// print.hpp — tensors, and structs of tensors, as text for people.
// Any stream will do, so no stream is included. Stands on: tensor, attention.
#pragma once

#include <attest/tensor.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/unpack.hpp>

#include <cstddef>

namespace attest {

/// A stream of letters; what only passes on to one, as a test's message does, is none.
template <class Stream>
concept is_stream = requires(Stream& stream) {
  typename Stream::char_type;
  stream << "" << ' ';
};

/// weights's axes in brackets, then a line for each row of the last axis:
///   [queries 2, keys 2]
///     1 0
///     0.5 0.5
template <class Stream, class Scalar, class... Axes>
  requires is_stream<Stream> && requires(Stream& stream, Scalar const& scalar) { stream << scalar; }
constexpr Stream& operator<<(Stream& stream, tensor<Scalar, Axes...> const& tensor) {
  auto const* separator = "[";
  ((stream << separator << Axes::name << ' ' << Axes::size, separator = ", "), ...);
  stream << ']';
  constexpr std::size_t width = attest::tensor<Scalar, Axes...>::extents.back();
  for (std::size_t i = 0; i < tensor.size; ++i) {
    stream << (i % width == 0 ? "\n  " : " ") << tensor.elements[i];
  }
  return stream;
}

/// Every member under its name: params, trace and gradients.
template <class Stream, class Members>
  requires is_stream<Stream> && hana::Struct<Members>::value
constexpr Stream& operator<<(Stream& stream, Members const& members) {
  hana::for_each(hana::accessors<Members>(), [&](auto const& accessor) {
    stream << hana::to<char const*>(hana::first(accessor)) << ' ' << hana::second(accessor)(members)
           << '\n';
  });
  return stream;
}

}  // namespace attest
