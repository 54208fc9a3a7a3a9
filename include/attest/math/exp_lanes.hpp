// SPDX-License-Identifier: BSL-1.0
// exp_lanes.hpp — exp of many numbers, a register at a time: the bits of exp of each.
// The steps are those of exp's fast path, which are templates; a block in which some number needs
// another path is left to exp. Floats are tried as floats first, where a register can be a table.
// Stands on: lanes, math/exp_floats.
#pragma once

#include <attest/lanes.hpp>
#include <attest/math/exp.hpp>
#include <attest/math/exp_floats.hpp>

#include <bit>
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

  template <std::size_t Count, class Place>
  void attempt(double const* values, Place const& place) {
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
    store_lanes<native_width<double>>(power, place(0));
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

  template <std::size_t Count, class Place>
  void attempt(float const* values, Place const& place) {
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
      store_lanes<width>(__builtin_convertvector(result[i].value, exp_floats), place(i * width));
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

/// powers = e^x for `count` numbers, whole registers of doubles; the powers of a register of Scalars lie Stride from
/// those of the next. All at once, or, where that leaves one undecided, a register of doubles at a time, or one.
template <std::size_t Stride, class Scalar>
void exp_of_block(Scalar const* x, Scalar* powers, std::size_t count) {
  constexpr std::size_t width = native_width<double>;
  constexpr std::size_t together = exp_decisions<Scalar>::together;
  auto const place_of = [&](std::size_t i) {
    return powers + i / native_width<Scalar> * Stride + i % native_width<Scalar>;
  };
  exp_decisions<Scalar> decisions;
  std::size_t begin = 0;
  auto const place = [&](std::size_t i) { return place_of(begin + i); };
  for (; begin + together * width <= count; begin += together * width) {
    decisions.template attempt<together>(x + begin, place);
  }
  for (; begin < count; begin += width) {
    decisions.template attempt<1>(x + begin, place);
  }
  if (decisions.all_decided()) {
    return;
  }
  for (std::size_t i = 0; i < count; i += width) {
    if (count > width) {
      exp_of_block<Stride>(x + i, place_of(i), width);
    } else {
      for (std::size_t lane = 0; lane < width; ++lane) {
        powers[lane] = exp(x[lane]);
      }
    }
  }
}

/// powers = e^x for whole registers, no more than exp_together numbers; the powers of each lie Stride from
/// those of the next.
template <std::size_t Stride, class Scalar>
void exp_of_registers(Scalar const* x, Scalar* powers, std::size_t registers) {
  exp_of_block<Stride>(x, powers, registers * native_width<Scalar>);
}

#if ATTEST_REGISTER_BYTES == 64

using exp_register = lanes<float, native_width<float>>;
using exp_register_bits = lanes<std::uint32_t, native_width<float>>;

/// exp_floats_table in four registers.
struct exp_table_in_registers {
  exp_register high[2];
  exp_register rest[2];

  exp_table_in_registers() {
    for (std::size_t half = 0; half < 2; ++half) {
      high[half] = load_lanes<native_width<float>>(exp_floats_table.high + 16 * half);
      rest[half] = load_lanes<native_width<float>>(exp_floats_table.rest + 16 * half);
    }
  }

  static constexpr float margin = exp_floats_table.margin;
  exp_register high_of(exp_register const& shifted) const { return entry(high, shifted); }
  exp_register rest_of(exp_register const& shifted) const { return entry(rest, shifted); }

 private:
  /// The instruction reads the low 5 bits of each lane.
  static exp_register entry(exp_register const (&table)[2], exp_register const& shifted) {
    auto const index = std::bit_cast<lanes<std::int32_t, native_width<float>>>(shifted);
#if defined(__clang__)
    return __builtin_ia32_vpermi2varps512(table[0], index, table[1]);
#else
    return __builtin_shuffle(table[0], table[1], index);
#endif
  }
};

/// A bit for each lane.
inline constexpr std::uint16_t all_lanes = 0xffff;

/// Those lanes of which the power is known.
inline std::uint16_t exp_known(exp_register const& x, exp_float_ends<exp_register> const& ends) {
  constexpr int equal = 0;  // NaN is not
  constexpr int less = 1;
  constexpr int exceptions = 4;  // as they are
  exp_register const limit = exp_register{} + static_cast<float>(exp_float_limit);
  auto const magnitude =
      std::bit_cast<exp_register>(std::bit_cast<exp_register_bits>(x) & 0x7fff'ffffU);
  auto const in_range = __builtin_ia32_cmpps512_mask(magnitude, limit, less, all_lanes, exceptions);
  return __builtin_ia32_cmpps512_mask(ends.least, ends.most, equal, in_range, exceptions);
}

/// The same, in floats first. Where one of a register's is not known is only noted: a branch there could not be
/// foreseen.
template <std::size_t Stride>
void exp_of_registers(float const* x, float* powers, std::size_t registers) {
  constexpr std::size_t width = native_width<float>;
  exp_table_in_registers const table;
  std::uint16_t known[exp_together / width];
  auto const attempt = [&]<std::size_t Count>(std::integral_constant<std::size_t, Count>,
                                              std::size_t begin) {
    exp_register values[Count];
    exp_float_ends<exp_register> ends[Count];
    ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
      values[i] = load_lanes<width>(x + (begin + i) * width);
    }
    exp_in_floats(table, values, ends);
    ATTEST_UNROLL for (std::size_t i = 0; i < Count; ++i) {
      // Times 2^(k >> 5), by adding to the exponent field.
      auto const exponent = (std::bit_cast<exp_register_bits>(ends[i].shifted) & ~31U) << 18;
      auto const power = std::bit_cast<exp_register_bits>(ends[i].least) + exponent;
      store_lanes<width>(std::bit_cast<exp_register>(power), powers + (begin + i) * Stride);
      known[begin + i] = exp_known(values[i], ends[i]);
    }
  };
  constexpr std::size_t side_by_side = 4;
  std::size_t const in_groups = registers - registers % side_by_side;
  for (std::size_t i = 0; i < in_groups; i += side_by_side) {
    attempt(std::integral_constant<std::size_t, side_by_side>{}, i);
  }
  for (std::size_t i = in_groups; i < registers; ++i) {
    attempt(std::integral_constant<std::size_t, 1>{}, i);
  }
  for (std::size_t i = 0; i < registers; ++i) {
    if (known[i] != all_lanes) {
      exp_of_block<width>(x + i * width, powers + i * Stride, width);
    }
  }
}

#endif

/// As exp_of_differences, for entries of one scalar next to one another, or of a register.
template <std::size_t Width, std::size_t Step, class Scalar>
void exp_by_registers(Scalar const* from, lanes<Scalar, Width> const& less, Scalar* to,
                      std::size_t count) {
  constexpr std::size_t width = native_width<Scalar>;
  static_assert(Width == width || (Width == 1 && Step == 1));
  constexpr std::size_t stride = Width == 1 ? width : Step;
  constexpr std::size_t most = exp_together / width;
  alignas(cache_line) Scalar x[exp_together];
  auto const less_in_lanes = lanes<Scalar, width>{} + less;
  std::size_t const whole = count * Width / width;
  for (std::size_t begin = 0; begin < whole; begin += most) {
    std::size_t const registers = whole - begin < most ? whole - begin : most;
    for (std::size_t i = 0; i < registers; ++i) {
      store_lanes<width>(load_lanes<width>(from + (begin + i) * stride) - less_in_lanes,
                         x + i * width);
    }
    exp_of_registers<stride>(x, to + begin * stride, registers);
  }
  if (std::size_t const rest = count * Width % width; rest > 0) {
    alignas(cache_line) Scalar filled_up[width];  // so that the differences are 0
    store_lanes<width>(less_in_lanes, filled_up);
    __builtin_memcpy(filled_up, from + whole * stride, rest * sizeof(Scalar));
    store_lanes<width>(load_lanes<width>(filled_up) - less_in_lanes, x);
    exp_of_registers<stride>(x, filled_up, 1);
    __builtin_memcpy(to + whole * stride, filled_up, rest * sizeof(Scalar));
  }
}

#endif

/// to[k] = exp(from[k] − less) for `count` entries of Width lanes, Step from one to the next. `to` may be `from`.
template <std::size_t Width, std::size_t Step, class Scalar>
constexpr void exp_of_differences(Scalar const* from, lanes<Scalar, Width> const& less, Scalar* to,
                                  std::size_t count) {
#if ATTEST_REGISTER_BYTES > 0
  if constexpr (native_width<Scalar> > 1 &&
                (Width == native_width<Scalar> || (Width == 1 && Step == 1))) {
    if (!std::is_constant_evaluated()) {
      exp_by_registers<Width, Step>(from, less, to, count);
      return;
    }
  }
#endif
  for (std::size_t k = 0; k < count * Step; k += Step) {
    if constexpr (Width == 1) {
      to[k] = exp(from[k] - less);
    } else {
      store_lanes<Width>(load_lanes<Width>(from + k) - less, to + k);
      for (std::size_t lane = 0; lane < Width; ++lane) {
        to[k + lane] = exp(to[k + lane]);
      }
    }
  }
}

/// values[i] = exp(values[i]).
template <class Scalar>
constexpr void exp_each(Scalar* values, std::size_t count) {
  exp_of_differences<1, 1>(values, Scalar{}, values, count);
}

}  // namespace attest::detail
