// SPDX-License-Identifier: BSL-1.0
// scale.hpp — scores are q·kᵀ divided by √d_head, and by nothing else.
// Stands on: matmul, math/sqrt, proof/finding.
#pragma once

#include <attest/math/sqrt.hpp>
#include <attest/math/ulps.hpp>
#include <attest/matmul.hpp>
#include <attest/proof/finding.hpp>

#include <cstddef>

namespace attest::proof {

/// score·√d_head is q·k within `bound`, for every query and the keys up to it.
template <class Scalar, std::size_t T, std::size_t H>
constexpr finding scores_are_scaled(tensor<Scalar, queries<T>, d_head<H>> const& q,
                                    tensor<Scalar, keys<T>, d_head<H>> const& k,
                                    tensor<Scalar, queries<T>, keys<T>> const& scores,
                                    double bound) {
  double const root = sqrt(static_cast<double>(H));
  auto const products = matmul(q, k);
  for (std::size_t query = 0; query < T; ++query) {
    for (std::size_t key = 0; key <= query; ++key) {
      double const distance = distance_between(static_cast<double>(scores(query, key)) * root,
                                               static_cast<double>(products(query, key)));
      if (!(distance <= bound)) {
        return broken_at(part::scores, query, key);
      }
    }
  }
  return {};
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding scores_are_scaled() {
  static_assert(Found.holds, "a score is not q·k / √d_head");
  return Found;
}

}  // namespace attest::guarantee
