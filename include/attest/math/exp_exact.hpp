// SPDX-License-Identifier: BSL-1.0
// exp_exact.hpp — exp in integers: what the result is by definition, and the way out of near ties.
// x = k ln 2 + r, e^r by its Taylor series in fractions of 140 bits, rounded once, to even.
// Stands on: math/wide.
#pragma once

#include <attest/config.hpp>
#include <attest/math/wide.hpp>

#include <bit>
#include <cstdint>

namespace attest::detail {

/// floor(2^140 ln 2), low limb first; regenerate: tools/exp_constants --constants.
inline constexpr std::int64_t ln2_limb[limbs] = {0xf6af40f, 0x39803f2, 0xabc9e3b, 0x7d1cf79,
                                                 0xb17217f};

/// x = k ln 2 + r with r in [0, 0.694).
struct reduced_exactly {
  int k;
  fraction r;
};

/// Error: ln 2 is rounded down, so r is up to 1075 units of 2^-140 too large for k > 0, too small
///        for k < 0; what x has below 2^-140 is dropped.
constexpr reduced_exactly reduce_exactly(double x) {
  ATTEST_NO_CONTRACTION
  // The small step back keeps r from falling below zero where x is all but a multiple of ln 2.
  int const k =
      static_cast<int>(ATTEST_ROUNDED(x * 0x1.71547652b82fep+0) + (1100 - 0x1p-20)) - 1100;

  auto const bits = std::bit_cast<std::uint64_t>(x);
  // |x| = significand * 2^(lowest - 140), but for subnormal x, which are 0 at this precision.
  std::uint64_t const significand = (bits & 0x000f'ffff'ffff'ffff) | 0x0010'0000'0000'0000;
  int const lowest = static_cast<int>(bits >> 52 & 0x7ff) - 1075 + limbs * limb_bits;

  // All modulo 1: r lies in [0, 1), so whole numbers may drop out of both terms.
  reduced_exactly result{k, {}};
  std::int64_t carry = 0;
  for (int i = 0; i < limbs; ++i) {
    int const shift = lowest - i * limb_bits;
    std::uint64_t part = 0;
    if (shift >= 0 && shift < 64) {
      part = significand << shift;
    } else if (shift < 0 && shift > -64) {
      part = significand >> -shift;
    }
    auto const digit = static_cast<std::int64_t>(part & limb_mask);
    carry += (x < 0 ? -digit : digit) - k * ln2_limb[i];
    result.r.limb[i] = static_cast<std::uint64_t>(carry) & limb_mask;
    carry >>= limb_bits;
  }
  return result;
}

/// e^r / 16, by Horner's rule: 1/16 + r/1 (1/16 + r/2 (1/16 + ...)), up to r^32/32!.
/// Error: rounded down, short by less than 13 units of 2^-140: the series by a sixteenth of one
///        (0.694^33 / 33! / 16 < 2^-144), the arithmetic by 12; static_checks/exp.cpp.
constexpr fraction sixteenth_of_exp(fraction const& r) {
  fraction sum;
  for (std::uint64_t n = 33; n > 0; --n) {
    sum = over(times(r, sum), n);
    sum.limb[limbs - 1] += 1 << 24;
  }
  return sum;
}

/// Where an exact result would be needed and is not known: ends the compilation, or the program.
/// Never reached from exp: no double's exp is so near to the middle of two doubles (Lefèvre and
/// Muller, Worst cases for correct rounding of the elementary functions in double precision, 2001:
/// at most 59 equal bits follow the rounding bit, and here 63 would have to).
[[noreturn]] inline void too_near_to_a_tie() {
  __builtin_trap();
}

/// The double nearest to sum * 2^(k + 4), for a sum in [1/16, 1/4).
/// Refuses: a sum whose 64 bits after the last kept one do not say to which side it lies.
constexpr double round_exactly(fraction const& sum, int k) {
  std::uint64_t const* const limb = sum.limb;
  std::uint64_t const top = limb[4] << 28 | limb[3];
  std::uint64_t const next = limb[2] << 36 | limb[1] << 8 | limb[0] >> 20;

  int const doubled = static_cast<int>(top >> 53);
  int const exponent = k + doubled;
  int const below_normal = exponent < -1022 ? -1022 - exponent : 0;
  int const dropped = doubled + below_normal;
  std::uint64_t const kept = top >> dropped;
  std::uint64_t const rest = top << (63 - dropped) << 1 | next >> dropped;
  if ((rest + 1) >> 1 == std::uint64_t{1} << 62) {
    too_near_to_a_tie();
  }

  // The leading bit of a normal number adds 1 to the exponent field; a carry out of the rounding
  // adds another, which is right.
  auto const field = static_cast<std::uint64_t>(exponent + below_normal + 1022);
  return std::bit_cast<double>((field << 52) + kept + (rest >> 63));
}

/// The double nearest to e^x, for finite x whose result neither overflows nor lies below half of
/// the least subnormal.
/// Error: before the rounding less than 170 units of 2^-140 (r's own times e^r / 16, and 13); the
///        64th bit after the last kept one is 2^20 units or more.
/// Cost:  1,360 clang steps or 21,800 g++ operations.
constexpr double exp_by_integers(double x) {
  reduced_exactly const reduced = reduce_exactly(x);
  return round_exactly(sixteenth_of_exp(reduced.r), reduced.k);
}

}  // namespace attest::detail
