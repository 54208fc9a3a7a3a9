// SPDX-License-Identifier: BSL-1.0
// product.hpp — a product of two matrices as a walk over tiles, with the pairs that a mask allows.
// Stands on: axis, mask, tile.
#pragma once

#include <attest/axis.hpp>
#include <attest/mask.hpp>
#include <attest/tile.hpp>

#include <cstddef>
#include <type_traits>

namespace attest::detail {

constexpr bool is_empty(key_range range) {
  return range.first >= range.last;
}

/// The ranges of `count` queries from `query` on: what all have in common, and where any has a key.
struct ranges_of_queries {
  key_range all;
  key_range any;

  template <class Pairs>
  constexpr ranges_of_queries(Pairs const& pairs, std::size_t query, std::size_t count,
                              std::size_t keys)
      : all{pairs(query, keys)}, any{all} {
    for (std::size_t other = 1; other < count; ++other) {
      key_range const range = pairs(query + other, keys);
      all = common(all, range);
      any = {any.first < range.first ? any.first : range.first,
             any.last < range.last ? range.last : any.last};
    }
  }
};

/// queries × keys: `Count` rows from `query` on and the columns of `panel`, with which b begins. If b is
/// padded, it has a whole tile of them, and what is not allowed is summed on the side and forgotten.
template <class Tile, std::size_t Count, bool Padded, class Scalar, class Pairs>
constexpr void add_to_pairs(strided<Scalar> const& a, strided<Scalar> const& b, std::size_t count,
                            Scalar* out, std::size_t keys, std::size_t query, key_range panel,
                            Pairs const& pairs) {
  ranges_of_queries const ranges{pairs, query, Count, keys};
  key_range const any = common(ranges.any, panel);
  if (is_empty(any)) {
    return;
  }
  if constexpr (Padded) {
    Scalar sums[Count * Tile::columns] = {};
    for (std::size_t row = 0; row < Count; ++row) {
      key_range const range = common(pairs(query + row, keys), panel);
      for (std::size_t key = range.first; key < range.last; ++key) {
        sums[row * Tile::columns + key - panel.first] = out[(query + row) * keys + key];
      }
    }
    add_to_tile<tile<Tile::width, Count, Tile::vectors>>(a.from(query, 0), b, count, sums,
                                                         Tile::columns);
    for (std::size_t row = 0; row < Count; ++row) {
      key_range const range = common(pairs(query + row, keys), panel);
      for (std::size_t key = range.first; key < range.last; ++key) {
        out[(query + row) * keys + key] = sums[row * Tile::columns + key - panel.first];
      }
    }
  } else if (ranges.all == ranges.any) {
    add_to_rows<Tile, Count>(a.from(query, 0), b.from(any.first - panel.first, 0), count,
                             out + query * keys + any.first, keys, any.last - any.first);
  } else {
    for (std::size_t row = 0; row < Count; ++row) {
      add_to_pairs<Tile, 1, Padded>(a, b, count, out, keys, query + row, panel, pairs);
    }
  }
}

/// Rows × columns, summed over keys: `Count` queries from `query` on, each over its own range.
template <class Tile, std::size_t Count, class Scalar, class Pairs>
constexpr void add_over_keys(strided<Scalar> const& a, strided<Scalar> const& b, Scalar* out,
                             std::size_t out_stride, std::size_t columns, std::size_t query,
                             std::size_t keys, Pairs const& pairs) {
  auto const add = [&]<std::size_t Together>(std::integral_constant<std::size_t, Together>,
                                             std::size_t first, key_range range) {
    if (!is_empty(range)) {
      add_to_rows<Tile, Together>(a.from(first, range.first), b.from(0, range.first),
                                  range.last - range.first, out + first * out_stride, out_stride,
                                  columns);
    }
  };
  constexpr std::integral_constant<std::size_t, 1> alone;
  key_range const all = ranges_of_queries{pairs, query, Count, keys}.all;
  // What all have in common together; before it and behind it each on its own, in ascending order.
  if (Count > 1 && !is_empty(all)) {
    for (std::size_t row = query; row < query + Count; ++row) {
      add(alone, row, {pairs(row, keys).first, all.first});
    }
    add(std::integral_constant<std::size_t, Count>{}, query, all);
    for (std::size_t row = query; row < query + Count; ++row) {
      add(alone, row, {all.last, pairs(row, keys).last});
    }
  } else {
    for (std::size_t row = query; row < query + Count; ++row) {
      add(alone, row, pairs(row, keys));
    }
  }
}

/// Rows × columns, summed over queries: `Count` keys from `key` on. Queries that allow all of them are
/// taken together, as many as follow one another; any other pair on its own.
template <class Tile, std::size_t Count, class Scalar, class Pairs>
constexpr void add_over_queries(strided<Scalar> const& a, strided<Scalar> const& b, Scalar* out,
                                std::size_t out_stride, std::size_t columns, std::size_t key,
                                std::size_t keys, std::size_t queries, Pairs const& pairs) {
  key_range const block{key, key + Count};
  auto const has_all = [&](std::size_t query) {
    key_range const range = pairs(query, keys);
    return range.first <= block.first && block.last <= range.last;
  };
  for (std::size_t query = 0; query < queries;) {
    std::size_t const first = query++;
    if (has_all(first)) {
      while (query < queries && has_all(query)) {
        ++query;
      }
      add_to_rows<Tile, Count>(a.from(key, first), b.from(0, first), query - first,
                               out + key * out_stride, out_stride, columns);
    } else if constexpr (Count > 1) {
      key_range const some = common(pairs(first, keys), block);
      for (std::size_t row = some.first; row < some.last; ++row) {
        add_to_rows<Tile, 1>(a.from(row, first), b.from(0, first), 1, out + row * out_stride,
                             out_stride, columns);
      }
    }
  }
}

/// `Count` rows from `row` on. Rows × Columns are the axes of out, Shared is summed over; `pairs` speaks
/// of the two that are queries and keys.
template <class Tile, std::size_t Count, bool Padded, class Rows, class Shared, class Columns,
          class Scalar, class Pairs>
constexpr void add_block(strided<Scalar> const& a, strided<Scalar> const& b, Scalar* out,
                         std::size_t row, key_range panel, Pairs const& pairs) {
  if constexpr (is_named<Rows, queries> && is_named<Columns, keys>) {
    add_to_pairs<Tile, Count, Padded>(a, b, Shared::size, out, Columns::size, row, panel, pairs);
  } else if constexpr (is_named<Rows, queries> && is_named<Shared, keys>) {
    add_over_keys<Tile, Count>(a, b, out + panel.first, Columns::size, panel.last - panel.first,
                               row, Shared::size, pairs);
  } else if constexpr (is_named<Shared, queries> && is_named<Rows, keys>) {
    add_over_queries<Tile, Count>(a, b, out + panel.first, Columns::size, panel.last - panel.first,
                                  row, Rows::size, Shared::size, pairs);
  } else {
    add_to_rows<Tile, Count>(a.from(row, 0), b, Shared::size,
                             out + row * Columns::size + panel.first, Columns::size,
                             panel.last - panel.first);
  }
}

/// The columns of `panel`, with which b begins.
template <class Tile, bool Padded, class Rows, class Shared, class Columns, class Scalar,
          class Pairs>
constexpr void add_panel(strided<Scalar> const& a, strided<Scalar> const& b, Scalar* out,
                         key_range panel, Pairs const& pairs) {
  std::size_t row = 0;
  if constexpr (Tile::rows > 1) {
    for (; row + Tile::rows <= Rows::size; row += Tile::rows) {
      add_block<Tile, Tile::rows, Padded, Rows, Shared, Columns>(a, b, out, row, panel, pairs);
    }
  }
  for (; row < Rows::size; ++row) {
    add_block<Tile, 1, Padded, Rows, Shared, Columns>(a, b, out, row, panel, pairs);
  }
}

/// A·B added to out. Lanes need neighbours: columns that are none are brought together, one tile's at
/// a time.
template <class Tile, class Rows, class Shared, class Columns, class Scalar, class Pairs>
constexpr void add_product(strided<Scalar> const& a, strided<Scalar> const& b, Scalar* out,
                           Pairs const& pairs) {
  if (Tile::width == 1 || b.own == 1) {
    add_panel<Tile, false, Rows, Shared, Columns>(a, b, out, {0, Columns::size}, pairs);
    return;
  }
  if constexpr (Tile::width > 1) {
    for (std::size_t first = 0; first < Columns::size; first += Tile::columns) {
      Scalar packed[Shared::size * Tile::columns] = {};
      key_range const panel = common({first, first + Tile::columns}, {0, Columns::size});
      for (std::size_t column = panel.first; column < panel.last; ++column) {
        for (std::size_t s = 0; s < Shared::size; ++s) {
          packed[s * Tile::columns + column - first] = *b.from(column, s).first;
        }
      }
      add_panel<Tile, true, Rows, Shared, Columns>(a, strided<Scalar>{packed, 1, Tile::columns},
                                                   out, panel, pairs);
    }
  }
}

}  // namespace attest::detail
