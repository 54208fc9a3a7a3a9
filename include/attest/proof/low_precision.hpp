// SPDX-License-Identifier: BSL-1.0
// low_precision.hpp — what is left of the layer in 16 bits: row sums, zeros, distance from double.
// p = digits of Scalar, u = 2⁻ᵖ, η = the least number above 0. From a row of T finite scores come
// e_k = exp(s_k − max), t = the running sum of e_k, w_k = e_k / t. What exp returned does not matter,
// only that each e_k is a number of Scalar, 0 ≤ e_k ≤ 1, and that one of them is exp(0) = 1:
//   t    = Σ e_k · f, with 1/(1 + u)^(T−1) ≤ f ≤ (1 + u)^(T−1): T − 1 additions, the first, to 0,
//          being exact; round-to-nearest multiplies each by at most 1 + u, at least 1/(1 + u)
//   w_k  = e_k / t, once more by 1/(1 + u) … 1 + u, or off by at most η/2 where it is subnormal
//   Σ w_k lies between (1 + u)^−T − T·η/2 and (1 + u)^T + T·η/2; 2 − a ≤ 1/a, so
//   |Σ w_k − 1| ≤ (1 + u)^T − 1 + T·η/2 < T·u / (1 − T·u/2) + T·η/2       for T·u < 2,
//          since (1 + u)^T ≤ e^(T·u) < (1 + T·u/2) / (1 − T·u/2).
// The sum cannot overflow: an addend of at most 1 moves nothing from 2ᵖ on.
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), section 4.2, for
// the running sum; Jeannerod, Rump, "On relative errors of floating-point operations", Math. Comp.
// 87 (2018), for the factor 1/(1 + u).
// Stands on: attention, proof/finding, proof/weights; any scalar with std::numeric_limits.
#pragma once

#include <attest/attention.hpp>
#include <attest/math/ulps.hpp>
#include <attest/proof/finding.hpp>
#include <attest/proof/weights.hpp>

#include <cstddef>
#include <limits>

namespace attest::proof {

/// The largest distance of a row of T weights from a sum of 1, for every row of finite scores.
/// Bits:    the double's own roundings are below what the derivation leaves: (T·u)²/12, relatively.
/// Empty:   T·u ≥ 2, where there is no such bound: infinity.
/// Refuses: double, of which a double cannot hold the bound (does not compile).
template <class Scalar>
  requires(std::numeric_limits<Scalar>::digits <= 24)
constexpr double row_sum_bound(std::size_t length) {
  constexpr double u = 1.0 / (std::size_t{1} << std::numeric_limits<Scalar>::digits);
  double const lost = static_cast<double>(length) * u;
  if (!(lost < 2)) {
    return std::numeric_limits<double>::infinity();
  }
  constexpr auto eta = static_cast<double>(std::numeric_limits<Scalar>::denorm_min());
  return lost / (1 - lost / 2) + static_cast<double>(length) * eta / 2;
}

/// The largest T of which every row of finite scores has a sum of 1 within `bound`.
template <class Scalar>
constexpr std::size_t largest_length_within(double bound) {
  std::size_t length = 0;
  while (row_sum_bound<Scalar>(length + 1) <= bound) {
    ++length;
  }
  return length;
}

/// The largest T of which a running sum of T ones, the denominator of T equal scores, is T: 2ᵖ.
/// Up to there each partial sum is an integer of at most p bits. 2ᵖ + 1 is in the middle between 2ᵖ
/// and 2ᵖ + 2 and goes to the even one, 2ᵖ; so the sum stands still, and each weight is 1/2ᵖ
/// however many there are. Safe says nothing of unequal scores: row_sum_bound does.
template <class Scalar>
constexpr std::size_t largest_safe_length() {
  return std::size_t{1} << std::numeric_limits<Scalar>::digits;
}

/// 1 + 1 + … as the softmax of `length` equal scores adds them.
template <class Scalar>
constexpr Scalar running_sum_of_ones(std::size_t length) {
  Scalar const one = exp(Scalar{});
  Scalar total{};
  for (std::size_t i = 0; i < length; ++i) {
    total = total + one;
  }
  return total;
}

/// Each row of weights sums to 1 within the bound for its length; the sum is exact.
template <class Scalar, std::size_t Q, std::size_t K>
constexpr finding rows_sum_to_one_in_low_precision(
    tensor<Scalar, queries<Q>, keys<K>> const& weights) {
  return rows_sum_to_one(weights, row_sum_bound<Scalar>(K));
}

/// Every entry rounded to Scalar.
template <class Scalar, class... Axes>
constexpr tensor<Scalar, Axes...> rounded_to(tensor<double, Axes...> const& exact) {
  tensor<Scalar, Axes...> result;
  for (std::size_t i = 0; i < result.size; ++i) {
    result.elements[i] = scalar_traits<Scalar>::constant(exact.elements[i]);
  }
  return result;
}
template <class Scalar, class DModel, class DHead>
constexpr attention_params<Scalar, DModel, DHead> rounded_to(
    attention_params<double, DModel, DHead> const& exact) {
  return {rounded_to<Scalar>(exact.Wq), rounded_to<Scalar>(exact.Wk), rounded_to<Scalar>(exact.Wv),
          rounded_to<Scalar>(exact.Wo)};
}

/// A layer's forward pass in Scalar, its parameters and input rounded to Scalar first.
template <class Scalar, class Layer, class DModel, class DHead, class Tokens>
constexpr auto forward_in(Layer const& layer, attention_params<double, DModel, DHead> const& params,
                          tensor<double, Tokens, DModel> const& x) {
  return layer.forward(rounded_to<Scalar>(params), rounded_to<Scalar>(x));
}

/// The largest distance of an entry from its double, and where it is.
struct distance_from_double {
  double largest = 0;
  attest::row row{0};
  attest::column column{0};
};

template <class Scalar, class Rows, class Columns>
constexpr distance_from_double largest_distance(tensor<Scalar, Rows, Columns> const& low,
                                                tensor<double, Rows, Columns> const& exact) {
  distance_from_double result;
  for (std::size_t i = 0; i < low.size; ++i) {
    double const distance =
        distance_between(static_cast<double>(low.elements[i]), exact.elements[i]);
    if (!(distance <= result.largest)) {
      result = {distance, {i / Columns::size}, {i % Columns::size}};
    }
  }
  return result;
}

/// Every entry is within `bound` of its double.
template <class Scalar, class Rows, class Columns>
constexpr finding is_close_to_double(part where, tensor<Scalar, Rows, Columns> const& low,
                                     tensor<double, Rows, Columns> const& exact, double bound) {
  auto const distance = largest_distance(low, exact);
  return distance.largest <= bound ? finding{}
                                   : broken_at(where, distance.row.index, distance.column.index);
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding is_close_to_double() {
  static_assert(Found.holds, "an entry in low precision is too far from its double");
  return Found;
}

}  // namespace attest::guarantee
