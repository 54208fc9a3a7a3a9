// SPDX-License-Identifier: BSL-1.0
// weights.hpp — what a weight matrix must be: rows that sum to 1, nothing on the future, something
// on oneself. Stands on: math/exact_sum, proof/finding.
#pragma once

#include <attest/math/exact_sum.hpp>
#include <attest/proof/finding.hpp>
#include <attest/tensor.hpp>

#include <cstddef>

namespace attest::proof {

/// Each row sums to 1 within `bound`, by an exact sum; the finding's column is 0.
template <class Scalar, std::size_t Q, std::size_t K>
constexpr finding rows_sum_to_one(tensor<Scalar, queries<Q>, keys<K>> const& weights,
                                  double bound) {
  for (std::size_t query = 0; query < Q; ++query) {
    exact_sum sum;
    for (std::size_t key = 0; key < K; ++key) {
      sum.add(static_cast<double>(weights(query, key)));
    }
    if (!sum.within(1.0, bound)) {
      return broken_at(part::weights, query, 0);
    }
  }
  return {};
}

/// The weight on every later key is +0, to the bit.
template <class Scalar, std::size_t Q, std::size_t K>
constexpr finding future_weights_are_zero(tensor<Scalar, queries<Q>, keys<K>> const& weights) {
  for (std::size_t query = 0; query < Q; ++query) {
    for (std::size_t key = query + 1; key < K; ++key) {
      if (!same_bits(weights(query, key), Scalar{})) {
        return broken_at(part::weights, query, key);
      }
    }
  }
  return {};
}

/// The first position has nothing but itself, so its weight is exactly 1; all others have some.
template <class Scalar, std::size_t Q, std::size_t K>
constexpr finding positions_attend_to_themselves(
    tensor<Scalar, queries<Q>, keys<K>> const& weights) {
  if (!same_bits(weights(0, 0), Scalar{1})) {
    return broken_at(part::weights, 0, 0);
  }
  for (std::size_t position = 1; position < Q; ++position) {
    if (!(weights(position, position) > Scalar{})) {
      return broken_at(part::weights, position, position);
    }
  }
  return {};
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding rows_sum_to_one() {
  static_assert(Found.holds, "a row of weights does not sum to 1");
  return Found;
}
template <finding Found>
consteval finding future_weights_are_zero() {
  static_assert(Found.holds, "a query has weight on a later key");
  return Found;
}
template <finding Found>
consteval finding positions_attend_to_themselves() {
  static_assert(Found.holds, "a position has no weight on itself");
  return Found;
}

}  // namespace attest::guarantee
