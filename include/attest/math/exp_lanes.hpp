// SPDX-License-Identifier: BSL-1.0
// exp_lanes.hpp — exp of many numbers, a register at a time: the bits of exp of each.
// The steps are those of exp's fast path, which are templates; a block in which some number needs
// another path is left to exp. Stands on: lanes, math/exp.
#pragma once

#include <attest/lanes.hpp>
#include <attest/math/exp.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest::detail {

#if ATTEST_REGISTER_BYTES > 0

using exp_numbers = lanes<double, native_width<double>>;
using exp_integers = lanes<std::uint64_t, native_width<double>>;

/// As exp_attempt, in each lane; `undecided` has no bit where the value is decided.
struct exp_attempts {
  exp_numbers values;
  exp_integers undecided;
};

inline exp_attempts exp_fast(exp_numbers const& x) {
  exp_reduced<exp_numbers> const reduced = exp_reduce(x);
  auto const k = same_register<exp_integers>(reduced.shifted);
  exp_numbers high;
  exp_numbers low;
  for (std::size_t lane = 0; lane < native_width<double>; ++lane) {
    exp_table_entry const& entry = exp_table[k[lane] & 127];
    high[lane] = entry.high;
    low[lane] = entry.low;
  }
  exp_ends<exp_numbers> const ends = exp_round(exp_series(reduced, high, low), high * exp_margin);
  auto const magnitude = same_register<exp_numbers>(same_register<exp_integers>(x) << 1 >> 1);
  auto const decided = (ends.least == ends.most) & (magnitude < exp_fast_limit);  // a NaN is not
  return {same_register<exp_numbers>(same_register<exp_integers>(ends.least) + (k >> 7 << 52)),
          ~same_register<exp_integers>(decided)};
}

/// values[i] = exp(values[i]), float through double. At run time only.
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
      exp_attempts const attempts =
          exp_fast(__builtin_convertvector(load_lanes<width>(x + i), exp_numbers));
      undecided |= attempts.undecided;
      store_lanes<width>(
          __builtin_convertvector(attempts.values, lanes<Scalar, native_width<double>>),
          powers + i);
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
