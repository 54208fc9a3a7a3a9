// SPDX-License-Identifier: BSL-1.0
// tensor.hpp — tensor<Scalar, Axes...>: a std::array, and axes that say what its entries mean.
// The elements are contiguous, the last axis fastest. Stands on: axis.
#pragma once

#include <attest/axis.hpp>

#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest {

/// True if both are the same number to the bit: −0 differs from +0, and a NaN equals itself.
constexpr bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}
constexpr bool same_bits(float left, float right) {
  return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
}

/// Elements that somebody else owns, with axes; what an operation reads from or writes to.
template <class Element, is_axis... Axes>
struct tensor_view {
  using scalar_type = std::remove_const_t<Element>;
  using shape_type = shape<Axes...>;
  static constexpr std::size_t size = (Axes::size * ...);

  Element* elements;

  constexpr Element* data() const { return elements; }
};

template <class Scalar, is_axis... Axes>
struct tensor;

namespace detail {

template <class Scalar, class First, class... Rest>
struct without_first {
  using type = tensor<Scalar, Rest...>;
};

}  // namespace detail

/// A block of numbers with named axes: tensor<double, tokens<6>, d_model<4>>. Zero unless told.
/// Refuses: braces, an index list or another tensor of another shape (does not compile).
template <class Scalar, is_axis... Axes>
struct tensor {
  static_assert(sizeof...(Axes) > 0, "a tensor needs at least one axis");
  using scalar_type = Scalar;
  using shape_type = shape<Axes...>;
  static constexpr std::size_t rank = sizeof...(Axes);
  static constexpr std::size_t size = (Axes::size * ...);
  static constexpr std::array<std::size_t, rank> extents{Axes::size...};

  std::array<Scalar, size> elements{};

  constexpr tensor() = default;

  /// One axis: tensor<double, keys<3>> row{1, 2, 3};
  template <std::convertible_to<Scalar>... Entries>
    requires(rank == 1 && sizeof...(Entries) == size)
  constexpr tensor(Entries... entries) : elements{static_cast<Scalar>(entries)...} {}

  /// Two axes, a row in braces each: tensor<double, tokens<2>, d_model<3>> x{{1, 2, 3}, {4, 5, 6}};
  template <std::size_t... Columns>
    requires(rank == 2 && sizeof...(Columns) == extents[0] &&
             ((Columns == extents[rank - 1]) && ...))
  constexpr tensor(Scalar const (&... rows)[Columns]) {
    Scalar* end = elements.data();
    ((end = append(rows, end)), ...);
  }
  template <std::size_t... Columns>
    requires(rank == 2 &&
             !(sizeof...(Columns) == extents[0] && ((Columns == extents[rank - 1]) && ...)))
  constexpr tensor(Scalar const (&... rows)[Columns]) = delete;

  /// Two axes, from a built-in array of rows.
  template <std::size_t Rows, std::size_t Columns>
    requires(rank == 2 && Rows == extents[0] && Columns == extents[rank - 1])
  constexpr explicit tensor(Scalar const (&rows)[Rows][Columns]) {
    Scalar* end = elements.data();
    for (auto const& row : rows) {
      end = append(row, end);
    }
  }

  template <class OtherScalar, is_axis... OtherAxes>
    requires(!std::same_as<tensor, tensor<OtherScalar, OtherAxes...>>)
  constexpr tensor(tensor<OtherScalar, OtherAxes...> const& of_another_shape) = delete;

  constexpr Scalar* data() { return elements.data(); }
  constexpr Scalar const* data() const { return elements.data(); }

  /// The entry at one index an axis; an index beyond its axis is a failed assertion.
  template <std::convertible_to<std::size_t>... Index>
    requires(sizeof...(Index) == rank)
  constexpr Scalar const& operator()(Index... index) const {
    return elements[offset(static_cast<std::size_t>(index)...)];
  }
  template <std::convertible_to<std::size_t>... Index>
    requires(sizeof...(Index) == rank)
  constexpr Scalar& operator()(Index... index) {
    return elements[offset(static_cast<std::size_t>(index)...)];
  }

  /// A copy of what stands at `index` of the first axis: of a matrix, a row.
  constexpr auto row(std::size_t index) const
    requires(rank > 1)
  {
    assert(index < extents[0]);
    typename detail::without_first<Scalar, Axes...>::type result;
    for (std::size_t i = 0; i < result.size; ++i) {
      result.elements[i] = elements[index * result.size + i];
    }
    return result;
  }

  /// Equal to the bit, so a tensor with a NaN equals its copy.
  friend constexpr bool operator==(tensor const& left, tensor const& right) {
    for (std::size_t i = 0; i < size; ++i) {
      if (!same_bits(left.elements[i], right.elements[i])) {
        return false;
      }
    }
    return true;
  }

 private:
  template <std::size_t Columns>
  static constexpr Scalar* append(Scalar const (&row)[Columns], Scalar* end) {
    for (Scalar const& entry : row) {
      *end++ = entry;
    }
    return end;
  }

  static constexpr std::size_t offset(auto... index) {
    assert(((index < Axes::size) && ...));
    std::size_t result = 0;
    ((result = result * Axes::size + index), ...);
    return result;
  }
};

/// A tensor or a view of one.
template <class Tensor>
concept tensor_like = requires(Tensor const& tensor) {
  typename Tensor::scalar_type;
  typename Tensor::shape_type;
  tensor.data();
};

namespace detail {

template <class Shape>
struct axes_of;
template <class First>
struct axes_of<hana::tuple<hana::basic_type<First>>> {
  using first = First;
  static constexpr std::size_t count = 1;
};
template <class First, class Second, class... Others>
struct axes_of<hana::tuple<hana::basic_type<First>, hana::basic_type<Second>, Others...>> {
  using first = First;
  using second = Second;
  static constexpr std::size_t count = 2 + sizeof...(Others);
};
template <>
struct axes_of<hana::tuple<>> {
  static constexpr std::size_t count = 0;
};

}  // namespace detail

template <class Tensor>
concept matrix = tensor_like<Tensor> && detail::axes_of<typename Tensor::shape_type>::count == 2;

template <matrix Matrix>
using row_axis = typename detail::axes_of<typename Matrix::shape_type>::first;
template <matrix Matrix>
using column_axis = typename detail::axes_of<typename Matrix::shape_type>::second;

/// The one axis that two matrices share.
template <class A, class B>
using shared = detail::axes_of<shared_axes<typename A::shape_type, typename B::shape_type>>;

namespace detail {

template <class Scalar, class Shape>
struct of_shape;
template <class Scalar, class... Axes>
struct of_shape<Scalar, hana::tuple<hana::basic_type<Axes>...>> {
  using type = tensor<Scalar, Axes...>;
};

template <class Element, class Shape, template <std::size_t> class From,
          template <std::size_t> class To>
struct renamed;
template <class Element, class... Axes, template <std::size_t> class From,
          template <std::size_t> class To>
struct renamed<Element, hana::tuple<hana::basic_type<Axes>...>, From, To> {
  static_assert((is_named<Axes, From> || ...),
                "rename: the tensor has no axis of the name that is to be changed");
  using type =
      tensor_view<Element, std::conditional_t<is_named<Axes, From>, To<Axes::size>, Axes>...>;
};

}  // namespace detail

template <class Scalar, class Shape>
using tensor_of_shape = typename detail::of_shape<Scalar, Shape>::type;

/// The same elements under another name of one axis: rename<tokens, queries>(x).
/// Refuses: a tensor without that axis (does not compile).
template <template <std::size_t> class From, template <std::size_t> class To, class Tensor>
constexpr auto rename(Tensor& tensor) {
  using element = std::remove_pointer_t<decltype(tensor.data())>;
  return
      typename detail::renamed<element, typename Tensor::shape_type, From, To>::type{tensor.data()};
}

/// Every entry becomes `value`.
template <class Tensor>
constexpr void fill(Tensor& tensor, typename Tensor::scalar_type const& value) {
  auto* const elements = tensor.data();
  for (std::size_t i = 0; i < Tensor::size; ++i) {
    elements[i] = value;
  }
}

}  // namespace attest
