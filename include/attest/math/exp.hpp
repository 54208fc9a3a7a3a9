// SPDX-License-Identifier: BSL-1.0
// exp.hpp — the exponential, correctly rounded: the same bits in every compiler and on every CPU.
// x = k ln2/128 + r; e^x = 2^(k/128) e^r; 2^(i/128) from a table, e^r from its series. The few
// results that lie too near to the middle of two doubles are left to integers (Ziv's strategy).
// Source: Tang, Table-driven implementation of the exponential function, 1989. Stands on:
// math/exp_exact, math/exp_table.
#pragma once

#include <attest/config.hpp>
#include <attest/math/exp_exact.hpp>
#include <attest/math/exp_table.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace attest {
namespace detail {

/// x = k ln2/128 + coarse + fine, |coarse| a multiple of 2^-26 and less than 2^-8.5.
/// The low 12 bits of `shifted`, as an integer, are k's.
template <class Value>
struct exp_reduced {
  Value shifted;
  Value coarse;
  Value fine;
};

/// Bits:  one rounding in `fine`, all else is exact: k has at most 18 bits and ln2/128's upper part
///        34; `coarse` and x are multiples of what the differences are made of.
/// Error: |fine| < 2^-25.2, wrong by less than 2^-77.4, |x| < 709; static_checks/exp_bound.gappa.
template <class Value>
constexpr exp_reduced<Value> exp_reduce(Value x) {
  ATTEST_NO_CONTRACTION
  // 128/ln2; 1.5 * 2^52 leaves no bit below 1, 1.5 * 2^26 none below 2^-26.
  Value const shifted = ATTEST_ROUNDED(x * 0x1.71547652b82fep+7) + 0x1.8p+52;
  Value const k = shifted - 0x1.8p+52;
  Value const upper = x - ATTEST_ROUNDED(k * 0x1.62e42fef8p-8);  // exact
  Value const coarse = (upper + 0x1.8p+26) - 0x1.8p+26;
  return {shifted, coarse, (upper - coarse) - ATTEST_ROUNDED(k * 0x1.1cf79abc9e3b4p-43)};
}

/// head + low = (table_high + table_low) e^(coarse + fine), where
///   e^r = 1 + coarse + (fine + r^2/2! + ... + r^6/6!), r = coarse + fine.
/// `head` is exact: the table's upper part has 27 bits, `coarse` 18, and both end at 2^-26.
/// Error: less than 2^-67.84 of the table's value, exp_round's addition and what the series leaves
///        out included: static_checks/exp_bound.gappa proves it, and what is marked exact.
template <class Value>
struct exp_unrounded {
  Value head;
  Value low;
};

template <class Value>
constexpr exp_unrounded<Value> exp_series(exp_reduced<Value> const& x, Value table_high,
                                          Value table_low) {
  ATTEST_NO_CONTRACTION
  Value const r = x.coarse + x.fine;
  Value const third =
      1.0 / 6 +
      ATTEST_ROUNDED(
          r * (1.0 / 24 + ATTEST_ROUNDED(r * (1.0 / 120 + ATTEST_ROUNDED(r * (1.0 / 720))))));
  Value const series =
      x.fine + ATTEST_ROUNDED(ATTEST_ROUNDED(r * r) * (0.5 + ATTEST_ROUNDED(r * third)));
  return {table_high + ATTEST_ROUNDED(table_high * x.coarse),  // exact
          table_low + (ATTEST_ROUNDED(table_low * (x.coarse + series)) +
                       ATTEST_ROUNDED(table_high * series))};
}

/// 1.79 times what exp_series and exp_round can be wrong by, as a part of the table's value.
inline constexpr double exp_margin = 0x1p-67;

/// Both ends of where e^x can lie, but for a power of two: it is known if they are the same double
/// (Ziv's test).
template <class Value>
struct exp_ends {
  Value least;
  Value most;
};

template <class Value>
constexpr exp_ends<Value> exp_round(exp_unrounded<Value> const& y, Value margin) {
  return {y.head + (y.low - margin), y.head + (y.low + margin)};
}

/// For |x| below it, e^-|x| is normal.
inline constexpr double exp_fast_limit = 0x1.6232bdd7abcd3p+9;

/// The double of which e^x, rounded to a float, is known if `distance` is not below exp_float_margin:
/// the result's distance from that margin before the middle of two floats, in ulps of the double,
/// modulo a float's.
template <class Value, class Integers>
struct exp_for_float {
  Value value;
  Integers distance;
};

/// Both sides of the middle: twice 2^-45 of the result, which is at most 256 ulps of the double.
inline constexpr std::uint64_t exp_float_margin = 513;

/// For |x| below it, e^x is a normal float.
inline constexpr double exp_float_limit = 87.25;

/// e^x for floats x, |x| < exp_float_limit. x = k ln2 + r, e^x = 2^k e^r with the polynomial of degree 9
/// whose largest relative error for |r| < 0.34658 is the least (Muller, "Elementary Functions", 3rd ed.,
/// section 3.3: Remez's exchange): without a table, which lanes would have to gather.
/// Error: less than 2^-45 of the result. The polynomial is wrong by 2^-46.08; r by 2^-46.5, for k ln2 is
///        rounded once, at most half an ulp of 87.4, and ln2 before it; all other roundings together are
///        below 2^-50.
/// Steps: each is done for all of x before the next, for a processor that looks few steps ahead.
template <class Integers, class Value, std::size_t Count>
constexpr void exp_of_floats(Value const (&x)[Count],
                             exp_for_float<Value, Integers> (&result)[Count]) {
  ATTEST_NO_CONTRACTION
  Value shifted[Count];
  Value r[Count];
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    shifted[i] = ATTEST_ROUNDED(x[i] * 0x1.71547652b82fep+0) + 0x1.8p+52;
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    r[i] = x[i] - ATTEST_ROUNDED((shifted[i] - 0x1.8p+52) * 0x1.62e42fefa39efp-1);
  }
  // Estrin's scheme: pairs side by side, a fifth as long a chain as Horner's.
  constexpr double constant[] = {0x1.0000000000039p+0, 0x1.ffffffffe8294p-2, 0x1.555555879bbddp-5,
                                 0x1.6c162d9250973p-10, 0x1.a17c028aac46fp-16};
  constexpr double linear[] = {0x1.ffffffffffc3ap-1, 0x1.55555555bb64dp-3, 0x1.1111105b5dbc0p-7,
                               0x1.a01bc2709a624p-13, 0x1.70dc13b4f6e3fp-19};
  Value term[5][Count];
  Value r4[Count];
  ATTEST_UNROLL for (std::size_t pair = 0; pair < 5; ++pair) {
    ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
      term[pair][i] = constant[pair] + ATTEST_ROUNDED(r[i] * linear[pair]);
    }
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    Value const r2 = r[i] * r[i];
    term[0][i] = term[0][i] + ATTEST_ROUNDED(r2 * term[1][i]);
    term[2][i] = term[2][i] + ATTEST_ROUNDED(r2 * term[3][i]);
    r4[i] = r2 * r2;
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    term[2][i] = term[2][i] + ATTEST_ROUNDED(r4[i] * term[4][i]);
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    Value const series = term[0][i] + ATTEST_ROUNDED(r4[i] * term[2][i]);
    Integers const bits =
        std::bit_cast<Integers>(series) + (std::bit_cast<Integers>(shifted[i]) << 52);
    constexpr std::uint64_t float_ulp = std::uint64_t{1} << 29;
    result[i] = {std::bit_cast<Value>(bits),
                 (bits - (float_ulp / 2 - exp_float_margin / 2)) & (float_ulp - 1)};
  }
}
template <class Integers, class Value>
constexpr exp_for_float<Value, Integers> exp_of_float(Value x) {
  Value const one[1] = {x};
  exp_for_float<Value, Integers> result[1];
  exp_of_floats(one, result);
  return result[0];
}

struct exp_attempt {
  double value;
  bool decided;
};

/// e^x where e^-|x| is normal (|x| < 708.4), or undecided: 1 x in 12,000.
constexpr exp_attempt exp_fast(double x) {
  exp_reduced<double> const reduced = exp_reduce(x);
  auto const k = std::bit_cast<std::uint64_t>(reduced.shifted);
  exp_table_entry const& entry = exp_table[k & 127];
  exp_ends<double> const ends =
      exp_round(exp_series(reduced, entry.high, entry.low), entry.high * exp_margin);
  // Times 2^(k >> 7), by adding to the exponent field: the result is normal.
  return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(ends.least) + (k >> 7 << 52)),
          ends.least == ends.most};
}

}  // namespace detail

/// The double nearest to e^x.
/// Bits:  correctly rounded, half to even, subnormal results included; exp(-inf) is 0, above
///        0x1.62e42fefa39efp+9 infinity; of NaN the standard's own quiet NaN. What is special is
///        told by its bits: neither evaluator may compare NaN or overflow.
/// Error: 0.5 ulps; static_checks/exp.cpp, runtime_tests/math_test.cpp.
/// Cost:  38 clang steps or 380 g++ operations; what is left to integers, 1 x in 12,000 and all
///        subnormal results, 36 times that.
constexpr double exp(double x) {
  constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000;
  auto const bits = std::bit_cast<std::uint64_t>(x);
  std::uint64_t const magnitude = bits << 1 >> 1;
  if (magnitude < std::bit_cast<std::uint64_t>(detail::exp_fast_limit)) {
    detail::exp_attempt const attempt = detail::exp_fast(x);
    return attempt.decided ? attempt.value : detail::exp_by_integers(x);
  }
  if (magnitude > infinity) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (bits == magnitude) {
    return magnitude > std::bit_cast<std::uint64_t>(0x1.62e42fefa39efp+9)
               ? std::numeric_limits<double>::infinity()
               : detail::exp_by_integers(x);
  }
  return magnitude > std::bit_cast<std::uint64_t>(0x1.74910d52d3051p+9)
             ? 0.0
             : detail::exp_by_integers(x);
}

/// The float nearest to e^x.
/// Bits: as for double. Where the short series does not decide, and where the result is no normal float,
///       the double's result is rounded again, which is right for each of the 2^32 floats:
///       runtime_tests/nightly/exp_float_all_test.cpp.
constexpr float exp(float x) {
  auto const bits = std::bit_cast<std::uint32_t>(x);
  if (bits << 1 < std::bit_cast<std::uint32_t>(static_cast<float>(detail::exp_float_limit)) << 1) {
    auto const attempt = detail::exp_of_float<std::uint64_t>(static_cast<double>(x));
    if (attempt.distance >= detail::exp_float_margin) {
      return static_cast<float>(attempt.value);
    }
  }
  // From 0x1.62e43p+6 to infinity: the conversion would overflow, which g++ does not evaluate.
  return bits >= 0x42b1'7218 && bits <= 0x7f80'0000
             ? std::numeric_limits<float>::infinity()
             : static_cast<float>(exp(static_cast<double>(x)));
}

}  // namespace attest
