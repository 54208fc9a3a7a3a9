// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include <attest/math/exact_sum.hpp>
#include <attest/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace attest::tool {
namespace {

sequence tokenized(recorded::tokenizer const& tokenizer, std::string const& text) {
  sequence result{text, tokenizer.encode(text), {}};
  for (std::size_t const id : result.ids) {
    result.tokens.push_back(tokenizer.token(id));
  }
  return result;
}

bool has_a_letter(std::string const& token) {
  return std::ranges::any_of(token, [](char byte) { return byte >= 'a' && byte <= 'z'; });
}

std::string with_another_last_word(sequence const& sentence) {
  auto const& tokens = sentence.tokens;
  auto const found = std::ranges::find_if(tokens.rbegin(), tokens.rend(), has_a_letter);
  auto const last_word = found == tokens.rend() ? tokens.rbegin() : found;
  std::string result;
  for (auto const& token : tokens) {
    result += &token != &*last_word ? token : token == " hat" ? " ball" : " hat";
  }
  return result;
}

double exact(std::vector<double> const& terms) {
  exact_sum sum;
  for (double const term : terms) {
    sum.add(term);
  }
  return sum.rounded();
}

std::vector<double> part_of_row(matrix const& tensor, std::size_t row, std::size_t first) {
  auto const begin = tensor.elements.begin() + static_cast<std::ptrdiff_t>(row * tensor.columns);
  return {begin + static_cast<std::ptrdiff_t>(first),
          begin + static_cast<std::ptrdiff_t>(tensor.columns)};
}

std::vector<std::size_t> changed_rows(matrix const& before, matrix const& after) {
  std::vector<std::size_t> result;
  for (std::size_t row = 0; row < before.rows; ++row) {
    if (!std::ranges::equal(part_of_row(before, row, 0), part_of_row(after, row, 0),
                            [](double left, double right) { return same_bits(left, right); })) {
      result.push_back(row);
    }
  }
  return result;
}

matrix const& named(std::vector<matrix> const& tensors, std::string const& name) {
  return *std::ranges::find(tensors, name, &matrix::name);
}

}  // namespace

matrix const& run::tensor(std::string const& name) const {
  return named(trace, name);
}

run make_run(recorded::tokenizer const& tokenizer, std::string const& sentence,
             std::optional<std::string> const& changed, std::string const& mask) {
  run result{};
  result.sentence = tokenized(tokenizer, sentence);
  result.mask = mask;
  result.params = recorded_params();
  result.x = embedded(result.sentence.ids);
  result.trace = forward(result.x, mask);

  result.changed = tokenized(tokenizer, changed.value_or(with_another_last_word(result.sentence)));
  if (result.changed.ids.size() != result.sentence.ids.size()) {
    throw std::invalid_argument(
        fmt::format("the sentence \"{}\" has another number of tokens ({}) than its change \"{}\" "
                    "({}): their rows cannot be compared{}",
                    sentence, result.sentence.ids.size(), result.changed.text,
                    result.changed.ids.size(), changed ? "" : "; choose one with --changed"));
  }
  matrix const changed_x = embedded(result.changed.ids);

  matrix const& weights = result.tensor("weights");
  for (std::size_t row = 0; row < weights.rows; ++row) {
    result.row_sums.push_back(exact(part_of_row(weights, row, 0)));
  }
  for (char const* name : {"causal", "none", "zero"}) {
    auto const before = forward(result.x, name);
    auto const after = forward(changed_x, name);
    result.masks.push_back({name, changed_rows(named(before, "out"), named(after, "out")),
                            exact(part_of_row(named(before, "weights"), 0, 1))});
  }
  result.largest_gradient_error = largest_gradient_error(result.x, mask);
  return result;
}

}  // namespace attest::tool
