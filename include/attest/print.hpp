// SPDX-License-Identifier: BSL-1.0
// print.hpp — tensors, and structs of tensors, as text for people.
// Any stream will do, so no stream is included. Stands on: members, tensor.
#pragma once

#include <attest/members.hpp>
#include <attest/tensor.hpp>

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
template <class Stream, class Struct>
  requires is_stream<Stream> && has_members<Struct>
constexpr Stream& operator<<(Stream& stream, Struct const& of_struct) {
  for_each_member(of_struct, [&](auto const* name, auto const& member) {
    stream << name << ' ' << member << '\n';
  });
  return stream;
}

}  // namespace attest
