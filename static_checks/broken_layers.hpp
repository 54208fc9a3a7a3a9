// SPDX-License-Identifier: BSL-1.0
// broken_layers.hpp — layers with one fault each, named after it; every check is seen to refuse some.
#pragma once

#include <attest/attention.hpp>
#include <attest/math/sqrt.hpp>
#include <attest/proof/finding.hpp>
#include <attest/proof/layer.hpp>

#include <cstddef>
#include <utility>

namespace attest::broken {

/// Query i uses keys 0 to i + 1.
struct looks_one_token_ahead {
  static constexpr key_range attended(std::size_t query, std::size_t keys) {
    return mask::causal.attended(query + 1, keys);
  }
};

/// Query i uses keys 0 to i − 1, so the first has none.
struct looks_one_token_behind {
  static constexpr key_range attended(std::size_t query, std::size_t) { return {0, query}; }
};

/// From the weights of a trace to its out; `pairs` are those that mixed sums over.
template <class Trace, class Params, class Pairs = attended_pairs<mask::causal_t>>
constexpr Trace follow_weights(Trace trace, Params const& params, Pairs const& pairs = {}) {
  matmul(trace.weights, trace.v, trace.mixed, pairs);
  matmul(trace.mixed, params.Wo, rename<tokens, queries>(trace.out));
  return trace;
}

/// Softmax over all keys, and the later weights set to 0 without dividing again.
struct zeroes_after_softmax : attention_layer<> {
  constexpr auto forward(auto const& params, auto const& x) const {
    auto trace = attention_forward(params, x, mask::causal);
    auto const unmasked = attention_forward(params, x, mask::none).weights;
    for (std::size_t i = 0; i < unmasked.size; ++i) {
      trace.weights.elements[i] = trace.weights.elements[i] > 0 ? unmasked.elements[i] : 0;
    }
    return follow_weights(trace, params, every_pair{});
  }
};

/// Scores divided by √d_model, and what follows from them.
struct scales_by_d_model : attention_layer<> {
  template <class Scalar, std::size_t D, std::size_t H>
  constexpr auto forward(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                         auto const& x) const {
    auto trace = attention_forward(params, x, mask::causal);
    auto const factor = scalar_traits<Scalar>::constant(sqrt(static_cast<double>(H)) /
                                                        sqrt(static_cast<double>(D)));
    detail::scale(trace.scores, factor, scored_pairs(mask::causal), attended_pairs{mask::causal});
    detail::forbid_others(trace.scores, attended_pairs{mask::causal});
    softmax<keys>(trace.scores, trace.weights, attended_pairs{mask::causal});
    return follow_weights(trace, params);
  }
};

/// The real backward pass with its intermediate gradients, for a fault to be put into.
template <class Params, class X, class Trace>
constexpr auto backward_with_intermediates(Params const& params, X const& x, Trace const& trace,
                                           X const& d_out) {
  std::pair<Trace, decltype(attention_backward(params, x, trace, d_out))> result;
  attention_backward(params, x, trace, d_out, result.first, result.second);
  return result;
}

/// From a wrong d_scores to the gradients that follow from it.
template <class Params, class X, class Trace, class Gradients>
constexpr Gradients follow_d_scores(Params const& params, X const& x, Trace const& trace,
                                    Trace d_trace, Gradients gradients) {
  matmul(d_trace.scores, trace.k, d_trace.q, scored_pairs(trace.mask));
  matmul(d_trace.scores, trace.q, d_trace.k, scored_pairs(trace.mask));
  detail::projections_backward(params, x, d_trace, gradients);
  return gradients;
}

/// Backward without × 1/√d_head.
struct forgets_the_scale : attention_layer<> {
  template <class Scalar, std::size_t D, std::size_t H>
  constexpr auto backward(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                          auto const& x, auto const& trace, auto const& d_out) const {
    auto [d_trace, gradients] = backward_with_intermediates(params, x, trace, d_out);
    detail::scale(d_trace.scores, scalar_traits<Scalar>::constant(sqrt(static_cast<double>(H))),
                  scored_pairs(trace.mask), attended_pairs{trace.mask});
    return follow_d_scores(params, x, trace, d_trace, gradients);
  }
};

/// Softmax backward without its Σ a·da.
struct forgets_the_sum : attention_layer<> {
  template <class Scalar, std::size_t D, std::size_t H>
  constexpr auto backward(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                          auto const& x, auto const& trace, auto const& d_out) const {
    auto [d_trace, gradients] = backward_with_intermediates(params, x, trace, d_out);
    for (std::size_t i = 0; i < trace.weights.size; ++i) {
      d_trace.scores.elements[i] = trace.weights.elements[i] * d_trace.weights.elements[i];
    }
    detail::scale(d_trace.scores, detail::one_over_sqrt_d_head<Scalar, H>, scored_pairs(trace.mask),
                  attended_pairs{trace.mask});
    return follow_d_scores(params, x, trace, d_trace, gradients);
  }
};

/// dWq is given out as dWk and the other way round.
struct exchanges_q_and_k : attention_layer<> {
  constexpr auto backward(auto const& params, auto const& x, auto const& trace,
                          auto const& d_out) const {
    auto gradients = attention_backward(params, x, trace, d_out);
    std::swap(gradients.params.Wq, gradients.params.Wk);
    return gradients;
  }
};

/// d_x without the path through q, k or v.
template <part Path>
struct drops_a_path_of_x : attention_layer<> {
  constexpr auto backward(auto const& params, auto const& x, auto const& trace,
                          auto const& d_out) const {
    auto [d_trace, gradients] = backward_with_intermediates(params, x, trace, d_out);
    auto const of_params = gradients.params;
    if constexpr (Path == part::q) {
      d_trace.q = {};
    } else if constexpr (Path == part::k) {
      d_trace.k = {};
    } else {
      d_trace.v = {};
    }
    detail::projections_backward(params, x, d_trace, gradients);
    gradients.params = of_params;
    return gradients;
  }
};

}  // namespace attest::broken
