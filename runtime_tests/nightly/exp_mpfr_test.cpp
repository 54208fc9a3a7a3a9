// SPDX-License-Identifier: BSL-1.0
// exp_mpfr_test.cpp — exp of ten million doubles against MPFR, alone and by lanes; and of the hardest
// that are known. Each million is a test of its own.
#include <attest/math/exp.hpp>
#include <attest/math/exp_lanes.hpp>
#include "../mpfr_reference.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <vector>

namespace {

using attest::checks::number;

double exp_of_mpfr(double x) {
  static attest::checks::reference mpfr;
  return mpfr.of_double(mpfr_exp, x);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Half of them uniform where e^x is neither 0 nor infinite; half of any exponent that x then has.
std::vector<double> inputs(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-745, 710);
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    double& x = numbers[i];
    if (i % 2 == 0) {
      x = uniform(random);
      continue;
    }
    do {
      std::uint64_t const bits = random();
      // Up to 2^10, subnormal numbers included.
      x = std::bit_cast<double>((bits & 0x800f'ffff'ffff'ffff) | (random() % 1033) << 52);
    } while (x < -0x1.74910d52d3051p+9 || x > 0x1.62e42fefa39efp+9);
  }
  return numbers;
}

class ExpOfADouble : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ExpOfADouble, EqualsMpfrOnAMillionInputsAloneAndByLanes) {
  std::vector<double> const numbers = inputs(GetParam(), 1'000'000);
  std::vector<double> by_lanes = numbers;
  attest::detail::exp_each(by_lanes.data(), by_lanes.size());
  std::size_t wrong = 0;
  std::size_t wrong_by_lanes = 0;
  std::size_t subnormal = 0;
  double worst = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double const expected = exp_of_mpfr(numbers[i]);
    bool const right = same_bits(attest::exp(numbers[i]), expected);
    wrong += right ? 0U : 1U;
    wrong_by_lanes += same_bits(by_lanes[i], expected) ? 0U : 1U;
    worst = right ? worst : numbers[i];
    subnormal += expected < 0x1p-1022 ? 1U : 0U;
  }
  std::printf("exp: %zu inputs, %zu subnormal results, %zu not MPFR's, %zu by lanes\n",
              numbers.size(), subnormal, wrong, wrong_by_lanes);
  EXPECT_EQ(wrong, 0U) << worst;
  EXPECT_EQ(wrong_by_lanes, 0U);
  EXPECT_GT(subnormal, 10'000U);
}

INSTANTIATE_TEST_SUITE_P(Million, ExpOfADouble, testing::Range<std::uint64_t>(1, 11));

// How near e^x lies to a double or to the middle of two: how many bits after the rounding bit are
// all its equals or all its opposites. e^x is normal.
int equal_bits(double x) {
  number power(400);
  mpfr_set_d(power.value, x, MPFR_RNDN);
  mpfr_exp(power.value, power.value, MPFR_RNDN);
  // In halves of a unit in the last place.
  mpfr_mul_2si(power.value, power.value, 54 - mpfr_get_exp(power.value), MPFR_RNDN);
  number nearest(400);
  mpfr_round(nearest.value, power.value);
  mpfr_sub(power.value, power.value, nearest.value, MPFR_RNDN);
  return static_cast<int>(-mpfr_get_exp(power.value));
}

TEST(EqualBits, AreCounted) {
  EXPECT_EQ(equal_bits(0x1p-53), 53);  // 1 + 2^-53 + 2^-107 + ...: the middle, and then 53 zeros
  EXPECT_LT(equal_bits(1), 6);
}

// Those of static_checks/exp.cpp, whose results are asserted there; how hard they are, here.
TEST(ExpOfADouble, IsRightForTheHardest) {
  constexpr double hard[] = {0x1.9e9cbbfd6080bp-31,
                             0x1.ba07d73250de7p-14,
                             -0x1p-54,
                             0x1.6a4d1af9cc989p-8,
                             0x1p-53,
                             -0x1.d3f3799439415p-3,
                             0x1.273c188aa7b14p+2,
                             -0x1.7fb235d76cce7p-8,
                             -0x1.664716b68a409p-14,
                             -0x1.a8f783d749a8fp-4,
                             -0x1.ceff32831e2c2p-12,
                             0x1.005ae04256babp-1,
                             0x1.5a75293a5dcdap-6,
                             0x1.bcab27d05abdep-2,
                             0x1.a065fefae814fp-3,
                             -0x1.a4187f2ca71f9p-6,
                             -0x1.54511e930898cp-7};
  int least = 100;
  int most = 0;
  for (double const x : hard) {
    least = std::min(least, equal_bits(x));
    most = std::max(most, equal_bits(x));
    double by_lanes[16];
    std::fill(std::begin(by_lanes), std::end(by_lanes), x);
    attest::detail::exp_each(by_lanes, std::size(by_lanes));
    double const expected = exp_of_mpfr(x);
    EXPECT_TRUE(same_bits(attest::exp(x), expected)) << x;
    EXPECT_TRUE(same_bits(by_lanes[7], expected)) << x;
  }
  EXPECT_EQ(least, 51);
  EXPECT_EQ(most, 57);
}

// How far e^x, by the fast path's head and low, lies from the nearest half of a unit in the last
// place, in such halves. Wrong by less than 2^-14.
double distance_from_a_half(double x) {
  namespace detail = attest::detail;
  detail::exp_reduced<double> const reduced = detail::exp_reduce(x);
  auto const k = std::bit_cast<std::uint64_t>(reduced.shifted);
  detail::exp_table_entry const& entry = detail::exp_table[k & 127];
  detail::exp_unrounded<double> const y = detail::exp_series(reduced, entry.high, entry.low);
  double const halves_in_1 = y.head < 1 ? 0x1p+54 : 0x1p+53;
  double const sum = y.head + y.low;
  double const halves = ((y.head - sum) + y.low) * halves_in_1;
  return std::abs(halves - std::nearbyint(halves));
}

// Sought, not known: of two hundred million, those nearest to a double or to the middle of two.
TEST(ExpOfADouble, IsRightForTheHardestOfTwoHundredMillion) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> uniform(-708, 709);
  std::array<int, 64> found{};
  std::size_t asked = 0;
  std::size_t wrong = 0;
  for (int i = 0; i < 200'000'000; ++i) {
    double x = uniform(random);
    if (i % 2 == 0) {
      // From 2^-20 up to 2^9.
      std::uint64_t const bits = random();
      x = std::bit_cast<double>((bits & 0x800f'ffff'ffff'ffff) | (1003 + random() % 29) << 52);
    }
    if (!(std::abs(x) < 708) || distance_from_a_half(x) > 0x1p-13) {
      continue;
    }
    ++asked;
    ++found[static_cast<std::size_t>(std::min(equal_bits(x), 63))];
    wrong += same_bits(attest::exp(x), exp_of_mpfr(x)) ? 0U : 1U;
  }
  std::size_t most = found.size() - 1;
  while (found[most] == 0) {
    --most;
  }
  std::printf("exp: %zu hard ones, %zu equal bits at most, %zu wrong\n", asked, most, wrong);
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(asked, 10'000U);
  EXPECT_GE(most, 24U);
}

}  // namespace
