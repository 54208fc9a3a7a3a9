// SPDX-License-Identifier: BSL-1.0
// share.cpp — what is known of each result, rule by rule: sets, roundings, underflows, and what must
// become unknown.
#include "no_branch.hpp"

#include <attest/scalar/share.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace attest {
namespace {

static_assert(scalar<share>);

constexpr share zero{};
constexpr share s0 = share::number(0);
constexpr share s1 = share::number(1);
constexpr share s2 = share::number(2);
constexpr share v = share::number(3);
constexpr share minus_infinity = scalar_traits<share>::minus_infinity();
constexpr share unknown = share::unknown();

constexpr bool is(share_of kind, auto const&... shares) {
  return ((shares.kind == kind) && ...);
}
constexpr bool are_unknown(auto const&... shares) {
  return is(share_of::unknown, shares...);
}
constexpr bool counts(share const& a, std::uint32_t roundings, std::uint32_t underflows) {
  return a.roundings == roundings && a.underflows == underflows;
}

// Equality says no, to each member.
static_assert(same_bits(s0, s0) && !same_bits(s0, s1));
static_assert(!same_bits(share{.kind = share_of::part}, zero));
static_assert(!same_bits(share{.roundings = 1}, zero) && !same_bits(share{.underflows = 1}, zero));
static_assert(!same_bits(share{.atoms = 1}, zero) && !same_bits(share{.maximum = 1}, zero));
static_assert(!same_bits(share{.pairs = 1}, zero));

// Numbers: the same operations on the same numbers make the same number, and others another.
static_assert(is(share_of::number, s0, s0 + s1, s0 - s1, s0* s1, zero - s0));
static_assert(same_bits(s0 + s1, s0 + s1) && same_bits(s0 - s1, s0 - s1));
static_assert(same_bits(s0 * s1, s0* s1));
static_assert(!same_bits(s0 + s1, s0 - s1) && !same_bits(s0 + s1, s0* s1));
static_assert(!same_bits(s0 - s1, s0* s1) && !same_bits(s0 - s1, s1 - s0));
static_assert(!same_bits(s0 + s1, s0 + s2) && !same_bits(s0 + s1, s2 + s1));
static_assert(!same_bits(s0 * s1, s0* s2) && !same_bits(s0 * s1, s2* s1));
static_assert(!same_bits(s0 - s1, s0 - s2) && !same_bits(s0 - s1, s2 - s1));
static_assert(!same_bits(zero - s0, s0) && !same_bits(zero - s0, zero - s1));
// Zero is exact.
static_assert(same_bits(zero + s0, s0) && same_bits(s0 + zero, s0) && same_bits(s0 - zero, s0));
static_assert(same_bits(zero * s0, zero) && same_bits(s0 * zero, zero));
static_assert(same_bits(zero + zero, zero) && same_bits(zero - zero, zero));
static_assert(same_bits(zero * zero, zero));
// Constants.
constexpr auto constant = [](double value) { return scalar_traits<share>::constant(value); };
static_assert(is(share_of::number, constant(1), constant(-std::numeric_limits<double>::max())));
static_assert(is(share_of::number, constant(std::numeric_limits<double>::max())));
static_assert(same_bits(constant(0.5), constant(0.5)) && !same_bits(constant(0.5), constant(0.25)));
static_assert(same_bits(constant(0), zero));
static_assert(are_unknown(constant(std::numeric_limits<double>::infinity()),
                          constant(-std::numeric_limits<double>::infinity()),
                          constant(std::numeric_limits<double>::quiet_NaN())));

// The maximum is a set: of numbers, of 0, of maxima, in any order; −∞ is never the largest.
constexpr share largest = larger(s0, s1);
static_assert(is(share_of::maximum, largest, larger(s0, zero), larger(zero, zero)));
static_assert(same_bits(largest, larger(s1, s0)) && !same_bits(largest, larger(s0, s2)));
static_assert(same_bits(larger(largest, s2), larger(s0, larger(s1, s2))));
static_assert(!same_bits(larger(largest, s2), largest));
static_assert(same_bits(larger(minus_infinity, s0), s0) &&
              same_bits(larger(s0, minus_infinity), s0));
static_assert(same_bits(larger(largest, minus_infinity), largest));
static_assert(same_bits(larger(minus_infinity, zero), zero));
static_assert(is(share_of::minus_infinity, larger(minus_infinity, minus_infinity)));

// exp(number − maximum): a part of one atom; of a score of 0 too, and of a row of one score.
constexpr share e0 = exp(s0 - largest);
constexpr share e1 = exp(s1 - largest);
static_assert(is(share_of::difference, s0 - largest, zero - larger(s0, zero), s0 - s0));
static_assert(is(share_of::part, e0, e1) && counts(e0, 0, 0) && !e0.is_complete());
static_assert(e0.maximum == largest.maximum && e0.atoms != e1.atoms);
static_assert(is(share_of::part, exp(s0 - s0)) && exp(s0 - s0).is_complete());
// −∞ − maximum is −∞, and exp of it exactly 0.
static_assert(is(share_of::minus_infinity, minus_infinity - largest, minus_infinity - s0));
static_assert(same_bits(exp(minus_infinity), zero));

// Parts: + counts one rounding along the longest chain, but 0 + x none.
constexpr share total = e0 + e1;
static_assert(is(share_of::part, total) && counts(total, 1, 0) && total.is_complete());
static_assert(same_bits(total, e1 + e0) && same_bits(zero + e0, e0) && same_bits(e0 + zero, e0));
static_assert(counts(total + e0, 2, 0) && counts(e0 + total, 2, 0) && counts(total + total, 2, 0));
static_assert(!(total + e0).is_complete() && !(e0 + e0).is_complete());
// Scores of 0 may repeat; then so must their atoms.
constexpr share with_two_zeros = larger(larger(s0, zero), zero);
constexpr share of_zero = exp(zero - with_two_zeros);
static_assert(!(exp(s0 - with_two_zeros) + of_zero).is_complete());
static_assert((exp(s0 - with_two_zeros) + of_zero + of_zero).is_complete());

// Fractions: the roundings of both sides and one more, and one underflow.
constexpr share f0 = e0 / total;
constexpr share f1 = e1 / total;
static_assert(is(share_of::fraction, f0) && counts(f0, 2, 1) && f0.atoms == e0.atoms);
static_assert(f0.maximum == largest.maximum && counts(total / total, 3, 1));
static_assert((f0 + f1).is_complete() && counts(f0 + f1, 3, 2) && !(f0 + f0).is_complete());
static_assert(counts(share::exact_sum(f0, f1), 2, 2) && share::exact_sum(f0, f1).is_complete());
static_assert(counts(share::exact_sum(f0, total / total), 3, 2));
static_assert(counts(share::exact_sum(total / total, f0), 3, 2));
static_assert(same_bits(share::exact_sum(zero, f0), f0) &&
              same_bits(share::exact_sum(f0, zero), f0));
static_assert(same_bits(zero / total, zero));

// Weighted: one rounding and one underflow more; which atom by which number is remembered.
constexpr share w0 = f0 * v;
constexpr share w1 = f1 * s2;
static_assert(is(share_of::weighted, w0, f0* zero, zero* f0) && counts(w0, 3, 2));
static_assert(same_bits(w0, v* f0) && same_bits(f0 * zero, zero* f0));
static_assert(w0.atoms == f0.atoms && w0.maximum == f0.maximum);
static_assert(w0.pairs == share::pair_of(f0.atoms, v) && w0.pairs != share::pair_of(f1.atoms, v));
static_assert(w0.pairs != share::pair_of(f0.atoms, s2));
static_assert((f0 * zero).pairs == share::pair_of(f0.atoms, zero));
static_assert((w0 + w1).is_complete() && counts(w0 + w1, 4, 4));
static_assert((w0 + w1).pairs == w0.pairs + w1.pairs);
static_assert((w0 + w1).pairs != (f0 * s2 + f1 * v).pairs);
static_assert(same_bits(zero + w0, w0) && same_bits(w0 + zero, w0));

// Refused: what was taken against another maximum.
constexpr share other = larger(larger(s0, s1), s2);
constexpr share g0 = exp(s0 - other);
constexpr share other_total = g0 + exp(s1 - other) + exp(s2 - other);
static_assert(are_unknown(e0 + g0, e0 / other_total, g0 / total));
static_assert(are_unknown(f0 + g0 / other_total, w0 + g0 / other_total * v));
// Refused: a sum that is not the total, since all its atoms may be 0 while the largest is left out.
static_assert(are_unknown(e0 / e0, e0 / (e0 + e0), total / e1, g0 / (g0 + exp(s1 - other))));
static_assert(are_unknown(zero / e0, zero / zero, zero / s0, e0 / (total + total)));
// Refused: sums of unlike things, and products and quotients that have no meaning here.
static_assert(are_unknown(e0 + f0, f0 + e0, f0 + w0, e0 + s0, s0 + e0, f0 + s0, w0 + s0));
static_assert(are_unknown(largest + s0, s0 + largest, largest + largest, (s0 - largest) + s0));
static_assert(are_unknown((s0 - largest) + (s0 - largest), minus_infinity + minus_infinity));
static_assert(are_unknown(e0 - e1, e0 - s0, s0 - e0, f0 - f1, w0 - w1, largest - s0, zero - e0));
static_assert(are_unknown(largest - largest, (s0 - largest) - s0, s0 - (s0 - largest)));
static_assert(are_unknown(e0 * e1, e0* s0, s0* e0, f0* f1, w0* s0, s0* w0, largest* s0));
static_assert(are_unknown(e0 * zero, zero* w0, f0* e0, f0* minus_infinity, zero* unknown));
static_assert(are_unknown(s0 / s1, s0 / total, f0 / total, w0 / total, total / s0, e0 / f0));
static_assert(are_unknown(exp(s0), exp(zero), exp(largest), exp(e0), exp(f0), exp(unknown)));
static_assert(are_unknown(larger(e0, e1), larger(s0, e0), larger(s0 - largest, s0)));
static_assert(are_unknown(larger(minus_infinity, e0), larger(f0, minus_infinity)));
// Refused: −∞ where its result is no number, or another one.
static_assert(are_unknown(minus_infinity - minus_infinity, s0 - minus_infinity));
static_assert(are_unknown(minus_infinity - e0, minus_infinity + s0, s0 + minus_infinity));
static_assert(are_unknown(minus_infinity * s0, zero* minus_infinity, minus_infinity / total));
// What is computed from the unknown is unknown, on either side.
static_assert(are_unknown(unknown + s0, s0 + unknown, unknown - s0, s0 - unknown, unknown* s0));
static_assert(are_unknown(s0 * unknown, unknown / total, e0 / unknown, larger(unknown, s0)));
static_assert(are_unknown(larger(s0, unknown), unknown + e0, f0 + unknown, f0* unknown));
static_assert(are_unknown(unknown + zero, zero + unknown, unknown - zero, unknown + unknown));

// No conversions, no order.
static_assert(!std::is_constructible_v<bool, share> && !std::is_constructible_v<double, share>);
static_assert(!std::equality_comparable<share> && !std::totally_ordered<share>);

static_assert(checks::allows_no_branch<share>);

// The fingerprints are those that are described, computed by another program.
static_assert(share::number(1).atoms == 0x777c'ed26'98c1'ca39);
static_assert((share::number(1) - share::number(2)).atoms == 0xbc3a'747b'152e'1a2e);

}  // namespace
}  // namespace attest
