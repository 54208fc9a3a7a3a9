// SPDX-License-Identifier: BSL-1.0
// exp.cpp — exp is correctly rounded: the integers against literals, the fast path against the
// integers, and what is wrong with a fast path that is a little less careful.
// Every result below is MPFR's.
#include <attest/math/exp.hpp>
#include <attest/math/exp_floats.hpp>
#include <attest/math/ulps.hpp>
#include <attest/math/wide.hpp>
#include "certified.hpp"
#include "math_sweeps.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

namespace attest::checks {
namespace {

using detail::fraction;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct result {
  double x;
  double exp_x;
};

template <std::size_t Count>
constexpr int first_wrong(result const (&results)[Count]) {
  return first_failure(0, static_cast<int>(Count),
                       [&](int i) { return same_bits(exp(results[i].x), results[i].exp_x); });
}

template <std::size_t Count>
constexpr int first_wrong_by_integers(result const (&results)[Count]) {
  return first_failure(0, static_cast<int>(Count), [&](int i) {
    return same_bits(detail::exp_by_integers(results[i].x), results[i].exp_x);
  });
}

// The helpers say no.
static_assert(same_bits(0.0, 0.0) && !same_bits(0.0, -0.0) && !same_bits(1, 1 + 0x1p-52));
static_assert(first_failure(3, 9, [](int i) { return i < 7; }) == 7);
static_assert(first_failure(3, 7, [](int i) { return i < 7; }) == none);
static_assert(first_wrong({{0, 1}, {1, 0x1.5bf0a8b145769p+1}}) == none);
static_assert(first_wrong({{0, 1}, {1, 0x1.5bf0a8b14576ap+1}}) == 1);
static_assert(first_wrong_by_integers({{0, 1}, {1, 0x1.5bf0a8b145768p+1}}) == 1);

// Fractions of 140 bits.
constexpr fraction ones{{0xfffffff, 0xfffffff, 0xfffffff, 0xfffffff, 0xfffffff}};
constexpr fraction a{{0x3cf256d, 0xa1494c7, 0xd3e27dd, 0x5fab8f4, 0xfc9db5b}};
constexpr fraction b{{0x7fde805, 0x34d7c1c, 0xb487677, 0xe2bd73a, 0xdae8201}};
static_assert(detail::times(a, b) ==
              fraction{{0x756cdfc, 0xc2d37d5, 0xabdbca7, 0xb20e1a2, 0xd8035b5}});
static_assert(detail::times(b, a) == detail::times(a, b));
static_assert(detail::times(ones, ones) ==
              fraction{{0xffffffa, 0xfffffff, 0xfffffff, 0xfffffff, 0xfffffff}});
static_assert(detail::over(a, 3) ==
              fraction{{0x69a61cf, 0xe06dc42, 0x46a0d49, 0x75392fc, 0x543491e}});
static_assert(detail::over(ones, 42) ==
              fraction{{0x6186186, 0x8618618, 0x1861861, 0x6186186, 0x618618}});

/// less <= more <= less + units * 2^-140, for units < 2^28.
constexpr bool exceeds_by_at_most(fraction const& more, fraction const& less, std::int64_t units) {
  fraction difference;
  std::int64_t carry = 0;
  for (int i = 0; i < detail::limbs; ++i) {
    carry += static_cast<std::int64_t>(more.limb[i]) - static_cast<std::int64_t>(less.limb[i]);
    difference.limb[i] = static_cast<std::uint64_t>(carry) & detail::limb_mask;
    carry >>= detail::limb_bits;
  }
  return carry == 0 &&
         difference == fraction{{difference.limb[0] <= static_cast<std::uint64_t>(units)
                                     ? difference.limb[0]
                                     : detail::limb_mask + 1}};
}

static_assert(exceeds_by_at_most(fraction{{5, 1}}, fraction{{3, 1}}, 2));
static_assert(!exceeds_by_at_most(fraction{{5, 1}}, fraction{{3, 1}}, 1));
static_assert(!exceeds_by_at_most(fraction{{3, 1}}, fraction{{5, 1}}, 5));
static_assert(!exceeds_by_at_most(fraction{{5, 2}}, fraction{{3, 1}}, 5));

// x = k ln 2 + r: r to 1075 units of 2^-140, and one more for what x has below them.
constexpr bool reduces_to(double x, int k, fraction const& r) {
  detail::reduced_exactly const reduced = detail::reduce_exactly(x);
  return reduced.k == k &&
         (x < 0 ? exceeds_by_at_most(r, reduced.r, 1076) : exceeds_by_at_most(reduced.r, r, 1076));
}

static_assert(reduces_to(0.5, 0, {{0x0, 0x0, 0x0, 0x0, 0x8000000}}));
static_assert(reduces_to(-0.75, -2, {{0xed5e81e, 0x73007e5, 0x5793c76, 0xfa39ef3, 0xa2e42fe}}));
static_assert(reduces_to(700.0, 1009, {{0xb741013, 0x5d86f61, 0xe945892, 0xe0d4171, 0x9d4f883}}));
static_assert(reduces_to(-745.0, -1075, {{0xe1edbd8, 0x7589541, 0x60c72b2, 0x60a3bec, 0x221aa5a}}));
static_assert(reduces_to(0x1.4f8b588e368f1p-17, 0, {{0x0, 0x0, 0x4788000, 0x5ac471b, 0xa7c}}));
static_assert(reduces_to(0x1.62de00d1b7176p-1, 0, {{0x0, 0x0, 0x0, 0x8db8bb0, 0xb16f006}}));
static_assert(reduces_to(-0x1.1b578c96db19bp-65, -1,
                         {{0x1eaf40f, 0xd4c9666, 0xab3c37e, 0x7d1cf79, 0xb17217f}}));
// The step back from a multiple of ln 2 is 2^-20 of it: just below r, and just above one ln 2 more.
static_assert(reduces_to(0x1p-20, 0, {{0, 0, 0, 0, 0x100}}));
static_assert(reduces_to(0x1p-21, -1, {{0xf6af40f, 0x39803f2, 0xabc9e3b, 0x7d1cf79, 0xb1721ff}}));
static_assert(!reduces_to(0.5, 0, {{1077, 0, 0, 0, 0x8000000}}));

// e^r / 16, short by less than 13 units of 2^-140.
constexpr bool gives(fraction const& r, fraction const& sixteenth) {
  return exceeds_by_at_most(sixteenth, detail::sixteenth_of_exp(r), 13);
}

constexpr fraction ln2{{0xf6af40f, 0x39803f2, 0xabc9e3b, 0x7d1cf79, 0xb17217f}};
// At ln 2 it is short by 2 of these units; the last term of the series alone is almost 3.
static_assert(exceeds_by_at_most({{0xfffffff, 0xfffffff, 0xfffffff, 0xfffffff, 0x1ffffff}},
                                 detail::sixteenth_of_exp(ln2), 2));
static_assert(gives({}, {{0, 0, 0, 0, 0x1000000}}));
static_assert(gives({{0x65eda32, 0x9d6b799, 0x5e67830, 0x69292f4, 0x418cdcc}},
                    {{0x80ab91d, 0x75b0236, 0xfb9f408, 0x64c93ba, 0x14ab504}}));
static_assert(!gives({{0x65eda32, 0x9d6b799, 0x5e67830, 0x69292f4, 0x418cdcc}},
                     {{0x80ab92d, 0x75b0236, 0xfb9f408, 0x64c93ba, 0x14ab504}}));

// Rounding refuses, that is does not compile, where the next 64 bits are a tie or one short of it.
constexpr fraction followed_by(std::uint64_t rest) {
  return {{(rest & 0xff) << 20, rest >> 8 & detail::limb_mask, rest >> 36, 0, 1 << 24}};
}

template <std::uint64_t Rest>
concept decides = requires {
  typename std::integral_constant<bool, (detail::round_exactly(followed_by(Rest), 0) > 0)>;
};

constexpr std::uint64_t half = std::uint64_t{1} << 63;
static_assert(decides<half - 2> && !decides<half - 1> && !decides<half> && decides<half + 1>);
static_assert(detail::round_exactly(followed_by(half - 2), 0) == 1);
static_assert(detail::round_exactly(followed_by(half + 1), 0) == 1 + 0x1p-52);

// Special values, and both sides of where the result becomes infinite, subnormal and zero.
constexpr result special[] = {
    {0.0, 1},
    {-0.0, 1},
    {infinity, infinity},
    {-infinity, 0},
    {std::numeric_limits<double>::max(), infinity},
    {std::numeric_limits<double>::lowest(), 0},
    {std::numeric_limits<double>::denorm_min(), 1},
    {-std::numeric_limits<double>::min(), 1},
    {not_a_number, not_a_number},
    {-not_a_number, not_a_number},
    {std::numeric_limits<double>::signaling_NaN(), not_a_number},
    {std::bit_cast<double>(0x7ff0'0000'0000'0001), not_a_number},
    {std::bit_cast<double>(0xfff0'0000'0000'0001), not_a_number},
    {1, 0x1.5bf0a8b145769p+1},
    {1000, infinity},
    {-1000, 0},
    {0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023},
    {0x1.62e42fefa39fp+9, infinity},
    {-0x1.6232bdd7abcd2p+9, 0x1.000000000007cp-1022},
    {-0x1.6232bdd7abcd3p+9, 0x0.ffffffffffe7cp-1022},
    {-0x1.74385446d71c3p+9, 0x0.0000000000001p-1022},
    {-0x1.74910d52d3051p+9, 0x0.0000000000001p-1022},
    {-0x1.74910d52d3052p+9, 0},
};
static_assert(first_wrong(special) == none);

// Results that are hard to round: 51 to 57 bits behind the rounding bit are equal, as for a tie;
// counted by runtime_tests/nightly/exp_mpfr_test.cpp.
// Source: Lefèvre and Muller, 2001; found again in the CORE-MATH project's lists.
constexpr result hard[] = {
    {0x1.9e9cbbfd6080bp-31, 0x1.000000033d398p+0},
    {0x1.ba07d73250de7p-14, 0x1.0006e83736f8dp+0},
    {-0x1p-54, 0x1p+0},
    {0x1.6a4d1af9cc989p-8, 0x1.016b4df3299d7p+0},
    {0x1p-53, 0x1.0000000000001p+0},
    {-0x1.d3f3799439415p-3, 0x1.976a4c9985f5bp-1},
    {0x1.273c188aa7b14p+2, 0x1.93295a96ec6ebp+6},
    {-0x1.7fb235d76cce7p-8, 0x1.fd02d98c24bbbp-1},
    {-0x1.664716b68a409p-14, 0x1.fff4cde6a0bfbp-1},
    {-0x1.a8f783d749a8fp-4, 0x1.cd8abd4de5c33p-1},
    {-0x1.ceff32831e2c2p-12, 0x1.ffc6235eee28dp-1},
    {0x1.005ae04256babp-1, 0x1.a65d89abf3d1fp+0},
    {0x1.5a75293a5dcdap-6, 0x1.05789640bc8adp+0},
    {0x1.bcab27d05abdep-2, 0x1.8b367381d82f5p+0},
    {0x1.a065fefae814fp-3, 0x1.39b8021bc065dp+0},
    {-0x1.a4187f2ca71f9p-6, 0x1.f309f46111221p-1},
    {-0x1.54511e930898cp-7, 0x1.fab5c6e464e0dp-1},
};
static_assert(first_wrong(hard) == none);

// Subnormal results, powers of two, and the integers where a limb of x is shifted by 64 bits.
constexpr result by_integers[] = {
    {-0x1.63p+9, 0x0.33802fd28b3c3p-1022},
    {-0x1.68p+9, 0x0.0000993b4dc95p-1022},
    {-0x1.6f8p+9, 0x0.0000000003127p-1022},
    {-0x1.735p+9, 0x0.0000000000006p-1022},
    {-0x1.744p+9, 0x0.0000000000001p-1022},
    {-0x1.749p+9, 0x0.0000000000001p-1022},
    {-0x1.628b76e3a7b6p+9, 0x0.80000000000bap-1022},
    {-0x1.628b76e3a7b61p+9, 0x0.7ffffffffffbap-1022},
    {-0x1.628b76e3a7b62p+9, 0x0.7fffffffffebap-1022},
    {-0x1.64f886378b145p+9, 0x0.0100000000002p-1022},
    {-0x1.64f886378b146p+9, 0x0.01p-1022},
    {-0x1.64f886378b147p+9, 0x0.00ffffffffffep-1022},
    {-0x1.6be6fb2739467p+9, 0x0.0000001p-1022},
    {-0x1.6be6fb2739468p+9, 0x0.0000001p-1022},
    {-0x1.6be6fb2739469p+9, 0x0.0000001p-1022},
    {-0x1.72d57016e7788p+9, 0x0.000000000001p-1022},
    {-0x1.72d57016e7789p+9, 0x0.000000000001p-1022},
    {-0x1.72d57016e778ap+9, 0x0.000000000001p-1022},
    {-0x1.73df9b3adb334p+9, 0x0.0000000000002p-1022},
    {-0x1.73df9b3adb335p+9, 0x0.0000000000002p-1022},
    {-0x1.73df9b3adb336p+9, 0x0.0000000000002p-1022},
    {-0x1.74385446d71c2p+9, 0x0.0000000000001p-1022},
    {-0x1.74385446d71c3p+9, 0x0.0000000000001p-1022},
    {-0x1.74385446d71c4p+9, 0x0.0000000000001p-1022},
    {0x1.62e42fefa39eep-1, 0x1.fffffffffffffp+0},
    {0x1.62e42fefa39fp-1, 0x1p+1},
    {0x1.e533f989a1b34p+8, 0x1.ffffffffffdeap+699},
    {0x1.e533f989a1b36p+8, 0x1.00000000000f5p+700},
    {0x1.628b76e3a7b6p+9, 0x1.ffffffffffd19p+1022},
    {0x1.628b76e3a7b62p+9, 0x1.000000000028dp+1023},
    {0x1p-24, 0x1.0000010000008p+0},
    {-0x1.8p-24, 0x1.fffffd0000024p-1},
    {0x1p-52, 0x1.0000000000001p+0},
    {0x1p-152, 1},
    {-0x1p-152, 1},
    {0.0, 1},
    {-0x1p-1074, 1},
};
static_assert(first_wrong_by_integers(by_integers) == none);

// The fast path gives up on each of these, so the results above are the integers'.
constexpr bool decided(double x) {
  return detail::exp_fast(x).decided;
}

static_assert(first_failure(0, std::size(hard), [](int i) { return !decided(hard[i].x); }) == none);

// Ziv's margin: the last seven of the first list and all of the second lie within 6%, or for the
// large table values within a factor of 0.55, of being decided otherwise.
static_assert(detail::exp_margin == 0x1p-67);

constexpr result undecided[] = {
    {0x1.37e6f98d66986p+8, 0x1.f8e39a05ab71p+449},  {-0x1.397ba04b65e4cp+8, 0x1.ab7df413f2956p-453},
    {-0x1.3af29d858eb3p+4, 0x1.847811b892ae1p-29},  {0x1.c78950d6fa52p+4, 0x1.0da956e226f2ep+41},
    {-0x1.2a03ff5bb6e12p+3, 0x1.7a83498448ffbp-14}, {-0x1.133e0e8c56045p+3, 0x1.8196236fcb4f3p-13},
    {-0x1.1959a84706cf6p+5, 0x1.33048d2a74b0dp-51}, {0x1.53fdf5b01ab7p+7, 0x1.30f2107ce9e33p+245},
    {-0x1.ec42bd066cd8p+2, 0x1.ded77eb578317p-12},  {-0x1.2eece2e8406a2p+9, 0x1.ebe7b3751c1fdp-875},
    {-0x1.1f4b5f55f64ecp+4, 0x1.1172125fb4d7ep-26}, {-0x1.e018d78eadec5p+4, 0x1.a2e1b462db12ap-44},
    {-0x1.18996bf0e9d83p+4, 0x1.9f86ebe2e15abp-26}, {-0x1.314023126f1f8p+7, 0x1.c049d46d8ffeap-221},
    {-0x1.915d420d34778p+2, 0x1.ef622dc9af855p-10}, {-0x1.420d94872ba67p+4, 0x1.f25660c400377p-30},
    {-0x1.0e146954b0f2ep+1, 0x1.f0977ce35f1a2p-4},
};
static_assert(first_failure(0, std::size(undecided),
                            [](int i) { return !decided(undecided[i].x); }) == none);
static_assert(first_wrong(undecided) == none);

constexpr double barely_decided[] = {-0x1.3c2356b6a41b7p+8, -0x1.01ae485c67b91p+9,
                                     -0x1.a82e04026f4b4p+4, -0x1.0c3284cd878f4p+4};
static_assert(first_failure(0, std::size(barely_decided),
                            [](int i) { return decided(barely_decided[i]); }) == none);

// k is the integer nearest to x (128/ln2): both x lie so near to a half that the next double in
// place of 128/ln2 would say otherwise.
static_assert(detail::exp_reduce(0x1.8af561151ac0fp+7).shifted == 0x1.8p+52 + 36467);
static_assert(detail::exp_reduce(0x1.a3fe37d2c34ccp+6).shifted == 0x1.8p+52 + 19390);

// Less careful: the middle of both ends without Ziv's test, and the test after a polynomial that
// ends with r^5/5!.
constexpr double without_the_test(double x) {
  detail::exp_reduced<double> const reduced = detail::exp_reduce(x);
  auto const k = std::bit_cast<std::uint64_t>(reduced.shifted);
  detail::exp_table_entry const entry = detail::exp_table[k & 127];
  detail::exp_unrounded<double> const y = detail::exp_series(reduced, entry.high, entry.low);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(y.head + y.low) + (k >> 7 << 52));
}

constexpr double without_the_last_term(double x) {
  detail::exp_reduced<double> const reduced = detail::exp_reduce(x);
  auto const k = std::bit_cast<std::uint64_t>(reduced.shifted);
  detail::exp_table_entry const entry = detail::exp_table[k & 127];
  detail::exp_unrounded<double> y = detail::exp_series(reduced, entry.high, entry.low);
  double const cube = reduced.coarse * reduced.coarse * reduced.coarse;
  y.low -= entry.high * cube * cube / 720;
  detail::exp_ends<double> const ends = detail::exp_round(y, entry.high * detail::exp_margin);
  return ends.least != ends.most
             ? detail::exp_by_integers(x)
             : std::bit_cast<double>(std::bit_cast<std::uint64_t>(ends.least) + (k >> 7 << 52));
}

constexpr result wrong_without_the_test[] = {
    {-0x1.02904682006eep+5, 0x1.4b2ce2bf6acfep-47}, {-0x1.0c2522bef4194p+5, 0x1.8feab5b38dc27p-49},
    {0x1.72c13ce0c9296p+8, 0x1.d9271854a68b7p+534}, {0x1.c728bd14267p+3, 0x1.6f37ea00f1b6dp+20},
    {-0x1.c4365c87a1e26p+4, 0x1.2b26023a98c68p-41},
};
static_assert(first_wrong(wrong_without_the_test) == none);
static_assert(first_failure(0, std::size(wrong_without_the_test), [](int i) {
                result const& right = wrong_without_the_test[i];
                return ulps_between(without_the_test(right.x), right.exp_x) == 1;
              }) == none);

constexpr result wrong_without_the_last_term[] = {
    {-0x1.03f3fd1671909p+5, 0x1.165f56f98f443p-47}, {-0x1.e5f109ce3def6p+4, 0x1.22b44463a25b1p-44},
    {-0x1.102d68151671ap+4, 0x1.5fb28df188309p-25}, {-0x1.798f5154764ccp+4, 0x1.f0a07e3a05005p-35},
    {0x1.3a7c39565a252p+8, 0x1.a1b23ef27f4ap+453},
};
static_assert(first_wrong(wrong_without_the_last_term) == none);
static_assert(first_failure(0, std::size(wrong_without_the_last_term), [](int i) {
                result const& right = wrong_without_the_last_term[i];
                return ulps_between(without_the_last_term(right.x), right.exp_x) == 1;
              }) == none);

// The fast path ends where e^-|x| becomes subnormal, and is right up to there.
static_assert(detail::exp_fast(-0x1.6232bdd7abcd2p+9).value == 0x1.000000000007cp-1022);
static_assert(same_bits(detail::exp_fast(0x1.6232bdd7abcd2p+9).value,
                        detail::exp_by_integers(0x1.6232bdd7abcd2p+9)));

// The table: `high` a multiple of 2^-26 within 2^-27 of 2^(i/128), `low` the rest, rounded once.
constexpr bool is_exact(detail::exp_table_entry const& entry, std::uint64_t i) {
  fraction r = detail::over(ln2, 128);
  std::uint64_t carry = 0;
  for (std::uint64_t& limb : r.limb) {
    carry += i * limb;
    limb = carry & detail::limb_mask;
    carry >>= detail::limb_bits;
  }
  exact_sum rest;
  double unit = 0x1p-136;
  for (std::uint64_t const limb : detail::sixteenth_of_exp(r).limb) {
    rest.add(static_cast<double>(limb) * unit);
    unit *= 0x1p+28;
  }
  rest.add(-entry.high);
  return (std::bit_cast<std::uint64_t>(entry.high) & 0x3ff'ffff) == 0 && rest.within(0, 0x1p-27) &&
         ulps_between(rest.rounded(), entry.low) == 0;
}

constexpr int first_inexact_entry(int from, int to) {
  return first_failure(from, to, [](int i) {
    return is_exact(detail::exp_table[i], static_cast<std::uint64_t>(i));
  });
}

// exp_table[0] is exact; the integers come to it from below.
static_assert(detail::exp_table[0].high == 1 && detail::exp_table[0].low == 0);
static_assert(std::size(detail::exp_table) == 128);
static_assert(first_inexact_entry(1, 64) == none);
static_assert(first_inexact_entry(64, 128) == none);
static_assert(!is_exact({detail::exp_table[5].high, detail::exp_table[6].low}, 5));
static_assert(!is_exact({detail::exp_table[5].high + 0x1p-26, detail::exp_table[5].low - 0x1p-26},
                        5));

// Sweeps.
constexpr finding is_none(int failure) {
  return {.holds = failure == none};
}
constexpr finding literals = {.holds = first_wrong(special) == none && first_wrong(hard) == none &&
                                       first_wrong(undecided) == none};
constexpr finding first_intervals = is_none(exp_in_each_table_interval(0, 64));
constexpr finding last_intervals = is_none(exp_in_each_table_interval(64, 128));
constexpr finding scores = is_none(exp_of_scores(0, 16));
constexpr finding near_multiples = is_none(exp_near_multiples_of_ln2(0, 8));
constexpr finding far_multiples = is_none(exp_near_multiples_of_ln2(1012, 1020));
constexpr finding near_zero = is_none(exp_near_zero(0, 16));
static_assert(literals.holds);
static_assert(first_intervals.holds);
static_assert(last_intervals.holds);
static_assert(scores.holds);
static_assert(near_multiples.holds);
static_assert(far_multiples.holds);
static_assert(near_zero.holds);

constexpr certificate_row row{.guarantee = "exp is correctly rounded",
                              .layer = "double and float",
                              .inputs = "special, hard and undecided values, each table interval",
                              .bound = "exact",
                              .check = "exp"};
certified const entry{row.certified_by(
    {literals, first_intervals, last_intervals, scores, near_multiples, far_multiples, near_zero})};

#if defined(__GNUC__) && !defined(__clang__)
// g++ evaluates its own exp with MPFR, where the result is normal.
constexpr int equals_the_compilers(int from, int to, double least, double most) {
  return first_failure(from, to, [=](int i) {
    double const x = scattered_between(i, least, most);
    return same_bits(exp(x), __builtin_exp(x));
  });
}

static_assert(equals_the_compilers(0, 1024, -708, 708) == none);
static_assert(equals_the_compilers(1024, 2048, -40, 0) == none);
static_assert(equals_the_compilers(0, 32, 708, 709.78) == none);
#endif

// float: its own series and overflow, and where neither decides the double's result rounded again.
constexpr bool same_bits_float(float x, float y) {
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
}

static_assert(same_bits_float(1, 1) && !same_bits_float(1, 1 + 0x1p-23F));

struct float_result {
  float x;
  float exp_x;
};

constexpr float_result float_results[] = {
    {0.0F, 1},
    {-0.0F, 1},
    {1, 0x1.5bf0a8p+1F},
    {-1, 0x1.78b564p-2F},
    {0x1.62e42ep+6F, 0x1.ffff08p+127F},
    {0x1.62e43p+6F, std::numeric_limits<float>::infinity()},
    {std::numeric_limits<float>::max(), std::numeric_limits<float>::infinity()},
    {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()},
    {-std::numeric_limits<float>::infinity(), 0},
    {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()},
    {std::bit_cast<float>(0x7f80'0001), std::numeric_limits<float>::quiet_NaN()},
    {-0x1.5d589ep+6F, 0x1.00004cp-126F},
    {-0x1.9fe368p+6F, 0x1p-149F},
    {-0x1.9fe36ap+6F, 0},
};
static_assert(first_failure(0, std::size(float_results), [](int i) {
                return same_bits_float(exp(float_results[i].x), float_results[i].exp_x);
              }) == none);

// The short series decides nearly all, and with the double's bits rounded again.
constexpr int floats_of_the_double(int from, int to, double least, double most) {
  return first_failure(from, to, [=](int i) {
    auto const x = static_cast<float>(scattered_between(i, least, most));
    return same_bits_float(exp(x), static_cast<float>(exp(static_cast<double>(x))));
  });
}
static_assert(floats_of_the_double(0, 512, -88, 88) == none);
static_assert(floats_of_the_double(512, 1024, -1, 1) == none);

// Eighty of all floats would be wrong without the way out, these among them, and are not.
constexpr float_result undecided_floats[] = {{-0x1.7acc62p+3F, 0x1.e51c66p-18F},
                                             {-0x1.34003ap+1F, 0x1.714356p-4F},
                                             {-0x1.90000ap-21F, 0x1.ffffe6p-1F}};
static_assert(first_failure(0, std::size(undecided_floats), [](int i) {
                float_result const& right = undecided_floats[i];
                auto const attempt =
                    detail::exp_of_float<std::uint64_t>(static_cast<double>(right.x));
                return attempt.distance < detail::exp_float_margin &&
                       !same_bits_float(static_cast<float>(attempt.value), right.exp_x) &&
                       same_bits_float(exp(right.x), right.exp_x);
              }) == none);

// Floats in floats, which only lanes do: the same templates, an entry of the table at a time.
struct entries_of_table {
  detail::exp_float_table const* table;
  float margin = table->margin;

  static constexpr std::uint32_t entry(float shifted) {
    return std::bit_cast<std::uint32_t>(shifted) & 31;
  }
  constexpr float high_of(float shifted) const { return table->high[entry(shifted)]; }
  constexpr float rest_of(float shifted) const { return table->rest[entry(shifted)]; }
};

struct float_attempt {
  float value;
  bool decided;
};

constexpr float_attempt in_floats(float x, detail::exp_float_table const& table) {
  float const one[1] = {x};
  detail::exp_float_ends<float> ends[1];
  detail::exp_in_floats(entries_of_table{&table}, one, ends);
  std::uint32_t const exponent = (std::bit_cast<std::uint32_t>(ends[0].shifted) & ~31U) << 18;
  return {std::bit_cast<float>(std::bit_cast<std::uint32_t>(ends[0].least) + exponent),
          same_bits_float(ends[0].least, ends[0].most)};
}

// The table: `high` of 11 bits behind the point, and high e^(rest + margin) the power, but for one rounding of `rest`.
constexpr bool is_power(float high, double rest, std::size_t j) {
  double const power = detail::exp_table[4 * j].high + detail::exp_table[4 * j].low;
  double const error = static_cast<double>(high) * exp(rest) / power - 1;
  return high * 0x1p+11F == static_cast<float>(static_cast<int>(high * 0x1p+11F)) &&
         error < 0x1p-37 && error > -0x1p-37;
}
static_assert(first_failure(0, 32, [](int j) {
                detail::exp_float_table const& table = detail::exp_floats_table;
                return is_power(
                    table.high[j],
                    static_cast<double>(table.rest[j]) + static_cast<double>(table.margin),
                    static_cast<std::size_t>(j));
              }) == none);
static_assert(!is_power(1, 0x1.1p-37, 0) && !is_power(1 + 0x1p-12F, -0x1p-12, 0));

// What is decided is right, and nearly all is. runtime_tests/exp_floats_test.cpp: all floats.
constexpr int decided_floats(int from, int to, double least, double most) {
  int count = 0;
  for (int i = from; i < to; ++i) {
    auto const x = static_cast<float>(scattered_between(i, least, most));
    float_attempt const attempt = in_floats(x, detail::exp_floats_table);
    if (attempt.decided) {
      count += same_bits_float(attempt.value, exp(x)) ? 1 : to;
    }
  }
  return count;
}
static_assert(decided_floats(0, 512, -87, 87) > 500 && decided_floats(0, 512, -87, 87) <= 512);
static_assert(decided_floats(512, 1024, -20, 0) > 500 && decided_floats(512, 1024, -20, 0) <= 512);

// With half the margin nine floats would be wrong, these among them; with none, 17,142.
constexpr float_result within_the_margin[] = {{-0x1.6c61fcp-7F, 0x1.fa568ap-1F},
                                              {0x1.6e899ep-2F, 0x1.6e2e02p+0F},
                                              {-0x1.033008p+1F, 0x1.0e597ap-3F},
                                              {-0x1.f963cep+4F, 0x1.58d71ep-46F}};
constexpr detail::exp_float_table half_the_margin{detail::exp_floats_margin / 2};
static_assert(first_failure(0, std::size(within_the_margin), [](int i) {
                float_result const& right = within_the_margin[i];
                float_attempt const wrong = in_floats(right.x, half_the_margin);
                return !in_floats(right.x, detail::exp_floats_table).decided && wrong.decided &&
                       !same_bits_float(wrong.value, right.exp_x) &&
                       same_bits_float(exp(right.x), right.exp_x);
              }) == none);

}  // namespace
}  // namespace attest::checks
