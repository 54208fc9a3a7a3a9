// SPDX-License-Identifier: BSL-1.0
// attest_trace_test.cpp — runs attest-trace as its users do: what it prints, what it exits with, and
// what it leaves behind.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace attest {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string const trace_file = ATTEST_FIXTURES "/attention-trace.json";

std::string text_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(fs::path const& file, std::string const& text) {
  std::ofstream(file, std::ios::binary) << text;
}

struct outcome {
  int exit_code;
  std::string output;
  std::string errors;
};

class AttestTrace : public testing::Test {
 protected:
  AttestTrace() {
    std::string pattern = (fs::temp_directory_path() / "attest-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~AttestTrace() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  /// The program with arguments as a shell reads them.
  outcome run(std::string const& arguments, std::string const& before = "") const {
    fs::path const streams = fs::path(folder_.string() + ".streams");
    fs::create_directory(streams);
    std::string const command = "cd '" + folder_.string() + "' && " + before +
                                " '" ATTEST_TRACE_PROGRAM "' > '" + (streams / "out").string() +
                                "' 2> '" + (streams / "err").string() + "' " + arguments;
    int const status = std::system(command.c_str());
    outcome const result{WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(streams / "out"),
                         text_of(streams / "err")};
    fs::remove_all(streams);
    return result;
  }

  void expect_refused(std::string const& arguments, std::string const& message) const {
    auto const [exit_code, output, errors] = run(arguments);
    EXPECT_EQ(exit_code, 2) << arguments;
    EXPECT_EQ(output, "") << arguments;
    EXPECT_EQ(errors, "attest-trace: " + message + '\n') << arguments;
  }

  /// What is in the folder, by name.
  std::vector<std::string> left_behind() const {
    std::vector<std::string> names;
    for (auto const& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  fs::path folder_;
};

TEST_F(AttestTrace, PrintsTheRecordByteForByte) {
  auto const [exit_code, output, errors] = run("");
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(output, text_of(trace_file));
  EXPECT_EQ(errors, "");
}

TEST_F(AttestTrace, MakesTheRecordedEditItself) {
  EXPECT_EQ(
      run("--sentence 'mia has a red ball.' --changed 'mia has a red hat.' --mask causal").output,
      text_of(trace_file));
  auto const other = ordered_json::parse(run("--sentence 'mia has a hat'").output);
  EXPECT_EQ(other["changed_sentence"], "mia has a ball");
  EXPECT_EQ(other["masks"]["causal"]["rows_changed_by_the_edit"], ordered_json({3}));
}

TEST_F(AttestTrace, TakesSentencesOfOneToSixtyFourTokens) {
  for (int const count : {1, 2, 63, 64}) {
    auto const [exit_code, output, errors] =
        run("--sentence '" + std::string(static_cast<std::size_t>(count), '.') + "'");
    ASSERT_EQ(exit_code, 0) << errors;
    auto const trace = ordered_json::parse(output);
    EXPECT_EQ(trace["ids"].size(), count);
    EXPECT_EQ(trace["shapes"]["scores"], ordered_json({count, count}));
    EXPECT_EQ(trace["weights"][0][0], 1.0);
    EXPECT_EQ(trace["gradient_check"]["max_error_rounded"], 0.0);
    EXPECT_EQ(trace["masks"]["causal"]["rows_changed_by_the_edit"], ordered_json({count - 1}));
    EXPECT_EQ(trace["masks"]["none"]["rows_changed_by_the_edit"].size(), count);
  }
  expect_refused("--sentence '" + std::string(65, '.') + "'",
                 "sequence too long: at most 64 tokens, got 65");
  expect_refused("--sentence ''", "empty sequence: attention needs at least one position");
}

TEST_F(AttestTrace, ComputesTheTraceWithAnotherMask) {
  auto const none = ordered_json::parse(run("--mask none").output);
  auto const zero = ordered_json::parse(run("--mask zero").output);
  auto const causal = ordered_json::parse(run("").output);
  EXPECT_NEAR(1 - none["weights"][0][0].get<double>(), 0.8379, 1e-4);
  EXPECT_EQ(zero["scores"][0][5], 0.0);
  EXPECT_EQ(none["masks"], causal["masks"]);
  EXPECT_EQ(none["gradient_check"], causal["gradient_check"]);
  EXPECT_EQ(zero["gradient_check"], causal["gradient_check"]);
  EXPECT_NE(none["out"], zero["out"]);
}

TEST_F(AttestTrace, RefusesAnUnknownMaskAndListsTheModes) {
  expect_refused("--mask upper", "unknown mask \"upper\": expected one of causal, none, zero");
  expect_refused("--mask ''", "unknown mask \"\": expected one of causal, none, zero");
}

TEST_F(AttestTrace, RefusesTextThatItCannotEncode) {
  auto const* const of_file = ": no token of " ATTEST_FIXTURES "/tokenizer.json has it";
  expect_refused("--sentence 'Mia'",
                 std::string("unknown character \"M\" (U+004D) at position 0") + of_file);
  expect_refused("--changed 'mia has a réd hat.'",
                 std::string("unknown character \"é\" (U+00E9) at position 11") + of_file);
  expect_refused("--sentence \"$(printf 'mia\\377')\"", "not UTF-8: byte 0xff at position 3");
}

TEST_F(AttestTrace, RefusesAChangedSentenceOfAnotherLength) {
  std::string const of_six =
      "the sentence \"mia has a red ball.\" has another number of tokens (6) than its change ";
  expect_refused("--changed 'mia has a hat.'",
                 of_six + "\"mia has a hat.\" (5): their rows cannot be compared");
  expect_refused("--changed ''", of_six + "\"\" (0): their rows cannot be compared");
}

TEST_F(AttestTrace, RefusesATokenizerThatIsMissingOrWrong) {
  expect_refused("--tokenizer none.json", "none.json: cannot be read: No such file or directory");
  expect_refused("--tokenizer .", ".: cannot be read: it is a folder, not a file");
  write(folder_ / "t.json", "");
  expect_refused("--tokenizer t.json", "t.json: is empty: expected JSON");
  auto tokenizer = ordered_json::parse(text_of(ATTEST_FIXTURES "/tokenizer.json"));
  write(folder_ / "t.json", tokenizer.dump().substr(0, 1000));
  auto const truncated = run("--tokenizer t.json");
  EXPECT_EQ(truncated.exit_code, 2);
  EXPECT_TRUE(
      truncated.errors.starts_with("attest-trace: t.json: is not JSON: parse error at line 1"));
  tokenizer["model"]["vocab"][" hat"] = 4000000000;
  write(folder_ / "t.json", tokenizer.dump());
  expect_refused("--tokenizer t.json",
                 "the recorded embedding table has rows for the ids 0 to 104, none for 4000000000");
}

TEST_F(AttestTrace, RefusesOptionsThatItDoesNotKnow) {
  for (char const* arguments :
       {"--unknown", "stray", "--sentence", "--check --write", "--show --check",
        "--show --write x.json", "--mask causal --mask none"}) {
    auto const [exit_code, output, errors] = run(arguments);
    EXPECT_EQ(exit_code, 2) << arguments;
    EXPECT_EQ(output, "") << arguments;
    EXPECT_NE(errors, "") << arguments;
  }
  EXPECT_EQ(left_behind(), std::vector<std::string>{});
}

TEST_F(AttestTrace, SaysWhatItIs) {
  EXPECT_TRUE(run("--version").output.starts_with("attest-trace "));
  auto const help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (char const* option : {"--sentence", "--changed", "--mask", "--tokenizer", "--show",
                             "--check", "--write", "--version", "stand-in"}) {
    EXPECT_NE(help.output.find(option), std::string::npos) << option;
  }
}

TEST_F(AttestTrace, ChecksTheRecord) {
  EXPECT_EQ(run("--check").output, trace_file + " is up to date\n");
  write(folder_ / "copy.json", text_of(trace_file));
  EXPECT_EQ(run("--check copy.json").exit_code, 0);
}

TEST_F(AttestTrace, CheckNamesTheKeyThatDiffersFirst) {
  auto const record = ordered_json::parse(text_of(trace_file));
  auto const expect_difference = [&](std::string const& text, std::string const& difference) {
    write(folder_ / "copy.json", text);
    auto const [exit_code, output, errors] = run("--check copy.json");
    EXPECT_EQ(exit_code, 1);
    EXPECT_EQ(output, "");
    EXPECT_EQ(errors, "copy.json is out of date: " + difference + '\n');
    EXPECT_EQ(text_of(folder_ / "copy.json"), text);
  };
  auto const with = [&](std::string const& pointer, ordered_json const& value) {
    auto changed = record;
    changed[ordered_json::json_pointer(pointer)] = value;
    return changed.dump(2) + '\n';
  };
  expect_difference(with("/out/4/2", -0.1), "out[4][2] is -0.1, expected -0.1062");
  expect_difference(with("/sentence", "é"),
                    "sentence is \"\\u00e9\", expected \"mia has a red ball.\"");
  expect_difference(with("/scores/0/1", -1e9), "scores[0][1] is -1000000000.0, expected null");
  expect_difference(with("/row_sums/0", 1), "row_sums[0] is 1, expected 1.0");
  expect_difference(with("/weights/0/5", -0.0), "weights[0][5] is -0.0, expected 0.0");
  expect_difference(with("/masks/zero/weight_on_future_row_0", 0),
                    "masks.zero.weight_on_future_row_0 is 0, expected 0.8375");
  expect_difference(with("/seed", nullptr), "seed is null, expected 11");
  auto changed = record;
  changed["shapes"].erase("k");
  expect_difference(changed.dump(2), "shapes.k is missing");
  changed = record;
  changed["extra"] = 1;
  expect_difference(changed.dump(2), "the trace has the key \"extra\", which was not expected");
  changed = record;
  changed["ids"].push_back(4);
  expect_difference(changed.dump(2), "ids has 7 entries, expected 6");
  changed = record;
  changed.erase("tokens");
  changed["tokens"] = record["tokens"];
  expect_difference(changed.dump(2), "ids stands where tokens was expected");
  expect_difference("[]",
                    "the trace is [], expected {\"sentence\":\"mia has a red "
                    "ball.\",\"tokens\":[\"mia\",\" has\",...");
  expect_difference(record.dump(2),
                    "the values are the same, but line 428 is written in another way");
  expect_difference(record.dump() + '\n',
                    "the values are the same, but line 1 is written in another way");
  expect_difference("", "it is empty: expected JSON");
}

TEST_F(AttestTrace, CheckOfATruncatedRecordSaysWhereItEnds) {
  auto const record = text_of(trace_file);
  for (std::size_t length = 1; length + 2 < record.size(); length += 331) {
    write(folder_ / "copy.json", record.substr(0, length));
    auto const [exit_code, output, errors] = run("--check copy.json");
    EXPECT_EQ(exit_code, 1);
    EXPECT_TRUE(
        errors.starts_with("copy.json is out of date: it is not JSON: parse error at line "))
        << errors;
  }
}

TEST_F(AttestTrace, CheckRefusesWhatItCannotRead) {
  expect_refused("--check none.json", "none.json: cannot be read: No such file or directory");
  expect_refused("--check .", ".: cannot be read: it is a folder, not a file");
  expect_refused("--check /dev/zero", "/dev/zero: more than 64 MiB, which is no file of ours");
}

TEST_F(AttestTrace, TakesNoEmptyNameForTheRecord) {
  for (std::string const option : {"--check", "--write"}) {
    expect_refused(option + "=", option + ": the name of the file is empty");
    expect_refused(option + " ''", option + ": the name of the file is empty");
  }
}

TEST_F(AttestTrace, WritesANewFile) {
  auto const [exit_code, output, errors] = run("--write new.json", "umask 027;");
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(output + errors, "");
  EXPECT_EQ(text_of(folder_ / "new.json"), text_of(trace_file));
  EXPECT_EQ(left_behind(), std::vector<std::string>{"new.json"});
  EXPECT_EQ(fs::status(folder_ / "new.json").permissions(), fs::perms{0640});
}

TEST_F(AttestTrace, ReplacesAFileAsAWhole) {
  write(folder_ / "old.json", "old");
  fs::permissions(folder_ / "old.json", fs::perms{0604});
  fs::create_hard_link(folder_ / "old.json", folder_ / "witness.json");
  EXPECT_EQ(run("--write old.json").exit_code, 0);
  EXPECT_EQ(text_of(folder_ / "old.json"), text_of(trace_file));
  EXPECT_EQ(fs::status(folder_ / "old.json").permissions(), fs::perms{0604});
  // The old bytes were never written over: who had the file open still reads them.
  EXPECT_EQ(text_of(folder_ / "witness.json"), "old");
  EXPECT_EQ(left_behind().size(), 2U);
}

TEST_F(AttestTrace, WritesThroughALink) {
  fs::create_directory(folder_ / "inner");
  write(folder_ / "inner" / "file.json", "old");
  fs::create_symlink("inner/file.json", folder_ / "link.json");
  fs::create_symlink("inner/later.json", folder_ / "dangling.json");
  EXPECT_EQ(run("--write link.json").exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_EQ(text_of(folder_ / "inner" / "file.json"), text_of(trace_file));
  EXPECT_EQ(run("--write dangling.json").exit_code, 0);
  EXPECT_EQ(text_of(folder_ / "inner" / "later.json"), text_of(trace_file));
  fs::create_symlink("circle.json", folder_ / "circle.json");
  EXPECT_EQ(run("--write circle.json").exit_code, 2);
}

TEST_F(AttestTrace, KeepsAFileThatItCannotReplace) {
  write(folder_ / "old.json", "old");
  fs::permissions(folder_ / "old.json", fs::perms{0444});
  expect_refused("--write old.json", "old.json: cannot be written: it is write-protected");
  expect_refused("--write .", ".: cannot be written: it is a folder, not a file");
  expect_refused("--write new/", "new/: cannot be written: it is a folder, not a file");
  expect_refused(
      "--write /dev/null",
      "/dev/null: cannot be written: it is not a regular file, and a file in its place would "
      "end it");
  expect_refused("--write none/new.json",
                 "none/new.json: cannot be written: no file can be made beside it: No such file or "
                 "directory");
  expect_refused("--write old.json/new.json",
                 "old.json/new.json: cannot be written: Not a directory");
  expect_refused("--write old.json --sentence Mia",
                 "unknown character \"M\" (U+004D) at position 0: no token of " ATTEST_FIXTURES
                 "/tokenizer.json has it");
  EXPECT_EQ(text_of(folder_ / "old.json"), "old");
  EXPECT_EQ(left_behind(), std::vector<std::string>{"old.json"});
}

TEST_F(AttestTrace, KeepsAFileInAFolderThatCannotBeWrittenIn) {
  write(folder_ / "old.json", "old");
  fs::permissions(folder_ / "old.json", fs::perms{0666});
  fs::permissions(folder_, fs::perms{0555});
  // Nothing is closed to root, so root becomes somebody else.
  std::string const before = ::geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : "";
  if (run("", before).exit_code != 0) {
    GTEST_SKIP() << "root cannot become somebody else who can read the fixtures";
  }
  auto const [exit_code, output, errors] = run("--write old.json", before);
  EXPECT_EQ(exit_code, 2);
  EXPECT_EQ(errors,
            "attest-trace: old.json: cannot be written: no file can be made beside it: Permission "
            "denied\n");
  EXPECT_EQ(text_of(folder_ / "old.json"), "old");
}

TEST_F(AttestTrace, KeepsAFileWhenTheDiskIsFull) {
  write(folder_ / "old.json", "old");
  // A limit on the size of files, and the signal that comes with it ignored, is a full disk.
  auto const [exit_code, output, errors] = run("--write old.json", "trap '' XFSZ; ulimit -f 1;");
  EXPECT_EQ(exit_code, 2);
  EXPECT_EQ(errors, "attest-trace: old.json: cannot be written: File too large\n");
  EXPECT_EQ(text_of(folder_ / "old.json"), "old");
  EXPECT_EQ(left_behind(), std::vector<std::string>{"old.json"});
}

TEST_F(AttestTrace, SaysThatStandardOutputIsFull) {
  auto const full = run("> /dev/full");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_EQ(full.errors,
            "attest-trace: standard output: cannot be written: No space left on device\n");
}

TEST_F(AttestTrace, ShowsTablesForPeople) {
  auto const [exit_code, output, errors] = run("--show");
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(errors, "");
  EXPECT_EQ(output, R"(mia has a red ball.
mask causal, 6 tokens, d_model 4, d_head 2

x  one embedding row per token
             0        1        2        3
mia    -0.7500   0.2800   0.6900   0.2200
␣has    0.4700   0.1300  -0.9700   0.4200
␣a      0.1200   0.2500   0.8400   0.9200
␣red    0.9000   0.4900  -0.5000  -0.1600
␣ball   0.6500   0.5100  -0.3200  -0.2400
.      -0.8800   0.6400  -0.8500   0.3700

q  x·Wq
             0        1
mia     0.0916   0.0109
␣has   -0.1130  -0.0588
␣a     -0.1870   0.0845
␣red    0.2070  -0.0073
␣ball   0.2553  -0.0075
.       0.1859  -0.1448

k  x·Wk
             0        1
mia    -0.4534  -0.1608
␣has    0.4853  -0.3836
␣a     -0.2565  -0.1780
␣red    0.0907   0.0816
␣ball  -0.0390   0.0977
.       0.0420  -0.8169

v  x·Wv
             0        1
mia    -0.5460  -0.7394
␣has    0.5875   0.5126
␣a     -0.1629  -0.7228
␣red    0.6707   0.7832
␣ball   0.4901   0.6194
.      -0.0263  -0.0828

scores  q·kᵀ / √d_head: how well the row's token matches the column's
           mia     ␣has       ␣a     ␣red    ␣ball        .
mia    -0.0306       −∞       −∞       −∞       −∞       −∞
␣has    0.0429  -0.0228       −∞       −∞       −∞       −∞
␣a      0.0503  -0.0871   0.0233       −∞       −∞       −∞
␣red   -0.0655   0.0730  -0.0366   0.0129       −∞       −∞
␣ball  -0.0810   0.0896  -0.0454   0.0159  -0.0076       −∞
.      -0.0431   0.1031  -0.0155   0.0036  -0.0151   0.0892

weights  softmax of each row of scores: where the row's token looks
           mia     ␣has       ␣a     ␣red    ␣ball        .
mia   █ 1.0000        0        0        0        0        0
␣has  ▓ 0.5164 ▒ 0.4836        0        0        0        0
␣a    ▒ 0.3515 ▒ 0.3064 ▒ 0.3421        0        0        0
␣red  ░ 0.2348 ▒ 0.2697 ░ 0.2417 ▒ 0.2539        0        0
␣ball ░ 0.1852 ░ 0.2196 ░ 0.1919 ░ 0.2040 ░ 0.1993        0
.     ░ 0.1562 ░ 0.1808 ░ 0.1606 ░ 0.1636 ░ 0.1606 ░ 0.1783

mixed  weights·v
             0        1
mia    -0.5460  -0.7394
␣has    0.0021  -0.1340
␣a     -0.0677  -0.3501
␣red    0.1612  -0.0112
␣ball   0.2312   0.1202
.       0.1786   0.0740

out  mixed·Wo
             0        1        2        3
mia     0.2136  -0.1094   0.2418  -0.0817
␣has    0.0074  -0.0461  -0.0037  -0.0188
␣a      0.0420  -0.1015   0.0248  -0.0463
␣red   -0.0493  -0.0457  -0.0760  -0.0080
␣ball  -0.0789  -0.0192  -0.1062   0.0076
.      -0.0598  -0.0213  -0.0824   0.0032

the edit: mia has a red hat.
  causal  changes rows 4 5 of out; 0.0000 of row 0's weight is on later tokens
  none    changes rows 0 1 2 3 4 5 of out; 0.8379 of row 0's weight is on later tokens
  zero    changes rows 0 1 2 3 4 5 of out; 0.8375 of row 0's weight is on later tokens
row sums of weights: 1.000000 to 1.000000
largest difference of a gradient from its finite difference: 6.1e-11
)");
}

TEST_F(AttestTrace, ShowsNoEscapeCodesWhereThereIsNoTerminal) {
  EXPECT_EQ(run("--show").output.find('\x1b'), std::string::npos);
}

TEST_F(AttestTrace, ShowsColoursOnATerminalUnlessToldNotTo) {
  if (std::system("script -qec true /dev/null < /dev/null > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no program `script`, or no terminal that it could make";
  }
  auto const on_a_terminal = [&](std::string const& environment) {
    std::string const command = "env " + environment +
                                " script -qec \"'" ATTEST_TRACE_PROGRAM "' --show\" /dev/null > '" +
                                (folder_ / "typescript").string() + "' < /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return text_of(folder_ / "typescript");
  };
  EXPECT_NE(on_a_terminal("-u NO_COLOR TERM=xterm").find("\x1b[48;5;"), std::string::npos);
  EXPECT_EQ(on_a_terminal("NO_COLOR=1 TERM=xterm").find('\x1b'), std::string::npos);
  EXPECT_EQ(on_a_terminal("-u NO_COLOR TERM=dumb").find('\x1b'), std::string::npos);
}

TEST_F(AttestTrace, ShowsOneTokenAndTheOtherMasks) {
  auto const one = run("--show --sentence mia").output;
  EXPECT_NE(one.find("mask causal, 1 token, "), std::string::npos) << one;
  EXPECT_NE(one.find("mia █ 1.0000\n"), std::string::npos) << one;
  auto const none = run("--show --mask none").output;
  EXPECT_EQ(none.find("−∞"), std::string::npos);
}

// Python writes the shortest decimal that is read back as the same number; so must the JSON.
TEST(TraceNumbers, OfFourDecimalsAreWrittenAsPythonWritesThem) {
  for (int units = -30000; units <= 30000; ++units) {
    double const number = units / 10000.0;
    std::string expected = std::to_string(std::abs(units / 10000)) + '.';
    std::string decimals = std::to_string(10000 + std::abs(units % 10000)).substr(1);
    while (decimals.size() > 1 && decimals.back() == '0') {
      decimals.pop_back();
    }
    expected = (units < 0 ? "-" : "") + expected + decimals;
    ASSERT_EQ(ordered_json(number).dump(), expected);
  }
  EXPECT_EQ(ordered_json(1e-6).dump(), "1e-06");
  EXPECT_EQ(ordered_json(-0.0).dump(), "-0.0");
}

}  // namespace
}  // namespace attest
