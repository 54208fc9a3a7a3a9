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

/// Whether a mask has a say in a product of these axes: two of them are queries and keys.
template <class... Axes>
inline constexpr bool are_masked =
    (is_named<Axes, queries> || ...) && (is_named<Axes, keys> || ...);

/// An axis in which no mask has a say. Products of the same sizes are the same functions: without names they
/// are compiled once.
template <std::size_t Size>
struct unmasked : axis<Size> {};
template <bool Masked, class Axis>
using named_if = std::conditional_t<Masked, Axis, unmasked<Axis::size>>;

/// The ranges of `count` queries from `query` on: what all have in common, and where any has a key.
struct ranges_of_queries {
  key_range all;
  key_range any;

  template <class Pairs>
  constexpr ranges_of_queries(Pairs const& pairs, std::size_t query, std::size_t count,
                              std::size_t keys)
      : all{pairs(query, keys)}, any{all} {
    for (std::size_t other = ascends<Pairs> ? count - 1 : 1; other < count; ++other) {
      key_range const range = pairs(query + other, keys);
      all = common(all, range);
      any = either(any, range);
    }
  }
};

/// A whole tile of Count rows, of which only some entries are wanted: for_each_entry calls its argument with
/// the row, the column and the element of each.
template <class Tile, std::size_t Count, class Scalar, class ForEachEntry>
constexpr void add_on_the_side(strided<Scalar> const& a, strided<Scalar> const& b,
                               std::size_t count, ForEachEntry const& for_each_entry) {
  alignas(cache_line) Scalar sums[Count * Tile::columns] = {};
  if constexpr (!Tile::sums::are_from_zero) {
    for_each_entry([&](std::size_t row, std::size_t column, Scalar const& entry) {
      sums[row * Tile::columns + column] = entry;
    });
  }
  add_to_tile<typename Tile::template with<Tile::width, Count, Tile::vectors>>(a, b, count, sums,
                                                                               Tile::columns);
  for_each_entry([&](std::size_t row, std::size_t column, Scalar& entry) {
    entry = sums[row * Tile::columns + column];
  });
}

/// queries × keys: `Count` rows from `query` on and the columns of `panel`, with which b begins. If b is
/// padded, it has a whole tile of them, and what is not allowed is summed on the side and forgotten.
template <class Tile, std::size_t Count, bool Padded, class Scalar, class B, class Pairs>
constexpr void add_to_pairs(strided<Scalar> const& a, B const& b, std::size_t count, Scalar* out,
                            std::size_t keys, std::size_t query, key_range panel,
                            Pairs const& pairs) {
  ranges_of_queries const ranges{pairs, query, Count, keys};
  key_range const any = common(ranges.any, panel);
  if (is_empty(any)) {
    return;
  }
  if constexpr (Padded) {
    add_on_the_side<Tile, Count>(a.from(query, 0), b, count, [&](auto const& use) {
      for (std::size_t row = 0; row < Count; ++row) {
        key_range const range = common(pairs(query + row, keys), panel);
        for (std::size_t key = range.first; key < range.last; ++key) {
          use(row, key - panel.first, out[(query + row) * keys + key]);
        }
      }
    });
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
template <class Tile, std::size_t Count, class Scalar, class B, class Pairs>
constexpr void add_over_keys(strided<Scalar> const& a, B const& b, Scalar* out,
                             std::size_t out_stride, std::size_t columns, std::size_t query,
                             std::size_t keys, Pairs const& pairs) {
  static_assert(!Tile::sums::are_from_zero, "a sum over keys comes about in several parts");
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

/// The pairs of some keys. What they are a part of is not copied: a mask may have a range for each query.
template <class Pairs>
struct pairs_of_keys {
  Pairs const* pairs;
  key_range some;

  constexpr key_range operator()(std::size_t query, std::size_t keys) const {
    return common((*pairs)(query, keys), some);
  }
};
template <class Pairs>
pairs_of_keys(Pairs const*, key_range) -> pairs_of_keys<Pairs>;

/// use(pairs) for Pass keys after the other, or for all at once.
template <std::size_t Pass, std::size_t Keys, class Pairs, class Use>
constexpr void for_each_pass(Pairs const& pairs, Use const& use) {
  if constexpr (Pass < Keys) {
    for (std::size_t first = 0; first < Keys; first += Pass) {
      use(pairs_of_keys{&pairs, {first, first + Pass}});
    }
  } else {
    use(pairs);
  }
}

/// Rows × columns, summed over queries: `Count` keys from `key` on. Queries that allow all of them are
/// taken together, as many as follow one another; any other pair on its own.
template <class Tile, std::size_t Count, class Scalar, class B, class Pairs>
constexpr void add_over_queries(strided<Scalar> const& a, B const& b, Scalar* out,
                                std::size_t out_stride, std::size_t columns, std::size_t key,
                                std::size_t keys, std::size_t queries, Pairs const& pairs) {
  static_assert(!Tile::sums::are_from_zero, "a sum over queries comes about in several parts");
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

/// use(count, row) for blocks of rows from `first` on: whole tiles, thirds of one, single rows, of Size.
template <class Tile, std::size_t Size, class Use>
constexpr void for_each_block(std::size_t first, std::size_t last, Use const& use) {
  std::size_t row = first;
  auto const blocks = [&]<std::size_t Count>(std::integral_constant<std::size_t, Count> count) {
    // Without row < last g++ believes that the sum may overflow, and warns of what would follow.
    for (; row < last && row + Count <= last; row += Count) {
      use(count, row);
    }
  };
  if constexpr (Tile::rows > 1 && Tile::rows <= Size) {
    blocks(std::integral_constant<std::size_t, Tile::rows>{});
  }
  if constexpr (Tile::rows >= 6 && Tile::rows / 3 <= Size) {
    blocks(std::integral_constant<std::size_t, Tile::rows / 3>{});
  }
  blocks(std::integral_constant<std::size_t, 1>{});
}

/// keys × queries, for the queries of `panel`, with which b begins: `Count` keys from `key` on, of which
/// each query has its own. If b is padded, what is not allowed is summed on the side and forgotten.
template <class Tile, std::size_t Count, bool Padded, class Scalar, class B, class Pairs>
constexpr void add_to_some_pairs(strided<Scalar> const& a, B const& b, std::size_t count,
                                 Scalar* out, std::size_t out_stride, std::size_t key,
                                 std::size_t keys, key_range panel, Pairs const& pairs) {
  key_range const block{key, key + Count};
  if constexpr (Padded) {
    add_on_the_side<Tile, Count>(a.from(key, 0), b, count, [&](auto const& use) {
      for (std::size_t query = panel.first; query < panel.last; ++query) {
        key_range const range = common(pairs(query, keys), block);
        for (std::size_t row = range.first; row < range.last; ++row) {
          use(row - key, query - panel.first, out[row * out_stride + query]);
        }
      }
    });
  } else {
    for (std::size_t query = panel.first; query < panel.last; ++query) {
      key_range const range = common(pairs(query, keys), block);
      for (std::size_t row = range.first; row < range.last; ++row) {
        add_to_rows<Tile, 1>(a.from(row, 0), b.from(query - panel.first, 0), count,
                             out + row * out_stride + query, out_stride, 1);
      }
    }
  }
}

/// The columns of `panel`, with which b begins. Rows × Columns are the axes of out, Shared is summed
/// over; `pairs` speaks of the two that are queries and keys.
template <class Tile, bool Padded, class Rows, class Shared, class Columns, class Scalar, class B,
          class Pairs>
constexpr void add_panel(strided<Scalar> const& a, B const& b, Scalar* out, key_range panel,
                         Pairs const& pairs) {
  constexpr std::size_t stride = Columns::size;
  std::size_t const width = panel.last - panel.first;
  Scalar* const corner = out + panel.first;
  if constexpr (is_named<Rows, keys> && is_named<Columns, queries>) {
    ranges_of_queries const ranges{pairs, panel.first, width, Rows::size};
    for_each_block<Tile, Rows::size>(
        ranges.any.first, ranges.any.last, [&](auto count, std::size_t row) {
          if (ranges.all.first <= row && row + count <= ranges.all.last) {
            add_to_rows<Tile, count>(a.from(row, 0), b, Shared::size, corner + row * stride, stride,
                                     width);
          } else {
            add_to_some_pairs<Tile, count, Padded>(a, b, Shared::size, out, stride, row, Rows::size,
                                                   panel, pairs);
          }
        });
  } else if constexpr (is_named<Rows, queries> && is_named<Shared, keys>) {
    for_each_pass<Tile::keys_a_pass, Shared::size>(pairs, [&](auto const& pairs_of_pass) {
      for_each_block<Tile, Rows::size>(0, Rows::size, [&](auto count, std::size_t row) {
        add_over_keys<Tile, count>(a, b, corner, stride, width, row, Shared::size, pairs_of_pass);
      });
    });
  } else {
    for_each_block<Tile, Rows::size>(0, Rows::size, [&](auto count, std::size_t row) {
      if constexpr (is_named<Rows, queries> && is_named<Columns, keys>) {
        add_to_pairs<Tile, count, Padded>(a, b, Shared::size, out, stride, row, panel, pairs);
      } else if constexpr (is_named<Shared, queries> && is_named<Rows, keys>) {
        add_over_queries<Tile, count>(a, b, corner, stride, width, row, Rows::size, Shared::size,
                                      pairs);
      } else {
        add_to_rows<Tile, count>(a.from(row, 0), b, Shared::size, corner + row * stride, stride,
                                 width);
      }
    });
  }
}

/// Brings the columns of `panel` to `packed`, a whole tile of neighbours for each s; 0 behind the last.
/// Each column's own elements are neighbours in b.
template <class Tile, std::size_t Shared, class Scalar>
constexpr void pack(strided<Scalar> const& b, key_range panel, Scalar* packed) {
  constexpr std::size_t width = Tile::width;
  std::size_t const columns = panel.last - panel.first;
  Scalar const* const from = b.from(panel.first, 0).first;
  std::size_t const woven =
      columns - columns % width;  // these are, the rest goes an element at a time
  constexpr std::size_t woven_shared = Shared - Shared % width;
  for (std::size_t column = 0; column < woven; column += width) {
    for (std::size_t s = 0; s < woven_shared; s += width) {
      store_transposed<width>(from + column * b.own + s, b.own, packed + s * Tile::columns + column,
                              Tile::columns);
    }
  }
  for (std::size_t s = 0; s < Shared; ++s) {
    for (std::size_t column = s < woven_shared ? woven : 0; column < Tile::columns; ++column) {
      packed[s * Tile::columns + column] = column < columns ? from[column * b.own + s] : Scalar{};
    }
  }
}

/// A·B added to out. Lanes need neighbours: columns that are none are brought together, one tile's at
/// a time; in a constant expression all are, once, since vectors are dear to make there.
template <class Tile, bool AreNeighbours, class Rows, class Shared, class Columns, class Scalar,
          class Pairs>
constexpr void add_product(strided<Scalar> const& a, strided<Scalar> const& b, Scalar* out,
                           Pairs const& pairs) {
  constexpr key_range all{0, Columns::size};
  constexpr std::size_t width = Tile::columns;
  if constexpr (Tile::is_evaluated) {
    lanes<Scalar, width> vectors[Columns::size / width * Shared::size];
    gather<Shared::size>(b, vectors, std::make_index_sequence<width>{});
    columns_together<Scalar, width, Shared::size> const together{b, vectors};
    add_panel<Tile, false, Rows, Shared, Columns>(a, together, out, all, pairs);
  } else if constexpr (AreNeighbours || Tile::width == 1) {
    add_panel<Tile, false, Rows, Shared, Columns>(a, b, out, all, pairs);
  } else {
    for (std::size_t first = 0; first < Columns::size; first += width) {
      alignas(cache_line) Scalar packed[Shared::size * width];
      key_range const panel = common({first, first + width}, all);
      pack<Tile, Shared::size>(b, panel, packed);
      add_panel<Tile, true, Rows, Shared, Columns>(a, strided<Scalar>{packed, 1, width}, out, panel,
                                                   pairs);
    }
  }
}

}  // namespace attest::detail
