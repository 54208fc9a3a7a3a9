// SPDX-License-Identifier: BSL-1.0
// exp_floats.hpp — exp of floats in the arithmetic of floats, of which a register holds twice as many as
// of doubles.
// x = k ln2/32 + r; e^x = 2^(k/32) e^r; 2^(j/32) from a table, e^r from its series. One result in 1,100
// lies too near to the middle of two floats and is left to doubles (Ziv's strategy).
// Source: Tang, Table-driven implementation of the exponential function, 1989; what the table holds of
// 2^(j/32), and that its rest is added to r: Gal, Computing elementary functions, 1986. Stands on:
// math/exp.
#pragma once

#include <attest/config.hpp>
#include <attest/math/exp.hpp>
#include <attest/math/exp_table.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace attest::detail {

/// 2^(j/32) = high e^(rest + margin), `high` a multiple of 2^-11, rest + margin rounded once.
struct exp_float_table {
  alignas(cache_line) float high[32]{};
  alignas(cache_line) float rest[32]{};
  float margin;

  explicit constexpr exp_float_table(float a_margin) : margin{a_margin} {
    for (std::size_t j = 0; j < 32; ++j) {
      exp_table_entry const& power = exp_table[4 * j];
      double const upper = (power.high + 0x1.8p+41) - 0x1.8p+41;
      // ln(1 + d), |d| < 2^-12
      double const d = ((power.high - upper) + power.low) / upper;
      high[j] = static_cast<float>(upper);
      rest[j] = static_cast<float>(d - d * d * (0.5 - d * (1.0 / 3)) - static_cast<double>(margin));
    }
  }
};

/// What `most` and `least` lie from the middle, as a part of the table's value.
inline constexpr float exp_floats_margin = 0x1.5p-35F;

inline constexpr exp_float_table exp_floats_table{exp_floats_margin};

/// e^x / 2^(k >> 5) lies between `least` and `most`. The low 12 bits of `shifted`, as an integer, are k's.
template <class Value>
struct exp_float_ends {
  Value shifted;
  Value least;
  Value most;
};

/// For |x| < exp_float_limit. table.high_of(shifted) and table.rest_of(shifted) are the entry k mod 32.
/// With R = r + rest, of which `coarse` is a multiple of 2^-12 and `fine` what is left:
///   e^x / 2^(k >> 5) = high + high coarse + high (fine + R^2/2 + R^3/6 + R^4/24).
/// Bits:  x − k ln2/32 is exact but for what ln2's third part adds: k has 12 bits, the first part 12, the
///        second 7. The sum of high and high coarse is exact: both end at 2^-23.
/// Error: less than the margin, whose double is their distance, for each such float:
///        runtime_tests/exp_floats_test.cpp. 1/6 is a little more than that, for R^5/120.
/// Steps: as in exp_of_floats.
template <class Table, class Value, std::size_t Count>
[[gnu::always_inline]] constexpr void exp_in_floats(Table const& table, Value const (&x)[Count],
                                                    exp_float_ends<Value> (&result)[Count]) {
  ATTEST_NO_CONTRACTION
  // 1.5 * 2^18 leaves no bit below 1/32, 1.5 * 2^11 none below 2^-12.
  constexpr float to_32nds = 0x1.8p+18F;
  constexpr float to_coarse = 0x1.8p+11F;
  Value k[Count];
  Value rest[Count];
  Value upper[Count];
  Value r[Count];
  Value coarse[Count];
  Value fine[Count];
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    result[i].shifted = ATTEST_ROUNDED(x[i] * 0x1.715476p+0F) + to_32nds;
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    k[i] = result[i].shifted - to_32nds;
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    upper[i] = x[i] - ATTEST_ROUNDED(k[i] * 0x1.62ep-1F);
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    rest[i] = table.rest_of(result[i].shifted) - ATTEST_ROUNDED(k[i] * -0x1.05c610p-29F);
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    upper[i] = upper[i] - ATTEST_ROUNDED(k[i] * 0x1.0cp-15F);
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    r[i] = upper[i] + rest[i];
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    coarse[i] = (r[i] + to_coarse) - to_coarse;
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    fine[i] = (upper[i] - coarse[i]) + rest[i];
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    Value const third = 0x1.55557ap-3F + ATTEST_ROUNDED(r[i] * (1.0F / 24));
    Value const half = 0.5F + ATTEST_ROUNDED(r[i] * third);
    fine[i] = fine[i] + ATTEST_ROUNDED(ATTEST_ROUNDED(r[i] * r[i]) * half);
  }
  ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
    Value const high = table.high_of(result[i].shifted);
    Value const head = high + ATTEST_ROUNDED(high * coarse[i]);
    result[i].least = head + ATTEST_ROUNDED(high * fine[i]);
    result[i].most = head + ATTEST_ROUNDED(high * (fine[i] + 2 * table.margin));
  }
}

}  // namespace attest::detail
