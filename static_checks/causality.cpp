// SPDX-License-Identifier: BSL-1.0
// causality.cpp — each token in turn becomes each other entry of the vocabulary: the rows of out that
// change are exactly those from it on, to the bit.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/causality.hpp>
#include <attest/proof/layer.hpp>

namespace attest {
namespace {

constexpr finding entries(auto const& layer, std::size_t position, std::size_t first_id,
                          std::size_t last_id) {
  auto const out = layer.forward(checks::params, checks::x).out;
  for (std::size_t id = first_id; id < last_id; ++id) {
    if (id == recorded::ids[position]) {
      continue;
    }
    finding const found = proof::changes_reach_only_later_rows(
        layer, checks::params, checks::x, out, position, checks::table.row(id));
    if (!found.holds) {
      return found;
    }
  }
  return {};
}
// Three constants a token, so that each stays inside half of a compiler's evaluation limit.
template <class Layer, std::size_t Position, std::size_t First, std::size_t Last>
constexpr finding of_entries = entries(Layer{}, Position, First, Last);
template <class Layer, std::size_t Position>
constexpr finding every_other_entry =
    first_broken(of_entries<Layer, Position, 0, 35>, of_entries<Layer, Position, 35, 70>,
                 of_entries<Layer, Position, 70, 105>);
template <std::size_t Position>
constexpr finding recorded_causality = every_other_entry<attention_layer<>, Position>;

/// Every position of a random input, replaced by zeros; even ones and odd ones are a constant each.
template <class Layer, class Scalar, std::size_t T, std::size_t D, std::size_t H, std::size_t First>
constexpr finding every_second_position = [] {
  auto const& input = checks::random_sample<Scalar, T, D, H>;
  Layer const layer{};
  auto const out = layer.forward(input.params, input.x).out;
  for (std::size_t position = First; position < T; position += 2) {
    finding const found =
        proof::changes_reach_only_later_rows(layer, input.params, input.x, out, position, {});
    if (!found.holds) {
      return found;
    }
  }
  return finding{};
}();
template <class Layer, class Scalar, std::size_t T, std::size_t D, std::size_t H>
constexpr finding every_position = first_broken(every_second_position<Layer, Scalar, T, D, H, 0>,
                                                every_second_position<Layer, Scalar, T, D, H, 1>);
template <class Scalar, std::size_t D, std::size_t H>
constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(every_position<attention_layer<>, Scalar, I + 1, D, H>...);
}(std::make_index_sequence<16>{});

constexpr certificate_row row{
    .guarantee = "a changed token changes its row and later ones, never an earlier one",
    .layer = "causal, double, T = 6, d_model 4, d_head 2",
    .inputs = "this sentence, each token × 104 others",
    .bound = "to the bit",
    .check = "causality"};
certified const entry{
    row.certified_by({guarantee::changes_reach_only_later_rows<recorded_causality<0>>(),
                      guarantee::changes_reach_only_later_rows<recorded_causality<1>>(),
                      guarantee::changes_reach_only_later_rows<recorded_causality<2>>(),
                      guarantee::changes_reach_only_later_rows<recorded_causality<3>>(),
                      guarantee::changes_reach_only_later_rows<recorded_causality<4>>(),
                      guarantee::changes_reach_only_later_rows<recorded_causality<5>>()})};

constexpr certificate_row many{
    .guarantee = "a changed token changes its row and later ones, never an earlier one",
    .layer = "causal, T = 1…16, double at 4×2 and float at 1×3",
    .inputs = "one random input a shape, each token",
    .bound = "to the bit",
    .check = "causality"};
certified const many_entry{many.certified_by(
    {guarantee::changes_reach_only_later_rows<at_lengths_1_to_16<double, 4, 2>>(),
     guarantee::changes_reach_only_later_rows<at_lengths_1_to_16<float, 1, 3>>()})};

// The recorded edit, ball to hat, under each mask, against the record.
constexpr auto rows_changed_by_the_edit(auto mask) {
  attention_layer const layer{mask};
  auto const edited = proof::with_row(checks::x, 4, checks::table.row(recorded::hat_id));
  return proof::changed_rows(layer.forward(checks::params, checks::x).out,
                             layer.forward(checks::params, edited).out);
}
constexpr bool are(std::array<bool, 6> const& changed, auto const& recorded_rows) {
  std::array<bool, 6> expected{};
  for (auto const index : recorded_rows) {
    expected[index] = true;
  }
  return changed == expected;
}
namespace fixture = recorded::trace_fixture::masks;
constexpr bool causal_as_recorded =
    are(rows_changed_by_the_edit(mask::causal), fixture::causal::rows_changed_by_the_edit);
constexpr bool none_as_recorded =
    are(rows_changed_by_the_edit(mask::none), fixture::none::rows_changed_by_the_edit);
constexpr bool zero_as_recorded =
    are(rows_changed_by_the_edit(mask::zero), fixture::zero::rows_changed_by_the_edit);
static_assert(causal_as_recorded && none_as_recorded && zero_as_recorded);

constexpr certificate_row edit{
    .guarantee = "no mask, or later scores of 0: the edit changes all 6 rows",
    .layer = "none and zero, double, T = 6, d_model 4, d_head 2",
    .inputs = "this sentence, ball → hat",
    .bound = "to the bit",
    .check = "causality"};
certified const edit_entry{
    edit.certified_by({{.holds = none_as_recorded}, {.holds = zero_as_recorded}})};

// Refused: the wrong masks, from row 0 on; one token ahead, at the row before the change; one token
// behind, where row 0 must change and does not.
static_assert(every_other_entry<attention_layer<mask::none_t>, 4> == broken_at(part::out, 0, 0));
static_assert(every_other_entry<attention_layer<mask::zero_t>, 4> == broken_at(part::out, 0, 0));
static_assert(every_other_entry<attention_layer<broken::looks_one_token_ahead>, 4> ==
              broken_at(part::out, 3, 0));
static_assert(every_other_entry<attention_layer<broken::looks_one_token_behind>, 0> ==
              broken_at(part::out, 0, 0));

}  // namespace
}  // namespace attest
