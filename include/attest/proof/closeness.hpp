// SPDX-License-Identifier: BSL-1.0
// closeness.hpp — tensors entry by entry against a record of them: in units in the last place, or at
// a number of decimals. Stands on: math/ulps, proof/finding.
#pragma once

#include <attest/math/ulps.hpp>
#include <attest/proof/finding.hpp>
#include <attest/tensor.hpp>

#include <cstddef>
#include <cstdint>

namespace attest::proof {

/// The largest distance between two entries in the same place.
template <class Scalar, class... Axes>
constexpr std::uint64_t largest_ulps(tensor<Scalar, Axes...> const& left,
                                     tensor<Scalar, Axes...> const& right) {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < left.size; ++i) {
    std::uint64_t const ulps = ulps_between(left.elements[i], right.elements[i]);
    largest = ulps > largest ? ulps : largest;
  }
  return largest;
}

/// `agree(left, right)` for all entries in the same place.
template <class Scalar, class Rows, class Columns, class Agree>
constexpr finding entries_agree(part where, tensor<Scalar, Rows, Columns> const& left,
                                tensor<Scalar, Rows, Columns> const& right, Agree const& agree) {
  for (std::size_t row = 0; row < Rows::size; ++row) {
    for (std::size_t column = 0; column < Columns::size; ++column) {
      if (!agree(left(row, column), right(row, column))) {
        return broken_at(where, row, column);
      }
    }
  }
  return {};
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding trace_is_the_recorded_one() {
  static_assert(Found.holds, "an entry differs from the record");
  return Found;
}

}  // namespace attest::guarantee
