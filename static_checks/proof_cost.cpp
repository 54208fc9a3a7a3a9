// SPDX-License-Identifier: BSL-1.0
// proof_cost.cpp — the layer performs exactly as many operations as the formula says.
#include "broken_layers_every_input.hpp"
#include "certified.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/cost.hpp>
#include <attest/proof/layer.hpp>

#include <cstddef>
#include <utility>

namespace attest {
namespace {

using causal = attention_layer<>;
using none = attention_layer<mask::none_t>;

template <std::size_t T, std::size_t D, std::size_t H, class Layer = causal>
constexpr finding with_causal_pairs =
    proof::cost_is_as_expected<T, D, H>(Layer{}, proof::causal_pairs(T));
template <std::size_t T, std::size_t D, std::size_t H>
constexpr finding with_all_pairs = proof::cost_is_as_expected<T, D, H>(none{}, T* T);

constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(with_causal_pairs<I + 1, 4, 2>...);
}(std::make_index_sequence<16>{});
constexpr finding at_other_widths =
    first_broken(with_causal_pairs<5, 1, 1>, with_causal_pairs<5, 4, 1>, with_causal_pairs<5, 1, 3>,
                 with_causal_pairs<5, 3, 5>, with_causal_pairs<5, 2, 8>);
constexpr finding without_a_mask = first_broken(with_all_pairs<1, 4, 2>, with_all_pairs<6, 4, 2>,
                                                with_all_pairs<5, 3, 5>, with_all_pairs<5, 4, 1>);

constexpr certificate_row row{
    .guarantee = "the numbers of ×, +, ÷, exp and comparisons are those of proof/cost.hpp",
    .layer = "causal, T = 1…16 at 4×2, T = 5 at 1×1, 4×1, 1×3, 3×5, 2×8; none, T = 1, 5, 6",
    .inputs = "every bit pattern of x, of the weights and of d_out",
    .bound = "exact",
    .check = "proof_cost"};
certified const entry{row.certified_by({guarantee::cost_is_as_expected<at_lengths_1_to_16>(),
                                        guarantee::cost_is_as_expected<at_other_widths>(),
                                        guarantee::cost_is_as_expected<without_a_mask>()})};

/// A row of a longer sequence: the formula for one query and its pairs, without the projections.
template <std::size_t T, std::size_t Row, class Rows = proof::layer_by_rows<>>
constexpr finding of_row{
    .holds =
        proof::counted_cost<1, T, T>(proof::row_as_layer<Row, Rows>{}) ==
        proof::expected_cost(1, 0, T, proof::causal_pairs(Row + 1) - proof::causal_pairs(Row))};
constexpr certificate_row rows{
    .guarantee = "the numbers of ×, +, ÷, exp and comparisons are those of proof/cost.hpp",
    .layer = "causal, a row at a time, row 15 of T = 32, d_head 32",
    .inputs = "every bit pattern of q, k, v and d_mixed",
    .bound = "exact",
    .check = "proof_cost"};
certified const rows_entry{rows.certified_by({guarantee::cost_is_as_expected<of_row<32, 15>>()})};
// Refused: a row that uses later keys, unless it has none.
static_assert(!of_row<8, 5, proof::layer_by_rows<mask::none_t>>.holds);
static_assert(of_row<8, 7, proof::layer_by_rows<mask::none_t>>.holds);

// The formula in figures, for one shape: 6 tokens, 21 pairs.
static_assert(proof::causal_pairs(6) == 21);
static_assert(proof::counted_cost<6, 4, 2>(causal{}) ==
              proof::layer_cost{
                  .forward = {.multiplications = 192 + 84 + 21,
                              .additions = 192 + 84 + 42,
                              .divisions = 21,
                              .exponentials = 21,
                              .comparisons = 15},
                  .backward = {.multiplications = 384 + 168 + 63, .additions = 384 + 168 + 42}});

// Refused: work on later keys, which the causal layer skips; a backward that projects twice.
static_assert(proof::cost_is_as_expected<6, 4, 2>(none{}, 21) == broken_at(part::out, 0, 0));
static_assert(with_causal_pairs<6, 4, 2, broken::mixes_every_value> == broken_at(part::out, 0, 0));
static_assert(with_causal_pairs<6, 4, 2, broken::hands_every_weight_to_d_v> ==
              broken_at(part::x, 0, 0));

/// One operation more, whose result nobody uses.
struct wastes_an_operation : causal {
  template <class Params, class X, class Trace>
  constexpr auto backward(Params const& params, X const& x, Trace const& trace,
                          X const& d_out) const {
    static_cast<void>(x(0, 0) * x(0, 0));
    return attention_backward(params, x, trace, d_out);
  }
};
static_assert(with_causal_pairs<6, 4, 2, wastes_an_operation> == broken_at(part::x, 0, 0));

}  // namespace
}  // namespace attest
