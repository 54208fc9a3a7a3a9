// SPDX-License-Identifier: BSL-1.0
// cost.hpp — how many operations the layer performs, exactly, as a formula in T, d_model and d_head.
// With D = d_model, H = d_head and P the attended pairs, T(T + 1)/2 under a causal mask and T² under
// none, a product of n terms is n multiplications and n additions, as each sum starts from +0:
//   forward                              × and +                       others
//   q, k, v = x·Wq, x·Wk, x·Wv           3·T·D·H
//   scores = q·kᵀ                        P·H
//   scores / √d_head                     P ×
//   softmax, a row of n                  n − and n +                   n − 1 larger, n exp, n ÷
//   mixed = weights·v                    P·H
//   out = mixed·Wo                       T·H·D
//   sum   × 4·T·D·H + 2·P·H + P          + 4·T·D·H + 2·P·H + 2·P       P − T larger, P exp, P ÷
//
//   backward                             × and +
//   d_Wo, d_mixed                        2·T·H·D
//   d_weights, d_v                       2·P·H
//   softmax, a row of n                  n × and n +, then n − and n ×
//   d_scores / √d_head                   P ×
//   d_q, d_k                             2·P·H
//   d_Wq, d_Wk, d_Wv and d_x             6·T·D·H
//   sum   × 8·T·D·H + 4·P·H + 3·P        + 8·T·D·H + 4·P·H + 2·P       none
// Over all rows the n of softmax add up to P, and the n − 1 to P − T.
// Stands on: scalar/operation_count, proof/finding, proof/same_arithmetic (layer_input).
#pragma once

#include <attest/proof/finding.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/same_arithmetic.hpp>
#include <attest/scalar/operation_count.hpp>

#include <cstddef>
#include <cstdint>

namespace attest::proof {

struct layer_cost {
  operation_counts forward;
  operation_counts backward;
  friend constexpr bool operator==(layer_cost const&, layer_cost const&) = default;
};

/// How many pairs a causal mask leaves: query i uses keys 0 to i.
constexpr std::uint64_t causal_pairs(std::uint64_t T) {
  return T * (T + 1) / 2;
}

/// The formula above; every query attends to some key.
constexpr layer_cost expected_cost(std::uint64_t T, std::uint64_t D, std::uint64_t H,
                                   std::uint64_t pairs) {
  return {.forward = {.multiplications = 4 * T * D * H + 2 * pairs * H + pairs,
                      .additions = 4 * T * D * H + 2 * pairs * H + 2 * pairs,
                      .divisions = pairs,
                      .exponentials = pairs,
                      .comparisons = pairs - T},
          .backward = {.multiplications = 8 * T * D * H + 4 * pairs * H + 3 * pairs,
                       .additions = 8 * T * D * H + 4 * pairs * H + 2 * pairs}};
}

/// What a layer performs, whatever the input: a branch that asked the scalar would not compile.
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr layer_cost counted_cost(Layer const& layer) {
  operation_counts counts;
  layer_input<operation_count, T, D, H> const input{
      [&](std::uint64_t) { return operation_count{counts}; }};
  auto const trace = layer.forward(input.params, input.x);
  operation_counts const forward = counts;
  counts = {};
  static_cast<void>(layer.backward(input.params, input.x, trace, input.d_out));
  return {.forward = forward, .backward = counts};
}

/// The layer costs what the formula says. The finding is out if it is the forward pass that costs
/// more or less, and x, standing for d_x, if it is the backward pass.
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr finding cost_is_as_expected(Layer const& layer, std::uint64_t pairs) {
  layer_cost const counted = counted_cost<T, D, H>(layer);
  layer_cost const expected = expected_cost(T, D, H, pairs);
  if (!(counted.forward == expected.forward)) {
    return broken_at(part::out, 0, 0);
  }
  return counted.backward == expected.backward ? finding{} : broken_at(part::x, 0, 0);
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding cost_is_as_expected() {
  static_assert(Found.holds, "the layer performs more or fewer operations than the formula says");
  return Found;
}

}  // namespace attest::guarantee
