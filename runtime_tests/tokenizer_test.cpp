// SPDX-License-Identifier: BSL-1.0
// tokenizer_test.cpp — encoding and decoding against a peer's ids, and files that are not right.
// The vocabulary of the recorded run was not recorded: fixtures/tokenizer.json is a stand-in.
#include "error_of.hpp"

#include <recorded/run.hpp>
#include <recorded/tokenizer.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attest::recorded {
namespace {

using nlohmann::json;
using id_list = std::vector<std::size_t>;

std::string const fixture_file = ATTEST_FIXTURES "/tokenizer.json";

tokenizer const& fixture() {
  static tokenizer const result(fixture_file);
  return result;
}

TEST(Tokenizer, GivesTheRecordedIds) {
  EXPECT_EQ(fixture().encode(sentence), id_list(ids.begin(), ids.end()));
  EXPECT_EQ(fixture().encode(changed_sentence), (id_list{58, 36, 33, 89, hat_id, 4}));
  EXPECT_EQ(fixture().token(hat_id), " hat");
  EXPECT_EQ(fixture().size(), vocabulary_size);
}

// The ids that the npm package @huggingface/tokenizers gives for the same file.
struct peer_case {
  std::string text;
  id_list ids;
};
peer_case const peer_cases[] = {
    {"mia has a red ball.", {58, 36, 33, 89, 85, 4}},
    {"mia has a red hat.", {58, 36, 33, 89, 63, 4}},
    {"", {}},
    {"   mia", {3, 3, 77}},
    {"mia ", {58, 3}},
    {". .", {4, 3, 4}},
    {"sunnysunny", {23, 25, 18, 18, 29, 23, 25, 18, 18, 29}},
    {" sunny sunny", {69, 69}},
    {"hahaha", {12, 5, 12, 5, 12, 5}},
    {"lllll", {45, 45, 16}},
    {" oranges", {99, 23}},
    {" browns", {92, 23}},
    {"zz", {30, 30}},
    {"noahnina mia", {93, 86, 77}},
    {"i n a", {13, 55, 33}},
    {" h as", {31, 49}},
    {"ninoahina", {18, 38, 59, 56}},
    {" thee the", {43, 9, 43}},
    {"mias hat", {58, 23, 63}},
    {"<bos>mia has<eos>", {1, 58, 36, 2}},
    {"mi<pad>a", {57, 0, 5}},
    {" <eos> a", {3, 2, 33}},
    {"<bos><eos><pad>", {1, 2, 0}},
    {"a<pad>.<pad> b", {5, 0, 4, 0, 44}},
    {"yellowyellow  yellow.", {29, 9, 45, 60, 29, 9, 45, 60, 3, 103, 4}},
    {"happy pin", {12, 5, 20, 20, 29, 104}},
    {" hashat haso", {36, 12, 5, 24, 36, 19}},
};

TEST(Tokenizer, GivesTheIdsOfItsPeer) {
  for (auto const& [text, expected] : peer_cases) {
    EXPECT_EQ(fixture().encode(text), expected) << '"' << text << '"';
  }
}

TEST(Tokenizer, DecodesWhatItEncoded) {
  for (auto const& [text, expected] : peer_cases) {
    EXPECT_EQ(fixture().decode(expected), text);
  }
  for (std::size_t id = 0; id < fixture().size(); ++id) {
    auto const& token = fixture().token(id);
    EXPECT_EQ(fixture().decode(fixture().encode(token)), token);
  }
}

TEST(Tokenizer, TakesLongTextInReasonableTime) {
  std::string text;
  for (int i = 0; i < 100000; ++i) {
    text += "ha";
  }
  EXPECT_EQ(fixture().encode(text).size(), 200000U);
}

TEST(Tokenizer, NamesAnUnknownCharacterAndItsPosition) {
  auto const error_for = [](std::string_view text) {
    return error_of<std::runtime_error>([&] { fixture().encode(text); });
  };
  EXPECT_EQ(error_for("Mia"), "unknown character \"M\" (U+004D) at position 0: no token of " +
                                  fixture_file + " has it");
  EXPECT_EQ(error_for("a café"), "unknown character \"é\" (U+00E9) at position 5: no token of " +
                                     fixture_file + " has it");
  EXPECT_EQ(error_for("é😀"), "unknown character \"é\" (U+00E9) at position 0: no token of " +
                                  fixture_file + " has it");
  EXPECT_EQ(error_for("a 😀"), "unknown character \"😀\" (U+1F600) at position 2: no token of " +
                                   fixture_file + " has it");
  EXPECT_EQ(error_for("a\n"), "unknown character \"\\n\" (U+000A) at position 1: no token of " +
                                  fixture_file + " has it");
}

TEST(Tokenizer, NamesAByteThatIsNotUtf8AndItsPosition) {
  auto const error_for = [](std::string_view text) {
    return error_of<std::runtime_error>([&] { fixture().encode(text); });
  };
  EXPECT_EQ(error_for("mia\xff"), "not UTF-8: byte 0xff at position 3");
  EXPECT_EQ(error_for("\xc3"), "not UTF-8: byte 0xc3 at position 0");              // cut short
  EXPECT_EQ(error_for("a\xc0\xaf"), "not UTF-8: byte 0xc0 at position 1");         // too long
  EXPECT_EQ(error_for("a\xed\xa0\x80"), "not UTF-8: byte 0xed at position 1");     // a surrogate
  EXPECT_EQ(error_for("\xf4\x90\x80\x80"), "not UTF-8: byte 0xf4 at position 0");  // above U+10FFFF
  EXPECT_EQ(error_for("\x80"), "not UTF-8: byte 0x80 at position 0");
}

TEST(Tokenizer, NamesAnIdThatNoTokenHas) {
  EXPECT_EQ(error_of<std::runtime_error>([] { fixture().token(105); }),
            fixture_file + ": no token has the id 105");
  EXPECT_NE(
      error_of<std::runtime_error>([] { fixture().decode({58, static_cast<std::size_t>(-1)}); }),
      "no error");
}

class TokenizerFile : public testing::Test {
 protected:
  TokenizerFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "attest-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    file_ = folder_ / "tokenizer.json";
  }
  ~TokenizerFile() override { std::filesystem::remove_all(folder_); }

  std::string error_of_text(std::string const& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return error_of_file();
  }
  /// What is said of the file, without its name.
  std::string error_of_file() const {
    auto const error = error_of<std::runtime_error>([&] { tokenizer{file_}; });
    auto const prefix = file_.string() + ": ";
    return error.starts_with(prefix) ? error.substr(prefix.size()) : error;
  }
  /// What is said of the fixture after one value at a JSON pointer was changed.
  std::string error_with(std::string const& pointer, json const& value) const {
    auto changed = recorded();
    changed[json::json_pointer(pointer)] = value;
    return error_of_text(changed.dump());
  }
  std::string error_without(std::string const& parent, std::string const& key) const {
    auto changed = recorded();
    changed[json::json_pointer(parent)].erase(key);
    return error_of_text(changed.dump());
  }
  static json recorded() { return json::parse(read_file(fixture_file)); }

  std::filesystem::path folder_;
  std::filesystem::path file_;
};

TEST_F(TokenizerFile, ThatCannotBeReadIsNamed) {
  EXPECT_EQ(error_of_file(), "cannot be read: No such file or directory");
  EXPECT_EQ(error_of<std::runtime_error>([&] { tokenizer{folder_}; }),
            folder_.string() + ": cannot be read: it is a folder, not a file");
}

TEST_F(TokenizerFile, ThatIsNotJsonIsNamedWithThePlace) {
  EXPECT_EQ(error_of_text(""), "is empty: expected JSON");
  EXPECT_EQ(error_of_text(" \n"), "is empty: expected JSON");
  EXPECT_TRUE(
      error_of_text("{\n  \"model\": nul").starts_with("is not JSON: parse error at line 2, "));
  auto const text = read_file(fixture_file);
  for (std::size_t length = 1; length < text.size() - 2; length += 97) {
    EXPECT_TRUE(error_of_text(text.substr(0, length)).starts_with("is not JSON: ")) << length;
  }
  EXPECT_TRUE(error_of_text("\xff\xfe").starts_with("is not JSON: "));
}

TEST_F(TokenizerFile, OfAnotherTypeIsNamedWithThePlace) {
  EXPECT_EQ(error_of_text("[]"), "expected an object, got []");
  EXPECT_EQ(error_of_text("{}"), "decoder: is missing");
  EXPECT_EQ(error_with("/model", 3),
            "model: 3 is not supported, only "
            R"({"byte_fallback":false,"continuing_subword_prefix":null,"...)");
  EXPECT_EQ(error_without("/model", "vocab"), "model.vocab: is missing");
  EXPECT_EQ(error_without("/model", "merges"), "model.merges: is missing");
  EXPECT_EQ(error_with("/model/vocab", json::array()),
            "model.vocab: expected an object of tokens and ids, got []");
  EXPECT_EQ(error_with("/model/merges", "a b"), "model.merges: expected an array, got \"a b\"");
  EXPECT_EQ(error_with("/added_tokens", 1), "added_tokens: expected an array, got 1");
  EXPECT_EQ(error_with("/added_tokens/1/content", nullptr),
            "added_tokens[1].content: expected text, got null");
  EXPECT_EQ(error_with("/added_tokens/1/content", ""),
            "added_tokens[1].content: expected text, got none");
}

TEST_F(TokenizerFile, ThatNeedsWhatIsNotSupportedIsRefusedByName) {
  EXPECT_EQ(error_with("/normalizer", {{"type", "Lowercase"}}),
            R"(normalizer: {"type":"Lowercase"} is not supported, only null)");
  EXPECT_EQ(error_with("/post_processor", {{"type", "ByteLevel"}}),
            R"(post_processor: {"type":"ByteLevel"} is not supported, only null)");
  EXPECT_EQ(error_with("/truncation", 5), "truncation: 5 is not supported, only null");
  EXPECT_EQ(error_with("/padding", 5), "padding: 5 is not supported, only null");
  EXPECT_EQ(error_with("/decoder/type", "ByteLevel"),
            R"(decoder.type: "ByteLevel" is not supported, only "Fuse")");
  EXPECT_EQ(error_with("/decoder", nullptr),
            R"(decoder: null is not supported, only {"type":"Fuse"})");
  EXPECT_EQ(error_with("/pre_tokenizer/type", "Whitespace"),
            R"(pre_tokenizer.type: "Whitespace" is not supported, only "Split")");
  EXPECT_EQ(error_with("/pre_tokenizer/pattern/Regex", "\\s+"),
            R"(pre_tokenizer.pattern.Regex: "\\s+" is not supported, only " ?[a-z]+|[^a-z]")");
  EXPECT_EQ(error_with("/pre_tokenizer/behavior", "Removed"),
            R"(pre_tokenizer.behavior: "Removed" is not supported, only "Isolated")");
  EXPECT_EQ(error_with("/pre_tokenizer/invert", true),
            "pre_tokenizer.invert: true is not supported, only false");
  EXPECT_EQ(error_with("/model/type", "WordPiece"),
            R"(model.type: "WordPiece" is not supported, only "BPE")");
  EXPECT_EQ(error_with("/model/dropout", 0.1), "model.dropout: 0.1 is not supported, only null");
  EXPECT_EQ(error_with("/model/unk_token", "<unk>"),
            R"(model.unk_token: "<unk>" is not supported, only null)");
  EXPECT_EQ(error_with("/model/continuing_subword_prefix", "##"),
            R"(model.continuing_subword_prefix: "##" is not supported, only null)");
  EXPECT_EQ(error_with("/model/byte_fallback", true),
            "model.byte_fallback: true is not supported, only false");
  EXPECT_EQ(error_with("/model/ignore_merges", true),
            "model.ignore_merges: true is not supported, only false");
  EXPECT_EQ(error_with("/version", "2.0"), R"(version: "2.0" is not supported, only "1.0")");
  EXPECT_EQ(error_with("/added_tokens/0/lstrip", true),
            "added_tokens[0].lstrip: true is not supported, only false");
  EXPECT_EQ(error_with("/model/new_idea", 1), "model.new_idea: is not a key that is supported");
  EXPECT_EQ(error_with("/new_idea", 1), "new_idea: is not a key that is supported");
}

TEST_F(TokenizerFile, WithIdsThatAreNotOneATokenIsRefused) {
  EXPECT_EQ(error_with("/model/vocab/a", 6),
            "model.vocab[\"b\"]: the id 6 belongs to \"a\" already");
  EXPECT_EQ(error_with("/added_tokens/0/id", 7),
            "added_tokens[0].id: the id 7 belongs to \"c\" already");
  EXPECT_EQ(error_with("/added_tokens/0/id", 700),
            "added_tokens[0].id: the token has the id 0 already");
  for (json const& id :
       {json(-1), json(1.5), json("5"), json(nullptr), json(4294967296), json(1e300)}) {
    EXPECT_EQ(error_with("/model/vocab/a", id),
              "model.vocab[\"a\"]: expected an id, 0 to 4294967295, got " + id.dump());
  }
  EXPECT_EQ(error_with("/model/vocab/a", 4294967295), "no error");
}

TEST_F(TokenizerFile, WithMergesOfOtherTokensIsRefused) {
  EXPECT_EQ(error_with("/model/merges/0", {"a", "Q"}),
            "model.merges[0]: \"aQ\" is not in model.vocab");
  EXPECT_EQ(error_with("/model/merges/0", {"", "a"}),
            "model.merges[0]: \"\" is not in model.vocab");
  EXPECT_EQ(error_with("/model/merges/0", {"a"}),
            "model.merges[0]: expected a pair of tokens, got [\"a\"]");
  EXPECT_EQ(error_with("/model/merges/0", {"a", 1}), "model.merges[0][1]: expected text, got 1");
  EXPECT_EQ(error_with("/model/merges/0", "a b c"),
            "model.merges[0]: expected two tokens and one space between them, got \"a b c\"");
  EXPECT_EQ(error_with("/model/merges/1", {" ", "h"}),
            "model.merges[1]: the same pair was merged before: [\" \",\"h\"]");
}

TEST_F(TokenizerFile, MayWriteItsMergesAsTextWithASpace) {
  auto older = recorded();
  auto& merges = older["model"]["merges"];
  for (auto& merge : merges) {
    auto const left = merge[0].get<std::string>();
    if (left.find(' ') == std::string::npos) {
      merge = left + ' ' + merge[1].get<std::string>();
    }
  }
  ASSERT_EQ(error_of_text(older.dump()), "no error");
  tokenizer const same(file_);
  for (auto const& [text, expected] : peer_cases) {
    EXPECT_EQ(same.encode(text), expected) << text;
  }
}

TEST_F(TokenizerFile, MergesByRankAndNotByLength) {
  auto changed = recorded();
  changed["model"]["vocab"] = {{"a", 0}, {"b", 1}, {"c", 2}, {"bc", 3}, {"abc", 4}, {"ab", 5}};
  changed["model"]["merges"] = json::parse(R"([["a", "bc"], ["b", "c"], ["a", "b"]])");
  changed["added_tokens"] = json::array();
  ASSERT_EQ(error_of_text(changed.dump()), "no error");
  EXPECT_EQ(tokenizer(file_).encode("abcab"), (id_list{4, 5}));
  std::ranges::reverse(changed["model"]["merges"]);
  ASSERT_EQ(error_of_text(changed.dump()), "no error");
  EXPECT_EQ(tokenizer(file_).encode("abcab"), (id_list{5, 2, 5}));
}

TEST_F(TokenizerFile, AnAddedTokenOfLettersEndsAWord) {
  auto changed = recorded();
  auto letters = changed["added_tokens"][0];
  letters["content"] = "all";
  letters["id"] = 105;
  changed["added_tokens"].push_back(letters);
  ASSERT_EQ(error_of_text(changed.dump()), "no error");
  EXPECT_EQ(tokenizer(file_).encode("mia has a red ball."), (id_list{58, 36, 33, 89, 44, 105, 4}));
}

TEST_F(TokenizerFile, LongestAddedTokenWins) {
  auto changed = recorded();
  auto longer = changed["added_tokens"][0];
  longer["content"] = "<pad><bos>";
  longer["id"] = 105;
  changed["added_tokens"].push_back(longer);
  ASSERT_EQ(error_of_text(changed.dump()), "no error");
  EXPECT_EQ(tokenizer(file_).encode("<pad><bos><pad>a"), (id_list{105, 0, 5}));
}

}  // namespace
}  // namespace attest::recorded
