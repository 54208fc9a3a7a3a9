// SPDX-License-Identifier: BSL-1.0
// runtime.hpp — the run-time boundary: rows, masks and lengths that arrive while the program runs
// become types here, or an error that says what was expected and what came.
// Included by name, as it throws std::invalid_argument. Stands on: axis, tensor, mask.
#pragma once

#include <attest/axis.hpp>
#include <attest/mask.hpp>
#include <attest/tensor.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace attest::runtime {

/// A range of rows, each a range of numbers: std::vector<std::vector<double>>.
template <class Range, class Scalar>
concept range_of_rows =
    std::ranges::forward_range<Range> &&
    std::ranges::forward_range<std::ranges::range_reference_t<Range>> &&
    std::convertible_to<std::ranges::range_reference_t<std::ranges::range_reference_t<Range>>,
                        Scalar>;

namespace detail {

[[noreturn]] inline void refuse(std::string const& message) {
  throw std::invalid_argument(message);
}

[[noreturn]] inline void refuse_empty_sequence() {
  refuse("empty sequence: attention needs at least one position");
}

template <class Range>
std::size_t length(Range&& range) {
  return static_cast<std::size_t>(std::ranges::distance(range));
}

inline std::string counted(std::size_t count, char const* noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace detail

/// tensor_from_rows<double, tokens<6>, d_model<4>>(rows)
/// Empty:   no rows are refused.
/// Refuses: another number of rows than Rows has, and a row of another width than Columns
///          (std::invalid_argument, which names the axis, what was expected and what came).
template <class Scalar, is_axis Rows, is_axis Columns, range_of_rows<Scalar> Range>
tensor<Scalar, Rows, Columns> tensor_from_rows(Range&& rows) {
  std::size_t const count = detail::length(rows);
  if (count == 0) {
    detail::refuse_empty_sequence();
  }
  if (count != Rows::size) {
    detail::refuse("wrong number of rows: " + std::string(Rows::name) + " expects " +
                   std::to_string(Rows::size) + ", got " + std::to_string(count));
  }
  tensor<Scalar, Rows, Columns> result;
  Scalar* element = result.data();
  std::size_t index = 0;
  for (auto&& row : rows) {
    if (std::size_t const width = detail::length(row); width != Columns::size) {
      detail::refuse("wrong width of row " + std::to_string(index) + ": " + Columns::name +
                     " expects " + detail::counted(Columns::size, "number") + ", got " +
                     std::to_string(width));
    }
    for (auto&& entry : row) {
      *element++ = static_cast<Scalar>(entry);
    }
    ++index;
  }
  return result;
}

/// f(mask::causal), f(mask::none) or f(mask::zero), as `text` says; they return the same type.
/// Refuses: any other text (std::invalid_argument, which lists the modes). Nothing is called then.
template <class Function>
decltype(auto) with_mask(std::string_view text, Function&& f) {
  if (text == mask::causal.name) {
    return f(mask::causal);
  }
  if (text == mask::none.name) {
    return f(mask::none);
  }
  if (text == mask::zero.name) {
    return f(mask::zero);
  }
  detail::refuse("unknown mask \"" + std::string(text) + "\": expected one of " +
                 mask::causal.name + ", " + mask::none.name + ", " + mask::zero.name);
}

/// f(tokens<count>{}), for a count of 1 to Limit; every instance returns the same type:
///   with_tokens<64>(rows.size(), [&]<std::size_t T>(tokens<T>) { … });
/// Refuses: 0, and a count above Limit (std::invalid_argument, which names both).
/// Cost:    Limit instances of f.
template <std::size_t Limit, class Function>
decltype(auto) with_tokens(std::size_t count, Function&& f) {
  if (count == 0) {
    detail::refuse_empty_sequence();
  }
  if (count > Limit) {
    detail::refuse("sequence too long: at most " + detail::counted(Limit, "token") + ", got " +
                   std::to_string(count));
  }
  using result = decltype(f(tokens<1>{}));
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) -> result {
    using instance = result (*)(Function&);
    static constexpr std::array<instance, Limit> instances{
        [](Function& function) -> result { return function(tokens<Index + 1>{}); }...};
    return instances[count - 1](f);
  }(std::make_index_sequence<Limit>{});
}

}  // namespace attest::runtime
