// SPDX-License-Identifier: BSL-1.0
// plain_layer.hpp — the layer as one writes it first: loops over named entries. Causal, and each sum in the
// library's order, so that it has the library's bits.
#pragma once

#include <attest/attest.hpp>

#include <cstddef>

namespace attest::benchmarks {

template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
constexpr auto plain_layer(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                           tensor<Scalar, tokens<T>, d_model<D>> const& x) {
  ATTEST_NO_CONTRACTION
  attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>> trace;
  for (std::size_t token = 0; token < T; ++token) {
    for (std::size_t channel = 0; channel < H; ++channel) {
      for (std::size_t i = 0; i < D; ++i) {
        trace.q(token, channel) += ATTEST_ROUNDED(x(token, i) * params.Wq(i, channel));
        trace.k(token, channel) += ATTEST_ROUNDED(x(token, i) * params.Wk(i, channel));
        trace.v(token, channel) += ATTEST_ROUNDED(x(token, i) * params.Wv(i, channel));
      }
    }
  }
  Scalar const scale = detail::one_over_sqrt_d_head<Scalar, H>;
  for (std::size_t query = 0; query < T; ++query) {
    for (std::size_t key = query + 1; key < T; ++key) {
      trace.scores(query, key) = scalar_traits<Scalar>::minus_infinity();
    }
    for (std::size_t key = 0; key <= query; ++key) {
      for (std::size_t channel = 0; channel < H; ++channel) {
        trace.scores(query, key) += ATTEST_ROUNDED(trace.q(query, channel) * trace.k(key, channel));
      }
      trace.scores(query, key) *= scale;
    }
    Scalar largest = trace.scores(query, 0);
    for (std::size_t key = 1; key <= query; ++key) {
      largest = largest < trace.scores(query, key) ? trace.scores(query, key) : largest;
    }
    Scalar total{};
    for (std::size_t key = 0; key <= query; ++key) {
      trace.weights(query, key) = exp(trace.scores(query, key) - largest);
      total += trace.weights(query, key);
    }
    for (std::size_t key = 0; key <= query; ++key) {
      trace.weights(query, key) /= total;
    }
    for (std::size_t channel = 0; channel < H; ++channel) {
      for (std::size_t key = 0; key <= query; ++key) {
        trace.mixed(query, channel) +=
            ATTEST_ROUNDED(trace.weights(query, key) * trace.v(key, channel));
      }
    }
    for (std::size_t i = 0; i < D; ++i) {
      for (std::size_t channel = 0; channel < H; ++channel) {
        trace.out(query, i) += ATTEST_ROUNDED(trace.mixed(query, channel) * params.Wo(channel, i));
      }
    }
  }
  return trace;
}

}  // namespace attest::benchmarks
