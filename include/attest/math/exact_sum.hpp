// SPDX-License-Identifier: BSL-1.0
// exact_sum.hpp — adds doubles without any rounding, whatever their sizes and signs.
// Fixed point over the whole range of a double: digits of 32 bits in 64-bit integers, so that an
// addition touches four digits and no carry runs on. Its rounded value is CPython's math.fsum.
// Source: Kulisch, Computer Arithmetic and Validity, 2008 (the long accumulator).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace attest {

/// An exact sum of doubles.
/// Bits:  exact for 2^62 additions; the order does not matter.
/// Empty: 0.
/// A sum that has met an infinity or a NaN is not a number, and not within any bound of anything.
class exact_sum {
 public:
  constexpr exact_sum& add(double term) {
    auto const bits = std::bit_cast<std::uint64_t>(term);
    auto const field = static_cast<int>(bits >> 52 & 0x7ff);
    if (field == 0x7ff) {
      finite_ = false;
      return *this;
    }
    // |term| = significand * 2^(place - 1074).
    std::uint64_t const significand =
        (bits & 0x000f'ffff'ffff'ffff) | (field == 0 ? 0 : 0x0010'0000'0000'0000);
    int const place = field == 0 ? 0 : field - 1;
    int const shift = place % 32;
    std::int64_t const sign = term < 0 ? -1 : 1;
    std::int64_t* const digit = digit_ + place / 32;

    auto const lowest = static_cast<std::int64_t>(significand << shift & 0xffff'ffff);
    std::uint64_t const upper = significand >> (32 - shift);
    std::int64_t carry = digit[0] + sign * lowest;
    digit[0] = carry & 0xffff'ffff;
    carry = (carry >> 32) + digit[1] + sign * static_cast<std::int64_t>(upper & 0xffff'ffff);
    digit[1] = carry & 0xffff'ffff;
    carry = (carry >> 32) + digit[2] + sign * static_cast<std::int64_t>(upper >> 32);
    digit[2] = carry & 0xffff'ffff;
    digit[3] += carry >> 32;
    return *this;
  }

  /// The double nearest to the sum, half to even; infinity where it is too large for one.
  /// Bits: a sum of exactly zero is +0.
  constexpr double rounded() const {
    if (!finite_) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    exact_sum magnitude = *this;
    bool const negative = magnitude.become_magnitude();
    double const result = magnitude.round_magnitude();
    return negative ? -result : result;
  }

  /// |sum - target| <= bound, decided exactly. False if anything in it is not finite.
  constexpr bool within(double target, double bound) const {
    exact_sum distance = *this;
    distance.add(-target);
    distance.become_magnitude();
    distance.add(-bound);
    return distance.finite_ && (distance.become_magnitude() || distance.is_zero());
  }

 private:
  // 2^-1074 to 2^1024 are 2098 bits; what 2^62 terms add to them has room in the last digit.
  static constexpr int digits = 67;

  // Carries every digit but the last into [0, 2^32) and drops the sign, which it returns:
  // is the sum below zero?
  constexpr bool become_magnitude() {
    settle(1);
    bool const negative = digit_[digits - 1] < 0;
    if (negative) {
      settle(-1);
    }
    return negative;
  }

  constexpr void settle(int sign) {
    std::int64_t carry = 0;
    for (int i = 0; i < digits - 1; ++i) {
      carry += sign * digit_[i];
      digit_[i] = carry & 0xffff'ffff;
      carry >>= 32;
    }
    digit_[digits - 1] = sign * digit_[digits - 1] + carry;
  }

  constexpr bool is_zero() const {
    for (std::int64_t const digit : digit_) {
      if (digit != 0) {
        return false;
      }
    }
    return true;
  }

  // Bits [place, place + 64) of a settled sum that is not below zero, 0 <= place.
  constexpr std::uint64_t bits_from(int place) const {
    auto const* const digit = digit_ + place / 32;
    int const shift = place % 32;
    return static_cast<std::uint64_t>(digit[0]) >> shift |
           static_cast<std::uint64_t>(digit[1]) << (32 - shift) |
           static_cast<std::uint64_t>(digit[2]) << (63 - shift) << 1;
  }

  constexpr double round_magnitude() const {
    int top = digits - 1;
    while (top > 1 && digit_[top] == 0) {
      --top;
    }
    int const width = 32 * top + 64 - std::countl_zero(static_cast<std::uint64_t>(digit_[top]));
    if (width <= 53) {
      return std::bit_cast<double>(bits_from(0));  // exact
    }
    int const dropped = width - 53;
    if (dropped > 2045) {
      return std::numeric_limits<double>::infinity();
    }

    // A tie goes to even; the least bit below the half decides otherwise.
    int lowest = 0;
    while (digit_[lowest] == 0) {
      ++lowest;
    }
    int const trailing = 32 * lowest + std::countr_zero(static_cast<std::uint64_t>(digit_[lowest]));
    std::uint64_t const kept = bits_from(dropped);
    std::uint64_t const half = bits_from(dropped - 1) & 1;
    std::uint64_t const up = trailing == dropped - 1 ? kept & half : half;

    // The leading bit adds 1 to the exponent field; so does a carry, up to infinity.
    return std::bit_cast<double>((static_cast<std::uint64_t>(dropped) << 52) + kept + up);
  }

  std::int64_t digit_[digits]{};
  bool finite_ = true;
};

}  // namespace attest
