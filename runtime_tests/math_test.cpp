// SPDX-License-Identifier: BSL-1.0
// math_test.cpp — exp, sqrt and exact_sum against MPFR, and the sweeps of static_checks once more,
// on the CPU.
#include <attest/math/exact_sum.hpp>
#include <attest/math/exp.hpp>
#include <attest/math/exp_lanes.hpp>
#include <attest/math/sqrt.hpp>
#include <attest/math/ulps.hpp>
#include "math_sweeps.hpp"
#include "mpfr_reference.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace {

using attest::ulps_between;
using attest::checks::none;
using attest::checks::number;
using attest::checks::range_of_exponents;
using attest::checks::reference;
using attest::checks::same_bits;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Float>
class comparison {
 public:
  void add(Float x, Float ours, Float theirs) {
    std::uint64_t const ulps = ulps_between(ours, theirs);
    ++inputs_;
    if (ulps != 0) {
      ++wrong_;
    }
    if (ulps > largest_) {
      largest_ = ulps;
      worst_ = x;
    }
  }

  // Prints what was found; the number of results that are not MPFR's.
  std::uint64_t report(char const* what) const {
    std::printf("%s: %llu inputs, %llu not MPFR's, largest distance %llu ulps", what,
                static_cast<unsigned long long>(inputs_), static_cast<unsigned long long>(wrong_),
                static_cast<unsigned long long>(largest_));
    if (wrong_ != 0) {
      std::printf(" at %a", static_cast<double>(worst_));
    }
    std::printf("\n");
    return wrong_;
  }

 private:
  std::uint64_t inputs_ = 0;
  std::uint64_t wrong_ = 0;
  std::uint64_t largest_ = 0;
  Float worst_ = 0;
};

// Inputs of exp: all results, those below the normal numbers, scores, and every scale around zero.
double exp_input(std::mt19937_64& random, int i) {
  auto const uniform = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  switch (i % 4) {
    case 0:
      return uniform(-746, 710);
    case 1:
      return uniform(-745.2, -708);
    case 2:
      return uniform(-40, 0);
    default:
      return attest::checks::scattered_number(static_cast<int>(random() >> 33), -1023, 9);
  }
}

float float_of_bits(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

TEST(Exp, EqualsMpfrOnAMillionInputs) {
  std::mt19937_64 random(1);
  reference mpfr;
  comparison<double> found;
  for (int i = 0; i < 1'200'000; ++i) {
    double const x = exp_input(random, i);
    found.add(x, attest::exp(x), mpfr.of_double(mpfr_exp, x));
  }
  EXPECT_EQ(found.report("exp(double)"), 0U);
}

TEST(Exp, ByIntegersEqualsMpfr) {
  std::mt19937_64 random(2);
  reference mpfr;
  comparison<double> found;
  for (int i = 0; i < 200'000; ++i) {
    double const x = std::clamp(exp_input(random, i), -0x1.74910d52d3051p+9, 0x1.62e42fefa39efp+9);
    found.add(x, attest::detail::exp_by_integers(x), mpfr.of_double(mpfr_exp, x));
  }
  EXPECT_EQ(found.report("exp by integers"), 0U);
}

TEST(Exp, OfAFloatEqualsMpfrOnAMillionInputs) {
  std::mt19937_64 random(3);
  reference mpfr;
  comparison<float> found;
  for (int i = 0; i < 1'000'000; ++i) {
    float x = float_of_bits(random());
    if (i % 2 == 0) {
      x = std::uniform_real_distribution<float>(-104, 89)(random);
    } else if ((std::bit_cast<std::uint32_t>(x) & 0x7fff'ffff) > 0x7f80'0000) {
      continue;
    }
    found.add(x, attest::exp(x), mpfr.of_float(mpfr_exp, x));
  }
  EXPECT_EQ(found.report("exp(float)"), 0U);
}

// The error of head + low, for which the margin leaves 2^-67: what the margin is compared with.
TEST(Exp, FastPathIsCloserThanItsBound) {
  namespace detail = attest::detail;
  std::mt19937_64 random(4);
  number exact(200);
  double largest = 0;
  for (int i = 0; i < 400'000; ++i) {
    double const x = std::uniform_real_distribution<double>(i % 2 == 0 ? -708 : -40,
                                                            i % 2 == 0 ? 708 : 0)(random);
    detail::exp_reduced<double> const reduced = detail::exp_reduce(x);
    auto const k = std::bit_cast<std::uint64_t>(reduced.shifted);
    detail::exp_table_entry const& entry = detail::exp_table[k & 127];
    detail::exp_unrounded<double> const y = detail::exp_series(reduced, entry.high, entry.low);
    long const scale = static_cast<long>(reduced.shifted - 0x1.8p+52) >> 7;
    mpfr_set_d(exact.value, x, MPFR_RNDN);
    mpfr_exp(exact.value, exact.value, MPFR_RNDN);
    mpfr_div_2si(exact.value, exact.value, scale, MPFR_RNDN);
    mpfr_sub_d(exact.value, exact.value, y.head, MPFR_RNDN);
    mpfr_sub_d(exact.value, exact.value, y.low, MPFR_RNDN);
    mpfr_div_d(exact.value, exact.value, entry.high, MPFR_RNDN);
    mpfr_abs(exact.value, exact.value, MPFR_RNDN);
    largest = std::max(largest, mpfr_get_d(exact.value, MPFR_RNDN));
  }
  std::printf("fast path: wrong by at most %.3g of 2^-67\n", largest * 0x1p+67);
  EXPECT_LT(largest, 0x1.1p-68);
}

// What a float's exp is rounded from, for which the margin leaves 2^-45 of the result.
TEST(Exp, SeriesOfAFloatIsCloserThanItsBound) {
  std::mt19937_64 random(17);
  constexpr auto limit = static_cast<float>(attest::detail::exp_float_limit);
  number exact(200);
  double largest = 0;
  for (int i = 0; i < 400'000; ++i) {
    float const range = i % 2 == 0 ? limit : 1;
    auto const x =
        static_cast<double>(std::uniform_real_distribution<float>(-range, range)(random));
    mpfr_set_d(exact.value, x, MPFR_RNDN);
    mpfr_exp(exact.value, exact.value, MPFR_RNDN);
    mpfr_d_div(exact.value, attest::detail::exp_of_float<std::uint64_t>(x).value, exact.value,
               MPFR_RNDN);
    mpfr_sub_ui(exact.value, exact.value, 1, MPFR_RNDN);
    mpfr_abs(exact.value, exact.value, MPFR_RNDN);
    largest = std::max(largest, mpfr_get_d(exact.value, MPFR_RNDN));
  }
  std::printf("exp(float): the series is wrong by at most %.3g of 2^-45\n", largest * 0x1p+45);
  EXPECT_LT(largest, 0x1.d8p-46);  // 2^-46.08 + 2^-46.5 + 2^-50
  EXPECT_GT(largest, 0x1p-46);
}

TEST(Exp, GivesUpOnOneInputInTenThousand) {
  std::mt19937_64 random(5);
  int undecided = 0;
  constexpr int inputs = 2'000'000;
  for (int i = 0; i < inputs; ++i) {
    double const x = std::uniform_real_distribution<double>(-40, 0)(random);
    undecided += attest::detail::exp_fast(x).decided ? 0 : 1;
  }
  std::printf("fast path: undecided on 1 input in %d\n", inputs / std::max(undecided, 1));
  EXPECT_GT(undecided, inputs / 20'000);
  EXPECT_LT(undecided, inputs / 8'000);
}

// How many of `numbers` have another exp by lanes than on their own, in pieces of every short length and
// of many beyond what lanes take at once.
template <class Number>
std::size_t differences_by_lanes(std::vector<Number> const& numbers) {
  static_assert(attest::detail::exp_together < std::size_t{20} * 97);
  std::size_t differences = 0;
  std::size_t length = 0;
  std::size_t end = 0;
  for (std::size_t first = 0; first < numbers.size(); first = end) {
    length = length % 97 + 1;
    end = std::min(first + (first % 2 == 0 ? length : 20 * length), numbers.size());
    std::vector<Number> powers(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                               numbers.begin() + static_cast<std::ptrdiff_t>(end));
    attest::detail::exp_each(powers.data(), powers.size());
    for (std::size_t i = 0; i < powers.size(); ++i) {
      differences += same_bits(static_cast<double>(powers[i]),
                               static_cast<double>(attest::exp(numbers[first + i])))
                         ? 0U
                         : 1U;
    }
  }
  return differences;
}

template <class Number>
std::vector<Number> numbers_for_lanes() {
  std::mt19937_64 random{16};
  std::uniform_real_distribution<double> scores{-30, 0};
  std::uniform_real_distribution<double> all{-760, 720};
  std::vector<Number> numbers;
  for (int i = 0; i < 500'000; ++i) {
    numbers.push_back(static_cast<Number>(scores(random)));
    // Every now and then one that the other lanes must not notice.
    numbers.push_back(static_cast<Number>(i % 50 == 0 ? all(random) : scores(random)));
    if (i % 1000 == 0) {
      numbers.push_back(-std::numeric_limits<Number>::infinity());
    } else if (i % 1000 == 333) {
      numbers.push_back(std::numeric_limits<Number>::quiet_NaN());
    } else if (i % 1000 == 666) {
      numbers.push_back(std::numeric_limits<Number>::infinity());
    }
  }
  return numbers;
}

// The fast path decides all but some 80 floats, so no block of these is done again a register at a time.
std::vector<float> scores_alone() {
  std::mt19937_64 random{17};
  std::uniform_real_distribution<float> scores{-30, 0};
  std::vector<float> numbers(1'000'000);
  for (float& number : numbers) {
    number = scores(random);
  }
  return numbers;
}

TEST(Exp, ByLanesHasTheBitsOfExp) {
  EXPECT_EQ(differences_by_lanes(numbers_for_lanes<double>()), 0U);
  EXPECT_EQ(differences_by_lanes(numbers_for_lanes<float>()), 0U);
  EXPECT_EQ(differences_by_lanes(scores_alone()), 0U);
}

TEST(Exp, TellsSpecialValuesAtRunTime) {
  double const volatile special[] = {0.0,
                                     -0.0,
                                     infinity,
                                     -infinity,
                                     std::numeric_limits<double>::max(),
                                     std::numeric_limits<double>::lowest(),
                                     not_a_number,
                                     std::numeric_limits<double>::signaling_NaN()};
  constexpr double expected[] = {1, 1, infinity, 0, infinity, 0, not_a_number, not_a_number};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_TRUE(same_bits(attest::exp(special[i]), expected[i])) << special[i];
  }
}

TEST(Sqrt, EqualsMpfrOnAMillionInputs) {
  std::mt19937_64 random(7);
  reference mpfr;
  comparison<double> found;
  for (int i = 0; i < 1'000'000; ++i) {
    std::uint64_t const bits = random() >> 1;
    auto const x = std::bit_cast<double>(i % 8 == 0 ? bits & 0x001f'ffff'ffff'ffff : bits);
    if (bits <= 0x7ff0'0000'0000'0000) {
      found.add(x, attest::sqrt(x), mpfr.of_double(mpfr_sqrt, x));
    }
  }
  EXPECT_EQ(found.report("sqrt(double)"), 0U);
}

TEST(Sqrt, OfAFloatEqualsMpfrOnAMillionInputs) {
  std::mt19937_64 random(8);
  reference mpfr;
  comparison<float> found;
  for (int i = 0; i < 1'000'000; ++i) {
    std::uint64_t const bits = random() & 0x7fff'ffff;
    float const x = float_of_bits(i % 8 == 0 ? bits & 0x00ff'ffff : bits);
    if (bits <= 0x7f80'0000) {
      found.add(x, attest::sqrt(x), mpfr.of_float(mpfr_sqrt, x));
    }
  }
  EXPECT_EQ(found.report("sqrt(float)"), 0U);
}

TEST(Sqrt, TellsSpecialValuesAtRunTime) {
  double const volatile special[] = {0.0, -0.0, infinity, -infinity, -1, not_a_number};
  constexpr double expected[] = {0.0, -0.0, infinity, not_a_number, not_a_number, not_a_number};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_TRUE(same_bits(attest::sqrt(special[i]), expected[i])) << special[i];
  }
}

// Terms of one of five kinds: any double, around the subnormal numbers, of similar size, each all
// but taking the one before away, and close to the largest double.
std::vector<double> terms_of_a_sum(std::mt19937_64& random, int kind) {
  std::vector<double> terms(1 + random() % 24);
  double before = 0;
  for (double& term : terms) {
    auto const i = static_cast<int>(random() >> 33);
    switch (kind) {
      case 0:
        term = attest::checks::scattered_number(i, -1023, 1023);
        break;
      case 1:
        term = attest::checks::scattered_number(i, -1023, -960);
        break;
      case 2:
        term = attest::checks::scattered_number(i, -30, 30);
        break;
      case 3:
        term = -before * (1 + static_cast<double>(random() >> 11) * 0x1p-103) +
               attest::checks::scattered_number(i, -100, 100);
        break;
      default:
        term = attest::checks::scattered_number(i, 1000, 1023);
    }
    before = term;
  }
  return terms;
}

TEST(ExactSum, EqualsMpfrWithAllBitsKept) {
  std::mt19937_64 random(9);
  number sum(2400);
  number rounded(53);
  comparison<double> found;
  for (int i = 0; i < 100'000; ++i) {
    std::vector<double> const terms = terms_of_a_sum(random, i % 5);
    attest::exact_sum ours;
    mpfr_set_zero(sum.value, 1);
    for (double const term : terms) {
      ours.add(term);
      mpfr_add_d(sum.value, sum.value, term, MPFR_RNDN);
    }
    range_of_exponents const format(-1073, 1024);
    int ternary = mpfr_set(rounded.value, sum.value, MPFR_RNDN);
    ternary = mpfr_check_range(rounded.value, ternary, MPFR_RNDN);
    mpfr_subnormalize(rounded.value, ternary, MPFR_RNDN);
    found.add(terms.front(), ours.rounded(), mpfr_get_d(rounded.value, MPFR_RNDN));
  }
  EXPECT_EQ(found.report("exact_sum"), 0U);
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(10);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<double> terms = terms_of_a_sum(random, i % 5);
    attest::exact_sum forwards;
    for (double const term : terms) {
      forwards.add(term);
    }
    std::shuffle(terms.begin(), terms.end(), random);
    attest::exact_sum shuffled;
    for (double const term : terms) {
      shuffled.add(term);
    }
    ASSERT_TRUE(same_bits(forwards.rounded(), shuffled.rounded()));
  }
}

TEST(ExactSum, KnowsItsDistanceFromANumber) {
  std::mt19937_64 random(11);
  number distance(2400);
  int accepted = 0;
  constexpr int sums = 50'000;
  for (int i = 0; i < sums; ++i) {
    std::vector<double> const terms = terms_of_a_sum(random, i % 4);
    attest::exact_sum ours;
    mpfr_set_zero(distance.value, 1);
    for (double const term : terms) {
      ours.add(term);
      mpfr_add_d(distance.value, distance.value, term, MPFR_RNDN);
    }
    double const nearest = ours.rounded();
    if (ulps_between(nearest, 0) >= ulps_between(infinity, 0)) {
      continue;
    }
    auto const target = std::bit_cast<double>(std::bit_cast<std::uint64_t>(nearest) ^ 1);
    mpfr_sub_d(distance.value, distance.value, target, MPFR_RNDN);
    mpfr_abs(distance.value, distance.value, MPFR_RNDN);
    double const bound = mpfr_get_d(distance.value, i % 8 < 4 ? MPFR_RNDD : MPFR_RNDU);
    bool const expected = mpfr_cmp_d(distance.value, bound) <= 0;
    ASSERT_EQ(ours.within(target, bound), expected);
    accepted += expected ? 1 : 0;
  }
  EXPECT_GT(accepted, sums / 10);
  EXPECT_LT(accepted, sums - sums / 10);
}

// Each result twice: once from the compiler, once from inputs that the optimiser cannot see.
template <std::size_t Count>
struct results {
  std::array<double, Count> exp;
  std::array<double, Count> sqrt;
  std::array<double, Count> sum;
};

template <std::size_t Count>
constexpr results<Count> evaluate(int first) {
  results<Count> found{};
  attest::exact_sum sum;
  for (std::size_t i = 0; i < Count; ++i) {
    int const place = first + static_cast<int>(i);
    double const x = attest::checks::scattered_number(place, -60, 8);
    found.exp[i] = attest::exp(i % 4 == 0 ? x : attest::checks::scattered_between(place, -40, 0));
    found.sqrt[i] = attest::sqrt(x < 0 ? -x : x);
    found.sum[i] = sum.add(x).rounded();
  }
  return found;
}

TEST(Math, HasTheSameBitsInTheCompilerAndOnTheCpu) {
  constexpr std::size_t count = 64;
  constexpr results<count> in_the_compiler = evaluate<count>(100);
  int const volatile first = 100;
  results<count> const on_the_cpu = evaluate<count>(first);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(same_bits(on_the_cpu.exp[i], in_the_compiler.exp[i])) << i;
    EXPECT_TRUE(same_bits(on_the_cpu.sqrt[i], in_the_compiler.sqrt[i])) << i;
    EXPECT_TRUE(same_bits(on_the_cpu.sum[i], in_the_compiler.sum[i])) << i;
  }
}

TEST(Math, SweepsHoldOnTheCpuToo) {
  namespace checks = attest::checks;
  int const volatile first = 0;
  EXPECT_EQ(checks::exp_in_each_table_interval(first, 100'000), none);
  EXPECT_EQ(checks::exp_of_scores(first, 100'000), none);
  EXPECT_EQ(checks::exp_near_multiples_of_ln2(first, 1020), none);
  EXPECT_EQ(checks::exp_near_zero(first, 100'000), none);
  EXPECT_EQ(checks::sqrt_on_a_spread(first, 100'000), none);
  EXPECT_EQ(checks::sqrt_of_squares(first, 100'000), none);
  EXPECT_EQ(checks::exact_sum_of_two(first, 100'000), none);
  EXPECT_EQ(checks::exact_sum_cancels(first, 100'000), none);
}

}  // namespace
