// SPDX-License-Identifier: BSL-1.0
// until_fused.hpp — the names of attest/scaled_dot_product_attention.hpp, by way of the traced layer,
// with its T×T on the heap. Goes when that header is there.
#pragma once

#include <attest/attention.hpp>

#include <cstddef>
#include <memory>

namespace attest {

template <std::size_t Size>
struct heads : axis<Size> {
  static constexpr auto name = "heads";
};

namespace benchmarks {

template <class Scalar, std::size_t Q, std::size_t K, std::size_t H>
struct one_head {
  tensor<Scalar, queries<Q>, d_head<H>> q, mixed, d_mixed, d_q;
  tensor<Scalar, keys<K>, d_head<H>> k, v, d_k, d_v;
  tensor<Scalar, queries<Q>, keys<K>> scores, weights, d_weights, d_scores;

  void set(auto& tensor, auto const& heads, std::size_t head) {
    __builtin_memcpy(tensor.data(), heads.data() + head * tensor.size, sizeof tensor);
  }
  void get(auto const& tensor, auto& heads, std::size_t head) {
    __builtin_memcpy(heads.data() + head * tensor.size, tensor.data(), sizeof tensor);
  }
};

}  // namespace benchmarks

template <class S, std::size_t H, std::size_t Q, std::size_t K, std::size_t D, class Mask>
void scaled_dot_product_attention(tensor<S, heads<H>, queries<Q>, d_head<D>> const& q,
                                  tensor<S, heads<H>, keys<K>, d_head<D>> const& k,
                                  tensor<S, heads<H>, keys<K>, d_head<D>> const& v,
                                  Mask const& mask,
                                  tensor<S, heads<H>, queries<Q>, d_head<D>>& out) {
  auto const one = std::make_unique<benchmarks::one_head<S, Q, K, D>>();
  for (std::size_t head = 0; head < H; ++head) {
    one->set(one->q, q, head);
    one->set(one->k, k, head);
    one->set(one->v, v, head);
    detail::scaled_dot_product_attention(one->q, one->k, one->v, scored_pairs{mask},
                                         attended_pairs{mask}, one->scores, one->weights,
                                         one->mixed);
    one->get(one->mixed, out, head);
  }
}

template <class S, std::size_t H, std::size_t Q, std::size_t K, std::size_t D, class Mask>
void scaled_dot_product_attention_backward(tensor<S, heads<H>, queries<Q>, d_head<D>> const& q,
                                           tensor<S, heads<H>, keys<K>, d_head<D>> const& k,
                                           tensor<S, heads<H>, keys<K>, d_head<D>> const& v,
                                           Mask const& mask,
                                           tensor<S, heads<H>, queries<Q>, d_head<D>> const& d_out,
                                           tensor<S, heads<H>, queries<Q>, d_head<D>>& d_q,
                                           tensor<S, heads<H>, keys<K>, d_head<D>>& d_k,
                                           tensor<S, heads<H>, keys<K>, d_head<D>>& d_v) {
  auto const one = std::make_unique<benchmarks::one_head<S, Q, K, D>>();
  for (std::size_t head = 0; head < H; ++head) {
    one->set(one->q, q, head);
    one->set(one->k, k, head);
    one->set(one->v, v, head);
    one->set(one->d_mixed, d_out, head);
    detail::scaled_dot_product_attention(one->q, one->k, one->v, scored_pairs{mask},
                                         attended_pairs{mask}, one->scores, one->weights,
                                         one->mixed);
    detail::scaled_dot_product_attention_backward(
        one->q, one->k, one->v, one->weights, one->d_mixed, scored_pairs{mask},
        attended_pairs{mask}, one->d_weights, one->d_scores, one->d_q, one->d_k, one->d_v);
    one->get(one->d_q, d_q, head);
    one->get(one->d_k, d_k, head);
    one->get(one->d_v, d_v, head);
  }
}

template <class S, std::size_t T, std::size_t D, std::size_t H, class Mask>
void attention_output(attention_params<S, d_model<D>, d_head<H>> const& params,
                      tensor<S, tokens<T>, d_model<D>> const& x, Mask const& mask,
                      tensor<S, tokens<T>, d_model<D>>& out) {
  auto const trace = std::make_unique<attention_trace<S, tokens<T>, d_model<D>, d_head<H>, Mask>>();
  attention_forward(params, x, mask, *trace);
  out = trace->out;
}

}  // namespace attest
