// SPDX-License-Identifier: BSL-1.0
// exp_lanes.hpp — exp of many numbers, a register at a time: the bits of exp of each.
// The steps are those of exp's fast path, which are templates; a block in which some number needs
// another path is left to exp. Stands on: lanes, math/exp.
#pragma once

#include <attest/lanes.hpp>
#include <attest/math/exp.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest::detail {

/// How many numbers are worth a call: 4 KB of floats.
inline constexpr std::size_t exp_together = 1024;

#if ATTEST_REGISTER_BYTES > 0

using exp_numbers = lanes<double, native_width<double>>;
using exp_integers = lanes<std::uint64_t, native_width<double>>;

/// What tells whether each value of many was decided, kept as far as that can be done without a branch.
template <class Scalar>
class exp_decisions;

template <>
class exp_decisions<double> {
 public:
  static constexpr std::size_t together = 1;

  template <std::size_t Count>
  void attempt(double const* values, double* powers) {
    static_assert(Count == 1);
    auto const x = load_lanes<native_width<double>>(values);
    exp_reduced<exp_numbers> const reduced = exp_reduce(x);
    auto const k = std::bit_cast<exp_integers>(reduced.shifted);
    exp_numbers high;
    exp_numbers low;
    for (std::size_t lane = 0; lane < native_width<double>; ++lane) {
      exp_table_entry const& entry = exp_table[k[lane] & 127];
      high[lane] = entry.high;
      low[lane] = entry.low;
    }
    exp_ends<exp_numbers> const ends = exp_round(exp_series(reduced, high, low), high * exp_margin);
    auto const magnitude = std::bit_cast<exp_numbers>(std::bit_cast<exp_integers>(x) << 1 >> 1);
    auto const decided = (ends.least == ends.most) & (magnitude < exp_fast_limit);  // a NaN is not
    undecided_ |= ~std::bit_cast<exp_integers>(decided);
    auto const power =
        std::bit_cast<exp_numbers>(std::bit_cast<exp_integers>(ends.least) + (k >> 7 << 52));
    store_lanes<native_width<double>>(power, powers);
  }

  bool all_decided() const {
    std::uint64_t any = 0;
    for (std::size_t lane = 0; lane < native_width<double>; ++lane) {
      any |= undecided_[lane];
    }
    return any == 0;
  }

 private:
  exp_integers undecided_{};
};

using exp_floats = lanes<float, native_width<double>>;

inline exp_numbers widened(exp_floats const& x) {
#if defined(__AVX512F__) && !defined(__clang__)
  exp_numbers wide;
  asm("vcvtps2pd %1, %0" : "=v"(wide) : "vm"(x));  // for which g++ 12 has five instructions
  return wide;
#else
  return __builtin_convertvector(x, exp_numbers);
#endif
}

template <>
class exp_decisions<float> {
 public:
  /// Registers at a time: with more each compiler begins to spill.
#if defined(__clang__)
  static constexpr std::size_t together = 2;
#else
  static constexpr std::size_t together = 4;
#endif

  template <std::size_t Count>
  void attempt(float const* values, float* powers) {
    constexpr std::size_t width = native_width<double>;
    exp_numbers x[Count];
    exp_for_float<exp_numbers, exp_integers> result[Count];
    ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
      x[i] = widened(load_lanes<width>(values + i * width));
    }
    exp_of_floats(x, result);
    ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
      // The distance has 29 bits; what decides on a limit of few bits, NaN and infinity is the upper half.
      auto const distance = std::bit_cast<halves>(result[i].distance | upper_half);
      auto const magnitude = std::bit_cast<halves>(std::bit_cast<exp_integers>(x[i]) & upper_half);
      nearest_ = distance < nearest_ ? distance : nearest_;
      largest_ = largest_ < magnitude ? magnitude : largest_;
      store_lanes<width>(__builtin_convertvector(result[i].value, exp_floats), powers + i * width);
    }
  }

  bool all_decided() const {
    constexpr auto limit = std::bit_cast<std::uint64_t>(exp_float_limit);
    static_assert((limit & ~upper_half) == 0);
    std::int32_t nearest = nearest_[0];
    std::int32_t largest = largest_[0];
    for (std::size_t half = 1; half < 2 * native_width<double>; ++half) {
      nearest = nearest_[half] < nearest ? nearest_[half] : nearest;
      largest = largest < largest_[half] ? largest_[half] : largest;
    }
    return nearest >= static_cast<std::int32_t>(exp_float_margin) &&
           largest < static_cast<std::int32_t>(limit >> 32);
  }

 private:
  // SSE2 compares no 64 bits.
  using halves = lanes<std::int32_t, 2 * native_width<double>>;
  static constexpr std::uint64_t upper_half = std::uint64_t{0x7fff'ffff} << 32;

  halves nearest_ = halves{} + 0x7fff'ffff;
  halves largest_{};
};

/// The powers of `count` numbers, a multiple of a register's and no more than exp_together; all at once,
/// or, where that leaves one undecided, a register at a time, or one.
template <class Scalar>
void exp_of_block(Scalar* values, std::size_t count) {
  constexpr std::size_t width = native_width<double>;
  Scalar powers[exp_together];
  exp_decisions<Scalar> decisions;
  constexpr std::size_t together = exp_decisions<Scalar>::together;
  std::size_t const whole = count - count % (together * width);
  for (std::size_t i = 0; i < whole; i += together * width) {
    decisions.template attempt<together>(values + i, powers + i);
  }
  for (std::size_t i = whole; i < count; i += width) {
    decisions.template attempt<1>(values + i, powers + i);
  }
  if (decisions.all_decided()) {
    __builtin_memcpy(values, powers, count * sizeof(Scalar));
  } else if (count > width) {
    for (std::size_t i = 0; i < count; i += width) {
      exp_of_block(values + i, width);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = exp(values[i]);
    }
  }
}

/// values[i] = exp(values[i]). At run time only.
template <std::floating_point Scalar>
void exp_by_lanes(Scalar* values, std::size_t count) {
  std::size_t const whole = count - count % native_width<double>;
  for (std::size_t i = 0; i < whole; i += exp_together) {
    exp_of_block(values + i, whole - i < exp_together ? whole - i : exp_together);
  }
  for (std::size_t i = whole; i < count; ++i) {
    values[i] = exp(values[i]);
  }
}

#endif

/// values[i] = exp(values[i]).
template <class Scalar>
constexpr void exp_each(Scalar* values, std::size_t count) {
#if ATTEST_REGISTER_BYTES > 0
  if constexpr (native_width<Scalar> > 1) {
    if (!std::is_constant_evaluated() && count >= native_width<double>) {
      exp_by_lanes(values, count);
      return;
    }
  }
#endif
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = exp(values[i]);
  }
}

}  // namespace attest::detail
