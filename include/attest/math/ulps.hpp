// SPDX-License-Identifier: BSL-1.0
// ulps.hpp — how many representable numbers two numbers are apart.
// Stands on: nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace attest {
namespace detail {

/// Representable numbers in their order as integers in theirs: the bits of a positive number, minus
/// the bits of a negative number's magnitude. Both zeros are 0.
constexpr std::int64_t place_among_numbers(double a) {
  auto const bits = std::bit_cast<std::int64_t>(a);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

constexpr std::int64_t place_among_numbers(float a) {
  auto const bits = std::bit_cast<std::int32_t>(a);
  return bits < 0 ? std::numeric_limits<std::int32_t>::min() - std::int64_t{bits} : bits;
}

constexpr std::uint64_t places_between(std::int64_t from, std::int64_t to, std::int64_t infinity) {
  if (from > infinity || from < -infinity || to > infinity || to < -infinity) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return from < to ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)
                   : static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(to);
}

}  // namespace detail

/// |a − b|, rounded.
constexpr double distance_between(double a, double b) {
  return a < b ? b - a : a - b;
}

/// The number of steps from a to b, each to the next representable number, across zero too.
/// Both zeros are one point, infinity is one step beyond the largest number, and NaN is as far from
/// everything, itself included, as 64 bits can say: no bound accepts it.
constexpr std::uint64_t ulps_between(double a, double b) {
  return detail::places_between(detail::place_among_numbers(a), detail::place_among_numbers(b),
                                0x7ff0'0000'0000'0000);
}

constexpr std::uint64_t ulps_between(float a, float b) {
  return detail::places_between(detail::place_among_numbers(a), detail::place_among_numbers(b),
                                0x7f80'0000);
}

}  // namespace attest
