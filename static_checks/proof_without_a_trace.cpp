// SPDX-License-Identifier: BSL-1.0
// proof_without_a_trace.cpp — attention a block of queries at a time does the arithmetic of the layer with
// its trace, for every size of block and every number of rows side by side.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "labelled.hpp"

#include <attest/attest.hpp>
#include <attest/proof/same_arithmetic.hpp>
#include <attest/scalar/expression.hpp>

#include <cstddef>
#include <utility>

namespace attest {
namespace {

using checks::labelled;

/// What both routes are given and what they give.
template <std::size_t Q, std::size_t K, std::size_t H>
struct of_shape {
  using of_queries = tensor<expression, queries<Q>, d_head<H>>;
  using of_keys = tensor<expression, keys<K>, d_head<H>>;
  using of_pairs = tensor<expression, queries<Q>, keys<K>>;

  of_queries q = labelled<of_queries>(1);
  of_keys k = labelled<of_keys>(2);
  of_keys v = labelled<of_keys>(3);
  of_queries d_mixed = labelled<of_queries>(4);

  struct results {
    of_queries mixed;
    of_queries q;
    of_keys k;
    of_keys v;
    using members = member_list<member<"mixed", &results::mixed>, member<"q", &results::q>,
                                member<"k", &results::k>, member<"v", &results::v>>;
  };

  template <class Mask>
  constexpr results with_a_trace(Mask const& mask) const {
    results result;
    of_pairs scores;
    of_pairs weights;
    of_pairs d_weights;
    of_pairs d_scores;
    auto const scored = scored_pairs(mask);
    attended_pairs const attended{mask};
    detail::scaled_dot_product_attention(q, k, v, scored, attended, scores, weights, result.mixed);
    detail::scaled_dot_product_attention_backward(q, k, v, weights, d_mixed, scored, attended,
                                                  d_weights, d_scores, result.q, result.k,
                                                  result.v);
    return result;
  }

  template <std::size_t Block, std::size_t Width, class Mask>
  constexpr results by_blocks(Mask const& mask) const {
    results result;
    detail::attend_by_blocks<Block, Width, expression, Q, K, H>({q.data()}, {k.data()}, {v.data()},
                                                                mask, {result.mixed.data()});
    detail::attend_backward_by_blocks<Block, Width, expression, Q, K, H>(
        {q.data()}, {k.data()}, {v.data()}, mask, {d_mixed.data()}, {result.q.data()},
        {result.k.data()}, {result.v.data()});
    return result;
  }
};

template <std::size_t Q, std::size_t K, std::size_t H, std::size_t Block, std::size_t Width>
constexpr finding agrees(auto const& mask, auto const& another) {
  of_shape<Q, K, H> const shape;
  return proof::same_arithmetic([&] { return shape.template by_blocks<Block, Width>(mask); },
                                [&] { return shape.with_a_trace(another); });
}

constexpr mask::ranges<queries<7>, keys<9>> ragged{
    {{{0, 0}, {0, 9}, {3, 5}, {2, 9}, {8, 9}, {4, 4}, {1, 8}}}};
constexpr broken::looks_one_token_behind one_behind;
/// Its scores reach beyond what it attends to, on both sides: there they are left out.
struct attends_to_some_scores {
  static constexpr key_range attended(std::size_t query, std::size_t keys) {
    return {query / 2, common({0, query + 2}, {0, keys}).last};
  }
  static constexpr key_range scored(std::size_t, std::size_t keys) { return {0, keys}; }
};
constexpr attends_to_some_scores some_scores;

// A constant each, to stay inside half of the evaluation limits.
template <std::size_t Block, std::size_t Width, auto const& Mask>
constexpr finding under = agrees<7, 9, 2, Block, Width>(Mask, Mask);
template <std::size_t Block, std::size_t Width>
constexpr finding with_each_mask =
    first_broken(under<Block, Width, mask::causal>, under<Block, Width, mask::none>,
                 under<Block, Width, mask::zero>, under<Block, Width, ragged>,
                 under<Block, Width, one_behind>, under<Block, Width, some_scores>);

template <std::size_t T>
constexpr finding of_length = agrees<T, T, 2, (T < 4 ? T : 4), 2>(mask::causal, mask::causal);
constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(of_length<I + 1>...);
}(std::make_index_sequence<16>{});

constexpr certificate_row row{
    .guarantee = "forward and backward by blocks of queries, without a trace: the same arithmetic",
    .layer =
        "7 × 9 pairs, d_head 2, blocks of 1, 2, 3, 4, 7 queries, 1, 2, 3, 4 rows side by side; "
        "causal, "
        "none, zero, one token behind, ranges with empty rows, more scored than attended; "
        "T = 1…16 causal",
    .inputs = "every bit pattern of q, k, v and d_mixed",
    .bound = "to the bit; false with a chance below 2⁻⁴⁴",
    .check = "proof_without_a_trace"};
certified const entry{
    row.certified_by({guarantee::two_routes_do_the_same_arithmetic<with_each_mask<1, 1>>(),
                      guarantee::two_routes_do_the_same_arithmetic<with_each_mask<2, 2>>(),
                      guarantee::two_routes_do_the_same_arithmetic<with_each_mask<3, 2>>(),
                      guarantee::two_routes_do_the_same_arithmetic<with_each_mask<4, 3>>(),
                      guarantee::two_routes_do_the_same_arithmetic<with_each_mask<7, 4>>(),
                      guarantee::two_routes_do_the_same_arithmetic<at_lengths_1_to_16>()})};

// attention_output is the layer's out, and the public functions take each head for itself.
template <std::size_t T, std::size_t D, std::size_t H>
constexpr finding output_is_the_layers = [] {
  auto const input = proof::expressions<T, D, H>();
  return proof::same_arithmetic([&] { return attention_output(input.params, input.x); },
                                [&] { return attention_forward(input.params, input.x).out; });
}();
static_assert(output_is_the_layers<1, 4, 2>.holds && output_is_the_layers<6, 4, 2>.holds &&
              output_is_the_layers<5, 3, 4>.holds);

constexpr finding heads_are_taken_alone = [] {
  using of_queries = tensor<expression, heads<2>, queries<3>, d_head<2>>;
  using of_keys = tensor<expression, heads<2>, keys<4>, d_head<2>>;
  auto const q = labelled<of_queries>(1);
  auto const k = labelled<of_keys>(2);
  auto const v = labelled<of_keys>(3);
  auto const d_out = labelled<of_queries>(4);
  of_queries d_q;
  of_keys d_k = labelled<of_keys>(5);
  of_keys d_v = labelled<of_keys>(6);
  auto const out = scaled_dot_product_attention(q, k, v);
  scaled_dot_product_attention_backward(q, k, v, mask::causal, d_out, d_q, d_k, d_v);
  finding found;
  for (std::size_t head = 0; head < 2; ++head) {
    of_shape<3, 4, 2> alone;
    for (std::size_t i = 0; i < alone.q.size; ++i) {
      alone.q.elements[i] = q.elements[head * alone.q.size + i];
      alone.d_mixed.elements[i] = d_out.elements[head * alone.q.size + i];
    }
    for (std::size_t i = 0; i < alone.k.size; ++i) {
      alone.k.elements[i] = k.elements[head * alone.k.size + i];
      alone.v.elements[i] = v.elements[head * alone.k.size + i];
    }
    auto const expected = alone.with_a_trace(mask::causal);
    for (std::size_t i = 0; i < alone.q.size; ++i) {
      found.holds = found.holds &&
                    same_bits(out.elements[head * alone.q.size + i], expected.mixed.elements[i]) &&
                    same_bits(d_q.elements[head * alone.q.size + i], expected.q.elements[i]);
    }
    for (std::size_t i = 0; i < alone.k.size; ++i) {
      found.holds = found.holds &&
                    same_bits(d_k.elements[head * alone.k.size + i], expected.k.elements[i]) &&
                    same_bits(d_v.elements[head * alone.k.size + i], expected.v.elements[i]);
    }
  }
  return found;
}();
static_assert(heads_are_taken_alone.holds);

// Refused: blocks under another mask than the trace.
static_assert(agrees<7, 9, 2, 4, 2>(mask::causal, mask::none) == broken_at(part::mixed, 0, 0));
static_assert(!agrees<7, 9, 2, 4, 2>(mask::zero, mask::none).holds);
static_assert(!agrees<7, 9, 2, 4, 2>(mask::causal, one_behind).holds);

}  // namespace
}  // namespace attest
