// SPDX-License-Identifier: BSL-1.0
// finding.hpp — what a check says: it holds, or the first place where it does not.
// A finding is a template argument of the guarantee that asserts it, so that the first line of the
// compiler's message says which guarantee is broken, in which tensor, at which row and column.
// Stands on: nothing.
#pragma once

#include <cstddef>

namespace attest {

/// The tensors of the layer, by the names of its members.
enum class part { unnamed, x, Wq, Wk, Wv, Wo, q, k, v, scores, weights, mixed, out };

/// The part with this name; `unnamed` if there is none.
constexpr part part_named(char const* name) {
  constexpr struct {
    char const* name;
    part of;
  } names[] = {{"x", part::x},           {"Wq", part::Wq},
               {"Wk", part::Wk},         {"Wv", part::Wv},
               {"Wo", part::Wo},         {"q", part::q},
               {"k", part::k},           {"v", part::v},
               {"scores", part::scores}, {"weights", part::weights},
               {"mixed", part::mixed},   {"out", part::out}};
  for (auto const& known : names) {
    char const* left = known.name;
    char const* right = name;
    while (*left != '\0' && *left == *right) {
      ++left;
      ++right;
    }
    if (*left == *right) {
      return known.of;
    }
  }
  return part::unnamed;
}

struct row {
  std::size_t index;
  friend constexpr bool operator==(row const&, row const&) = default;
};
struct column {
  std::size_t index;
  friend constexpr bool operator==(column const&, column const&) = default;
};

/// Either holds, or names the entry that breaks the guarantee.
/// A guarantee about what an entry may depend on also names the entry of the input.
struct finding {
  bool holds = true;
  attest::part part = part::unnamed;
  attest::row row{0};
  attest::column column{0};
  attest::part input = part::unnamed;
  attest::row input_row{0};
  attest::column input_column{0};
  friend constexpr bool operator==(finding const&, finding const&) = default;
};

constexpr finding broken_at(part where, std::size_t row_index, std::size_t column_index) {
  return {.holds = false, .part = where, .row = {row_index}, .column = {column_index}};
}

/// The first of several findings that is broken, or the last.
constexpr finding first_broken(finding only) {
  return only;
}
constexpr finding first_broken(finding first, auto... others) {
  return first.holds ? first_broken(others...) : first;
}

}  // namespace attest
