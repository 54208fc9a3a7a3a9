// SPDX-License-Identifier: BSL-1.0
// exp_float_all_test.cpp — exp of each of the 2^32 floats. A float can only be wrong where the
// exact value and the double next to it lie on different sides of the middle of two floats. There
// MPFR is asked, and on one input in 1,024; elsewhere the double, which math_test.cpp compares with
// MPFR, says what is right.
#include <attest/math/exp.hpp>

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace {

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST(ExpOfAFloat, IsRightForAllOfThem) {
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_t x;
  mpfr_t y;
  mpfr_init2(x, 24);
  mpfr_init2(y, 24);
  std::uint64_t asked = 0;
  std::uint64_t wrong = 0;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; ++bits) {
    float const argument = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    float const ours = attest::exp(argument);
    std::uint64_t const magnitude = bits & 0x7fff'ffff;
    if (magnitude > 0x7f80'0000) {
      wrong += same_bits(ours, std::numeric_limits<float>::quiet_NaN()) ? 0U : 1U;
      continue;
    }
    double const wide = attest::exp(static_cast<double>(argument));
    float expected = static_cast<float>(wide);
    auto const wide_bits = std::bit_cast<std::uint64_t>(wide);
    bool const inside = wide > 0x1p-151 && wide < 0x1p+129;
    bool const near_a_middle =
        inside && !same_bits(static_cast<float>(std::bit_cast<double>(wide_bits - 1)),
                             static_cast<float>(std::bit_cast<double>(wide_bits + 1)));
    if (near_a_middle || bits % 1024 == 0) {
      ++asked;
      mpfr_set_d(x, static_cast<double>(argument), MPFR_RNDN);
      int const ternary = mpfr_exp(y, x, MPFR_RNDN);
      mpfr_subnormalize(y, ternary, MPFR_RNDN);
      expected = static_cast<float>(mpfr_get_d(y, MPFR_RNDN));
    }
    wrong += same_bits(ours, expected) ? 0U : 1U;
  }
  mpfr_clear(x);
  mpfr_clear(y);
  std::printf("exp(float): 2^32 inputs, MPFR asked for %llu, %llu wrong\n",
              static_cast<unsigned long long>(asked), static_cast<unsigned long long>(wrong));
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
