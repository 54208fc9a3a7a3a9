// SPDX-License-Identifier: BSL-1.0
// math_sweeps.hpp — what must hold of exp, sqrt and exact_sum at each input of a sweep: asserted in
// the compiler by static_checks, evaluated again on the CPU by runtime_tests.
// A sweep is cut into parts so that each stays inside half of the compilers' default limits.
#pragma once

#include <attest/config.hpp>
#include <attest/math/exact_sum.hpp>
#include <attest/math/exp.hpp>
#include <attest/math/splitmix64.hpp>
#include <attest/math/sqrt.hpp>

#include <bit>
#include <cstdint>

namespace attest::checks {

inline constexpr int none = -1;

/// The first input in [from, to) of which `holds` does not, or none.
template <class Holds>
constexpr int first_failure(int from, int to, Holds holds) {
  for (int i = from; i < to; ++i) {
    if (!holds(i)) {
      return i;
    }
  }
  return none;
}

constexpr bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// 64 bits that look like chance: the i-th after the seed 0.
constexpr std::uint64_t scattered(int i) {
  std::uint64_t state = static_cast<std::uint64_t>(i) * 0x9e37'79b9'7f4a'7c15;
  return detail::splitmix64(state);
}

/// The i-th number of a sweep over [least, most).
constexpr double scattered_between(int i, double least, double most) {
  ATTEST_NO_CONTRACTION
  return least +
         ATTEST_ROUNDED((most - least) * (static_cast<double>(scattered(i) >> 11) * 0x1p-53));
}

/// A number with a scattered sign and significand and a binary exponent in [least, most].
constexpr double scattered_number(int i, int least, int most) {
  std::uint64_t const bits = scattered(i);
  auto const exponent = static_cast<std::uint64_t>(
      least + static_cast<int>((bits >> 32) % static_cast<std::uint64_t>(most - least + 1)) + 1023);
  return std::bit_cast<double>(exponent << 52 | (scattered(~i) & 0x800f'ffff'ffff'ffff));
}

/// The fast path either leaves x to the integers or agrees with them.
constexpr bool exp_agrees_with_integers(double x) {
  detail::exp_attempt const attempt = detail::exp_fast(x);
  double const exact = detail::exp_by_integers(x);
  return same_bits(exp(x), exact) && (!attempt.decided || same_bits(attempt.value, exact));
}

/// Each interval of the table, both signs of r, over all exponents of the result.
constexpr int exp_in_each_table_interval(int from, int to) {
  return first_failure(from, to, [](int i) {
    int const k = i % 128 + 128 * (static_cast<int>(scattered(i) % 2042) - 1021);
    return exp_agrees_with_integers(ATTEST_ROUNDED(k * 0x1.62e42fefa39efp-8) +
                                    scattered_between(i, -0x1.6p-9, 0x1.6p-9));
  });
}

/// Where attention evaluates it: scores less their maximum.
constexpr int exp_of_scores(int from, int to) {
  return first_failure(
      from, to, [](int i) { return exp_agrees_with_integers(scattered_between(i, -40, 0)); });
}

/// On both sides of multiples of ln 2, where the integers' k is all but ambiguous.
constexpr int exp_near_multiples_of_ln2(int from, int to) {
  return first_failure(from, to, [](int i) {
    auto const x =
        std::bit_cast<std::uint64_t>((i % 2 == 0 ? 1 : -1) * (i + 1) * 0x1.62e42fefa39efp-1);
    return exp_agrees_with_integers(std::bit_cast<double>(x - 1)) &&
           exp_agrees_with_integers(std::bit_cast<double>(x)) &&
           exp_agrees_with_integers(std::bit_cast<double>(x + 1));
  });
}

/// Around zero, down to the subnormal numbers.
constexpr int exp_near_zero(int from, int to) {
  return first_failure(from, to, [](int i) {
    return exp_agrees_with_integers(scattered_number(i, -70, -4)) &&
           exp(scattered_number(i, -1023, -55)) == 1;
  });
}

/// (y - u/2)^2 < x < (y + u/2)^2, u the unit of y, decided exactly: with y = upper + lower, of 26
/// and 27 bits, every product is a double. (Just above a power of two u is half as large below;
/// no square root comes that near.)
constexpr bool is_nearest_root(double y, double x) {
  auto const bits = std::bit_cast<std::uint64_t>(y);
  double const unit = std::bit_cast<double>(bits + 1) - y;
  auto const upper = std::bit_cast<double>(bits & 0xffff'ffff'f800'0000);
  double const lower = y - upper;
  exact_sum beyond;
  beyond.add(upper * upper).add(2 * upper * lower).add(lower * lower).add(unit * unit / 4).add(-x);
  exact_sum below = beyond;
  return beyond.add(unit * y).rounded() > 0 && below.add(-unit * y).rounded() < 0;
}

constexpr bool sqrt_is_nearest(double x) {
  return is_nearest_root(sqrt(x), x);
}

constexpr int sqrt_on_a_spread(int from, int to) {
  return first_failure(from, to, [](int i) {
    double const x = scattered_number(i, -400, 400);
    return sqrt_is_nearest(x < 0 ? -x : x);
  });
}

/// Squares, and what lies next to them.
constexpr int sqrt_of_squares(int from, int to) {
  return first_failure(from, to, [](int i) {
    double const root = static_cast<double>(scattered(i) >> 38) + 1;
    auto const square = std::bit_cast<std::uint64_t>(root * root);
    return sqrt(root * root) == root && sqrt_is_nearest(std::bit_cast<double>(square - 1)) &&
           sqrt_is_nearest(std::bit_cast<double>(square + 1));
  });
}

/// Two terms: the sum that the compiler, or the CPU, rounds itself.
constexpr int exact_sum_of_two(int from, int to) {
  return first_failure(from, to, [](int i) {
    double const a = scattered_number(3 * i, -1020, 1020);
    auto const exponent = static_cast<int>(std::bit_cast<std::uint64_t>(a) >> 52 & 0x7ff) - 1023;
    int const least = exponent - 60 < -1022 ? -1022 : exponent - 60;
    double const b = scattered_number(3 * i + 1, least, exponent);
    return same_bits(exact_sum().add(a).add(b).rounded(), a + b);
  });
}

/// What is added and taken away again leaves what was there, wherever it lies.
constexpr int exact_sum_cancels(int from, int to) {
  return first_failure(from, to, [](int i) {
    double const kept = scattered_number(3 * i, -1023, 1023);
    double const gone = scattered_number(3 * i + 1, -1023, 1023);
    return same_bits(exact_sum().add(gone).add(kept).add(-gone).rounded(), kept);
  });
}

}  // namespace attest::checks
