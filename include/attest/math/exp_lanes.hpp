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

/// How many numbers are worth a call.
inline constexpr std::size_t exp_together = 256;

#if ATTEST_REGISTER_BYTES > 0

using exp_numbers = lanes<double, native_width<double>>;
using exp_integers = lanes<std::uint64_t, native_width<double>>;

/// What tells whether each value of many was decided, kept as far as that can be done without a branch.
template <class Scalar>
class exp_decisions;

template <>
class exp_decisions<double> {
 public:
  exp_numbers attempt(exp_numbers const& x) {
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
    return std::bit_cast<exp_numbers>(std::bit_cast<exp_integers>(ends.least) + (k >> 7 << 52));
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

template <>
class exp_decisions<float> {
 public:
  using floats = lanes<float, native_width<double>>;

  floats attempt(floats const& x) {
    exp_numbers const wide = __builtin_convertvector(x, exp_numbers);
    auto const attempt = exp_of_float<exp_integers>(wide);
    // The distance has 29 bits; what decides on a limit of few bits, NaN and infinity is the upper half.
    auto const distance = std::bit_cast<halves>(attempt.distance | upper_half);
    auto const magnitude = std::bit_cast<halves>(std::bit_cast<exp_integers>(wide) & upper_half);
    nearest_ = distance < nearest_ ? distance : nearest_;
    largest_ = largest_ < magnitude ? magnitude : largest_;
    return __builtin_convertvector(attempt.value, floats);
  }

  bool all_decided() const {
    constexpr auto limit = std::bit_cast<std::uint64_t>(exp_float_limit);
    static_assert((limit & ~upper_half) == 0);
    bool all = true;
    for (std::size_t half = 0; half < 2 * native_width<double>; ++half) {
      all = all && nearest_[half] >= static_cast<std::int32_t>(exp_float_margin) &&
            largest_[half] < static_cast<std::int32_t>(limit >> 32);
    }
    return all;
  }

 private:
  // SSE2 compares no 64 bits.
  using halves = lanes<std::int32_t, 2 * native_width<double>>;
  static constexpr std::uint64_t upper_half = std::uint64_t{0x7fff'ffff} << 32;

  halves nearest_ = halves{} + 0x7fff'ffff;
  halves largest_{};
};

/// The powers of Count numbers, a multiple of a register's; all at once, or, where that leaves one
/// undecided, a register at a time, or one.
template <std::size_t Count, class Scalar>
void exp_of_block(Scalar* values) {
  constexpr std::size_t width = native_width<double>;
  Scalar powers[Count];
  exp_decisions<Scalar> decisions;
  for (std::size_t i = 0; i < Count; i += width) {
    store_lanes<width>(decisions.attempt(load_lanes<width>(values + i)), powers + i);
  }
  if (decisions.all_decided()) {
    __builtin_memcpy(values, powers, sizeof powers);
    return;
  }
  for (std::size_t i = 0; i < Count; i += width) {
    if constexpr (Count > width) {
      exp_of_block<width>(values + i);
    } else {
      for (std::size_t lane = 0; lane < width; ++lane) {
        values[lane] = exp(values[lane]);
      }
    }
  }
}

/// values[i] = exp(values[i]). At run time only.
template <std::floating_point Scalar>
void exp_by_lanes(Scalar* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + exp_together <= count; i += exp_together) {
    exp_of_block<exp_together>(values + i);
  }
  for (constexpr std::size_t few = exp_together / 8; i + few <= count; i += few) {
    exp_of_block<few>(values + i);
  }
  for (constexpr std::size_t width = native_width<double>; i + width <= count; i += width) {
    exp_of_block<width>(values + i);
  }
  for (; i < count; ++i) {
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
