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

#if ATTEST_REGISTER_BYTES > 0

using exp_numbers = lanes<double, native_width<double>>;
using exp_integers = lanes<std::uint64_t, native_width<double>>;

/// As exp_attempt, in each lane; `undecided` has no bit where the value is decided.
template <class Scalar>
struct exp_attempts {
  lanes<Scalar, native_width<double>> values;
  exp_integers undecided;
};

inline exp_attempts<double> exp_fast(exp_numbers const& x) {
  exp_reduced<exp_numbers> const reduced = exp_reduce(x);
  exp_integers const k = std::bit_cast<exp_integers>(reduced.shifted);
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
  return {std::bit_cast<exp_numbers>(std::bit_cast<exp_integers>(ends.least) + (k >> 7 << 52)),
          ~std::bit_cast<exp_integers>(decided)};
}

inline exp_attempts<float> exp_fast(lanes<float, native_width<double>> const& x) {
  exp_numbers const wide = __builtin_convertvector(x, exp_numbers);
  auto const attempt = exp_of_float<exp_integers>(wide);
  auto const magnitude = std::bit_cast<exp_numbers>(std::bit_cast<exp_integers>(wide) << 1 >> 1);
  // Compared by halves, as SSE2 has no comparison of 64 bits: the distance has 29, the upper half all.
  using halves = lanes<std::int32_t, 2 * native_width<double>>;
  auto const distance = std::bit_cast<halves>(attempt.distance | std::uint64_t{0x7fff'ffff} << 32);
  auto const near = distance < static_cast<std::int32_t>(exp_float_margin);
  auto const inside = magnitude < exp_float_limit;  // a NaN is not
  return {__builtin_convertvector(attempt.value, lanes<float, native_width<double>>),
          std::bit_cast<exp_integers>(near) | ~std::bit_cast<exp_integers>(inside)};
}

/// values[i] = exp(values[i]). At run time only.
template <std::floating_point Scalar>
void exp_by_lanes(Scalar* values, std::size_t count) {
  constexpr std::size_t width = native_width<double>;
  constexpr std::size_t block = 8 * width;
  for (std::size_t first = 0; first < count; first += block, values += block) {
    std::size_t const used = count - first < block ? count - first : block;
    Scalar x[block] = {};
    Scalar powers[block];
    __builtin_memcpy(x, values, used * sizeof *values);
    exp_integers undecided{};
    for (std::size_t i = 0; i < used; i += width) {
      exp_attempts<Scalar> const attempts = exp_fast(load_lanes<width>(x + i));
      undecided |= attempts.undecided;
      store_lanes<width>(attempts.values, powers + i);
    }
    std::uint64_t any = 0;
    for (std::size_t lane = 0; lane < width; ++lane) {
      any |= undecided[lane];
    }
    for (std::size_t i = 0; any != 0 && i < used; ++i) {
      powers[i] = exp(x[i]);
    }
    __builtin_memcpy(values, powers, used * sizeof *values);
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
