// SPDX-License-Identifier: BSL-1.0
// scaled_dot_product_attention.hpp — softmax(q·kᵀ / √d_head)·v, equation 1, without its intermediate
// tensors: a block of queries at a time, so that memory grows with T and not with T × T.
//
// A block's scores lie keys × queries: a register holds neighbouring queries, and maximum, sum and
// quotient of their rows are taken side by side, each in ascending order of its own keys. Blocks begin
// with the first key that one of their queries may use and end with the last: later keys are not
// touched. The arithmetic is that of the layer with its trace, entry by entry, for the blocks and widths
// of static_checks/proof_without_a_trace.cpp; the products' tiles: static_checks/lanes.cpp.
// Source: Vaswani et al., "Attention is all you need" (2017), equation 1. Stands on: matmul, softmax.
#pragma once

#include <attest/config.hpp>
#include <attest/lanes.hpp>
#include <attest/mask.hpp>
#include <attest/math/sqrt.hpp>
#include <attest/matmul.hpp>
#include <attest/rows.hpp>
#include <attest/scalar/scalar.hpp>
#include <attest/softmax.hpp>
#include <attest/tensor.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace attest {

namespace detail {

/// 1/√d_head as a double, then as a scalar.
template <class Scalar, std::size_t H>
inline constexpr Scalar one_over_sqrt_d_head =
    scalar_traits<Scalar>::constant(1.0 / sqrt(static_cast<double>(H)));

/// What a mask says of queries `first` and later, counted from there. It is not copied for each block.
template <class Pairs>
struct pairs_from {
  static constexpr bool ascends = detail::ascends<Pairs>;
  Pairs const* pairs;
  std::size_t first;

  constexpr key_range operator()(std::size_t query, std::size_t keys) const {
    return (*pairs)(first + query, keys);
  }
};
template <class Pairs>
pairs_from(Pairs const*, std::size_t) -> pairs_from<Pairs>;

/// What a product's sums do to become scores.
template <class Scalar, std::size_t H>
using sums_of_scores = from_zero_times<one_over_sqrt_d_head<Scalar, H>>;

/// Of the attended entries of a group of rows, those that are not scored become 0. In a right mask there are none.
template <class Layout, class Scalar, std::size_t Width, class Scored, class Attended>
constexpr void clear_unscored(rows_together<Scalar, Width> const& rows, Scored const& scored,
                              Attended const&, Scalar* scores) {
  if constexpr (!std::same_as<Scored, Attended>) {
    constexpr std::size_t step = Layout::entry_step;
    rows_together<Scalar, Width> const rows_scored{Layout{}, scored, rows.row};
    key_range const inside = part_inside(rows_scored.any, rows.any);
    auto const clear = [&](std::size_t from, std::size_t to) {
      for (std::size_t key = from; key < to; ++key) {
        store_lanes<Width>(lanes<Scalar, Width>{}, scores + key * step);
      }
    };
    clear(rows.any.first, inside.first);
    rows_scored.set(inside.first, inside.last, scores + inside.first * step, step,
                    [](std::size_t, std::size_t) {});
    clear(inside.last, rows.any.last);
  }
}

/// From the gradients of a group's scores to those of q·kᵀ.
template <class Layout, class Scalar, std::size_t Width>
constexpr void scale_rows(rows_together<Scalar, Width> const& rows, Scalar* d_scores,
                          Scalar const& factor) {
  ATTEST_NO_CONTRACTION
  constexpr std::size_t step = Layout::entry_step;
  entries_of<Width, step, Scalar const> const d_score{d_scores};
  entries_of<Width, step, Scalar> const scaled{d_scores};
  for (std::size_t key = rows.any.first; key < rows.any.last; ++key) {
    scaled[key] = ATTEST_ROUNDED(d_score[key] * factor);
  }
}

/// A block of queries of one head against all of its keys; Width of their rows are taken at a time.
template <std::size_t Width, class Scalar, class Block, class Keys, class DHead>
struct block_of_queries {
  using rows = tensor_view<Scalar const, Block, DHead>;
  using of_keys = tensor_view<Scalar const, Keys, DHead>;
  using of_pairs = tensor_view<Scalar, Keys, Block>;
  using layout = rows_along<of_pairs, keys>;

  /// Every pair of the block's queries with the keys that one of them has.
  struct any_pair {
    static constexpr bool ascends = true;
    key_range any;

    template <class Pairs>
    explicit constexpr any_pair(Pairs const& pairs)
        : any{ranges_of_queries{pairs, 0, Block::size, Keys::size}.any} {}
    constexpr key_range operator()(std::size_t, std::size_t) const { return any; }
  };

  /// weights = softmax(q·kᵀ / √d_head).
  template <class Scored, class Attended>
  static constexpr void weigh(rows const& q, of_keys const& k, Scored const& scored,
                              Attended const& attended, of_pairs const& weights) {
    // Whole tiles: what the mask leaves out is not read by what follows.
    product<sums_of_scores<Scalar, DHead::size>>(q, k, weights, any_pair{scored});
    for_each_rows<Width, layout, Scalar>(attended, [&](auto const& rows) {
      Scalar* const begin = weights.data() + rows.row;
      clear_unscored<layout>(rows, scored, attended, begin);
      softmax_of_rows<layout>(rows, begin, begin);
    });
  }

  /// From d_mixed, which is d_out of this block, to d_q, and what the block adds to d_k and d_v.
  template <class Scored, class Attended>
  static constexpr void weigh_backward(rows const& q, of_keys const& k, of_keys const& v,
                                       rows const& d_out, Scored const& scored,
                                       Attended const& attended, of_pairs const& weights,
                                       of_pairs const& d_weights,
                                       tensor_view<Scalar, Block, DHead> const& d_q,
                                       tensor_view<Scalar, Keys, DHead> const& d_k,
                                       tensor_view<Scalar, Keys, DHead> const& d_v) {
    // mixed = weights·v
    product<from_zero>(d_out, v, d_weights, any_pair{attended});
    matmul_add(weights, d_out, d_v, attended);
    // weights = softmax(q·kᵀ / √d_head)
    for_each_rows<Width, layout, Scalar>(attended, [&](auto const& rows) {
      Scalar* const begin = d_weights.data() + rows.row;
      softmax_backward_of_rows<layout>(rows, weights.data() + rows.row, begin, begin);
      scale_rows<layout>(rows, begin, one_over_sqrt_d_head<Scalar, DHead::size>);
    });
    matmul(d_weights, k, d_q, scored);
    matmul_add(d_weights, q, d_k, scored);
  }
};

/// Queries a block: two registers of them, as long as a block's scores stay below half a megabyte.
template <class Scalar, std::size_t Q, std::size_t K>
inline constexpr std::size_t queries_a_block = [] {
  std::size_t block = 2 * native_width<Scalar>;
  while (block > 1 && block * K * sizeof(Scalar) > std::size_t{512} * 1024) {
    block /= 2;
  }
  return block < Q ? block : Q;
}();

/// use(integral_constant<Block>, first, scored, attended) for blocks of Block queries, and what is left at the
/// end; what is scored and attended is asked for with the queries of the block.
template <std::size_t Block, std::size_t Q, class Mask, class Use>
constexpr void for_each_block_of_queries(Mask const& mask, Use const& use) {
  auto const scored = scored_pairs(mask);
  attended_pairs const attended{mask};
  auto const use_block = [&](auto size, std::size_t first) {
    use(size, first, pairs_from{&scored, first}, pairs_from{&attended, first});
  };
  for (std::size_t first = 0; first + Block <= Q; first += Block) {
    use_block(std::integral_constant<std::size_t, Block>{}, first);
  }
  if constexpr (Q % Block != 0) {
    use_block(std::integral_constant<std::size_t, Q % Block>{}, Q - Q % Block);
  }
}

/// One head: q, out (queries, d_head), k, v (keys, d_head).
template <std::size_t Block, std::size_t Width, class Scalar, std::size_t Q, std::size_t K,
          std::size_t H, class Mask>
constexpr void attend_by_blocks(tensor_view<Scalar const, queries<Q>, d_head<H>> const& q,
                                tensor_view<Scalar const, keys<K>, d_head<H>> const& k,
                                tensor_view<Scalar const, keys<K>, d_head<H>> const& v,
                                Mask const& mask,
                                tensor_view<Scalar, queries<Q>, d_head<H>> const& out) {
  alignas(cache_line) Scalar weights[K * Block];
  for_each_block_of_queries<Block, Q>(
      mask, [&](auto size, std::size_t first, auto const& scored, auto const& attended) {
        using block = block_of_queries<Width, Scalar, queries<size>, keys<K>, d_head<H>>;
        typename block::of_pairs const weights_of_block{weights};
        block::weigh({q.data() + first * H}, k, scored, attended, weights_of_block);
        matmul(weights_of_block, v,
               tensor_view<Scalar, queries<size>, d_head<H>>{out.data() + first * H}, attended);
      });
}

/// One head, backward. d_k and d_v go on from what they hold.
template <std::size_t Block, std::size_t Width, class Scalar, std::size_t Q, std::size_t K,
          std::size_t H, class Mask>
constexpr void attend_backward_by_blocks(
    tensor_view<Scalar const, queries<Q>, d_head<H>> const& q,
    tensor_view<Scalar const, keys<K>, d_head<H>> const& k,
    tensor_view<Scalar const, keys<K>, d_head<H>> const& v, Mask const& mask,
    tensor_view<Scalar const, queries<Q>, d_head<H>> const& d_out,
    tensor_view<Scalar, queries<Q>, d_head<H>> const& d_q,
    tensor_view<Scalar, keys<K>, d_head<H>> const& d_k,
    tensor_view<Scalar, keys<K>, d_head<H>> const& d_v) {
  alignas(cache_line) Scalar weights[K * Block];
  alignas(cache_line) Scalar d_weights[K * Block];
  for_each_block_of_queries<Block, Q>(
      mask, [&](auto size, std::size_t first, auto const& scored, auto const& attended) {
        using block = block_of_queries<Width, Scalar, queries<size>, keys<K>, d_head<H>>;
        typename block::of_pairs const weights_of_block{weights};
        block::weigh({q.data() + first * H}, k, scored, attended, weights_of_block);
        block::weigh_backward({q.data() + first * H}, k, v, {d_out.data() + first * H}, scored,
                              attended, weights_of_block, typename block::of_pairs{d_weights},
                              {d_q.data() + first * H}, d_k, d_v);
      });
}

/// In a constant expression a query at a time: there registers only cost steps.
template <class Scalar, std::size_t Q, std::size_t K, std::size_t H, class Mask>
constexpr void attend(tensor_view<Scalar const, queries<Q>, d_head<H>> const& q,
                      tensor_view<Scalar const, keys<K>, d_head<H>> const& k,
                      tensor_view<Scalar const, keys<K>, d_head<H>> const& v, Mask const& mask,
                      tensor_view<Scalar, queries<Q>, d_head<H>> const& out) {
  if (std::is_constant_evaluated()) {
    attend_by_blocks<1, 1, Scalar, Q, K, H>(q, k, v, mask, out);
  } else {
    attend_by_blocks<queries_a_block<Scalar, Q, K>, native_width<Scalar>, Scalar, Q, K, H>(
        q, k, v, mask, out);
  }
}
template <class Scalar, std::size_t Q, std::size_t K, std::size_t H, class Mask>
constexpr void attend_backward(tensor_view<Scalar const, queries<Q>, d_head<H>> const& q,
                               tensor_view<Scalar const, keys<K>, d_head<H>> const& k,
                               tensor_view<Scalar const, keys<K>, d_head<H>> const& v,
                               Mask const& mask,
                               tensor_view<Scalar const, queries<Q>, d_head<H>> const& d_out,
                               tensor_view<Scalar, queries<Q>, d_head<H>> const& d_q,
                               tensor_view<Scalar, keys<K>, d_head<H>> const& d_k,
                               tensor_view<Scalar, keys<K>, d_head<H>> const& d_v) {
  if (std::is_constant_evaluated()) {
    attend_backward_by_blocks<1, 1, Scalar, Q, K, H>(q, k, v, mask, d_out, d_q, d_k, d_v);
  } else {
    attend_backward_by_blocks<queries_a_block<Scalar, Q, K>, native_width<Scalar>, Scalar, Q, K, H>(
        q, k, v, mask, d_out, d_q, d_k, d_v);
  }
}

}  // namespace detail

/// Calls task(0), task(1), …, task(count − 1): what runs the heads unless told.
struct one_after_another {
  template <class Task>
  constexpr void operator()(std::size_t count, Task const& task) const {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }
};

/// out = softmax(q·kᵀ / √d_head)·v for each head.
/// Shapes: q, out (heads, queries, d_head), k, v (heads, keys, d_head).
/// Bits:   those of attention_forward's mixed, whatever T, the registers, and who runs the heads.
/// Memory: no heap; at most half a megabyte of the stack, 2 · lanes · keys scalars, and two copies of the mask.
/// Heads:  run(count, task) must call task(i) once for each i < count, in any order and from any thread.
template <scalar Scalar, std::size_t N, std::size_t Q, std::size_t K, std::size_t H, class Mask,
          class Run = one_after_another>
  requires mask_for<Mask, queries<Q>, keys<K>>
constexpr void scaled_dot_product_attention(
    tensor<Scalar, heads<N>, queries<Q>, d_head<H>> const& q,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>> const& k,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>> const& v, Mask const& mask,
    tensor<Scalar, heads<N>, queries<Q>, d_head<H>>& out, Run const& run = {}) {
  run(N, [&](std::size_t head) {
    detail::attend<Scalar, Q, K, H>({q.data() + head * Q * H}, {k.data() + head * K * H},
                                    {v.data() + head * K * H}, mask, {out.data() + head * Q * H});
  });
}

/// The same as a tensor of its own.
template <scalar Scalar, std::size_t N, std::size_t Q, std::size_t K, std::size_t H,
          class Mask = mask::causal_t>
  requires mask_for<Mask, queries<Q>, keys<K>>
constexpr auto scaled_dot_product_attention(
    tensor<Scalar, heads<N>, queries<Q>, d_head<H>> const& q,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>> const& k,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>> const& v, Mask const& mask = {}) {
  tensor<Scalar, heads<N>, queries<Q>, d_head<H>> out;
  scaled_dot_product_attention(q, k, v, mask, out);
  return out;
}

/// From d_out to d_q, d_k and d_v. The weights are computed again, a block at a time.
/// Bits:   those of attention_backward. Memory, heads: as forward, with twice the memory.
template <scalar Scalar, std::size_t N, std::size_t Q, std::size_t K, std::size_t H, class Mask,
          class Run = one_after_another>
  requires mask_for<Mask, queries<Q>, keys<K>>
constexpr void scaled_dot_product_attention_backward(
    tensor<Scalar, heads<N>, queries<Q>, d_head<H>> const& q,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>> const& k,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>> const& v, Mask const& mask,
    tensor<Scalar, heads<N>, queries<Q>, d_head<H>> const& d_out,
    tensor<Scalar, heads<N>, queries<Q>, d_head<H>>& d_q,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>>& d_k,
    tensor<Scalar, heads<N>, keys<K>, d_head<H>>& d_v, Run const& run = {}) {
  fill(d_k, Scalar{});
  fill(d_v, Scalar{});
  run(N, [&](std::size_t head) {
    detail::attend_backward<Scalar, Q, K, H>(
        {q.data() + head * Q * H}, {k.data() + head * K * H}, {v.data() + head * K * H}, mask,
        {d_out.data() + head * Q * H}, {d_q.data() + head * Q * H}, {d_k.data() + head * K * H},
        {d_v.data() + head * K * H});
  });
}

/// True if q, k and v are heads of one width, and k and v of the same keys.
template <class Q, class K, class V>
inline constexpr bool are_heads = false;
template <class Scalar, class Heads, std::size_t Q, std::size_t K, std::size_t H>
inline constexpr bool are_heads<tensor<Scalar, Heads, queries<Q>, d_head<H>>,
                                tensor<Scalar, Heads, keys<K>, d_head<H>>,
                                tensor<Scalar, Heads, keys<K>, d_head<H>>> = is_named<Heads, heads>;

/// Refuses: q, k and v that are not (heads, queries, d_head) and twice (heads, keys, d_head).
template <class Q, class K, class V, class... More>
  requires(!are_heads<Q, K, V>)
constexpr auto scaled_dot_product_attention(Q const&, K const&, V const&, More&&...)
    -> mismatch<expected<Q>, got<K, V>> = delete;
template <class Q, class K, class V, class... More>
  requires(!are_heads<Q, K, V>)
constexpr auto scaled_dot_product_attention_backward(Q const&, K const&, V const&, More&&...)
    -> mismatch<expected<Q>, got<K, V>> = delete;

/// Refuses: what is not a mask, and a mask of another length.
template <class Scalar, class Heads, class Queries, class Keys, class DHead, class Got,
          class... More>
  requires(!mask_for<Got, Queries, Keys>)
constexpr auto scaled_dot_product_attention(tensor<Scalar, Heads, Queries, DHead> const&,
                                            tensor<Scalar, Heads, Keys, DHead> const&,
                                            tensor<Scalar, Heads, Keys, DHead> const&, Got const&,
                                            More&&...)
    -> mismatch<expected<Queries, Keys>, got<Got>> = delete;

}  // namespace attest
