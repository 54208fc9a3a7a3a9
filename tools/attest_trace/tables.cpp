// SPDX-License-Identifier: BSL-1.0
#include "tables.hpp"

#include <recorded/utf8.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest::tool {
namespace {

// Control characters are spelled out: a token must not move the cursor.
std::string harmless(std::string const& text, std::string const& space) {
  std::string result;
  for (auto const character : recorded::characters_of(text)) {
    auto const lead = static_cast<unsigned char>(character[0]);
    bool const is_control = lead < 0x20 || lead == 0x7f ||
                            (lead == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0);
    result += is_control         ? recorded::code_point_name(character)
              : character == " " ? space
                                 : std::string(character);
  }
  return result;
}

std::vector<std::string> headings(std::vector<std::string> const& tokens) {
  std::vector<std::string> result;
  result.reserve(tokens.size());
  for (auto const& token : tokens) {
    result.push_back(harmless(token, "␣"));
  }
  return result;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> result;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(std::to_string(i));
  }
  return result;
}

std::string padded(std::string const& text, std::size_t width, bool to_the_right) {
  auto const characters = recorded::characters_of(text).size();
  std::string const spaces(width > characters ? width - characters : 0, ' ');
  return to_the_right ? spaces + text : text + spaces;
}

std::string number(double value) {
  return std::isinf(value) ? (value < 0 ? "−∞" : "∞") : fmt::format("{:.4f}", value);
}

// A weight between 0 and 1, and how dark it is: one of four blocks, or a grey behind the number.
// One that is exactly zero is not one that only rounds to it.
std::string shaded(double weight, std::size_t width, bool coloured) {
  auto const text = weight == 0 ? "0" : number(weight);
  auto const darkness = std::clamp(weight, 0.0, 1.0);
  if (coloured) {
    auto const grey = static_cast<int>(std::lround(darkness * 23));
    return fmt::format("\x1b[48;5;{};38;5;{}m{}\x1b[0m", 232 + grey, grey < 12 ? 255 : 232,
                       padded(text, width, true));
  }
  static constexpr std::array blocks{"", "░ ", "▒ ", "▓ ", "█ "};
  return padded(blocks.at(static_cast<std::size_t>(std::ceil(darkness * 4))) + text, width, true);
}

std::string table(matrix const& tensor, std::string const& explanation,
                  std::vector<std::string> const& rows, std::vector<std::string> const& columns,
                  bool coloured) {
  bool const are_weights = tensor.name == "weights";
  auto const longest = [](std::vector<std::string> const& texts) {
    std::size_t result = 0;
    for (auto const& text : texts) {
      result = std::max(result, recorded::characters_of(text).size());
    }
    return result;
  };
  std::size_t const label = longest(rows);
  std::size_t const cell = std::max<std::size_t>(longest(columns), 7) + 2;

  std::string result =
      fmt::format("\n{}  {}\n{}", tensor.name, explanation, std::string(label, ' '));
  for (auto const& column : columns) {
    result += padded(column, cell, true);
  }
  result += '\n';
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    result += padded(rows[row], label, false);
    for (std::size_t column = 0; column < tensor.columns; ++column) {
      double const value = tensor(row, column);
      result += are_weights ? shaded(value, cell, coloured) : padded(number(value), cell, true);
    }
    result += '\n';
  }
  return result;
}

std::string counted_rows(std::vector<std::size_t> const& rows) {
  return rows.empty() ? "no row" : fmt::format("rows {}", fmt::join(rows, " "));
}

}  // namespace

std::string to_tables(run const& run, bool coloured) {
  auto const tokens = headings(run.sentence.tokens);
  auto const channels = numbered(model_width);
  auto const head_channels = numbered(head_width);

  std::string result = fmt::format("{}\nmask {}, {} token{}, d_model {}, d_head {}\n",
                                   harmless(run.sentence.text, " "), run.mask, tokens.size(),
                                   tokens.size() == 1 ? "" : "s", model_width, head_width);
  result += table(run.x, "one embedding row per token", tokens, channels, coloured);
  for (matrix const& tensor : run.trace) {
    bool const pairs = tensor.name == "scores" || tensor.name == "weights";
    static constexpr std::array<std::array<char const*, 2>, 7> explanations{
        {{"q", "x·Wq"},
         {"k", "x·Wk"},
         {"v", "x·Wv"},
         {"scores", "q·kᵀ / √d_head: how well the row's token matches the column's"},
         {"weights", "softmax of each row of scores: where the row's token looks"},
         {"mixed", "weights·v"},
         {"out", "mixed·Wo"}}};
    auto const* const explanation = std::ranges::find(
        explanations, tensor.name, [](auto const& pair) { return std::string(pair[0]); });
    result += table(tensor, (*explanation)[1], tokens,
                    pairs                          ? tokens
                    : tensor.columns == head_width ? head_channels
                                                   : channels,
                    coloured);
  }

  result += fmt::format("\nthe edit: {}\n", harmless(run.changed.text, " "));
  for (mask_figures const& figures : run.masks) {
    result += fmt::format(
        "  {:<6}  changes {} of out; {:.4f} of row 0's weight is on later tokens\n", figures.mask,
        counted_rows(figures.rows_changed_by_the_edit), figures.weight_on_future_row_0);
  }
  auto const [least, most] = std::ranges::minmax(run.row_sums);
  result += fmt::format("row sums of weights: {:.6f} to {:.6f}\n", least, most);
  result += fmt::format("largest difference of a gradient from its finite difference: {:.1e}\n",
                        run.largest_gradient_error);
  return result;
}

}  // namespace attest::tool
