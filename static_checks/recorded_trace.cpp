// SPDX-License-Identifier: BSL-1.0
// recorded_trace.cpp — the layer, run in the compiler, gives the record at its 4 decimals.
#include "certified.hpp"
#include "recorded_input.hpp"

#include <attest/proof/closeness.hpp>
#include <recorded/cpython_round.hpp>

namespace attest {
namespace {

/// Each entry, rounded as the record was, is the recorded one; −∞ is −∞.
template <class Tensor, std::size_t Rows, std::size_t Columns>
constexpr finding is_recorded(part where, Tensor const& tensor,
                              double const (&fixture)[Rows][Columns]) {
  return proof::entries_agree(where, tensor, Tensor(fixture), [](double computed, double record) {
    return computed == record || recorded::cpython_round(computed, 4) == record;
  });
}

constexpr auto trace = attention_forward(checks::params, checks::x);
namespace fixture = recorded::trace_fixture;
constexpr finding x = is_recorded(part::x, checks::x, fixture::x);
constexpr finding Wq = is_recorded(part::Wq, checks::params.Wq, fixture::params::Wq);
constexpr finding Wk = is_recorded(part::Wk, checks::params.Wk, fixture::params::Wk);
constexpr finding Wv = is_recorded(part::Wv, checks::params.Wv, fixture::params::Wv);
constexpr finding Wo = is_recorded(part::Wo, checks::params.Wo, fixture::params::Wo);
constexpr finding q = is_recorded(part::q, trace.q, fixture::q);
constexpr finding k = is_recorded(part::k, trace.k, fixture::k);
constexpr finding v = is_recorded(part::v, trace.v, fixture::v);
constexpr finding scores = is_recorded(part::scores, trace.scores, fixture::scores);
constexpr finding weights = is_recorded(part::weights, trace.weights, fixture::weights);
constexpr finding out = is_recorded(part::out, trace.out, fixture::out);

constexpr certificate_row row{.guarantee = "the trace is the recorded one",
                              .layer = "causal, double, T = 6, d_model 4, d_head 2",
                              .inputs = "this sentence",
                              .bound = "every tensor at 4 decimals",
                              .check = "recorded_trace"};
certified const entry{row.certified_by(
    {guarantee::trace_is_the_recorded_one<x>(), guarantee::trace_is_the_recorded_one<Wq>(),
     guarantee::trace_is_the_recorded_one<Wk>(), guarantee::trace_is_the_recorded_one<Wv>(),
     guarantee::trace_is_the_recorded_one<Wo>(), guarantee::trace_is_the_recorded_one<q>(),
     guarantee::trace_is_the_recorded_one<k>(), guarantee::trace_is_the_recorded_one<v>(),
     guarantee::trace_is_the_recorded_one<scores>(),
     guarantee::trace_is_the_recorded_one<weights>(),
     guarantee::trace_is_the_recorded_one<out>()})};

// Refused: another sentence, at its changed row; a mask that is off, at the first later score; one
// unit in the fourth decimal.
constexpr auto edited = attention_forward(
    checks::params,
    recorded::embed(std::array<std::size_t, 6>{58, 36, 33, 89, recorded::hat_id, 4}));
static_assert(is_recorded(part::out, edited.out, fixture::out) == broken_at(part::out, 4, 0));
static_assert(is_recorded(part::scores,
                          attention_forward(checks::params, checks::x, mask::none).scores,
                          fixture::scores) == broken_at(part::scores, 0, 1));
static_assert(!is_recorded(
                   part::q,
                   [] {
                     auto off = trace.q;
                     off(5, 1) += 0.0001;
                     return off;
                   }(),
                   fixture::q)
                   .holds);

}  // namespace
}  // namespace attest
