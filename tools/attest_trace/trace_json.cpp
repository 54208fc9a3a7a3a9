// SPDX-License-Identifier: BSL-1.0
#include "trace_json.hpp"

#include <recorded/cpython_round.hpp>
#include <recorded/json_file.hpp>
#include <recorded/run.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attest::tool {
namespace {

using json = nlohmann::ordered_json;

json rounded(double value, int decimals) {
  return std::isinf(value) ? json(nullptr) : json(recorded::cpython_round(value, decimals));
}

json rows_of(matrix const& tensor) {
  json rows = json::array();
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    json entries = json::array();
    for (std::size_t column = 0; column < tensor.columns; ++column) {
      entries.push_back(rounded(tensor(row, column), 4));
    }
    rows.push_back(entries);
  }
  return rows;
}

std::string shortened(std::string const& text) {
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

// Arrays and objects down to the first place that differs; empty if the values are the same.
std::string first_difference_of(json const& expected, json const& found, std::string const& place) {
  auto const at = place.empty() ? std::string("the trace") : place;
  if (expected.is_object() && found.is_object()) {
    auto other = found.begin();
    for (auto const& [key, value] : expected.items()) {
      auto const inner = place.empty() ? key : place + '.' + key;
      if (!found.contains(key)) {
        return inner + " is missing";
      }
      if (other.key() != key) {
        return fmt::format("{} stands where {} was expected", other.key(), inner);
      }
      if (auto difference = first_difference_of(value, other.value(), inner); !difference.empty()) {
        return difference;
      }
      ++other;
    }
    return other == found.end() ? ""
                                : fmt::format("{} has the key {}, which was not expected", at,
                                              json(other.key()).dump());
  }
  if (expected.is_array() && found.is_array()) {
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
      auto const inner = fmt::format("{}[{}]", place, i);
      if (auto difference = first_difference_of(expected[i], found[i], inner);
          !difference.empty()) {
        return difference;
      }
    }
    return expected.size() == found.size()
               ? ""
               : fmt::format("{} has {} entries, expected {}", at, found.size(), expected.size());
  }
  // As text, because 1 and 1.0 are equal as numbers; in ASCII, so that no character is cut in two.
  auto const wanted = expected.dump(-1, ' ', true);
  auto const got = found.dump(-1, ' ', true);
  return wanted == got
             ? ""
             : fmt::format("{} is {}, expected {}", at, shortened(got), shortened(wanted));
}

}  // namespace

std::string to_json(run const& run) {
  json result;
  result["sentence"] = run.sentence.text;
  result["tokens"] = run.sentence.tokens;
  result["ids"] = run.sentence.ids;
  result["changed_sentence"] = run.changed.text;
  result["changed_tokens"] = run.changed.tokens;
  result["d_model"] = model_width;
  result["d_head"] = head_width;
  result["seed"] = recorded::params_seed;
  for (matrix const& tensor : run.trace) {
    result["shapes"][tensor.name] = {tensor.rows, tensor.columns};
  }
  result["x"] = rows_of(run.x);
  for (matrix const& weight : run.params) {
    result["params"][weight.name] = rows_of(weight);
  }
  for (matrix const& tensor : run.trace) {
    if (tensor.name != "mixed") {  // the record has its shape only
      result[tensor.name] = rows_of(tensor);
    }
  }
  result["row_sums"] = json::array();
  for (double const sum : run.row_sums) {
    result["row_sums"].push_back(rounded(sum, 6));
  }
  for (mask_figures const& figures : run.masks) {
    result["masks"][figures.mask] = {
        {"rows_changed_by_the_edit", figures.rows_changed_by_the_edit},
        {"weight_on_future_row_0", rounded(figures.weight_on_future_row_0, 4)}};
  }
  result["gradient_check"] = {{"epsilon", epsilon},
                              {"max_error_rounded", rounded(run.largest_gradient_error, 7)}};
  return result.dump(2) + '\n';
}

std::string first_difference(std::string const& expected, std::string const& found) {
  if (expected == found) {
    return {};
  }
  json found_json;
  try {
    found_json = recorded::parse_json<json>(found, "it");
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  auto difference = first_difference_of(json::parse(expected), found_json, "");
  if (!difference.empty()) {
    return difference;
  }
  auto const [in_expected, in_found] = std::ranges::mismatch(expected, found);
  auto const line = 1 + std::count(expected.begin(), in_expected, '\n');
  return fmt::format("the values are the same, but line {} is written in another way", line);
}

}  // namespace attest::tool
