// SPDX-License-Identifier: BSL-1.0
// attest-trace — runs the layer on a sentence and prints its trace: JSON for programs, byte for byte
// fixtures/attention-trace.json for the recorded sentence, or tables for people.
#include "run.hpp"
#include "tables.hpp"
#include "trace_file.hpp"
#include "trace_json.hpp"

#include <attest/version.hpp>
#include <recorded/json_file.hpp>
#include <recorded/run.hpp>
#include <recorded/tokenizer.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attest::tool {
namespace {

constexpr int up_to_date = 0;
constexpr int out_of_date = 1;
constexpr int refused = 2;

struct options {
  std::string sentence = recorded::sentence;
  std::string changed;
  std::string mask = "causal";
  std::string tokenizer_file = ATTEST_FIXTURES "/tokenizer.json";
  std::string trace_file = ATTEST_FIXTURES "/attention-trace.json";
  std::string checked_file;
  std::string written_file;
  bool show = false;
};

bool colours_are_wanted() {
  auto const set = [](char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? std::string_view(value) : std::string_view();
  };
  return ::isatty(STDOUT_FILENO) == 1 && set("NO_COLOR").empty() && set("TERM") != "dumb";
}

void print(std::string const& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::runtime_error(std::string("standard output: cannot be written: ") +
                             std::strerror(errno));
  }
}

// --write "$file" where the shell knows no `file` is a mistake; CLI11 takes it for --write alone, which
// would replace the record.
void refuse_an_empty_file_name(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    for (std::string const option : {"--check", "--write"}) {
      if (argument == option + '=' ||
          (argument == option && i + 1 < argc && argv[i + 1][0] == '\0')) {
        throw std::runtime_error(option + ": the name of the file is empty");
      }
    }
  }
}

int check(std::string const& file, std::string const& trace) {
  auto const difference = first_difference(trace, recorded::read_file(file));
  if (difference.empty()) {
    print(file + " is up to date\n");
    return up_to_date;
  }
  fmt::print(stderr, "{} is out of date: {}\n", file, difference);
  return out_of_date;
}

int run_program(int argc, char** argv) {
  options chosen;
  CLI::App app{
      "Runs causal self-attention on a sentence and prints every intermediate tensor as JSON.\n"
      "The default is the recorded run, with untrained weights: fixtures/attention-trace.json.\n"
      "Its vocabulary was not recorded, only six ids: fixtures/tokenizer.json is a stand-in.\n",
      "attest-trace"};
  app.set_version_flag("--version", std::string("attest-trace ") + ATTEST_VERSION_TEXT);
  app.add_option("--sentence", chosen.sentence, "1 to 64 tokens")->capture_default_str();
  auto* const changed = app.add_option(
      "--changed", chosen.changed,
      "the sentence to compare with, of as many tokens; by default its last word becomes \"hat\"");
  app.add_option("--mask", chosen.mask, "of the trace: causal, none or zero")
      ->capture_default_str();
  app.add_option("--tokenizer", chosen.tokenizer_file, "a tokenizer.json")->capture_default_str();
  auto* const show = app.add_flag("--show", chosen.show, "print tables for people instead of JSON");
  auto* const check_option =
      app.add_option("--check", chosen.checked_file,
                     "compare with a file (" + chosen.trace_file + "); 1 if it is out of date")
          ->expected(0, 1)
          ->type_name("[FILE]")
          ->excludes(show);
  auto* const write_option =
      app.add_option("--write", chosen.written_file,
                     "replace a file (" + chosen.trace_file + "), as a whole or not at all")
          ->expected(0, 1)
          ->type_name("[FILE]")
          ->excludes(show)
          ->excludes(check_option);
  app.footer(
      "Exit status: 0 done, 1 out of date (--check), 2 refused, and standard error says why.");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return app.exit(error) == 0 ? 0 : refused;
  }

  refuse_an_empty_file_name(argc, argv);
  recorded::tokenizer const tokenizer(chosen.tokenizer_file);
  auto const run =
      make_run(tokenizer, chosen.sentence,
               changed->count() > 0 ? std::optional(chosen.changed) : std::nullopt, chosen.mask);
  auto const or_default = [&](std::string const& file) {
    return file.empty() ? chosen.trace_file : file;
  };
  if (chosen.show) {
    print(to_tables(run, colours_are_wanted()));
    return 0;
  }
  auto const trace = to_json(run);
  if (check_option->count() > 0) {
    return check(or_default(chosen.checked_file), trace);
  }
  if (write_option->count() > 0) {
    replace_file(or_default(chosen.written_file), trace);
    return 0;
  }
  print(trace);
  return 0;
}

}  // namespace
}  // namespace attest::tool

int main(int argc, char** argv) {
  try {
    return attest::tool::run_program(argc, argv);
  } catch (std::exception const& error) {
    fmt::print(stderr, "attest-trace: {}\n", error.what());
    return attest::tool::refused;
  }
}
