// SPDX-License-Identifier: BSL-1.0
// soft_float_test.cpp — every bit pattern of bfloat16 and float16: to double and back, both sides of
// every midpoint, exp against MPFR; and arithmetic against MPFR and the compiler's own _Float16.
#include <attest/math/exact_sum.hpp>
#include <attest/scalar/bfloat16.hpp>
#include <attest/scalar/float16.hpp>
#include <attest/softmax.hpp>
#include <static_checks/math_sweeps.hpp>

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace {

using attest::bfloat16;
using attest::float16;
using attest::same_bits;
using attest::checks::scattered;

template <class Number>
class SoftFloat : public testing::Test {};
using both_numbers = testing::Types<bfloat16, float16>;
TYPED_TEST_SUITE(SoftFloat, both_numbers);

template <class Number>
using limits = std::numeric_limits<Number>;

// All 2^16 bit patterns in turn, up to the first of which `check` does not hold.
template <class Check>
void for_each_pattern(Check const& check) {
  for (std::uint32_t bits = 0; bits <= 0xffff && !testing::Test::HasFatalFailure(); ++bits) {
    check(static_cast<std::uint16_t>(bits));
  }
}

// What the bits mean, in the words of the standard: the slow way, with nothing in common.
template <class Number>
double meaning(std::uint16_t bits) {
  int const fraction_bits = limits<Number>::digits - 1;
  int const field = (bits & 0x7fff) >> fraction_bits;
  int const fraction = bits & ((1 << fraction_bits) - 1);
  int const last_field = (1 << (15 - fraction_bits)) - 1;
  double magnitude = 0;
  if (field == last_field) {
    magnitude = fraction == 0 ? limits<double>::infinity() : limits<double>::quiet_NaN();
  } else if (field == 0) {
    magnitude = std::ldexp(fraction, limits<Number>::min_exponent - limits<Number>::digits);
  } else {
    magnitude = std::ldexp(fraction + (1 << fraction_bits),
                           field - 1 + limits<Number>::min_exponent - limits<Number>::digits);
  }
  return (bits >> 15) != 0 ? -magnitude : magnitude;
}

TYPED_TEST(SoftFloat, EveryBitPatternMeansWhatTheStandardSays) {
  for_each_pattern([](std::uint16_t bits) {
    auto const number = TypeParam::from_bits(bits);
    double const expected = meaning<TypeParam>(bits);
    auto const wide = static_cast<double>(number);
    auto const narrow = static_cast<float>(number);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide) && std::isnan(narrow) && number.is_nan()) << bits;
      ASSERT_EQ(std::signbit(wide), (bits >> 15) != 0) << bits;
    } else {
      ASSERT_TRUE(same_bits(wide, expected)) << bits;
      ASSERT_TRUE(same_bits(narrow, static_cast<float>(expected))) << bits;
      ASSERT_TRUE(static_cast<double>(narrow) == wide) << bits;
    }
  });
}

TYPED_TEST(SoftFloat, EveryBitPatternComesBackFromDoubleAndFloat) {
  for_each_pattern([](std::uint16_t bits) {
    auto const number = TypeParam::from_bits(bits);
    // A NaN comes back quiet.
    std::uint16_t const quiet = number.is_nan() ? 1 << (limits<TypeParam>::digits - 2) : 0;
    ASSERT_EQ(TypeParam{static_cast<double>(number)}.bits, bits | quiet);
    ASSERT_EQ(TypeParam{static_cast<float>(number)}.bits, bits | quiet);
  });
}

// The middle between each number and the next larger one in magnitude, infinity being where the
// next number would be if exponents went on; and one unit of Wide on either side of it.
template <class Number, class Wide>
void both_sides_of_every_midpoint() {
  std::uint16_t const infinity = limits<Number>::infinity().bits;
  for (std::uint16_t bits = 0; bits < infinity; ++bits) {
    double const below = meaning<Number>(bits);
    double const unit = bits + 1 < infinity
                            ? meaning<Number>(static_cast<std::uint16_t>(bits + 1)) - below
                            : below - meaning<Number>(static_cast<std::uint16_t>(bits - 1));
    auto const middle = static_cast<Wide>(below + unit / 2);
    if (static_cast<double>(middle) != below + unit / 2) {
      ADD_FAILURE() << "a midpoint that is not exact, at " << bits;
      return;
    }
    auto const even = static_cast<std::uint16_t>(bits + (bits & 1));
    Wide const less = std::nextafter(middle, Wide{0});
    Wide const more = std::nextafter(middle, limits<Wide>::infinity());
    for (std::uint16_t const sign : {std::uint16_t{0}, std::uint16_t{0x8000}}) {
      Wide const one = sign == 0 ? Wide{1} : Wide{-1};
      ASSERT_EQ(Number{one * middle}.bits, sign | even) << bits;
      ASSERT_EQ(Number{one * less}.bits, sign | bits) << bits;
      ASSERT_EQ(Number{one * more}.bits, sign | (bits + 1)) << bits;
    }
  }
}

TYPED_TEST(SoftFloat, BothSidesOfEveryMidpointInDouble) {
  both_sides_of_every_midpoint<TypeParam, double>();
}

TYPED_TEST(SoftFloat, BothSidesOfEveryMidpointInFloat) {
  both_sides_of_every_midpoint<TypeParam, float>();
}

TYPED_TEST(SoftFloat, WhatIsNotANumberInDoubleStaysSo) {
  for (std::uint64_t const payload :
       {1ULL, 0x8'0000'0000'0000ULL, 0x4'0000'0000'0000ULL, 0xf'ffff'ffff'ffffULL}) {
    auto const number = TypeParam{std::bit_cast<double>(0x7ff0'0000'0000'0000ULL | payload)};
    EXPECT_TRUE(number.is_nan());
    EXPECT_NE(number.bits & (1 << (limits<TypeParam>::digits - 2)), 0);
  }
}

// MPFR with the precision and the exponents of Number, so that it rounds once.
template <class Number>
class reference {
 public:
  reference() {
    mpfr_set_emin(limits<Number>::min_exponent - limits<Number>::digits + 1);
    mpfr_set_emax(limits<Number>::max_exponent);
    mpfr_inits2(53, a_, b_, nullptr);
    mpfr_init2(result_, limits<Number>::digits);
  }
  ~reference() {
    mpfr_clears(a_, b_, result_, nullptr);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  reference(reference const&) = delete;
  reference& operator=(reference const&) = delete;

  using of_one = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  using of_two = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

  double operator()(of_one f, Number x) {
    mpfr_set_d(a_, static_cast<double>(x), MPFR_RNDN);
    return rounded(f(result_, a_, MPFR_RNDN));
  }
  double operator()(of_two f, Number x, Number y) {
    mpfr_set_d(a_, static_cast<double>(x), MPFR_RNDN);
    mpfr_set_d(b_, static_cast<double>(y), MPFR_RNDN);
    return rounded(f(result_, a_, b_, MPFR_RNDN));
  }

 private:
  double rounded(int ternary) {
    mpfr_subnormalize(result_, ternary, MPFR_RNDN);
    return mpfr_get_d(result_, MPFR_RNDN);
  }

  mpfr_t a_;
  mpfr_t b_;
  mpfr_t result_;
};

template <class Number>
bool is(Number found, double expected) {
  return std::isnan(expected) ? same_bits(found, limits<Number>::quiet_NaN())
                              : same_bits(static_cast<double>(found), expected);
}

TYPED_TEST(SoftFloat, ExpIsCorrectlyRoundedForEveryBitPattern) {
  reference<TypeParam> mpfr;
  for_each_pattern([&](std::uint16_t bits) {
    auto const x = TypeParam::from_bits(bits);
    ASSERT_TRUE(is(exp(x), mpfr(mpfr_exp, x))) << bits;
  });
}

template <class Number>
void expect_arithmetic_of(reference<Number>& mpfr, std::uint16_t left, std::uint16_t right) {
  auto const a = Number::from_bits(left);
  auto const b = Number::from_bits(right);
  ASSERT_TRUE(is(a + b, mpfr(mpfr_add, a, b))) << left << " + " << right;
  ASSERT_TRUE(is(a - b, mpfr(mpfr_sub, a, b))) << left << " - " << right;
  ASSERT_TRUE(is(a * b, mpfr(mpfr_mul, a, b))) << left << " * " << right;
  ASSERT_TRUE(is(a / b, mpfr(mpfr_div, a, b))) << left << " / " << right;
}

// 0 and its neighbours, the ends of the subnormal and of the normal numbers, infinity, NaN.
template <class Number>
constexpr std::array edges{std::uint16_t{0},
                           std::uint16_t{1},
                           std::uint16_t{2},
                           std::uint16_t{3},
                           static_cast<std::uint16_t>(limits<Number>::min().bits - 1),
                           limits<Number>::min().bits,
                           static_cast<std::uint16_t>(limits<Number>::min().bits + 1),
                           Number{1}.bits,
                           static_cast<std::uint16_t>(Number{1}.bits - 1),
                           static_cast<std::uint16_t>(Number{1}.bits + 1),
                           limits<Number>::max().bits,
                           limits<Number>::infinity().bits,
                           limits<Number>::quiet_NaN().bits};

TYPED_TEST(SoftFloat, ArithmeticIsCorrectlyRoundedOnAGridOfAllExponents) {
  reference<TypeParam> mpfr;
  // 97 is coprime to every power of two, so that all exponents, and all low bits, take part.
  for (std::uint32_t left = 0; left <= 0xffff; left += 97) {
    for (std::uint32_t right = 0; right <= 0xffff; right += 97) {
      expect_arithmetic_of(mpfr, static_cast<std::uint16_t>(left),
                           static_cast<std::uint16_t>(right));
    }
    if (this->HasFatalFailure()) {
      return;
    }
  }
}

TYPED_TEST(SoftFloat, ArithmeticIsCorrectlyRoundedBetweenTheEdgesAndEverything) {
  reference<TypeParam> mpfr;
  for (std::uint16_t const edge : edges<TypeParam>) {
    for_each_pattern([&](std::uint16_t bits) {
      expect_arithmetic_of(mpfr, edge, bits);
      expect_arithmetic_of(mpfr, bits, static_cast<std::uint16_t>(edge | 0x8000));
    });
    if (this->HasFatalFailure()) {
      return;
    }
  }
}

TYPED_TEST(SoftFloat, ArithmeticIsCorrectlyRoundedOnTenMillionRandomPairs) {
  reference<TypeParam> mpfr;
  for (int i = 0; i < 10'000'000; ++i) {
    std::uint64_t const bits = scattered(i);
    expect_arithmetic_of(mpfr, static_cast<std::uint16_t>(bits),
                         static_cast<std::uint16_t>(bits >> 16));
    if (this->HasFatalFailure()) {
      return;
    }
  }
}

TYPED_TEST(SoftFloat, OrderIsThatOfTheDoubles) {
  for (std::uint16_t const edge : edges<TypeParam>) {
    for_each_pattern([&](std::uint16_t bits) {
      for (std::uint16_t const sign : {std::uint16_t{0}, std::uint16_t{0x8000}}) {
        auto const a = TypeParam::from_bits(bits);
        auto const b = TypeParam::from_bits(static_cast<std::uint16_t>(edge | sign));
        auto const wide_a = static_cast<double>(a);
        auto const wide_b = static_cast<double>(b);
        ASSERT_EQ(a < b, wide_a < wide_b) << bits;
        ASSERT_EQ(a > b, wide_a > wide_b) << bits;
        ASSERT_EQ(a == b, wide_a == wide_b) << bits;
        ASSERT_TRUE(same_bits(larger(a, b), wide_a < wide_b ? b : a)) << bits;
      }
    });
  }
}

// The sum that softmax divides by stands still at 2^11: static_checks/proof_low_precision.cpp.
template <std::size_t Length>
double sum_of_equal_scores() {
  static attest::tensor<float16, attest::queries<1>, attest::keys<Length>> const scores{};
  auto weights = scores;
  attest::softmax<attest::keys>(scores, weights);
  attest::exact_sum sum;
  for (float16 const& weight : weights.elements) {
    sum.add(static_cast<double>(weight));
  }
  return sum.rounded();
}

TEST(Float16, SoftmaxOfMoreThan2048EqualScoresSumsToMoreThanOne) {
  EXPECT_EQ(sum_of_equal_scores<2047>(), 2047 * static_cast<double>(float16{1.0 / 2047}));
  EXPECT_EQ(sum_of_equal_scores<2048>(), 1);
  EXPECT_EQ(sum_of_equal_scores<2049>(), 2049.0 / 2048);
  EXPECT_EQ(sum_of_equal_scores<4096>(), 2);
}

// The compiler's own type, where it has one.
#if defined(__FLT16_MANT_DIG__)
template <class Check>
void as_the_compiler_does(float16 found, _Float16 expected, Check const& where) {
  auto const bits = std::bit_cast<std::uint16_t>(expected);
  if ((bits & 0x7fff) > 0x7c00) {
    ASSERT_TRUE(found.is_nan()) << where;
  } else {
    ASSERT_EQ(found.bits, bits) << where;
  }
}

TEST(Float16, EveryBitPatternIsTheCompilersOwn) {
  for_each_pattern([](std::uint16_t bits) {
    auto const compilers = std::bit_cast<_Float16>(bits);
    auto const ours = float16::from_bits(bits);
    if (!ours.is_nan()) {
      ASSERT_TRUE(same_bits(static_cast<double>(ours), static_cast<double>(compilers)));
    }
  });
}

TEST(Float16, ArithmeticIsTheCompilersOwnOnTenMillionRandomPairs) {
  for (int i = 0; i < 10'000'000; ++i) {
    std::uint64_t const bits = scattered(-2 - i);
    auto const left = static_cast<std::uint16_t>(bits);
    auto const right = static_cast<std::uint16_t>(bits >> 16);
    auto const a = std::bit_cast<_Float16>(left);
    auto const b = std::bit_cast<_Float16>(right);
    auto const ours_a = float16::from_bits(left);
    auto const ours_b = float16::from_bits(right);
    as_the_compiler_does(ours_a + ours_b, static_cast<_Float16>(a + b), bits);
    as_the_compiler_does(ours_a - ours_b, static_cast<_Float16>(a - b), bits);
    as_the_compiler_does(ours_a * ours_b, static_cast<_Float16>(a * b), bits);
    as_the_compiler_does(ours_a / ours_b, static_cast<_Float16>(a / b), bits);
    if (HasFatalFailure()) {
      return;
    }
  }
}
#endif

}  // namespace
