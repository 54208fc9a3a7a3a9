// SPDX-License-Identifier: BSL-1.0
// axis.hpp — named extents: a shape is a list of axes, and two axes are equal only by name and size.
// A model adds its own axis in one line:
//   template <std::size_t Size> struct vocabulary : attest::axis<Size> { static constexpr auto name = "vocabulary"; };
#pragma once

#include <boost/hana/fwd/tuple.hpp>
#include <boost/hana/fwd/type.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace attest {

namespace hana = boost::hana;

/// The base of every axis.
/// Refuses: an axis without entries (does not compile).
template <std::size_t Size>
struct axis {
  static_assert(Size > 0, "an axis needs at least one entry");
  static constexpr std::size_t size = Size;
};

/// The positions of a sequence, one row each.
template <std::size_t Size>
struct tokens {
  static_assert(Size > 0, "empty sequence: attention needs at least one position");
  static constexpr std::size_t size = Size;
  static constexpr auto name = "tokens";
};

/// The positions that look.
template <std::size_t Size>
struct queries : axis<Size> {
  static constexpr auto name = "queries";
};

/// The positions that are looked at.
template <std::size_t Size>
struct keys : axis<Size> {
  static constexpr auto name = "keys";
};

/// The width of a row of the model.
template <std::size_t Size>
struct d_model : axis<Size> {
  static constexpr auto name = "d_model";
};

/// The width of a row of q, k and v.
template <std::size_t Size>
struct d_head : axis<Size> {
  static constexpr auto name = "d_head";
};

/// The heads of a layer, each with q, k and v of its own.
template <std::size_t Size>
struct heads : axis<Size> {
  static constexpr auto name = "heads";
};

template <class Axis>
concept is_axis = requires {
  { Axis::size } -> std::convertible_to<std::size_t>;
  { Axis::name } -> std::convertible_to<char const*>;
};

/// True if Axis is Family<n> for some n: is_named<keys<6>, keys>.
template <class Axis, template <std::size_t> class Family>
concept is_named = std::same_as<Axis, Family<Axis::size>>;

/// Axes in order; with <boost/hana.hpp> shape<…>{} is a value that Boost.Hana's algorithms take.
template <is_axis... Axes>
using shape = hana::tuple<hana::basic_type<Axes>...>;

namespace detail {

/// std::copyable asks for a swap besides, which takes a compiler as long as a whole product.
template <class Value>
concept can_be_copied = std::is_copy_constructible_v<Value> && std::is_copy_assignable_v<Value>;

// The library's own shape algebra is pattern matching on the types: Hana's filter and contains on the
// values say the same, but took seven eighths of the time to compile a layer.
template <class... Shapes>
struct concatenated;
template <class... Axes>
struct concatenated<hana::tuple<Axes...>> {
  using type = hana::tuple<Axes...>;
};
template <class... Left, class... Right, class... Others>
struct concatenated<hana::tuple<Left...>, hana::tuple<Right...>, Others...>
    : concatenated<hana::tuple<Left..., Right...>, Others...> {};

template <class Axis, class Shape>
inline constexpr bool contains = false;
template <class Axis, class... Axes>
inline constexpr bool contains<Axis, hana::tuple<Axes...>> = (std::same_as<Axis, Axes> || ...);

template <class Left, class Right, bool Shared>
struct kept;
template <class... Axes, class Right, bool Shared>
struct kept<hana::tuple<Axes...>, Right, Shared>
    : concatenated<hana::tuple<>, std::conditional_t<contains<Axes, Right> == Shared,
                                                     hana::tuple<Axes>, hana::tuple<>>...> {};

}  // namespace detail

/// The axes of Left that Right has too, and those that it has not.
template <class Left, class Right>
using shared_axes = typename detail::kept<Left, Right, true>::type;
template <class Left, class Right>
using own_axes = typename detail::kept<Left, Right, false>::type;

/// What a contraction leaves: the axes that only Left has, then those that only Right has.
template <class Left, class Right>
using joined_axes =
    typename detail::concatenated<own_axes<Left, Right>, own_axes<Right, Left>>::type;

/// The diagnostic of a deleted overload: which axes were expected, and which came.
template <class...>
struct expected;
template <class...>
struct got;
template <class Expected, class Got>
struct mismatch;

}  // namespace attest
