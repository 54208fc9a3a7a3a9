// SPDX-License-Identifier: BSL-1.0
// broken_layers_every_input.hpp — layers whose fault shows at some inputs only, or at none that is
// finite; they run on any scalar.
#pragma once

#include "broken_layers.hpp"

#include <attest/attention.hpp>
#include <attest/proof/layer.hpp>
#include <attest/scalar/scalar.hpp>

#include <cstddef>

namespace attest::broken {

/// Weight × value over all keys: the later weights are 0, and 0 × NaN is NaN.
struct mixes_every_value : attention_layer<> {
  constexpr auto forward(auto const& params, auto const& x) const {
    return follow_weights(attention_forward(params, x), params, every_pair{});
  }
};

/// The maximum of each row is taken over all keys, before the mask.
struct takes_the_maximum_of_every_score : attention_layer<> {
  template <class Scalar, class DModel, class DHead, std::size_t T>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         tensor<Scalar, tokens<T>, DModel> const& x) const {
    auto trace = attention_forward(params, x);
    auto const scores = attention_forward(params, x, mask::none).scores;
    for (std::size_t query = 0; query < T; ++query) {
      Scalar largest = scores(query, 0);
      for (std::size_t key = 1; key < T; ++key) {
        largest = larger(largest, scores(query, key));
      }
      Scalar total{};
      for (std::size_t key = 0; key <= query; ++key) {
        trace.weights(query, key) = exp(scores(query, key) - largest);
        total = total + trace.weights(query, key);
      }
      for (std::size_t key = 0; key <= query; ++key) {
        trace.weights(query, key) = trace.weights(query, key) / total;
      }
    }
    return follow_weights(trace, params);
  }
};

/// Each column of scores is normalised, over the queries that may look at its key.
struct normalises_over_queries : attention_layer<> {
  template <class Scalar, class DModel, class DHead, std::size_t T>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         tensor<Scalar, tokens<T>, DModel> const& x) const {
    auto trace = attention_forward(params, x);
    for (std::size_t key = 0; key < T; ++key) {
      Scalar total{};
      for (std::size_t query = key; query < T; ++query) {
        trace.weights(query, key) = exp(trace.scores(query, key));
        total = total + trace.weights(query, key);
      }
      for (std::size_t query = key; query < T; ++query) {
        trace.weights(query, key) = trace.weights(query, key) / total;
      }
    }
    return follow_weights(trace, params);
  }
};

/// The output is 0 whatever is looked at: no later token has an influence, and no other has.
struct ignores_its_input : attention_layer<> {
  template <class Scalar, class DModel, class DHead>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         auto const& x) const {
    auto trace = attention_forward(params, x);
    fill(trace.out, Scalar{});
    return trace;
  }
};

/// Backward with d_v over all queries: 0 × NaN brings earlier rows of d_out to later rows of d_x.
struct hands_every_weight_to_d_v : attention_layer<> {
  template <class Params, class X, class Trace>
  constexpr auto backward(Params const& params, X const& x, Trace const& trace,
                          X const& d_out) const {
    auto gradients = attention_backward(params, x, trace, d_out);
    Trace d_trace;
    attention_backward(params, x, trace, d_out, d_trace, gradients);
    matmul(trace.weights, d_trace.mixed, d_trace.v);
    detail::projections_backward(params, x, d_trace, gradients);
    return gradients;
  }
};

/// Backward in which a row of d_x hears of its own row of d_out only.
struct forgets_who_looked : attention_layer<> {
  template <class Params, class X, class Trace>
  constexpr auto backward(Params const& params, X const& x, Trace const& trace,
                          X const& d_out) const {
    auto gradients = attention_backward(params, x, trace, d_out);
    Trace d_trace;
    attention_backward(params, x, trace, d_out, d_trace, gradients);
    d_trace.k = {};
    d_trace.v = {};
    detail::projections_backward(params, x, d_trace, gradients);
    return gradients;
  }
};

/// out summed from the last channel of mixed to the first: equal over the real numbers.
struct sums_backwards : attention_layer<> {
  template <class Scalar, std::size_t D, std::size_t H, std::size_t T>
  constexpr auto forward(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                         tensor<Scalar, tokens<T>, d_model<D>> const& x) const {
    auto trace = attention_forward(params, x);
    fill(trace.out, Scalar{});
    for (std::size_t token = 0; token < T; ++token) {
      for (std::size_t channel = H; channel-- > 0;) {
        for (std::size_t i = 0; i < D; ++i) {
          trace.out(token, i) =
              trace.out(token, i) + trace.mixed(token, channel) * params.Wo(channel, i);
        }
      }
    }
    return trace;
  }
};

/// The real layer for all scalars but one, for which out is summed from the last channel.
template <class Special>
struct sums_backwards_for : attention_layer<> {
  using attention_layer<>::forward;
  template <std::size_t D, std::size_t H, std::size_t T>
  constexpr auto forward(attention_params<Special, d_model<D>, d_head<H>> const& params,
                         tensor<Special, tokens<T>, d_model<D>> const& x) const {
    return sums_backwards{}.forward(params, x);
  }
};

}  // namespace attest::broken
