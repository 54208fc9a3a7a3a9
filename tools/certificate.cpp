// SPDX-License-Identifier: BSL-1.0
// certificate.cpp — prints what this build asserted. It links every file of static_checks, so it
// exists only if all of them compiled, and its rows are the constants that they asserted.
//   attest.certificate [NINJA_LOG]    with the log of a Ninja build, also how long each file took
#include "certified.hpp"
#include "matrix.hpp"
#include "recorded_input.hpp"

#include <attest/version.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

certified const*& certified::first() {
  static certified const* list = nullptr;
  return list;
}

namespace {

#if defined(__clang__)
constexpr char const* compiler = "clang++ " __clang_version__;
#elif defined(__GNUC__)
constexpr char const* compiler = "g++ " __VERSION__;
#else
constexpr char const* compiler = "an unnamed compiler";
#endif

/// How many columns a UTF-8 text takes: its code points, as it has no wide ones.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t columns) {
  std::string result{text};
  result.append(columns > width(text) ? columns - width(text) : 0, ' ');
  return result;
}

std::string bound_of(certificate_row const& row) {
  std::string result = row.bound;
  if (row.measured.unit != nullptr) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), " (found: %.6g %s)", row.measured.value,
                  row.measured.unit);
    result += text.data();
  }
  return result;
}

/// By the file that asserts them, and in its order.
std::vector<certificate_row> rows_in_order() {
  std::multimap<std::string_view, certificate_row> sorted;
  for (certified const* entry = certified::first(); entry != nullptr; entry = entry->next()) {
    // The list has the last row of a file first, so each goes before those of its file.
    std::string_view const check = entry->row().check;
    sorted.emplace_hint(sorted.lower_bound(check), check, entry->row());
  }
  std::vector<certificate_row> rows;
  for (auto const& [check, row] : sorted) {
    rows.push_back(row);
  }
  return rows;
}

/// Seconds that it took to compile each file of checks, by its name.
using times = std::map<std::string, double, std::less<>>;

/// From a log whose lines are "start end mtime output hash", with tabs, in milliseconds; of an
/// output the last line counts.
times seconds_by_check(char const* ninja_log) {
  times seconds;
  std::ifstream log{ninja_log};
  std::string line;
  std::getline(log, line);  // the version of the format
  double start = 0;
  double end = 0;
  std::string mtime;
  std::string output;
  std::string hash;
  while (log >> start >> end >> mtime && log.get() == '\t' && std::getline(log, output, '\t') &&
         std::getline(log, hash)) {
    std::string_view name = output;
    name.remove_prefix(name.rfind('/') + 1);
    if (name.ends_with(".cpp.o") && output.find("attest.static_checks.") != std::string::npos) {
      name.remove_suffix(std::string_view{".cpp.o"}.size());
      seconds.insert_or_assign(std::string{name}, (end - start) / 1000);
    }
  }
  return seconds;
}

/// [file.cpp], or [file.cpp, 1.2 s].
std::string place_of(std::string_view check, times const& seconds) {
  std::string result = "[" + std::string{check} + ".cpp";
  if (auto const found = seconds.find(check); found != seconds.end()) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), ", %.1f s", found->second);
    result += text.data();
  }
  return result + "]";
}

void print_rows(std::vector<certificate_row> const& rows, times const& seconds) {
  std::size_t guarantee_width = 0;
  for (certificate_row const& row : rows) {
    guarantee_width = std::max(guarantee_width, width(row.guarantee));
  }
  for (certificate_row const& row : rows) {
    std::printf("holds %s   %s\n", padded(row.guarantee, guarantee_width).c_str(),
                bound_of(row).c_str());
    std::printf("      %s; %s %s\n", row.layer, row.inputs, place_of(row.check, seconds).c_str());
  }
}

void print_matrix() {
  std::printf("Faults against proofs, at T = 3, d_model 4, d_head 2 [matrix.cpp]:\n\n%s",
              padded("", 31).c_str());
  for (char const* name : checks::proof_names) {
    std::printf(" %s", padded(name, 11).c_str());
  }
  for (checks::matrix_row const& row : checks::faults_against_proofs) {
    std::printf("\n  %s", padded(row.layer, 29).c_str());
    for (bool const accepted : row.accepted) {
      std::printf(" %s", padded(accepted ? "holds" : "refuses", 11).c_str());
    }
  }
  std::printf("\n\n");
}

void print_weights() {
  static constexpr auto trace = attention_forward(checks::params, checks::x);
  static constexpr std::array shades{"  ", "░░", "▒▒", "▓▓", "██"};
  auto const& tokens = recorded::trace_fixture::tokens;
  std::printf("weights of \"%s\", a row for each token that looks:\n\n        ",
              recorded::trace_fixture::sentence);
  for (char const* token : tokens) {
    std::printf("%s", padded(token, 9).c_str());
  }
  for (std::size_t query = 0; query < 6; ++query) {
    std::printf("\n%s", padded(tokens[query], 8).c_str());
    for (std::size_t key = 0; key < 6; ++key) {
      double const weight = trace.weights(query, key);
      auto const shade = static_cast<std::size_t>(weight * 4 + (weight > 0 ? 0.999 : 0));
      if (key <= query) {
        std::printf("%s %.4f", shades[std::min<std::size_t>(shade, 4)], weight);
      } else {
        std::printf("   %s", weight == 0 ? "0     " : "LEAK  ");
      }
    }
  }
  std::printf("\n");
}

}  // namespace
}  // namespace attest

int main(int argc, char** argv) {
  auto const rows = attest::rows_in_order();
  auto const seconds = attest::seconds_by_check(argc > 1 ? argv[1] : "");
  std::printf("attest %s: verified by %s\n\n", ATTEST_VERSION_TEXT, attest::compiler);
  attest::print_rows(rows, seconds);
  std::printf("\n%zu guarantees hold; each was asserted by the compiler in this build.\n",
              rows.size());
  std::printf("%s\n", seconds.empty() ? "" : "The time is that of compiling the whole file.\n");
  attest::print_matrix();
  attest::print_weights();
  return rows.empty() ? 1 : 0;
}
