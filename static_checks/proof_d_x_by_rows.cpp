// SPDX-License-Identifier: BSL-1.0
// proof_d_x_by_rows.cpp — d_x depends on exactly later rows of d_out in longer sequences, an assertion
// a row.
#include "broken_layers.hpp"
#include "certified.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/dependence.hpp>

#include <cstddef>
#include <utility>

namespace attest {
namespace {

using set = dependency<1>;

// Filled, because g++ 12 does not read the elements of a constant that was only value-initialised.
template <class Tensor>
constexpr Tensor filled(typename Tensor::scalar_type const& value) {
  Tensor result;
  fill(result, value);
  return result;
}

/// The first step back, out = mixed·Wo: a row of d_mixed depends on its row of d_out in every entry.
template <std::size_t D, std::size_t H>
constexpr bool d_mixed_depends_on_its_row = [] {
  auto const Wo = filled<tensor<set, d_head<H>, d_model<D>>>({});
  auto const d_out = filled<tensor<set, queries<1>, d_model<D>>>(set::on(0));
  for (set const& entry : matmul(d_out, Wo).elements) {
    if (!entry.depends_on(0)) {
      return false;
    }
  }
  return true;
}();

/// The last step back, q = x·Wq, k = x·Wk, v = x·Wv: each entry of a row of d_x depends on its rows of
/// d_q, d_k and d_v, and on no other row of them.
template <std::size_t D, std::size_t H>
constexpr bool d_x_depends_on_its_rows = [] {
  using of_two_rows = dependency<6>;
  using d_trace_type = attention_trace<of_two_rows, tokens<2>, d_model<D>, d_head<H>>;
  attention_params<of_two_rows, d_model<D>, d_head<H>> const params{};
  tensor<of_two_rows, tokens<2>, d_model<D>> const x{};
  d_trace_type d_trace;
  attention_gradients<of_two_rows, tokens<2>, d_model<D>, d_head<H>> gradients;
  for (std::size_t i = 0; i < d_trace.q.size; ++i) {
    d_trace.q.elements[i] = of_two_rows::on(3 * (i / H));
    d_trace.k.elements[i] = of_two_rows::on(3 * (i / H) + 1);
    d_trace.v.elements[i] = of_two_rows::on(3 * (i / H) + 2);
  }
  detail::projections_backward(params, x, d_trace, gradients);
  for (std::size_t i = 0; i < x.size; ++i) {
    std::size_t const first = 3 * (i / D);
    if (!same_bits(gradients.x.elements[i], of_two_rows::on_range(first, first + 3))) {
      return false;
    }
  }
  return true;
}();

/// The step between, equation 1, for each query. x is not tracked here, so the forward pass and with it
/// q, k, v and the weights are constants: empty sets.
template <std::size_t T, std::size_t D, std::size_t H, class Mask = mask::causal_t>
struct queries_of_sequence {
  static_assert(d_mixed_depends_on_its_row<D, H> && d_x_depends_on_its_rows<D, H>);
  static constexpr auto q = filled<tensor<set, queries<1>, d_head<H>>>({});
  static constexpr auto k = filled<tensor<set, keys<T>, d_head<H>>>({});
  static constexpr auto d_mixed = filled<tensor<set, queries<1>, d_head<H>>>(set::on(0));
  static constexpr proof::attended_row<set, T, H> trace{
      {}, filled<tensor<set, queries<1>, keys<T>>>({}), {}};

  template <std::size_t Row>
  static constexpr finding of_row = proof::gradients_of_row_depend_on_it_up_to_its_key(
      proof::layer_by_rows<Mask>{}.attend_backward(q, k, k, trace, d_mixed, Row), Row);
};

/// Rows First, …, First + Count − 1.
template <std::size_t T, std::size_t D, std::size_t H, std::size_t First, std::size_t Count>
constexpr finding rows = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return first_broken(guarantee::d_x_depends_on_exactly_later_rows<
                      queries_of_sequence<T, D, H>::template of_row<First + Row>>()...);
}(std::make_index_sequence<Count>{});

// A function for some rows each: g++ frees memory at the end of one, and would need 3 GB for all.
constexpr finding all_of_32() {
  return rows<32, 32, 32, 0, 32>;
}
constexpr finding first_quarter_of_64() {
  return rows<64, 64, 64, 0, 16>;
}
constexpr finding second_quarter_of_64() {
  return rows<64, 64, 64, 16, 16>;
}
constexpr finding third_quarter_of_64() {
  return rows<64, 64, 64, 32, 16>;
}
constexpr finding last_quarter_of_64() {
  return rows<64, 64, 64, 48, 16>;
}

constexpr certificate_row row{
    .guarantee = "row j of d_x depends on exactly rows j … T − 1 of d_out",
    .layer = "causal, a row at a time, T = 32, d_model 32, d_head 32, and T = 64, 64, 64",
    .inputs = "every bit pattern of d_out; any x and weights",
    .bound = "exact",
    .check = "proof_d_x_by_rows"};
certified const entry{row.certified_by({all_of_32(), first_quarter_of_64(), second_quarter_of_64(),
                                        third_quarter_of_64(), last_quarter_of_64()})};

// Refused: a query that sends its gradient to a later key, and one that forgets its own.
using unmasked = queries_of_sequence<8, 4, 3, mask::none_t>;
static_assert(!unmasked::of_row<0>.holds && unmasked::of_row<0>.part == part::k);
static_assert(unmasked::of_row<5>.row == attest::row{6} &&
              unmasked::of_row<5>.input_row == attest::row{5});
static_assert(unmasked::of_row<7>.holds);
using behind = queries_of_sequence<8, 4, 3, broken::looks_one_token_behind>;
static_assert(behind::of_row<5>.part == part::k && behind::of_row<5>.row == attest::row{5});
static_assert(behind::of_row<0>.part == part::q && !behind::of_row<0>.holds);

}  // namespace
}  // namespace attest
