// SPDX-License-Identifier: BSL-1.0
// proof_operations.cpp — the proof scalars perform the operations that double and float perform.
#include "broken_layers_every_input.hpp"
#include "certified.hpp"
#include "input_of.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/layer.hpp>
#include <attest/proof/operations.hpp>

#include <cstddef>
#include <cstdint>

namespace attest {
namespace {

// The laws of the log: each operation is computed, and written once under its own kind, with its
// operands in their places.
using proof::logged;
using logged_double = logged<double>;
static_assert(scalar<logged_double> && scalar<logged<dependency<4>>>);

/// `performed(a, b)` on inputs 3 and 4 of the labels 1 and 2 gives `value`, and one entry of `kind`.
constexpr bool is_logged(auto const& performed, double value, operation kind,
                         operation_counts const& counts, bool second = true) {
  proof::operation_log log;
  logged_double const a{3.0, log, 1};
  logged_double const b{4.0, log, 2};
  logged_double const result = performed(a, b);
  std::uint64_t const entry = detail::fingerprint(kind, a.name, second ? b.name : a.name);
  return same_bits(result.value, value) && log.counts == counts && result.log == &log &&
         log.fingerprint == detail::fingerprint(operation::input, 0, entry) &&
         result.name == log.fingerprint;
}
using of = logged_double const&;
static_assert(is_logged([](of a, of b) { return a + b; }, 7, operation::addition,
                        {.additions = 1}));
static_assert(is_logged([](of a, of b) { return a - b; }, -1, operation::subtraction,
                        {.additions = 1}));
static_assert(is_logged([](of a, of b) { return a * b; }, 12, operation::multiplication,
                        {.multiplications = 1}));
static_assert(is_logged([](of a, of b) { return a / b; }, 0.75, operation::division,
                        {.divisions = 1}));
static_assert(is_logged([](of a, of b) { return larger(a, b); }, 4, operation::comparison,
                        {.comparisons = 1}));
static_assert(is_logged([](of a, of) { return exp(a); }, exp(3.0), operation::exponential,
                        {.exponentials = 1}, false));

// A constant is its bits, +0 when nothing is said, and is logged where the other operand is.
constexpr logged_double half = scalar_traits<logged_double>::constant(0.5);
constexpr logged_double infinite = scalar_traits<logged_double>::minus_infinity();
static_assert(same_bits(half.value, 0.5) && half.name == expression::constant(0.5).fingerprint);
static_assert(same_bits(infinite.value, scalar_traits<double>::minus_infinity()) &&
              infinite.name == scalar_traits<expression>::minus_infinity().fingerprint);
static_assert(same_bits(logged_double{}, scalar_traits<logged_double>::constant(0)));
static_assert(!same_bits(logged_double{}, half) && !same_bits(half, infinite));
// The same is what has the same name and the same value.
static_assert(same_bits(logged_double{0.5, 7}, logged_double{0.5, 7}));
static_assert(!same_bits(logged_double{0.5, 7}, logged_double{0.5, 8}));
static_assert(!same_bits(logged_double{0.5, 7}, logged_double{0.25, 7}));
constexpr bool constants_are_logged_on_either_side = [] {
  proof::operation_log log;
  logged_double const a{3.0, log, 1};
  static_cast<void>(half * a);
  static_cast<void>(a * half);
  return log.counts == operation_counts{.multiplications = 2};
}();
static_assert(constants_are_logged_on_either_side);
// The order of two operations is not forgotten, though neither needs the other.
constexpr std::uint64_t fingerprint_after(auto const& performed) {
  proof::operation_log log;
  performed(logged_double{3.0, log, 1}, logged_double{4.0, log, 2});
  return log.fingerprint;
}
static_assert(fingerprint_after([](of a, of b) {
                static_cast<void>(a + b), static_cast<void>(a * b);
              }) != fingerprint_after([](of a, of b) {
                static_cast<void>(a * b), static_cast<void>(a + b);
              }));

// What each scalar did is a constant of its own, computed once.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr auto recorded = checks::operations_of<Scalar, T, D, H>(Layer{});
template <class Scalar, std::size_t T, std::size_t D, std::size_t H,
          class Layer = attention_layer<>>
constexpr finding same_as_double = proof::performed_the_same_operations(
    recorded<double, T, D, H, Layer>, recorded<Scalar, T, D, H, Layer>);
using sets = dependency<64>;
using field = finite_field;

template <std::size_t T, std::size_t D, std::size_t H, class Layer = attention_layer<>>
constexpr finding every_scalar = first_broken(
    same_as_double<float, T, D, H, Layer>, same_as_double<bfloat16, T, D, H, Layer>,
    same_as_double<float16, T, D, H, Layer>, same_as_double<sets, T, D, H, Layer>,
    same_as_double<share, T, D, H, Layer>, same_as_double<field, T, D, H, Layer>,
    same_as_double<dual<field>, T, D, H, Layer>, same_as_double<expression, T, D, H, Layer>,
    same_as_double<operation_count, T, D, H, Layer>);

constexpr certificate_row row{
    .guarantee = "the proof scalars perform the operations that double performs, in the same order",
    .layer = "causal, T = 6, d_model 4, d_head 2",
    .inputs = "all of scalar/, and float, bfloat16 and float16, forward and backward",
    .bound = "exact; false with a chance below 2⁻⁴⁴",
    .check = "proof_operations"};
certified const entry{
    row.certified_by({guarantee::performed_the_same_operations<every_scalar<6, 4, 2>>()})};

using zero = attention_layer<mask::zero_t>;
constexpr certificate_row others{
    .guarantee = "the proof scalars perform the operations that double performs, in the same order",
    .layer = "causal, T = 3 at 3×5; zero, T = 3 at 4×2, dependency only",
    .inputs = "dependency, share and expression, forward and backward",
    .bound = "exact; false with a chance below 2⁻⁴⁴",
    .check = "proof_operations"};
certified const others_entry{others.certified_by(
    {guarantee::performed_the_same_operations<same_as_double<sets, 3, 3, 5>>(),
     guarantee::performed_the_same_operations<same_as_double<share, 3, 3, 5>>(),
     guarantee::performed_the_same_operations<same_as_double<expression, 3, 3, 5>>(),
     guarantee::performed_the_same_operations<same_as_double<sets, 3, 4, 2, zero>>()})};

constexpr certificate_row rows{
    .guarantee = "the proof scalars perform the operations that double performs, in the same order",
    .layer = "causal, a row at a time, row 7 of T = 32, d_head 32",
    .inputs = "dependency and expression, forward and backward",
    .bound = "exact; false with a chance below 2⁻⁴⁴",
    .check = "proof_operations"};
using row_7 = proof::row_as_layer<7>;
certified const rows_entry{rows.certified_by(
    {guarantee::performed_the_same_operations<same_as_double<sets, 1, 32, 32, row_7>>(),
     guarantee::performed_the_same_operations<same_as_double<expression, 1, 32, 32, row_7>>()})};

// Refused: an overload for the logged scalar, by its log; for the scalar as it is, by its values.
static_assert(same_as_double<float, 6, 4, 2, broken::sums_backwards_for<logged<float>>> ==
              broken_at(part::out, 0, 0));
static_assert(same_as_double<share, 3, 3, 5, broken::sums_backwards_for<double>>.part == part::out);
static_assert(same_as_double<sets, 6, 4, 2, broken::sums_backwards_for<logged<sets>>> ==
              broken_at(part::out, 0, 0));
static_assert(same_as_double<expression, 6, 4, 2, broken::sums_backwards_for<expression>> ==
              broken_at(part::out, 0, 0));

// Accepted: for two channels (0 + a) + b and (0 + b) + a are the same double for every a and b, and
// what is not logged is seen by its values alone.
static_assert(same_as_double<float, 6, 4, 2, broken::sums_backwards_for<double>>.holds);

/// For one scalar the maximum of the row is not subtracted, which over the real numbers is the same.
template <class Special>
struct subtracts_nothing_for : attention_layer<> {
  using attention_layer<>::forward;
  template <class DModel, class DHead, std::size_t T>
  constexpr auto forward(attention_params<Special, DModel, DHead> const& params,
                         tensor<Special, tokens<T>, DModel> const& x) const {
    auto trace = attention_forward(params, x);
    for (std::size_t query = 0; query < T; ++query) {
      Special total{};
      for (std::size_t key = 0; key <= query; ++key) {
        trace.weights(query, key) = exp(trace.scores(query, key));
        total = total + trace.weights(query, key);
      }
      for (std::size_t key = 0; key <= query; ++key) {
        trace.weights(query, key) = trace.weights(query, key) / total;
      }
    }
    return trace;
  }
};
static_assert(same_as_double<float, 6, 4, 2, subtracts_nothing_for<double>>.part == part::weights);
static_assert(same_as_double<expression, 6, 4, 2, subtracts_nothing_for<expression>>.part ==
              part::weights);

/// For one scalar the later scores are looked at: dependency sees it in its values.
template <class Special>
struct ignores_the_mask_for : attention_layer<> {
  using attention_layer<>::forward;
  template <class DModel, class DHead, class Tokens>
  constexpr auto forward(attention_params<Special, DModel, DHead> const& params,
                         tensor<Special, Tokens, DModel> const& x) const {
    auto trace = attention_forward(params, x);
    trace.weights = attention_forward(params, x, mask::none).weights;
    return trace;
  }
};
static_assert(same_as_double<sets, 6, 4, 2, ignores_the_mask_for<sets>> ==
              broken_at(part::weights, 0, 0));

/// For one scalar an operation is performed whose result nobody uses.
template <class Special>
struct wastes_an_operation_for : attention_layer<> {
  using attention_layer<>::backward;
  template <class Params, class Tokens, class DModel, class Trace>
  constexpr auto backward(Params const& params, tensor<Special, Tokens, DModel> const& x,
                          Trace const& trace, tensor<Special, Tokens, DModel> const& d_out) const {
    auto const gradients = attention_backward(params, x, trace, d_out);
    static_cast<void>(x(0, 0) * x(0, 0));
    return gradients;
  }
};
static_assert(
    same_as_double<operation_count, 6, 4, 2, wastes_an_operation_for<logged<operation_count>>> ==
    broken_at(part::unnamed, 0, 0));
static_assert(same_as_double<float, 6, 4, 2, wastes_an_operation_for<logged<double>>> ==
              broken_at(part::unnamed, 0, 0));

}  // namespace
}  // namespace attest
