// SPDX-License-Identifier: BSL-1.0
// run.hpp — a sentence through the layer: what the trace is made of.
#pragma once

#include "layer.hpp"

#include <recorded/tokenizer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attest::tool {

struct sequence {
  std::string text;
  std::vector<std::size_t> ids;
  std::vector<std::string> tokens;
};

/// What a mask does: which rows of out change with the sentence, and how much of row 0's weight lies
/// on later tokens.
struct mask_figures {
  std::string mask;
  std::vector<std::size_t> rows_changed_by_the_edit;
  double weight_on_future_row_0;
};

struct run {
  sequence sentence;
  sequence changed;
  std::string mask;
  std::vector<matrix> params;
  matrix x;
  std::vector<matrix> trace;  // q, k, v, scores, weights, mixed, out
  std::vector<double> row_sums;
  std::vector<mask_figures> masks;  // causal, none, zero
  double largest_gradient_error;

  matrix const& tensor(std::string const& name) const;
};

/// `changed` is by default the sentence with " hat" as its last word, as it was recorded.
/// Refuses: what the tokenizer or the layer refuse; a changed sentence of another number of tokens
///          (std::runtime_error or std::invalid_argument).
run make_run(recorded::tokenizer const& tokenizer, std::string const& sentence,
             std::optional<std::string> const& changed, std::string const& mask);

}  // namespace attest::tool
