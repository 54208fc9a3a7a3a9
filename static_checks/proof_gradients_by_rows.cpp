// SPDX-License-Identifier: BSL-1.0
// proof_gradients_by_rows.cpp — the gradients of equation 1 are the derivatives, exactly, for longer
// sequences, an assertion a row.
#include "broken_layers.hpp"
#include "certified.hpp"
#include "gradients_by_rows.hpp"

#include <attest/proof/by_rows.hpp>
#include <attest/proof/exact_gradients.hpp>

#include <cstddef>

namespace attest {
namespace {

using gradients_by_rows::each_of;
using gradients_by_rows::of_row;

constexpr char const* every_input =
    "every q, k, v and d_mixed; exp any E with E′ = E, max any constant; no rounding";
constexpr certificate_row row{
    .guarantee = "gradients of q, k and v are the derivatives of mixed",
    .layer = "causal, a row at a time, T = 32, d_head 32; rows 0 and 63 of T = 64, d_head 64",
    .inputs = every_input,
    .bound = "exact",
    .check = "proof_gradients_by_rows",
    .measured = {proof::chance_of_a_false_gradient(64), "chance of a false pass"}};
certified const entry{
    row.certified_by({gradients_by_rows::each_row<32, 32>, each_of<64, 64, 0, 63>})};

// Put together, the rows' gradients are the layer's: of q each row its own, of k and v the sum.
template <std::size_t T, std::size_t D, std::size_t H>
constexpr bool add_up_to_the_layers = [] {
  proof::detail::random_elements random{1};
  attention_params<finite_field, d_model<D>, d_head<H>> params;
  tensor<finite_field, tokens<T>, d_model<D>> x;
  tensor<finite_field, tokens<T>, d_model<D>> d_out;
  random.fill(params.Wq);
  random.fill(params.Wk);
  random.fill(params.Wv);
  random.fill(params.Wo);
  random.fill(x);
  random.fill(d_out);
  auto const trace = attention_forward(params, x);
  auto const [d_trace, gradients] = broken::backward_with_intermediates(params, x, trace, d_out);

  bool same = true;
  tensor<finite_field, keys<T>, d_head<H>> d_k;
  tensor<finite_field, keys<T>, d_head<H>> d_v;
  for (std::size_t query = 0; query < T; ++query) {
    tensor<finite_field, queries<1>, d_head<H>> q;
    tensor<finite_field, queries<1>, d_head<H>> d_mixed;
    for (std::size_t channel = 0; channel < H; ++channel) {
      q.elements[channel] = trace.q(query, channel);
      d_mixed.elements[channel] = d_trace.mixed(query, channel);
    }
    proof::layer_by_rows<> const rows;
    auto const of_row = rows.attend_backward(
        q, trace.k, trace.v, rows.attend(q, trace.k, trace.v, query), d_mixed, query);
    for (std::size_t channel = 0; channel < H; ++channel) {
      same = same && equals(of_row.q.elements[channel], d_trace.q(query, channel));
    }
    for (std::size_t i = 0; i < d_k.size; ++i) {
      d_k.elements[i] = d_k.elements[i] + of_row.k.elements[i];
      d_v.elements[i] = d_v.elements[i] + of_row.v.elements[i];
    }
  }
  for (std::size_t i = 0; i < d_k.size; ++i) {
    same = same && equals(d_k.elements[i], d_trace.k.elements[i]) &&
           equals(d_v.elements[i], d_trace.v.elements[i]);
  }
  return same;
}();
static_assert(add_up_to_the_layers<6, 4, 2> && add_up_to_the_layers<5, 3, 5>);

// Refused: a backward pass by rows that forgets the scale; a mask that backward does not know.
struct forgets_the_scale : proof::layer_by_rows<> {
  template <class Scalar, std::size_t T, std::size_t H>
  constexpr auto attend_backward(tensor<Scalar, queries<1>, d_head<H>> const& q,
                                 tensor<Scalar, keys<T>, d_head<H>> const& k, auto const& v,
                                 auto const& trace, auto const& d_mixed, std::size_t query) const {
    auto const root = scalar_traits<Scalar>::constant(1) / detail::one_over_sqrt_d_head<Scalar, H>;
    auto gradients = proof::layer_by_rows<>::attend_backward(q, k, v, trace, d_mixed, query);
    for (Scalar& entry_of_q : gradients.q.elements) {
      entry_of_q = entry_of_q * root;
    }
    for (Scalar& entry_of_k : gradients.k.elements) {
      entry_of_k = entry_of_k * root;
    }
    return gradients;
  }
};
struct looks_ahead_in_forward : proof::layer_by_rows<> {
  constexpr auto attend(auto const& q, auto const& k, auto const& v, std::size_t query) const {
    return proof::layer_by_rows<broken::looks_one_token_ahead>{}.attend(q, k, v, query);
  }
};
static_assert(of_row<8, 4, forgets_the_scale, 5> == broken_at(part::mixed, 5, 0));
static_assert(of_row<8, 1, forgets_the_scale, 5>.holds);
static_assert(of_row<8, 4, forgets_the_scale, 0>.holds);  // one key: the weight is 1, and stays it
static_assert(of_row<8, 4, looks_ahead_in_forward, 5> == broken_at(part::mixed, 5, 0));
static_assert(of_row<8, 4, looks_ahead_in_forward, 7>.holds);

}  // namespace
}  // namespace attest
