// SPDX-License-Identifier: BSL-1.0
// wide.hpp — fractions of 140 bits, for results that must be known far beyond a double.
// Five limbs of 28 bits, so that a whole column of products adds up in 64 bits without a carry:
// one expression a column is what is cheap in the compilers' evaluators.
#pragma once

#include <cstdint>

namespace attest::detail {

inline constexpr int limbs = 5;
inline constexpr int limb_bits = 28;
inline constexpr std::uint64_t limb_mask = (std::uint64_t{1} << limb_bits) - 1;

/// The sum of limb[i] * 2^(28 i - 140): a number in [0, 1).
struct fraction {
  std::uint64_t limb[limbs]{};

  constexpr bool operator==(fraction const&) const = default;
};

/// a * b.
/// Error: rounded down, and short by less than 5 units of 2^-140: the columns below c4, together
///        less than 5 * 2^56 in units of 2^-196, are left out.
constexpr fraction times(fraction const& a, fraction const& b) {
  std::uint64_t const* const p = a.limb;
  std::uint64_t const* const q = b.limb;
  std::uint64_t const c4 = p[0] * q[4] + p[1] * q[3] + p[2] * q[2] + p[3] * q[1] + p[4] * q[0];
  std::uint64_t const c5 =
      (c4 >> limb_bits) + p[1] * q[4] + p[2] * q[3] + p[3] * q[2] + p[4] * q[1];
  std::uint64_t const c6 = (c5 >> limb_bits) + p[2] * q[4] + p[3] * q[3] + p[4] * q[2];
  std::uint64_t const c7 = (c6 >> limb_bits) + p[3] * q[4] + p[4] * q[3];
  std::uint64_t const c8 = (c7 >> limb_bits) + p[4] * q[4];
  return {{c5 & limb_mask, c6 & limb_mask, c7 & limb_mask, c8 & limb_mask, c8 >> limb_bits}};
}

/// a / n, rounded down, for 0 < n < 2^36.
constexpr fraction over(fraction const& a, std::uint64_t n) {
  fraction quotient;
  std::uint64_t rest = 0;
  for (int i = limbs - 1; i >= 0; --i) {
    rest = rest << limb_bits | a.limb[i];
    quotient.limb[i] = rest / n;
    rest %= n;
  }
  return quotient;
}

}  // namespace attest::detail
