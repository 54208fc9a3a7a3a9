// SPDX-License-Identifier: BSL-1.0
// proof_same_arithmetic.cpp — routes that must agree to the bit for every input do the same
// arithmetic: a fresh trace and a used one, alone and in a batch, a sequence and a longer one.
#include "broken_layers.hpp"
#include "broken_layers_every_input.hpp"
#include "certified.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/same_arithmetic.hpp>

#include <cstddef>
#include <utility>

namespace attest {
namespace {

using causal = attention_layer<>;
template <class Layer, std::size_t T, std::size_t D, std::size_t H>
constexpr finding as_causal = proof::layers_do_the_same_arithmetic<T, D, H>(causal{}, Layer{});
template <std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
constexpr finding as_longer =
    proof::longer_sequences_do_the_same_arithmetic<T, D, H>(attention_layer<Mask>{});

template <class Layer, std::size_t D, std::size_t H>
constexpr finding at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(as_causal<Layer, I + 1, D, H>...);
}(std::make_index_sequence<16>{});
constexpr finding longer_at_lengths_1_to_16 = []<std::size_t... I>(std::index_sequence<I...>) {
  return first_broken(as_longer<I + 1, 4, 2>...);
}(std::make_index_sequence<16>{});
template <class Layer>
constexpr finding at_other_widths =
    first_broken(as_causal<Layer, 5, 1, 1>, as_causal<Layer, 5, 4, 1>, as_causal<Layer, 5, 1, 3>,
                 as_causal<Layer, 5, 3, 5>, as_causal<Layer, 5, 2, 8>);
constexpr finding longer_at_other_widths =
    first_broken(as_longer<5, 1, 1>, as_longer<5, 4, 1>, as_longer<5, 1, 3>, as_longer<5, 3, 5>,
                 as_longer<5, 2, 8>);

constexpr char const* chance = "to the bit; false with a chance below 2⁻⁴⁴";  // n < 2²⁰
constexpr char const* shapes = "causal, T = 1…16 at 4×2, T = 5 at 1×1, 4×1, 1×3, 3×5, 2×8";

constexpr certificate_row fresh{
    .guarantee = "a trace and gradients of one's own or used ones: the same arithmetic",
    .layer = shapes,
    .inputs = "every bit pattern of x, of the weights and of d_out",
    .bound = chance,
    .check = "proof_same_arithmetic"};
certified const fresh_entry{fresh.certified_by(
    {guarantee::two_routes_do_the_same_arithmetic<
         at_lengths_1_to_16<proof::into_used_memory<>, 4, 2>>(),
     guarantee::two_routes_do_the_same_arithmetic<at_other_widths<proof::into_used_memory<>>>()})};

constexpr certificate_row batch{
    .guarantee = "a sequence alone or the second of a batch of two: the same arithmetic",
    .layer = shapes,
    .inputs = "every bit pattern of x, of the weights and of d_out",
    .bound = chance,
    .check = "proof_same_arithmetic"};
certified const batch_entry{batch.certified_by(
    {guarantee::two_routes_do_the_same_arithmetic<
         at_lengths_1_to_16<proof::last_of_a_batch<2>, 4, 2>>(),
     guarantee::two_routes_do_the_same_arithmetic<at_other_widths<proof::last_of_a_batch<2>>>()})};

constexpr certificate_row longer{
    .guarantee =
        "T tokens or the first T of T + 1: the same arithmetic in every tensor of the trace",
    .layer = shapes,
    .inputs = "every bit pattern of x and of the weights",
    .bound = chance,
    .check = "proof_same_arithmetic"};
certified const longer_entry{
    longer.certified_by({guarantee::two_routes_do_the_same_arithmetic<longer_at_lengths_1_to_16>(),
                         guarantee::two_routes_do_the_same_arithmetic<longer_at_other_widths>()})};

// The layer a row at a time, of which proof_causality_by_rows.cpp speaks, is the layer.
template <std::size_t T, std::size_t D, std::size_t H, class Mask>
constexpr finding by_rows = [] {
  auto const input = proof::expressions<T, D, H>();
  return proof::same_arithmetic([&] { return attention_forward(input.params, input.x, Mask{}); },
                                [&] {
                                  return proof::put_together<proof::layer_by_rows<Mask>>{}.forward(
                                      input.params, input.x);
                                });
}();
static_assert(
    guarantee::two_routes_do_the_same_arithmetic<by_rows<1, 4, 2, mask::causal_t>>().holds);
static_assert(
    guarantee::two_routes_do_the_same_arithmetic<by_rows<9, 4, 2, mask::causal_t>>().holds);
static_assert(guarantee::two_routes_do_the_same_arithmetic<by_rows<6, 3, 5, mask::zero_t>>().holds);
static_assert(
    guarantee::two_routes_do_the_same_arithmetic<by_rows<6, 4, 2, broken::looks_one_token_behind>>()
        .holds);

/// A row of a longer sequence without a trace: as a block of one query, forward and backward.
template <std::size_t Row, class Mask = mask::causal_t>
struct row_without_a_trace : proof::row_as_layer<Row> {
  static constexpr proof::mask_of_row<Mask> of_row{{}, Row};

  template <class Scalar, std::size_t T>
  constexpr auto forward(attention_params<Scalar, d_model<T>, d_head<T>> const& params,
                         auto const& x) const {
    auto trace = proof::row_as_layer<Row>::forward(params, x);
    auto const q = params.Wq.row(Row);
    detail::attend_by_blocks<1, 1, Scalar, 1, T, T>(
        {q.data()}, {params.Wk.data()}, {params.Wv.data()}, of_row, {trace.mixed.data()});
    return trace;
  }
  template <class Scalar, std::size_t T>
  constexpr auto backward(attention_params<Scalar, d_model<T>, d_head<T>> const& params,
                          auto const&, auto const&, auto const& d_out) const {
    proof::attended_row_gradients<Scalar, T, T> gradients;
    auto const q = params.Wq.row(Row);
    detail::attend_backward_by_blocks<1, 1, Scalar, 1, T, T>(
        {q.data()}, {params.Wk.data()}, {params.Wv.data()}, of_row, {d_out.data()},
        {gradients.q.data()}, {gradients.k.data()}, {gradients.v.data()});
    return gradients;
  }
};
template <std::size_t T, std::size_t Row, class Mask = mask::causal_t>
constexpr finding row_by_blocks = proof::layers_do_the_same_arithmetic<1, T, T>(
    proof::row_as_layer<Row>{}, row_without_a_trace<Row, Mask>{});
constexpr certificate_row rows{
    .guarantee = "with its scores and weights or without: the same arithmetic",
    .layer = "causal, a row at a time, row 15 of T = 32, d_head 32",
    .inputs = "every bit pattern of q, k, v and d_mixed",
    .bound = chance,
    .check = "proof_same_arithmetic"};
certified const rows_entry{
    rows.certified_by({guarantee::two_routes_do_the_same_arithmetic<row_by_blocks<32, 15>>()})};
static_assert(row_by_blocks<8, 5, mask::none_t> == broken_at(part::mixed, 0, 0));
static_assert(row_by_blocks<8, 7, mask::none_t>.holds);

// Refused: the other masks; a later token in the sum; a sum that starts with the last term.
template <class Layer>
constexpr finding refused = as_causal<Layer, 6, 4, 2>;
constexpr finding longer_without_a_mask = as_longer<6, 4, 2, mask::none_t>;
static_assert(longer_without_a_mask == broken_at(part::weights, 0, 0));
static_assert(as_longer<6, 4, 2, broken::looks_one_token_ahead> == broken_at(part::weights, 5, 0));
static_assert(refused<broken::mixes_every_value> == broken_at(part::mixed, 0, 0));
static_assert(refused<broken::takes_the_maximum_of_every_score> == broken_at(part::weights, 0, 0));
static_assert(refused<broken::ignores_its_input> == broken_at(part::out, 0, 0));
static_assert(refused<broken::hands_every_weight_to_d_v> == broken_at(part::Wv, 0, 0));

/// Right only where the caller's memory is 0: a later weight stays what it was, and the sums of
/// d_Wo and d_v go on from what stood there.
struct keeps_a_later_weight : proof::into_callers_memory {
  static constexpr void forward(auto const& params, auto const& x, auto const& mask, auto& trace) {
    auto const before = trace.weights;
    attention_forward(params, x, mask, trace);
    trace.weights(4, 5) = before(4, 5);
  }
};
struct adds_to_d_Wo : proof::into_callers_memory {
  static constexpr void backward(auto const& params, auto const& x, auto const& trace,
                                 auto const& d_out, auto& d_trace, auto& gradients) {
    auto const before = gradients.params.Wo;
    attention_backward(params, x, trace, d_out, d_trace, gradients);
    gradients.params.Wo = before;
    matmul_add(trace.mixed, rename<tokens, queries>(d_out), gradients.params.Wo);
  }
};
struct adds_to_d_v : proof::into_callers_memory {
  static constexpr void backward(auto const& params, auto const& x, auto const& trace,
                                 auto const& d_out, auto& d_trace, auto& gradients) {
    auto const before = d_trace.v;
    attention_backward(params, x, trace, d_out, d_trace, gradients);
    d_trace.v = before;
    matmul_add(trace.weights, d_trace.mixed, d_trace.v, attended_pairs{trace.mask});
    detail::projections_backward(params, x, d_trace, gradients);
  }
};
template <class Into>
using into_used = proof::into_used_memory<mask::causal_t, Into>;
static_assert(refused<into_used<keeps_a_later_weight>> == broken_at(part::weights, 4, 5));
static_assert(refused<into_used<adds_to_d_Wo>> == broken_at(part::Wo, 0, 0));
static_assert(refused<into_used<adds_to_d_v>> == broken_at(part::Wv, 0, 0));

// In a batch, too: the second sequence would have something of the first.
template <std::size_t Sequences, class Into>
using in_a_batch = proof::last_of_a_batch<Sequences, mask::causal_t, Into>;
static_assert(refused<in_a_batch<2, adds_to_d_Wo>> == broken_at(part::Wo, 0, 0));
static_assert(refused<in_a_batch<2, adds_to_d_v>> == broken_at(part::Wv, 0, 0));
static_assert(refused<in_a_batch<1, adds_to_d_Wo>>.holds);  // the only one finds zeros

/// Forward into a used trace without setting `mixed` to 0 first.
struct adds_to_what_was_there : proof::into_used_memory<> {
  template <class Params, class X>
  constexpr auto forward(Params const& params, X const& x) const {
    auto const trace = attention_forward(params, x);
    auto used = trace;
    matmul_add(trace.weights, trace.v, used.mixed, attended_pairs{mask::causal});
    return used;
  }
};
static_assert(refused<adds_to_what_was_there> == broken_at(part::mixed, 0, 0));

// A sum in another order, equal over the real numbers.
static_assert(refused<broken::sums_backwards> == broken_at(part::out, 0, 0));
static_assert(as_causal<broken::sums_backwards, 6, 4, 1>.holds);

// An input is its tensor and its place in it, whatever the length of the sequence.
static_assert(same_bits(proof::expressions<2, 3, 2>().x(1, 2), expression::input(5ULL << 32 | 5)));
static_assert(same_bits(proof::expressions<4, 3, 2>().x(1, 2), expression::input(5ULL << 32 | 5)));
static_assert(same_bits(proof::expressions<2, 3, 2>().params.Wo(1, 0),
                        expression::input(4ULL << 32 | 3)));

// A route that gives one tensor.
constexpr finding of_products(bool exchanged) {
  auto const input = proof::expressions<2, 3, 2>();
  return proof::same_arithmetic(
      [&] { return matmul(input.x, input.params.Wq); },
      [&] { return matmul(input.x, exchanged ? input.params.Wk : input.params.Wq); });
}
static_assert(of_products(false).holds);
static_assert(of_products(true) == broken_at(part::unnamed, 0, 0));

}  // namespace
}  // namespace attest
