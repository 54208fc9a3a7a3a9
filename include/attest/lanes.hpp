// SPDX-License-Identifier: BSL-1.0
// lanes.hpp — several scalars side by side; an operation on lanes is that operation on each of them.
// Of floats and doubles they are a vector register, of any other scalar plain elements. No result
// depends on how many there are. Stands on: config.
#pragma once

#include <attest/config.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace attest {

/// As many scalars as one vector register of the target holds; 1 where there is none.
template <class Scalar>
inline constexpr std::size_t native_width = 1;
#if ATTEST_REGISTER_BYTES > 0
template <std::floating_point Scalar>
  requires(sizeof(Scalar) <= 8)
inline constexpr std::size_t native_width<Scalar> = ATTEST_REGISTER_BYTES / sizeof(Scalar);
#endif

/// How many registers a tile may count on.
inline constexpr std::size_t register_count = ATTEST_REGISTER_BYTES == 64 ? 32 : 16;

/// Lanes of a scalar that no register holds.
template <class Scalar, std::size_t Width>
struct plain_lanes {
  Scalar of[Width];

  friend constexpr plain_lanes operator+(plain_lanes const& left, plain_lanes const& right) {
    return each(left, right, [](auto const& a, auto const& b) { return a + b; });
  }
  friend constexpr plain_lanes operator-(plain_lanes const& left, plain_lanes const& right) {
    return each(left, right, [](auto const& a, auto const& b) { return a - b; });
  }
  friend constexpr plain_lanes operator*(plain_lanes const& left, plain_lanes const& right) {
    return each(left, right, [](auto const& a, auto const& b) { return a * b; });
  }
  friend constexpr plain_lanes operator/(plain_lanes const& left, plain_lanes const& right) {
    return each(left, right, [](auto const& a, auto const& b) { return a / b; });
  }
  friend constexpr plain_lanes operator*(Scalar const& factor, plain_lanes const& right) {
    return each(right, right, [&](auto const& a, auto const&) { return factor * a; });
  }
  friend constexpr plain_lanes operator*(plain_lanes const& left, Scalar const& factor) {
    return each(left, left, [&](auto const& a, auto const&) { return a * factor; });
  }

  template <class Operation>
  static constexpr plain_lanes each(plain_lanes const& left, plain_lanes const& right,
                                    Operation const& operation) {
    plain_lanes result{};
    for (std::size_t lane = 0; lane < Width; ++lane) {
      result.of[lane] = operation(left.of[lane], right.of[lane]);
    }
    return result;
  }
};

namespace detail {

/// Whether constant expressions may make vectors of numbers, compute with them and read their lanes: in g++
/// they may, in clang 14 no lane can be read.
#if defined(__GNUC__) && !defined(__clang__)
inline constexpr bool evaluates_vectors = true;
#else
inline constexpr bool evaluates_vectors = false;
#endif

template <class Scalar, std::size_t Width>
struct lanes_of {
  using type = plain_lanes<Scalar, Width>;
};
template <class Scalar>
struct lanes_of<Scalar, 1> {
  using type = Scalar;
};
#if defined(__GNUC__)
template <class Scalar, std::size_t Width>
  requires((ATTEST_REGISTER_BYTES > 0 || evaluates_vectors) && std::is_arithmetic_v<Scalar> &&
           sizeof(Scalar) <= 8 && Width > 1)
struct lanes_of<Scalar, Width> {
  using type [[gnu::vector_size(sizeof(Scalar) * Width)]] = Scalar;
};
#endif

}  // namespace detail

/// Width scalars; one is the scalar itself.
template <class Scalar, std::size_t Width>
using lanes = typename detail::lanes_of<Scalar, Width>::type;

namespace detail {

template <class Scalar, std::size_t... Lane>
constexpr auto evaluated_load(Scalar const* first, std::index_sequence<Lane...>) {
  return lanes<Scalar, sizeof...(Lane)>{first[Lane]...};
}

}  // namespace detail

/// The scalars from `first` on.
template <std::size_t Width, class Scalar>
constexpr lanes<Scalar, Width> load_lanes(Scalar const* first) {
  if constexpr (Width == 1) {
    return *first;
  } else if constexpr (std::is_class_v<lanes<Scalar, Width>>) {
    lanes<Scalar, Width> result{};
    for (std::size_t lane = 0; lane < Width; ++lane) {
      result.of[lane] = first[lane];
    }
    return result;
  } else {
    if (detail::evaluates_vectors && std::is_constant_evaluated()) {
      return detail::evaluated_load(first, std::make_index_sequence<Width>{});
    }
    lanes<Scalar, Width> result;
    __builtin_memcpy(&result, first, sizeof result);
    return result;
  }
}

/// Puts them to `first` and behind it.
template <std::size_t Width, class Scalar>
constexpr void store_lanes(lanes<Scalar, Width> const& values, Scalar* first) {
  if constexpr (Width == 1) {
    *first = values;
  } else if constexpr (std::is_class_v<lanes<Scalar, Width>>) {
    for (std::size_t lane = 0; lane < Width; ++lane) {
      first[lane] = values.of[lane];
    }
  } else {
    if (detail::evaluates_vectors && std::is_constant_evaluated()) {
      for (std::size_t lane = 0; lane < Width; ++lane) {
        first[lane] = values[lane];
      }
      return;
    }
    __builtin_memcpy(first, &values, sizeof values);
  }
}

namespace detail {

/// The lower or the upper halves of two vectors, a lane of each in turn.
template <bool Upper, std::size_t... Lane, class Vector>
constexpr Vector woven(Vector const& even, Vector const& odd, std::index_sequence<Lane...>) {
  constexpr std::size_t width = sizeof...(Lane);
  constexpr std::size_t first = Upper ? width / 2 : 0;
  if constexpr (std::is_class_v<Vector>) {
    return {(Lane % 2 == 0 ? even : odd).of[first + Lane / 2]...};
  } else {
    return __builtin_shufflevector(even, odd, (first + Lane / 2 + (Lane % 2 == 0 ? 0 : width))...);
  }
}

/// Puts Width rows of Width scalars to `to`, row i as column i. Each turn weaves the two halves of the rows:
/// the highest bit of an element's row becomes the lowest of its lane, and the other way round.
template <std::size_t Width, class Scalar>
constexpr void store_transposed(Scalar const* from, std::size_t from_stride, Scalar* to,
                                std::size_t to_stride) {
  static_assert((Width & (Width - 1)) == 0);
  std::make_index_sequence<Width> const in_order;
  lanes<Scalar, Width> rows[Width];
  for (std::size_t row = 0; row < Width; ++row) {
    rows[row] = load_lanes<Width>(from + row * from_stride);
  }
  for (std::size_t turn = 1; turn < Width; turn *= 2) {
    lanes<Scalar, Width> next[Width];
    for (std::size_t row = 0; row < Width / 2; ++row) {
      next[2 * row] = woven<false>(rows[row], rows[row + Width / 2], in_order);
      next[2 * row + 1] = woven<true>(rows[row], rows[row + Width / 2], in_order);
    }
    for (std::size_t row = 0; row < Width; ++row) {
      rows[row] = next[row];
    }
  }
  for (std::size_t row = 0; row < Width; ++row) {
    store_lanes<Width>(rows[row], to + row * to_stride);
  }
}

}  // namespace detail

}  // namespace attest
