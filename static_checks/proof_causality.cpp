// SPDX-License-Identifier: BSL-1.0
// proof_causality.cpp — causality for every input: an output row depends on exactly the rows up to
// it, a row of d_x on exactly the rows of d_out from it on.
#include "broken_layers.hpp"
#include "broken_layers_every_input.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/causality.hpp>
#include <attest/proof/dependence.hpp>
#include <attest/proof/layer.hpp>

#include <cstddef>
#include <utility>

namespace attest {
namespace {

template <class Layer, std::size_t T, std::size_t D, std::size_t H>
constexpr finding forward = proof::outputs_depend_on_exactly_earlier_rows<T, D, H>(Layer{});
template <class Layer, std::size_t T, std::size_t D, std::size_t H>
constexpr finding backward = proof::d_x_depends_on_exactly_later_rows<T, D, H>(Layer{});

using causal = attention_layer<>;

template <std::size_t D, std::size_t H>
constexpr finding forward_at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(forward<causal, I + 1, D, H>...);
}(std::make_index_sequence<16>{});
template <std::size_t D, std::size_t H>
constexpr finding backward_at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(backward<causal, I + 1, D, H>...);
}(std::make_index_sequence<16>{});

template <std::size_t D, std::size_t H>
consteval auto both_directions() {
  return first_broken(guarantee::outputs_depend_on_exactly_earlier_rows<forward<causal, 5, D, H>>(),
                      guarantee::d_x_depends_on_exactly_later_rows<backward<causal, 5, D, H>>());
}

constexpr certificate_row outputs{
    .guarantee =
        "out row i and weights row i depend on exactly rows 0 … i of x, every entry of them",
    .layer = "causal, T = 1…16, d_model 4, d_head 2",
    .inputs = "every bit pattern of x and of the weights",
    .bound = "exact",
    .check = "proof_causality"};
certified const outputs_entry{outputs.certified_by(
    {guarantee::outputs_depend_on_exactly_earlier_rows<forward_at_lengths_1_to_16<4, 2>>()})};

constexpr certificate_row gradient{
    .guarantee = "d_x row j depends on exactly rows j … T − 1 of d_out, every entry of them",
    .layer = "causal, T = 1…16, d_model 4, d_head 2",
    .inputs = "every bit pattern of x, of the weights and of d_out",
    .bound = "exact",
    .check = "proof_causality"};
certified const gradient_entry{gradient.certified_by(
    {guarantee::d_x_depends_on_exactly_later_rows<backward_at_lengths_1_to_16<4, 2>>()})};

constexpr certificate_row widths{
    .guarantee = "the same two, at other widths",
    .layer = "causal, T = 5, d_model × d_head 1×1, 4×1, 1×3, 3×5, 2×8, 8×8, 5×16",
    .inputs = "every bit pattern of x, of the weights and of d_out",
    .bound = "exact",
    .check = "proof_causality"};
certified const widths_entry{
    widths.certified_by({both_directions<1, 1>(), both_directions<4, 1>(), both_directions<1, 3>(),
                         both_directions<3, 5>(), both_directions<2, 8>(), both_directions<8, 8>(),
                         both_directions<5, 16>()})};

constexpr finding found(part where, std::size_t row_index, std::size_t column_index, part input,
                        std::size_t input_row, std::size_t input_column = 0) {
  return {.holds = false,
          .part = where,
          .row = {row_index},
          .column = {column_index},
          .input = input,
          .input_row = {input_row},
          .input_column = {input_column}};
}

// Refused: what reaches a row from a later one, at every T above 1.
template <class Layer>
constexpr finding refused = forward<Layer, 6, 4, 2>;
template <class Layer>
constexpr finding refused_backward = backward<Layer, 6, 4, 2>;
constexpr finding leak_into_weights = found(part::weights, 0, 0, part::x, 1);
static_assert(refused<attention_layer<mask::none_t>> == leak_into_weights);
static_assert(refused<attention_layer<mask::zero_t>> == found(part::weights, 0, 1, part::x, 0));
static_assert(refused<attention_layer<broken::looks_one_token_ahead>> == leak_into_weights);
static_assert(refused<broken::takes_the_maximum_of_every_score> == leak_into_weights);
static_assert(refused<broken::normalises_over_queries> == leak_into_weights);
static_assert(refused<broken::mixes_every_value> == found(part::out, 0, 0, part::x, 1));
static_assert(refused_backward<attention_layer<mask::none_t>> ==
              found(part::x, 1, 0, part::out, 0));
static_assert(refused_backward<attention_layer<broken::looks_one_token_ahead>> ==
              found(part::x, 1, 0, part::out, 0));
static_assert(refused_backward<broken::hands_every_weight_to_d_v> ==
              found(part::x, 1, 0, part::out, 0));

// Refused: what misses a row that it must depend on. One token behind: row 0 misses itself.
static_assert(refused<attention_layer<broken::looks_one_token_behind>> ==
              found(part::weights, 0, 0, part::x, 0));
static_assert(refused<broken::ignores_its_input> == found(part::out, 0, 0, part::x, 0));
static_assert(refused_backward<attention_layer<broken::looks_one_token_behind>> ==
              found(part::x, 0, 0, part::out, 0));
static_assert(refused_backward<broken::forgets_who_looked> == found(part::x, 0, 0, part::out, 1));

// A sequence of one token has no other, so what looks ahead is right there, and behind is not.
static_assert(forward<attention_layer<broken::looks_one_token_ahead>, 1, 4, 2>.holds);
static_assert(forward<broken::mixes_every_value, 1, 4, 2>.holds);
static_assert(!forward<attention_layer<broken::looks_one_token_behind>, 1, 4, 2>.holds);

// With a label for each row the same is found, but for the entry of the row.
template <class Layer>
constexpr finding by_rows =
    proof::outputs_depend_on_exactly_earlier_rows<6, 4, 2, proof::inputs::each_row>(Layer{});
template <class Layer>
constexpr finding by_rows_backward =
    proof::d_x_depends_on_exactly_later_rows<6, 4, 2, proof::inputs::each_row>(Layer{});
static_assert(by_rows<causal>.holds && by_rows_backward<causal>.holds);
static_assert(by_rows<broken::mixes_every_value> == refused<broken::mixes_every_value>);
static_assert(by_rows_backward<broken::forgets_who_looked> ==
              refused_backward<broken::forgets_who_looked>);

/// The first row leaves out the second entry of x: only a label for each entry shows it.
struct skips_an_entry : causal {
  template <class Scalar, class DModel, class DHead, class Tokens>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         tensor<Scalar, Tokens, DModel> x) const {
    x(0, 1) = Scalar{};
    return attention_forward(params, x);
  }
};
static_assert(refused<skips_an_entry> == found(part::weights, 0, 0, part::x, 0, 1));
static_assert(by_rows<skips_an_entry>.holds);

// A perturbation at finite numbers accepts weight × value over all keys: it needs a NaN to show.
constexpr finding perturbed(auto const& layer, double replacement) {
  auto const input = checks::make_sample<double, 6, 4, 2>();
  auto const out = layer.forward(input.params, input.x).out;
  return proof::changes_reach_only_later_rows(
      layer, input.params, input.x, out, 4,
      tensor<double, d_model<4>>{replacement, replacement, replacement, replacement});
}
static_assert(perturbed(broken::mixes_every_value{}, 0.5).holds);

}  // namespace
}  // namespace attest
