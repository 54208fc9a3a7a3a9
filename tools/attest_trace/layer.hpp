// SPDX-License-Identifier: BSL-1.0
// layer.hpp — the layer for a length and a mask that are known only when the program runs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attest::tool {

inline constexpr std::size_t most_tokens = 64;
inline constexpr std::size_t model_width = 4;
inline constexpr std::size_t head_width = 2;
inline constexpr double epsilon = 1e-6;

/// A tensor with two axes, its types forgotten.
struct matrix {
  std::string name;
  std::size_t rows;
  std::size_t columns;
  std::vector<double> elements;

  double operator()(std::size_t row, std::size_t column) const {
    return elements[row * columns + column];
  }
};

/// Wq, Wk, Wv, Wo of the recorded run.
std::vector<matrix> recorded_params();

/// The embedding row of each id.
/// Refuses: an id beyond the table (std::invalid_argument).
matrix embedded(std::vector<std::size_t> const& ids);

/// q, k, v, scores, weights, mixed, out: the members of the trace, in order.
/// Refuses: no rows, more than most_tokens, an unknown mask (std::invalid_argument).
std::vector<matrix> forward(matrix const& x, std::string_view mask);

/// The largest difference between a gradient and its central finite difference, over the four weight
/// matrices and x; the loss is Σ out·readout. Refuses as forward does.
double largest_gradient_error(matrix const& x, std::string_view mask);

}  // namespace attest::tool
