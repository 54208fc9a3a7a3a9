// SPDX-License-Identifier: BSL-1.0
// row_sums.hpp — for every finite input each row of weights sums to 1, and mixed lies in the hull of v.
// The forward pass runs once on `share`, whose arithmetic counts the roundings; the bound follows from
// the count. With unit roundoff u, n roundings a term, m underflows and the smallest number η:
//   |Σ_j weights(i, j) − 1| ≤ n·u / (1 − n·u) + m·η,  the sum taken exactly,
//   mixed(i, c) = Σ_j λ_j·v(j, c) + r  with λ_j ≥ 0, |r| ≤ m·η, and Σ λ_j within the bound of 1,
// where j runs over the keys with a weight, in both. Assumed: x, the weight matrices, and what is
// computed from them up to scores and v are finite, and |v| stays below half the largest number, so that
// the sum cannot overflow. Float, double, or any other IEEE format: only u and η differ.
// A layer that this refuses may still be right: it may normalise in a way that share does not follow.
// Stands on: scalar/share, attention, finding.
#pragma once

#include <attest/attention.hpp>
#include <attest/mask.hpp>
#include <attest/members.hpp>
#include <attest/proof/finding.hpp>
#include <attest/scalar/share.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace attest::proof {

/// The next double, so that what was rounded is rounded up.
constexpr double next_above(double positive) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(positive) + 1);
}

/// How far from 1 a sum with so many roundings and underflows can be.
/// Error: never below the formula above. n·u and 1 − n·u are exact, the quotient and the sum are each
///        rounded up; η is the smallest subnormal number, twice the error of an underflow, so that it
///        covers the factors (1 + u) that follow it; double's stands in where Scalar's is no double.
template <std::floating_point Scalar>
constexpr double deviation(std::uint32_t roundings, std::uint32_t underflows) {
  using limits = std::numeric_limits<Scalar>;
  double const rounded = roundings * (static_cast<double>(limits::epsilon()) / 2);
  double const smallest = underflows * static_cast<double>(limits::denorm_min());
  return next_above(next_above(rounded / (1 - rounded)) + smallest);
}

/// A finding, and the largest counts that were met.
struct row_sum_finding {
  finding found{};
  std::uint32_t roundings = 0;
  std::uint32_t underflows = 0;

  template <std::floating_point Scalar = double>
  constexpr double bound() const {
    return deviation<Scalar>(roundings, underflows);
  }
  constexpr void count(share const& complete) {
    roundings = roundings < complete.roundings ? complete.roundings : roundings;
    underflows = underflows < complete.underflows ? complete.underflows : underflows;
  }
};

/// A bound on the chance that a layer passes which would not if fingerprints were never equal by
/// accident: its first comparison of different sets has to be. Sets differ in at most 2·T numbers, each
/// the end of 4·D·H + 2·H + 1 operations (two projections, their product, the scale), at each of which
/// two numbers may meet; and a sum of fingerprints in which one may stand T times is 0 with a chance of
/// at most T·2⁻⁶⁴. The hash is taken for a random function.
constexpr double chance_of_a_false_row_sum(std::size_t T, std::size_t D, std::size_t H) {
  auto const positions = static_cast<double>(T);
  auto const operations = static_cast<double>(4 * D * H + 2 * H + 1);
  return (2 * positions * positions * operations + positions) * 0x1p-64;
}

/// Any finite numbers, all different if their labels are.
template <class Tensor>
constexpr Tensor any_numbers(std::uint64_t label) {
  Tensor numbers;
  for (share& element : numbers.elements) {
    element = share::number(label++);
  }
  return numbers;
}
template <std::size_t D, std::size_t H>
constexpr attention_params<share, d_model<D>, d_head<H>> any_params(std::uint64_t label = 0) {
  attention_params<share, d_model<D>, d_head<H>> params;
  for_each_member(params, [&](auto const*, auto& member) {
    member = any_numbers<std::remove_reference_t<decltype(member)>>(label);
    label += member.size;
  });
  return params;
}
template <std::size_t T, std::size_t D>
constexpr tensor<share, tokens<T>, d_model<D>> any_x(std::uint64_t label = std::uint64_t{1} << 32) {
  return any_numbers<tensor<share, tokens<T>, d_model<D>>>(label);
}

/// Each row is complete; one that `mask` leaves without keys is exactly 0. The finding's column is 0.
template <std::size_t Q, std::size_t K, class Mask = mask::causal_t>
constexpr row_sum_finding rows_sum_to_one(tensor<share, queries<Q>, keys<K>> const& weights,
                                          Mask const& mask = {}) {
  row_sum_finding result;
  for (std::size_t query = 0; query < Q; ++query) {
    share const* const weight = weights.data() + query * K;
    share sum;
    for (std::size_t key = 0; key < K; ++key) {
      sum = share::exact_sum(sum, weight[key]);
    }
    key_range const attended = attended_pairs{mask}(query, K);
    bool const is_right = attended.first < attended.last
                              ? sum.kind == share_of::fraction && sum.is_complete()
                              : sum.kind == share_of::zero;
    if (!is_right) {
      result.found = broken_at(part::weights, query, 0);
      return result;
    }
    result.count(sum);
  }
  return result;
}

/// Each entry of mixed sums weights(query, key)·v(key, channel) over the keys with a weight, and these
/// are complete; 0 in a row that `mask` leaves without keys.
template <std::size_t Q, std::size_t K, std::size_t H, class Mask = mask::causal_t>
constexpr row_sum_finding mixed_is_in_the_hull_of_v(
    tensor<share, queries<Q>, keys<K>> const& weights, tensor<share, keys<K>, d_head<H>> const& v,
    tensor<share, queries<Q>, d_head<H>> const& mixed, Mask const& mask = {}) {
  row_sum_finding result;
  for (std::size_t query = 0; query < Q; ++query) {
    key_range const attended = attended_pairs{mask}(query, K);
    std::uint64_t pairs[H] = {};
    for (std::size_t key = 0; key < K; ++key) {
      share const& weight = weights.data()[query * K + key];
      if (weight.kind != share_of::zero) {
        share const* const value = v.data() + key * H;
        for (std::size_t channel = 0; channel < H; ++channel) {
          pairs[channel] += share::pair_of(weight.atoms, value[channel]);
        }
      }
    }
    for (std::size_t channel = 0; channel < H; ++channel) {
      share const& sum = mixed.data()[query * H + channel];
      bool const is_right =
          attended.first < attended.last
              ? sum.kind == share_of::weighted && sum.is_complete() && sum.pairs == pairs[channel]
              : sum.kind == share_of::zero;
      if (!is_right) {
        result.found = broken_at(part::mixed, query, channel);
        return result;
      }
      result.count(sum);
    }
  }
  return result;
}

/// The layer's forward pass on any finite x and weights.
template <std::size_t T, std::size_t D, std::size_t H, class Layer, class Mask = mask::causal_t>
constexpr row_sum_finding rows_sum_to_one_for_every_finite_input(Layer const& layer,
                                                                 Mask const& mask = {}) {
  auto const trace = layer.forward(any_params<D, H>(), any_x<T, D>());
  return rows_sum_to_one(trace.weights, mask);
}
template <std::size_t T, std::size_t D, std::size_t H, class Layer, class Mask = mask::causal_t>
constexpr row_sum_finding mixed_is_in_the_hull_of_v(Layer const& layer, Mask const& mask = {}) {
  auto const trace = layer.forward(any_params<D, H>(), any_x<T, D>());
  return mixed_is_in_the_hull_of_v(trace.weights, trace.v, trace.mixed, mask);
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding rows_sum_to_one_for_every_finite_input() {
  static_assert(Found.holds, "a row of weights does not sum to 1 for every finite input");
  return Found;
}
template <finding Found>
consteval finding mixed_is_in_the_hull_of_v() {
  static_assert(Found.holds, "mixed is not an average of the values with the weights");
  return Found;
}

}  // namespace attest::guarantee
