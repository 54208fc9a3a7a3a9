// SPDX-License-Identifier: BSL-1.0
// full_precision.cpp — every tensor and every gradient against a CPython run at full precision.
// That run adds exactly (math.fsum) and takes exp from libm; here a sum rounds after each term, so
// the two differ by a few units in the last place, more where a sum cancels.
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/closeness.hpp>
#include <recorded/full_precision_fixture.hpp>

#include <algorithm>

namespace attest {
namespace {

template <class Tensor, std::size_t Rows, std::size_t Columns>
constexpr std::uint64_t ulps(Tensor const& tensor, double const (&fixture)[Rows][Columns]) {
  return proof::largest_ulps(tensor, Tensor(fixture));
}

namespace fixture = recorded::full_precision_fixture;
constexpr auto causal = attention_forward(checks::params, checks::x);
constexpr auto none = attention_forward(checks::params, checks::x, mask::none);
constexpr auto zero = attention_forward(checks::params, checks::x, mask::zero);
constexpr auto gradients = attention_backward(checks::params, checks::x, causal, checks::readout);

constexpr std::uint64_t forward_ulps[] = {ulps(causal.q, fixture::q),
                                          ulps(causal.k, fixture::k),
                                          ulps(causal.v, fixture::v),
                                          ulps(causal.scores, fixture::scores),
                                          ulps(causal.weights, fixture::weights),
                                          ulps(causal.mixed, fixture::mixed),
                                          ulps(causal.out, fixture::out)};
constexpr std::uint64_t gradient_ulps[] = {
    ulps(gradients.params.Wq, fixture::grads::Wq), ulps(gradients.params.Wk, fixture::grads::Wk),
    ulps(gradients.params.Wv, fixture::grads::Wv), ulps(gradients.params.Wo, fixture::grads::Wo),
    ulps(gradients.x, fixture::d_x)};
constexpr std::uint64_t none_ulps[] = {ulps(none.scores, fixture::modes::none::scores),
                                       ulps(none.weights, fixture::modes::none::weights),
                                       ulps(none.mixed, fixture::modes::none::mixed),
                                       ulps(none.out, fixture::modes::none::out)};
constexpr std::uint64_t zero_ulps[] = {ulps(zero.scores, fixture::modes::zero::scores),
                                       ulps(zero.weights, fixture::modes::zero::weights),
                                       ulps(zero.mixed, fixture::modes::zero::mixed),
                                       ulps(zero.out, fixture::modes::zero::out)};

// mixed and out cancel: 224 units in the last place of a small entry are 2e-17, and no entry is off
// by more than 2⁻⁵³ in all.
static_assert(std::ranges::equal(forward_ulps, std::array{2, 1, 8, 6, 0, 128, 58}));
static_assert(std::ranges::equal(gradient_ulps, std::array{19, 11, 1, 15, 2}));
static_assert(std::ranges::equal(none_ulps, std::array{6, 1, 5, 64}));
static_assert(std::ranges::equal(zero_ulps, std::array{6, 1, 7, 224}));

template <class Tensor, std::size_t Rows, std::size_t Columns>
constexpr finding within_half_an_epsilon(part where, Tensor const& tensor,
                                         double const (&rows)[Rows][Columns]) {
  return proof::entries_agree(where, tensor, Tensor(rows), [](double left, double right) {
    return left == right || (left - right <= 0x1p-53 && right - left <= 0x1p-53);
  });
}
constexpr finding mixed = within_half_an_epsilon(part::mixed, causal.mixed, fixture::mixed);
constexpr finding out = within_half_an_epsilon(part::out, causal.out, fixture::out);
constexpr finding Wq = within_half_an_epsilon(part::Wq, gradients.params.Wq, fixture::grads::Wq);
constexpr finding Wk = within_half_an_epsilon(part::Wk, gradients.params.Wk, fixture::grads::Wk);
constexpr finding Wv = within_half_an_epsilon(part::Wv, gradients.params.Wv, fixture::grads::Wv);
constexpr finding Wo = within_half_an_epsilon(part::Wo, gradients.params.Wo, fixture::grads::Wo);
constexpr finding d_x = within_half_an_epsilon(part::x, gradients.x, fixture::d_x);

constexpr certificate_row row{.guarantee = "weights are CPython's at full precision",
                              .layer = "causal, double, T = 6, d_model 4, d_head 2",
                              .inputs = "this sentence",
                              .bound = "0 ulps in every weight",
                              .check = "full_precision",
                              .measured = {static_cast<double>(forward_ulps[4]), "ulps"}};
certified const entry{row.certified_by({{.holds = forward_ulps[4] == 0}})};

constexpr certificate_row all{
    .guarantee = "every tensor and gradient is CPython's at full precision",
    .layer = "causal, double, T = 6, d_model 4, d_head 2",
    .inputs = "this sentence",
    .bound = "2⁻⁵³; largest where a sum cancels",
    .check = "full_precision",
    .measured = {static_cast<double>(
                     std::max(std::ranges::max(forward_ulps), std::ranges::max(gradient_ulps))),
                 "ulps"}};
certified const all_entry{all.certified_by(
    {guarantee::trace_is_the_recorded_one<mixed>(), guarantee::trace_is_the_recorded_one<out>(),
     guarantee::trace_is_the_recorded_one<Wq>(), guarantee::trace_is_the_recorded_one<Wk>(),
     guarantee::trace_is_the_recorded_one<Wv>(), guarantee::trace_is_the_recorded_one<Wo>(),
     guarantee::trace_is_the_recorded_one<d_x>()})};

// Refused: an entry that is 2⁻⁵² off.
static_assert([] {
  auto off = causal.out;
  off(3, 2) += 0x1p-52;
  return within_half_an_epsilon(part::out, off, fixture::out);
}() == broken_at(part::out, 3, 2));

}  // namespace
}  // namespace attest
