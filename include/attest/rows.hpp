// SPDX-License-Identifier: BSL-1.0
// rows.hpp — a matrix row by row, along the axis that is asked for and whichever it is: where rows are
// neighbours in memory, as many at a time as a register has lanes.
// Stands on: axis, lanes, mask, scalar, tensor.
#pragma once

#include <attest/axis.hpp>
#include <attest/lanes.hpp>
#include <attest/mask.hpp>
#include <attest/scalar/scalar.hpp>
#include <attest/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest {

/// In each lane.
template <class Scalar, std::size_t Width>
constexpr plain_lanes<Scalar, Width> larger(plain_lanes<Scalar, Width> const& left,
                                            plain_lanes<Scalar, Width> const& right) {
  return left.each(left, right, [](auto const& a, auto const& b) { return larger(a, b); });
}
#if ATTEST_REGISTER_BYTES > 0
template <class Vector>
  requires std::same_as<Vector, lanes<float, native_width<float>>> ||
           std::same_as<Vector, lanes<double, native_width<double>>>
constexpr Vector larger(Vector const& left, Vector const& right) {
  return left < right ? right : left;
}
#endif

namespace detail {

/// What a loop over Axis covers while the loop outside it, over Outer, stands at `outer`.
template <class Outer, class Axis, class Pairs>
constexpr key_range bounds(Pairs const& pairs, std::size_t outer) {
  if constexpr (is_named<Outer, queries> && is_named<Axis, keys>) {
    return pairs(outer, Axis::size);
  } else {
    return {0, Axis::size};
  }
}

/// Where the entries of a matrix lie, seen as rows that run along Over.
template <class Matrix, template <std::size_t> class Over>
struct rows_along {
  static constexpr bool are_neighbours = is_named<row_axis<Matrix>, Over>;
  using over = std::conditional_t<are_neighbours, row_axis<Matrix>, column_axis<Matrix>>;
  using rows = std::conditional_t<are_neighbours, column_axis<Matrix>, row_axis<Matrix>>;
  /// From an entry to the next of its row, and from a row to the next.
  static constexpr std::size_t entry_step = are_neighbours ? rows::size : 1;
  static constexpr std::size_t row_step = are_neighbours ? 1 : over::size;
};

/// Entries of Width neighbouring rows in memory, Step from one entry to the next: entries[k] are lanes, or what
/// lanes are assigned to.
template <std::size_t Width, std::size_t Step, class Element>
struct entries_of_rows {
  using vector = lanes<std::remove_const_t<Element>, Width>;
  struct assignable {
    Element* first;

    constexpr assignable& operator=(vector const& values) {
      store_lanes<Width>(values, first);
      return *this;
    }
  };

  Element* first;

  constexpr auto operator[](std::size_t entry) const {
    if constexpr (std::is_const_v<Element>) {
      return load_lanes<Width>(first + entry * Step);
    } else {
      return assignable{first + entry * Step};
    }
  }
};

/// The entries of one row, if they are neighbours, are a pointer: evaluators charge for calls.
template <std::size_t Width, std::size_t Step, class Element>
using entries_of =
    std::conditional_t<Width == 1 && Step == 1, Element*, entries_of_rows<Width, Step, Element>>;

/// Width rows next to one another, each with a range of entries of its own.
template <class Scalar, std::size_t Width>
struct rows_together {
  using vector = lanes<Scalar, Width>;
  static constexpr bool is_register = Width > 1 && !std::is_class_v<vector>;
  using index = std::conditional_t<sizeof(Scalar) == 4, std::int32_t, std::int64_t>;
  using indices = lanes<index, is_register ? Width : 1>;

  std::size_t row;
  key_range of_row[Width]{};
  key_range all{};  // the entries that all of the rows have
  key_range any{};  // and from the first to the last that one of them has
  indices first{};  // of_row, in the lanes of a register
  indices last{};

  template <class Layout, class Pairs>
  constexpr rows_together(Layout, Pairs const& pairs, std::size_t first_row) : row{first_row} {
    index firsts[Width] = {};
    index lasts[Width] = {};
    for (std::size_t lane = 0; lane < Width; ++lane) {
      key_range const range =
          bounds<typename Layout::rows, typename Layout::over>(pairs, row + lane);
      of_row[lane] = range;
      all = lane == 0 ? range : common(all, range);
      any = either(any, range);
      firsts[lane] = static_cast<index>(range.first);
      lasts[lane] = static_cast<index>(range.last);
    }
    if constexpr (is_register) {
      first = load_lanes<Width>(firsts);
      last = load_lanes<Width>(lasts);
    }
  }

  /// The first entry of each row; of a row without entries anything.
  constexpr vector first_entries(Scalar const* rows, std::size_t step) const {
    if constexpr (Width > 1) {
      Scalar result[Width] = {};
      for (std::size_t lane = 0; lane < Width; ++lane) {
        std::size_t const own = is_empty(of_row[lane]) ? any.first : of_row[lane].first;
        result[lane] = rows[own * step + lane];
      }
      return load_lanes<Width>(result);
    } else {
      return rows[any.first * step];
    }
  }

  /// The same rows without the first entry of each.
  constexpr rows_together without_first_entries() const {
    rows_together result = *this;
    for (key_range& range : result.of_row) {
      ++range.first;
    }
    ++result.all.first;
    ++result.any.first;
    if constexpr (is_register) {
      result.first += 1;
    }
    return result;
  }

  /// advance(entry, end) for entries first, …, last − 1, a part at a time; `value`, which it changes, stays as it
  /// is in rows that have not the entry. A call a part, not an entry: evaluators charge for calls.
  template <class Advance>
  constexpr void fold(std::size_t first_entry, std::size_t last_entry, vector& value,
                      Advance const& advance) const {
    for_each_part(first_entry, last_entry, advance, [&](std::size_t entry) {
      vector const before = value;
      advance(entry, entry + 1);
      value = where(entry, value, before);
    });
  }

  /// assign(entry, end) for the same entries, of which the first is at `here` and each next one `step` behind it;
  /// what it assigns becomes 0 in rows that have not the entry.
  template <class Assign>
  constexpr void set(std::size_t first_entry, std::size_t last_entry, Scalar* here,
                     std::size_t step, Assign const& assign) const {
    for_each_part(first_entry, last_entry, assign, [&](std::size_t entry) {
      assign(entry, entry + 1);
      Scalar* const entries = here + (entry - first_entry) * step;
      store_lanes<Width>(where(entry, load_lanes<Width>(entries), vector{}), entries);
    });
  }

 private:
  /// Of first_entry, …, last_entry − 1 use(entry, end) for those that each row has, and one(entry) for each other.
  template <class Use, class One>
  constexpr void for_each_part(std::size_t first_entry, std::size_t last_entry, Use const& use,
                               One const& one) const {
    if constexpr (Width > 1) {
      key_range const inside = part_inside(all, {first_entry, last_entry});
      for (std::size_t entry = first_entry; entry < inside.first; ++entry) {
        one(entry);
      }
      use(inside.first, inside.last);
      for (std::size_t entry = inside.last; entry < last_entry; ++entry) {
        one(entry);
      }
    } else {
      use(first_entry, last_entry);
    }
  }

  /// `value` in each row that has the entry, and `other` in the rest.
  constexpr vector where(std::size_t entry, vector const& value, vector const& other) const {
    if constexpr (is_register) {
      auto const here = static_cast<index>(entry);
      return ((first <= here) & (last > here)) ? value : other;
    } else if constexpr (Width > 1) {
      vector result = other;
      for (std::size_t lane = 0; lane < Width; ++lane) {
        if (of_row[lane].contains(entry)) {
          result.of[lane] = value.of[lane];
        }
      }
      return result;
    } else {
      return value;
    }
  }
};

/// use(rows) for all rows that have an entry, in ascending order, Width at a time where they are
/// neighbours.
template <std::size_t Width, class Layout, class Scalar, class Pairs, class Use>
constexpr void for_each_rows(Pairs const& pairs, Use const& use) {
  std::size_t row = 0;
  auto const groups = [&]<std::size_t Together>(std::integral_constant<std::size_t, Together>) {
    for (; row + Together <= Layout::rows::size; row += Together) {
      rows_together<Scalar, Together> const rows{Layout{}, pairs, row};
      if (!is_empty(rows.any)) {
        use(rows);
      }
    }
  };
  if constexpr (Layout::are_neighbours && Width > 1) {
    groups(std::integral_constant<std::size_t, Width>{});
  }
  groups(std::integral_constant<std::size_t, 1>{});
}

}  // namespace detail

}  // namespace attest
