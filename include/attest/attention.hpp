// SPDX-License-Identifier: BSL-1.0
// attention.hpp — causal self-attention, forward with every intermediate tensor, and backward.
// The page to read first.
//
//   x       (tokens, d_model)   one row a position          q, k, v  (…, d_head)      x·Wq, x·Wk, x·Wv
//   scores  (queries, keys)     q·kᵀ / √d_head              weights  (queries, keys)  softmax of each row
//   mixed   (queries, d_head)   weights·v                   out      (tokens, d_model) mixed·Wo
//
// Source: Vaswani et al., "Attention is all you need" (2017), section 3.2.1, equation 1, one head; the
// mask of section 3.2.3. Stands on: matmul, mask, members, rows, softmax,
// scaled_dot_product_attention.
#pragma once

#include <attest/mask.hpp>
#include <attest/matmul.hpp>
#include <attest/members.hpp>
#include <attest/rows.hpp>
#include <attest/scalar/scalar.hpp>
#include <attest/scaled_dot_product_attention.hpp>
#include <attest/softmax.hpp>
#include <attest/tensor.hpp>

#include <concepts>
#include <cstddef>

namespace attest {

template <class Scalar, class DModel, class DHead>
struct attention_params;

/// The four weight matrices; also their gradients.
template <class Scalar, std::size_t D, std::size_t H>
struct attention_params<Scalar, d_model<D>, d_head<H>> {
  using projection = tensor<Scalar, d_model<D>, d_head<H>>;
  using output_projection = tensor<Scalar, d_head<H>, d_model<D>>;
  projection Wq;
  projection Wk;
  projection Wv;
  output_projection Wo;

  using members =
      member_list<member<"Wq", &attention_params::Wq>, member<"Wk", &attention_params::Wk>,
                  member<"Wv", &attention_params::Wv>, member<"Wo", &attention_params::Wo>>;
  friend constexpr bool operator==(attention_params const&, attention_params const&) = default;
};

template <class Scalar, class Tokens, class DModel, class DHead, class Mask = mask::causal_t>
struct attention_trace;

/// The output together with every intermediate tensor, and the mask that they were computed with.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
struct attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> {
  using of_queries = tensor<Scalar, queries<T>, d_head<H>>;
  using of_keys = tensor<Scalar, keys<T>, d_head<H>>;
  using of_pairs = tensor<Scalar, queries<T>, keys<T>>;
  using of_tokens = tensor<Scalar, tokens<T>, d_model<D>>;
  of_queries q;
  of_keys k;
  of_keys v;
  of_pairs scores;
  of_pairs weights;
  of_queries mixed;
  of_tokens out;
  [[no_unique_address]] Mask mask{};

  using members =
      member_list<member<"q", &attention_trace::q>, member<"k", &attention_trace::k>,
                  member<"v", &attention_trace::v>, member<"scores", &attention_trace::scores>,
                  member<"weights", &attention_trace::weights>,
                  member<"mixed", &attention_trace::mixed>, member<"out", &attention_trace::out>>;
};

template <class Scalar, class Tokens, class DModel, class DHead>
struct attention_gradients;

/// dLoss/d(params) and dLoss/d(x).
template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
struct attention_gradients<Scalar, tokens<T>, d_model<D>, d_head<H>> {
  using of_params = attention_params<Scalar, d_model<D>, d_head<H>>;
  using of_x = tensor<Scalar, tokens<T>, d_model<D>>;
  of_params params;
  of_x x;

  using members = member_list<member<"params", &attention_gradients::params>,
                              member<"x", &attention_gradients::x>>;
  friend constexpr bool operator==(attention_gradients const&,
                                   attention_gradients const&) = default;
};

namespace detail {

/// The same rows, as the positions that look and as those that are looked at.
template <class Tensor>
constexpr auto as_queries(Tensor& tensor) {
  return rename<tokens, queries>(tensor);
}
template <class Tensor>
constexpr auto as_keys(Tensor& tensor) {
  return rename<tokens, keys>(tensor);
}

/// scores = q·kᵀ / √d_head where they are scored, and 0 elsewhere.
template <class Scalar, std::size_t Q, std::size_t K, std::size_t H, class Scored>
constexpr void score(tensor<Scalar, queries<Q>, d_head<H>> const& q,
                     tensor<Scalar, keys<K>, d_head<H>> const& k, Scored const& scored,
                     tensor<Scalar, queries<Q>, keys<K>>& scores) {
  fill(scores, Scalar{});
  product<sums_of_scores<Scalar, H>>(q, k, scores, scored);
}

/// Multiplies the scored pairs; what is attended but not scored becomes 0.
template <class Scalar, std::size_t Q, std::size_t K, class Scored, class Attended>
constexpr void scale(tensor<Scalar, queries<Q>, keys<K>>& scores, Scalar const& factor,
                     Scored const& scored, Attended const& attended) {
  using layout = rows_along<tensor<Scalar, queries<Q>, keys<K>>, keys>;
  for_each_rows<1, layout, Scalar>(attended, [&](auto const& rows) {
    Scalar* const begin = scores.data() + rows.row * layout::row_step;
    scale_rows<layout>(rows, begin, factor);
    clear_unscored<layout>(rows, scored, attended, begin);
  });
}

/// Sets what is not attended to −∞.
template <class Scalar, std::size_t Q, std::size_t K, class Pairs>
constexpr void forbid_others(tensor<Scalar, queries<Q>, keys<K>>& scores, Pairs const& pairs) {
  for (std::size_t query = 0; query < Q; ++query) {
    key_range const inside = part_inside(pairs(query, K), {0, K});
    Scalar* const score = scores.data() + query * K;
    for (std::size_t key = 0; key < inside.first; ++key) {
      score[key] = scalar_traits<Scalar>::minus_infinity();
    }
    for (std::size_t key = inside.last; key < K; ++key) {
      score[key] = scalar_traits<Scalar>::minus_infinity();
    }
  }
}

/// mixed = softmax(q·kᵀ / √d_head)·v, equation 1; `scored` and `attended` as in mask.hpp.
template <class Scalar, std::size_t Q, std::size_t K, std::size_t H, class Scored, class Attended>
constexpr void scaled_dot_product_attention(tensor<Scalar, queries<Q>, d_head<H>> const& q,
                                            tensor<Scalar, keys<K>, d_head<H>> const& k,
                                            tensor<Scalar, keys<K>, d_head<H>> const& v,
                                            Scored const& scored, Attended const& attended,
                                            tensor<Scalar, queries<Q>, keys<K>>& scores,
                                            tensor<Scalar, queries<Q>, keys<K>>& weights,
                                            tensor<Scalar, queries<Q>, d_head<H>>& mixed) {
  score(q, k, scored, scores);
  forbid_others(scores, attended);
  softmax<keys>(scores, weights, attended);
  matmul(weights, v, mixed, attended);
}

/// From d_mixed to d_q, d_k and d_v, with the gradients of what lies between.
template <class Scalar, std::size_t Q, std::size_t K, std::size_t H, class Scored, class Attended>
constexpr void scaled_dot_product_attention_backward(
    tensor<Scalar, queries<Q>, d_head<H>> const& q, tensor<Scalar, keys<K>, d_head<H>> const& k,
    tensor<Scalar, keys<K>, d_head<H>> const& v, tensor<Scalar, queries<Q>, keys<K>> const& weights,
    tensor<Scalar, queries<Q>, d_head<H>> const& d_mixed, Scored const& scored,
    Attended const& attended, tensor<Scalar, queries<Q>, keys<K>>& d_weights,
    tensor<Scalar, queries<Q>, keys<K>>& d_scores, tensor<Scalar, queries<Q>, d_head<H>>& d_q,
    tensor<Scalar, keys<K>, d_head<H>>& d_k, tensor<Scalar, keys<K>, d_head<H>>& d_v) {
  // mixed = weights·v
  matmul(d_mixed, v, d_weights, attended);
  matmul(weights, d_mixed, d_v, attended);
  // weights = softmax(scores)
  softmax_backward<keys>(weights, d_weights, d_scores, attended);
  // scores = q·kᵀ / √d_head
  scale(d_scores, one_over_sqrt_d_head<Scalar, H>, scored, attended);
  matmul(d_scores, k, d_q, scored);
  matmul(d_scores, q, d_k, scored);
}

/// From d_q, d_k and d_v; one row of x feeds all three, so d_x has three paths.
template <class Scalar, class Tokens, class DModel, class DHead, class Mask>
constexpr void projections_backward(
    attention_params<Scalar, DModel, DHead> const& params, tensor<Scalar, Tokens, DModel> const& x,
    attention_trace<Scalar, Tokens, DModel, DHead, Mask> const& d_trace,
    attention_gradients<Scalar, Tokens, DModel, DHead>& gradients) {
  auto& [d_params, d_x] = gradients;
  matmul(as_queries(x), d_trace.q, d_params.Wq);
  matmul(as_keys(x), d_trace.k, d_params.Wk);
  matmul(as_keys(x), d_trace.v, d_params.Wv);
  matmul(d_trace.q, params.Wq, as_queries(d_x));
  matmul_add(d_trace.k, params.Wk, as_keys(d_x));
  matmul_add(d_trace.v, params.Wv, as_keys(d_x));
}

}  // namespace detail

/// The layer, into a trace that the caller owns.
/// Bits: the same in the compiler and at run time; row i never reads a key that `mask` forbids it.
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
  requires mask_for<Mask, queries<T>, keys<T>>
constexpr void attention_forward(
    attention_params<Scalar, d_model<D>, d_head<H>> const& params,
    tensor<Scalar, tokens<T>, d_model<D>> const& x, Mask const& mask,
    attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask>& trace) {
  using detail::as_keys, detail::as_queries;
  trace.mask = mask;
  matmul(as_queries(x), params.Wq, trace.q);
  matmul(as_keys(x), params.Wk, trace.k);
  matmul(as_keys(x), params.Wv, trace.v);
  detail::scaled_dot_product_attention(trace.q, trace.k, trace.v, scored_pairs(mask),
                                       attended_pairs{mask}, trace.scores, trace.weights,
                                       trace.mixed);
  matmul(trace.mixed, params.Wo, as_queries(trace.out));
}

/// The layer: `out` together with every intermediate tensor.
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
  requires mask_for<Mask, queries<T>, keys<T>>
constexpr auto attention_forward(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                                 tensor<Scalar, tokens<T>, d_model<D>> const& x,
                                 Mask const& mask = {}) {
  attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> trace;
  attention_forward(params, x, mask, trace);
  return trace;
}

/// What attention_output needs beside its result: O(T · d_head).
template <class Scalar, std::size_t T, std::size_t H>
struct attention_workspace {
  tensor<Scalar, queries<T>, d_head<H>> q;
  tensor<Scalar, keys<T>, d_head<H>> k;
  tensor<Scalar, keys<T>, d_head<H>> v;
  tensor<Scalar, queries<T>, d_head<H>> mixed;
};

/// The layer's `out` alone, without a T × T tensor: the same bits as attention_forward's.
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
  requires mask_for<Mask, queries<T>, keys<T>>
constexpr void attention_output(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                                tensor<Scalar, tokens<T>, d_model<D>> const& x, Mask const& mask,
                                attention_workspace<Scalar, T, H>& workspace,
                                tensor<Scalar, tokens<T>, d_model<D>>& out) {
  using detail::as_keys, detail::as_queries;
  auto& [q, k, v, mixed] = workspace;
  matmul(as_queries(x), params.Wq, q);
  matmul(as_keys(x), params.Wk, k);
  matmul(as_keys(x), params.Wv, v);
  detail::attend<Scalar, T, T, H>({q.data()}, {k.data()}, {v.data()}, mask, {mixed.data()});
  matmul(mixed, params.Wo, as_queries(out));
}

/// The same, with the workspace on the stack.
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
  requires mask_for<Mask, queries<T>, keys<T>>
constexpr void attention_output(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                                tensor<Scalar, tokens<T>, d_model<D>> const& x, Mask const& mask,
                                tensor<Scalar, tokens<T>, d_model<D>>& out) {
  attention_workspace<Scalar, T, H> workspace;
  attention_output(params, x, mask, workspace, out);
}
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
  requires mask_for<Mask, queries<T>, keys<T>>
constexpr auto attention_output(attention_params<Scalar, d_model<D>, d_head<H>> const& params,
                                tensor<Scalar, tokens<T>, d_model<D>> const& x,
                                Mask const& mask = {}) {
  tensor<Scalar, tokens<T>, d_model<D>> out;
  attention_output(params, x, mask, out);
  return out;
}

/// The gradients of a loss with d_out = dLoss/d(out), into places that the caller owns.
/// `d_trace` receives the gradient of each intermediate tensor under that tensor's name.
/// Each line is one of attention_forward, last first, quoted above what differentiates it.
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
constexpr void attention_backward(
    attention_params<Scalar, d_model<D>, d_head<H>> const& params,
    tensor<Scalar, tokens<T>, d_model<D>> const& x,
    attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> const& trace,
    tensor<Scalar, tokens<T>, d_model<D>> const& d_out,
    attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask>& d_trace,
    attention_gradients<Scalar, tokens<T>, d_model<D>, d_head<H>>& gradients) {
  using detail::as_queries;
  d_trace.mask = trace.mask;
  d_trace.out = d_out;

  // out = mixed·Wo
  matmul(trace.mixed, as_queries(d_out), gradients.params.Wo);
  matmul(as_queries(d_out), params.Wo, d_trace.mixed);
  // mixed = softmax(q·kᵀ / √d_head)·v
  detail::scaled_dot_product_attention_backward(
      trace.q, trace.k, trace.v, trace.weights, d_trace.mixed, scored_pairs(trace.mask),
      attended_pairs{trace.mask}, d_trace.weights, d_trace.scores, d_trace.q, d_trace.k, d_trace.v);
  // q = x·Wq, k = x·Wk, v = x·Wv
  detail::projections_backward(params, x, d_trace, gradients);
}

/// The gradients of a loss with d_out = dLoss/d(out): `.params` and `.x`.
template <scalar Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
constexpr auto attention_backward(
    attention_params<Scalar, d_model<D>, d_head<H>> const& params,
    tensor<Scalar, tokens<T>, d_model<D>> const& x,
    attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> const& trace,
    tensor<Scalar, tokens<T>, d_model<D>> const& d_out) {
  attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> d_trace;
  attention_gradients<Scalar, tokens<T>, d_model<D>, d_head<H>> gradients;
  attention_backward(params, x, trace, d_out, d_trace, gradients);
  return gradients;
}

/// Refuses: an x that is not (tokens, d_model) with the parameters' d_model.
template <class Scalar, class Expected, class DHead, class Rows, class Got, class... More>
  requires(!std::same_as<Expected, Got> || !is_named<Rows, tokens>)
constexpr auto attention_forward(attention_params<Scalar, Expected, DHead> const&,
                                 tensor<Scalar, Rows, Got> const&, More&&...)
    -> mismatch<expected<Expected>, got<Got>> = delete;

template <class Scalar, class Expected, class DHead, class Rows, class Got, class... More>
  requires(!std::same_as<Expected, Got> || !is_named<Rows, tokens>)
constexpr auto attention_output(attention_params<Scalar, Expected, DHead> const&,
                                tensor<Scalar, Rows, Got> const&, More&&...)
    -> mismatch<expected<Expected>, got<Got>> = delete;

/// Refuses: what is not a mask.
template <class Scalar, class Tokens, class DModel, class DHead, class Got, class... More>
  requires(!mask_policy<Got>)
constexpr auto attention_forward(attention_params<Scalar, DModel, DHead> const&,
                                 tensor<Scalar, Tokens, DModel> const&, Got const&, More&&...)
    -> mismatch<expected<mask::causal_t, mask::none_t, mask::zero_t>, got<Got>> = delete;

/// Refuses: a mask of another length.
template <class Scalar, class Expected, class DModel, class DHead, mask_policy Got, class... More>
  requires(!mask_for<Got, queries<Expected::size>, keys<Expected::size>>)
constexpr auto attention_forward(attention_params<Scalar, DModel, DHead> const&,
                                 tensor<Scalar, Expected, DModel> const&, Got const&, More&&...)
    -> mismatch<expected<Expected>, got<Got>> = delete;

/// Refuses: a d_out that has not the shape of out.
template <class Scalar, class Tokens, class DModel, class DHead, class Mask, class... Got,
          class... More>
  requires(!std::same_as<shape<Tokens, DModel>, shape<Got...>>)
constexpr auto attention_backward(attention_params<Scalar, DModel, DHead> const&,
                                  tensor<Scalar, Tokens, DModel> const&,
                                  attention_trace<Scalar, Tokens, DModel, DHead, Mask> const&,
                                  tensor<Scalar, Got...> const&, More&&...)
    -> mismatch<expected<Tokens, DModel>, got<Got...>> = delete;

template <class Params, class X, class Mask = mask::causal_t>
concept can_attend = requires(Params const& params, X const& x, Mask const& mask) {
  attention_forward(params, x, mask);
};

}  // namespace attest
