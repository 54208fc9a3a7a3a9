// SPDX-License-Identifier: BSL-1.0
// sqrt.hpp — the square root, correctly rounded, the same source in the compiler and on the CPU.
// Stands on: nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace attest {

/// The double nearest to the square root of x.
/// Bits:  correctly rounded, subnormal x included; sqrt(-0.0) is -0.0; of NaN and of what lies
///        below zero one quiet NaN, the standard's own. What is special is told by its bits.
/// Error: 0.5 ulps; static_checks/sqrt.cpp, runtime_tests/math_test.cpp.
/// Cost:  54 turns of a loop on integers.
constexpr double sqrt(double x) {
  constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000;
  auto const bits = std::bit_cast<std::uint64_t>(x);
  if (bits << 1 == 0 || bits == infinity) {
    return x;
  }
  if (bits > infinity) {
    return std::numeric_limits<double>::quiet_NaN();
  }

  // x = significand * 2^exponent, the exponent even and the significand in [2^52, 2^54).
  int exponent = static_cast<int>(bits >> 52) - 1075;
  std::uint64_t significand = (bits & 0x000f'ffff'ffff'ffff) | 0x0010'0000'0000'0000;
  if (exponent == -1075) {
    int const zeros = std::countl_zero(bits) - 11;
    exponent = -1074 - zeros;
    significand = bits << zeros;
  }
  if (exponent % 2 != 0) {
    --exponent;
    significand <<= 1;
  }

  // sqrt(x) = sqrt(significand * 2^54) * 2^(exponent / 2 - 27). The root of the 108 bits, rounded
  // down, digit by digit: 53 bits of result and the one that rounds.
  std::uint64_t digits = significand << 10;
  std::uint64_t rest = 0;
  std::uint64_t root = 0;
  for (int digit = 0; digit < 54; ++digit) {
    rest = rest << 2 | digits >> 62;
    digits <<= 2;
    std::uint64_t const trial = root << 2 | 1;
    root <<= 1;
    if (trial <= rest) {
      rest -= trial;
      root |= 1;
    }
  }

  // A tie would be an odd root without a rest, but its square is odd and 2^54 divides the radicand:
  // what is left in `rest` cannot matter. The leading bit of the root adds 1 to the exponent field.
  auto const field = static_cast<std::uint64_t>(exponent / 2 + 26 + 1022);
  return std::bit_cast<double>((field << 52) + ((root + 1) >> 1));
}

/// The float nearest to the square root of x.
/// Bits: as for double. The root of a float, rounded to 53 bits and then to 24, is rounded as if
///       once: 53 >= 2 * 24 + 2 (Figueroa, When is double rounding innocuous?, 1995).
constexpr float sqrt(float x) {
  return static_cast<float>(sqrt(static_cast<double>(x)));
}

}  // namespace attest
