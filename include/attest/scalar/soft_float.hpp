// SPDX-License-Identifier: BSL-1.0
// soft_float.hpp — numbers of 16 bits, computed through double; bfloat16 and float16 are two of them.
// A significand of p bits, p ≤ 11, and at most 8 bits of exponent. Each operation is the double's,
// rounded again, and that is the correctly rounded one:
//   a·b     has at most 2p ≤ 22 bits and an exponent that double has, so double is exact
//   a + b   is exact in double unless |b| < 2⁻⁴⁰·|a|; then it is rounded to a either way, since the
//           nearest number at which rounding turns is 2⁻¹²·|a| away
//   a / b   is never nearer to such a number m than 2⁻²ᵖ⁻¹·|m| without being m: with integers
//           A, B < 2ᵖ and M < 2ᵖ⁺¹, A/B − M·2ᶜ is a fraction of denominator B·2ⁿ; and 2p + 1 < 53
// Double neither overflows nor underflows here, and all that constant evaluation refuses (∞ − ∞,
// 0·∞, x/0, a comparison with NaN, an overflow in g++) is decided on the bits before arithmetic.
// Source: Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30 (1995): a wider
// precision of 2p + 2 bits is enough. Stands on: math/exp, scalar/scalar.
#pragma once

#include <attest/math/exp.hpp>
#include <attest/scalar/scalar.hpp>

#include <bit>
#include <compare>
#include <cstdint>
#include <limits>

namespace attest {

/// Sign, exponent and fraction in 16 bits, as in IEEE 754: subnormal numbers, infinities, NaN.
/// Bits:  + − × ÷ and conversion round to nearest, ties to even; half a unit or more beyond the
///        largest number is infinity. Converting a NaN keeps its sign and the upper part of its
///        payload and makes it quiet; an operation that yields NaN yields quiet_NaN().
/// Error: exp is correctly rounded; runtime_tests/soft_float_test.cpp.
/// Refuses: implicit conversion; an integer or long double that double does not hold exactly (does
///        not compile).
template <int ExponentBits, int FractionBits>
struct soft_float {
  static_assert(1 + ExponentBits + FractionBits == 16);
  static_assert(ExponentBits <= 8 && 2 * (FractionBits + 1) + 2 <= 53);

  std::uint16_t bits = 0;

  constexpr soft_float() = default;

  template <class Number>
    requires(std::numeric_limits<Number>::is_specialized &&
             std::numeric_limits<Number>::digits <= 53)
  constexpr explicit soft_float(Number value) : bits{nearest(static_cast<double>(value))} {}

  static constexpr soft_float from_bits(std::uint16_t bits) {
    soft_float result;
    result.bits = bits;
    return result;
  }

  constexpr bool is_nan() const { return magnitude() > infinity_bits; }
  constexpr bool is_infinite() const { return magnitude() == infinity_bits; }
  constexpr bool is_zero() const { return magnitude() == 0; }
  constexpr bool is_negative() const { return bits >> 15 != 0; }

  /// The same number; of a NaN, a quiet one.
  constexpr explicit operator double() const {
    std::uint64_t const sign = std::uint64_t{bits} >> 15 << 63;
    std::uint64_t const rest = std::uint64_t{magnitude()} << (52 - FractionBits);
    if (magnitude() >= infinity_bits) {
      constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000;
      constexpr std::uint64_t quiet = 0x0008'0000'0000'0000;
      return std::bit_cast<double>(sign | infinity | rest | (is_nan() ? quiet : 0));
    }
    if (magnitude() < least_normal_bits) {
      double const value = static_cast<double>(magnitude()) * least_value;  // exact
      return is_negative() ? -value : value;
    }
    return std::bit_cast<double>(sign | (rest + (std::uint64_t{1023 - bias} << 52)));
  }
  constexpr explicit operator float() const {
    return static_cast<float>(static_cast<double>(*this));  // exact
  }

  friend constexpr soft_float operator-(soft_float a) {
    return from_bits(static_cast<std::uint16_t>(a.bits ^ sign_bit));
  }
  friend constexpr soft_float operator+(soft_float a, soft_float b) {
    if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.bits == (a.bits ^ sign_bit))) {
      return quiet_nan();
    }
    return soft_float{static_cast<double>(a) + static_cast<double>(b)};
  }
  friend constexpr soft_float operator-(soft_float a, soft_float b) { return a + -b; }
  friend constexpr soft_float operator*(soft_float a, soft_float b) {
    if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_zero()) ||
        (a.is_zero() && b.is_infinite())) {
      return quiet_nan();
    }
    return soft_float{static_cast<double>(a) * static_cast<double>(b)};
  }
  friend constexpr soft_float operator/(soft_float a, soft_float b) {
    if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_infinite()) ||
        (a.is_zero() && b.is_zero())) {
      return quiet_nan();
    }
    if (b.is_zero()) {
      return from_bits(static_cast<std::uint16_t>(((a.bits ^ b.bits) & sign_bit) | infinity_bits));
    }
    return soft_float{static_cast<double>(a) / static_cast<double>(b)};
  }

  /// As the numbers are ordered: −0 equals +0, and a NaN is not even equal to itself.
  friend constexpr std::partial_ordering operator<=>(soft_float a, soft_float b) {
    if (a.is_nan() || b.is_nan()) {
      return std::partial_ordering::unordered;
    }
    return a.place() <=> b.place();
  }
  friend constexpr bool operator==(soft_float a, soft_float b) { return (a <=> b) == 0; }

  friend constexpr bool same_bits(soft_float a, soft_float b) { return a.bits == b.bits; }
  /// The larger of two scores; of a number and a NaN, the left one.
  friend constexpr soft_float larger(soft_float a, soft_float b) { return a < b ? b : a; }
  friend constexpr soft_float exp(soft_float x) {
    return soft_float{attest::exp(static_cast<double>(x))};
  }

 private:
  static constexpr std::uint16_t sign_bit = 0x8000;
  static constexpr std::uint16_t infinity_bits = ((1 << ExponentBits) - 1) << FractionBits;
  static constexpr std::uint16_t least_normal_bits = 1 << FractionBits;
  static constexpr std::uint16_t quiet_bit = 1 << (FractionBits - 1);
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  // The least subnormal number, 2^(1 − bias − FractionBits).
  static constexpr double least_value =
      std::bit_cast<double>(std::uint64_t{1023 + 1 - bias - FractionBits} << 52);
  static constexpr soft_float quiet_nan() { return from_bits(infinity_bits | quiet_bit); }

  constexpr std::uint16_t magnitude() const { return bits & 0x7fff; }
  constexpr int place() const { return is_negative() ? -int{magnitude()} : int{magnitude()}; }

  static constexpr std::uint16_t nearest(double value) {
    auto const wide = std::bit_cast<std::uint64_t>(value);
    auto const sign = static_cast<std::uint16_t>(wide >> 63 << 15);
    std::uint64_t const fraction = wide & 0x000f'ffff'ffff'ffff;
    int const field = static_cast<int>(wide >> 52 & 0x7ff);
    if (field == 0x7ff) {
      std::uint64_t const payload = fraction >> (52 - FractionBits) | quiet_bit;
      return static_cast<std::uint16_t>(sign | infinity_bits | (fraction == 0 ? 0 : payload));
    }
    // |value| = significand·2^(field − 1075). A normal result keeps FractionBits + 1 bits of it, a
    // subnormal one fewer; the leading bit of a normal one adds 1 to the exponent.
    int const above_least = field - (1023 + 1 - bias);
    int const dropped = 52 - FractionBits + (above_least < 0 ? -above_least : 0);
    if (dropped > 53) {
      return sign;
    }
    std::uint64_t const significand = fraction | 0x0010'0000'0000'0000;
    std::uint64_t const kept = significand >> dropped;
    std::uint64_t const rest = significand << (64 - dropped);
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    std::uint64_t const up = rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
    // A carry runs into the exponent, up to infinity.
    std::uint64_t const result =
        (static_cast<std::uint64_t>(above_least < 0 ? 0 : above_least) << FractionBits) + kept + up;
    return static_cast<std::uint16_t>(sign | (result < infinity_bits ? result : infinity_bits));
  }

  friend struct std::numeric_limits<soft_float>;
};

template <int ExponentBits, int FractionBits>
struct scalar_traits<soft_float<ExponentBits, FractionBits>> {
  using scalar_type = soft_float<ExponentBits, FractionBits>;
  /// The number nearest to `value`.
  static constexpr scalar_type constant(double value) { return scalar_type{value}; }
  static constexpr scalar_type minus_infinity() {
    return -std::numeric_limits<scalar_type>::infinity();
  }
};

}  // namespace attest

/// What <limits> says of float, of a soft_float; the proofs take precision and range from here.
template <int ExponentBits, int FractionBits>
struct std::numeric_limits<attest::soft_float<ExponentBits, FractionBits>> {
 private:
  using number = attest::soft_float<ExponentBits, FractionBits>;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = FractionBits + 1;
  static constexpr int min_exponent = 2 - number::bias;
  static constexpr int max_exponent = number::bias + 1;
  static constexpr std::float_round_style round_style = std::round_to_nearest;

  static constexpr number min() { return number::from_bits(number::least_normal_bits); }
  static constexpr number max() { return number::from_bits(number::infinity_bits - 1); }
  static constexpr number lowest() { return -max(); }
  static constexpr number denorm_min() { return number::from_bits(1); }
  static constexpr number infinity() { return number::from_bits(number::infinity_bits); }
  static constexpr number quiet_NaN() { return number::quiet_nan(); }
  /// The step from 1 to the next number.
  static constexpr number epsilon() { return number{1.0 / (1 << FractionBits)}; }
};
