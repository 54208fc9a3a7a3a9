// SPDX-License-Identifier: BSL-1.0
// tile.hpp — the inner loops of a product: a tile of sums that stays in registers.
// Each sum runs over the shared axis in ascending order, whatever the tile. Stands on: config, lanes.
#pragma once

#include <attest/config.hpp>
#include <attest/lanes.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace attest::detail {

/// Sums that start at what is there.
struct onto_out {
  static constexpr bool are_from_zero = false;
  static constexpr bool are_multiplied = false;
  static constexpr auto const& finished(auto const& sum) { return sum; }
};

/// Sums that start at +0.
struct from_zero : onto_out {
  static constexpr bool are_from_zero = true;
};

/// Sums that start at +0, of which each is multiplied once it is complete.
template <auto const& Factor>
struct from_zero_times : from_zero {
  static constexpr bool are_multiplied = true;
  static constexpr auto finished(auto const& sum) { return ATTEST_ROUNDED(sum * Factor); }
};

/// Rows rows of Vectors times Width columns, summed together. FactorFirst says in which order a row's
/// element and a column's are multiplied: as a number the product is the same, as an expression not.
/// Sums says how they start and end; Evaluated, that lanes are vectors in a constant expression;
/// KeysAPass, of how many keys all rows take their share before the next keys come.
template <std::size_t Width, std::size_t Rows, std::size_t Vectors, bool FactorFirst = true,
          class Sums = onto_out, bool Evaluated = false,
          std::size_t KeysAPass = static_cast<std::size_t>(-1)>
struct tile {
  using sums = Sums;
  static constexpr std::size_t width = Width;
  static constexpr std::size_t rows = Rows;
  static constexpr std::size_t vectors = Vectors;
  static constexpr std::size_t columns = Vectors * Width;
  static constexpr bool factor_first = FactorFirst;
  static constexpr bool is_evaluated = Evaluated && Width > 1;
  static constexpr std::size_t keys_a_pass = KeysAPass;
  template <std::size_t OtherWidth, std::size_t OtherRows, std::size_t OtherVectors>
  using with = tile<OtherWidth, OtherRows, OtherVectors, FactorFirst, Sums, Evaluated, KeysAPass>;
  using transposed = tile<Width, Rows, Vectors, !FactorFirst, Sums, Evaluated, KeysAPass>;
  template <class OtherSums>
  using with_sums = tile<Width, Rows, Vectors, FactorFirst, OtherSums, Evaluated, KeysAPass>;
  using evaluated = tile<Width, Rows, Vectors, FactorFirst, Sums, true, KeysAPass>;
  template <std::size_t Keys>
  using in_passes = tile<Width, Rows, Vectors, FactorFirst, Sums, Evaluated, Keys>;

  template <class Scalar>
  static constexpr auto product(Scalar const& factor, lanes<Scalar, Width> const& terms) {
    if constexpr (FactorFirst) {
      return factor * terms;
    } else {
      return terms * factor;
    }
  }
};

/// For constant evaluation, and for scalars that no register holds.
using one_entry = tile<1, 1, 1>;

/// 12 sums on 16 registers or 16 on 32, so that there is room for a row of B and a factor, and blocks of 32
/// rows leave none over; two vectors of them side by side if there are as many columns.
template <class Scalar, std::size_t Columns>
struct tile_of_columns {
  static constexpr std::size_t width = native_width<Scalar>;
  static constexpr std::size_t vectors = Columns / width < 2 ? 1 : 2;
  static constexpr std::size_t rows = vectors == 1 ? 12 : register_count == 32 ? 8 : 6;
  // 64 kB of these columns of B at a time: more is not near when the next rows ask for it.
  static constexpr std::size_t keys_a_pass =
      std::size_t{64} * 1024 / (vectors * width * sizeof(Scalar));
  using type =
      std::conditional_t<width == 1, one_entry,
                         typename tile<width, rows, vectors>::template in_passes<keys_a_pass>>;
};
template <class Scalar, std::size_t Columns>
using tile_for = typename tile_of_columns<Scalar, Columns>::type;

/// A matrix, as a product walks it: the steps from an element to the next along its own axis and
/// along the axis that is summed over.
template <class Scalar>
struct strided {
  Scalar const* first;
  std::size_t own;
  std::size_t shared;

  constexpr strided from(std::size_t own_index, std::size_t shared_index) const {
    return {first + own_index * own + shared_index * shared, own, shared};
  }
};

/// Scalar, once for each index of a pack.
template <class Scalar, std::size_t>
using repeated = Scalar;

/// The columns of a matrix, and vectors of Width of them: of each Width columns one for each of Shared indices.
template <class Scalar, std::size_t Width, std::size_t Shared>
struct columns_together {
  strided<Scalar> entries;
  lanes<Scalar, Width> const* vectors;
  std::size_t column = 0;  // at which `entries` are

  constexpr columns_together from(std::size_t own_index, std::size_t shared_index) const {
    return {entries.from(own_index, shared_index), vectors + shared_index, column + own_index};
  }
  /// The vectors of Width columns from a multiple of Width on, `skipped` behind the first.
  constexpr lanes<Scalar, Width> const* together(std::size_t skipped) const {
    return vectors + (column + skipped) / Width * Shared;
  }
};

/// The vectors of all columns, but for what is left of them at the end.
template <std::size_t Shared, class Scalar, std::size_t Count, std::size_t... Lane>
constexpr void gather(strided<Scalar> const& columns,
                      lanes<Scalar, sizeof...(Lane)> (&vectors)[Count],
                      std::index_sequence<Lane...>) {
  constexpr std::size_t width = sizeof...(Lane);
  for (std::size_t i = 0; i < Count; ++i) {
    Scalar const* const first = columns.from(i / Shared * width, i % Shared).first;
    vectors[i] = lanes<Scalar, width>{first[Lane * columns.own]...};
  }
}

/// As add_to_tile for one row and one vector, in a constant expression. A factor becomes a vector lane by lane:
/// the conversion in factor * terms costs g++ four times as much.
template <class Tile, class Scalar, std::size_t... Lane>
constexpr void add_to_vector(strided<Scalar> const& a, lanes<Scalar, sizeof...(Lane)> const* terms,
                             std::size_t count, Scalar* out, std::index_sequence<Lane...>) {
  using vector = lanes<Scalar, sizeof...(Lane)>;
  vector sum = Tile::sums::are_from_zero ? vector{} : vector{out[Lane]...};
  for (std::size_t s = 0; s < count; ++s) {
    vector const term = terms[s];
    std::conditional_t<std::is_class_v<Scalar>, Scalar const&, Scalar const> factor =
        a.first[s * a.shared];
    if constexpr (std::is_class_v<vector>) {
      sum = sum + Tile::product(factor, term);
    } else {
      sum = sum + vector{static_cast<repeated<Scalar, Lane>>(factor)...} * term;
    }
  }
  if constexpr (std::is_class_v<vector>) {
    ((out[Lane] = sum.of[Lane]), ...);
  } else {
    ((out[Lane] = sum[Lane]), ...);
  }
  if constexpr (Tile::sums::are_multiplied) {
    ((out[Lane] = Tile::sums::finished(out[Lane])), ...);
  }
}

/// out[row, column] = out[row, column] + Σ_s a[row, s]·b[s, column] for the rows and columns of a tile,
/// s ascending from 0 to `count` − 1; from zero without the first term, and finished as Tile::sums say.
/// Lanes are neighbours in b and in out.
template <class Tile, class Scalar>
constexpr void add_to_tile(strided<Scalar> const& a, strided<Scalar> const& b, std::size_t count,
                           Scalar* out, std::size_t out_stride) {
  ATTEST_NO_CONTRACTION
  constexpr std::size_t width = Tile::width;
  lanes<Scalar, width> sum[Tile::rows][Tile::vectors];
  for (std::size_t row = 0; row < Tile::rows; ++row) {
    for (std::size_t vector = 0; vector < Tile::vectors; ++vector) {
      if constexpr (Tile::sums::are_from_zero) {
        sum[row][vector] = lanes<Scalar, width>{};
      } else {
        sum[row][vector] = load_lanes<width>(out + row * out_stride + vector * width);
      }
    }
  }
  // Where factors stay in memory each vector reads a row's for itself; elsewhere it is read once for all.
  Scalar const* factors[Tile::vectors];
  for (std::size_t vector = 0; vector < Tile::vectors; ++vector) {
    factors[vector] = another(a.first);
  }
  for (std::size_t s = 0; s < count; ++s) {
    ATTEST_UNROLL for (std::size_t row = 0; row < Tile::rows; ++row) {
      std::size_t const at = row * a.own + s * a.shared;
      Scalar const copied = a.first[at];
      ATTEST_UNROLL for (std::size_t vector = 0; vector < Tile::vectors; ++vector) {
        auto terms = load_lanes<width>(b.first + s * b.shared + vector * width);
        if constexpr (factors_stay_in_memory) {
          terms = through_a_register(terms);
        }
        Scalar const& factor = factors_stay_in_memory ? factors[vector][at] : copied;
        sum[row][vector] = sum[row][vector] + ATTEST_ROUNDED(Tile::product(factor, terms));
      }
    }
  }
  for (std::size_t row = 0; row < Tile::rows; ++row) {
    for (std::size_t vector = 0; vector < Tile::vectors; ++vector) {
      store_lanes<width>(Tile::sums::finished(sum[row][vector]),
                         out + row * out_stride + vector * width);
    }
  }
}

/// Neighbours in a row of entries, where each is a tile.
inline constexpr std::size_t entries_together = 4;

/// The sums of neighbouring entries, each in a parameter of its own: in constant evaluation every call, every
/// element of an array and every member is paid for, and a factor is read once for all of them.
template <class Tile, class Scalar, std::size_t... Column>
constexpr void add_up(Scalar const* factors, std::size_t factor_step, Scalar const* terms,
                      std::size_t term_step, std::size_t own_step, std::size_t count, Scalar* out,
                      std::index_sequence<Column...>, repeated<Scalar, Column>... sum) {
  ATTEST_NO_CONTRACTION
  for (std::size_t s = 0; s < count; ++s) {
    std::conditional_t<std::is_class_v<Scalar>, Scalar const&, Scalar const> factor =
        factors[s * factor_step];
    std::size_t const first = s * term_step;
    if constexpr (Tile::factor_first) {
      ((sum = sum + ATTEST_ROUNDED(factor * terms[first + Column * own_step])), ...);
    } else {
      ((sum = sum + ATTEST_ROUNDED(terms[first + Column * own_step] * factor)), ...);
    }
  }
  if constexpr (Tile::sums::are_multiplied) {
    ((out[Column] = Tile::sums::finished(sum)), ...);
  } else {
    ((out[Column] = sum), ...);
  }
}

/// As add_to_tile, for the entries `out` to out + sizeof...(Column) − 1, each a tile of its own.
template <class Tile, class Scalar, std::size_t... Column>
constexpr void add_to_entries(strided<Scalar> const& a, strided<Scalar> const& b, std::size_t count,
                              Scalar* out, std::index_sequence<Column...> columns) {
  add_up<Tile>(a.first, a.shared, b.first, b.shared, b.own, count, out, columns,
               (Tile::sums::are_from_zero ? Scalar{} : out[Column])...);
}

/// The same for Rows rows and any number of columns.
template <class Tile, std::size_t Rows, class Scalar, class Columns>
constexpr void add_to_rows(strided<Scalar> const& a, Columns const& b, std::size_t count,
                           Scalar* out, std::size_t out_stride, std::size_t columns) {
  if constexpr (Tile::is_evaluated) {
    constexpr std::size_t width = Tile::width;
    auto const add_entries = [&](std::size_t first, std::size_t last) {
      add_to_rows<typename Tile::template with<1, 1, 1>, 1>(a, b.entries.from(first, 0), count,
                                                            out + first, out_stride, last - first);
    };
    std::size_t const before = (width - b.column % width) % width;
    std::size_t column = before < columns ? before : columns;
    add_entries(0, column);
    for (; column + width <= columns; column += width) {
      add_to_vector<Tile>(a, b.together(column), count, out + column,
                          std::make_index_sequence<width>{});
    }
    add_entries(column, columns);
  } else if constexpr (Tile::width * Rows == 1) {
    std::size_t const together = columns - columns % entries_together;
    for (std::size_t column = 0; column < together; column += entries_together) {
      add_to_entries<Tile>(a, b.from(column, 0), count, out + column,
                           std::make_index_sequence<entries_together>{});
    }
    for (std::size_t column = together; column < columns; ++column) {
      add_to_entries<Tile>(a, b.from(column, 0), count, out + column,
                           std::make_index_sequence<1>{});
    }
  } else {
    std::size_t column = 0;
    if constexpr (Tile::vectors > 1) {
      for (; column + Tile::columns <= columns; column += Tile::columns) {
        add_to_tile<typename Tile::template with<Tile::width, Rows, Tile::vectors>>(
            a, b.from(column, 0), count, out + column, out_stride);
      }
    }
    std::size_t const in_vectors = columns - columns % Tile::width;
    for (; column < in_vectors; column += Tile::width) {
      add_to_tile<typename Tile::template with<Tile::width, Rows, 1>>(a, b.from(column, 0), count,
                                                                      out + column, out_stride);
    }
    if constexpr (Tile::width > 1) {
      for (column = in_vectors; column < columns; ++column) {
        add_to_tile<typename Tile::template with<1, Rows, 1>>(a, b.from(column, 0), count,
                                                              out + column, out_stride);
      }
    }
  }
}

}  // namespace attest::detail
