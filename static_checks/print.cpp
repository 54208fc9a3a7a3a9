// SPDX-License-Identifier: BSL-1.0
// print.cpp — what a tensor and a struct of tensors look like, to the letter, through a stream that the
// compiler can evaluate.
#include <attest/attest.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace attest {
namespace {

/// Collects text; numbers of one digit, which is all that is printed here.
struct text_stream {
  using char_type = char;
  std::array<char, 512> text{};
  std::size_t length = 0;

  constexpr text_stream& operator<<(char letter) {
    text[length++] = letter;
    return *this;
  }
  constexpr text_stream& operator<<(char const* letters) {
    for (; *letters != '\0'; ++letters) {
      *this << *letters;
    }
    return *this;
  }
  constexpr text_stream& operator<<(double digit) {
    return *this << static_cast<char>('0' + static_cast<int>(digit));
  }
  constexpr text_stream& operator<<(std::size_t digit) {
    return *this << static_cast<char>('0' + static_cast<int>(digit));
  }
};

template <class Printed>
constexpr bool prints(Printed const& printed, std::string_view expected) {
  text_stream stream;
  stream << printed;
  return std::string_view{stream.text.data(), stream.length} == expected;
}

static_assert(prints(tensor<double, queries<2>, keys<3>>{{1, 2, 3}, {4, 5, 6}},
                     "[queries 2, keys 3]\n  1 2 3\n  4 5 6"));
static_assert(prints(tensor<double, d_model<2>>{7, 8}, "[d_model 2]\n  7 8"));

constexpr attention_params<double, d_model<1>, d_head<2>> params{
    .Wq{{1, 2}}, .Wk{{3, 4}}, .Wv{{5, 6}}, .Wo{{7}, {8}}};
static_assert(prints(params,
                     "Wq [d_model 1, d_head 2]\n  1 2\n"
                     "Wk [d_model 1, d_head 2]\n  3 4\n"
                     "Wv [d_model 1, d_head 2]\n  5 6\n"
                     "Wo [d_head 2, d_model 1]\n  7\n  8\n"));

// Seen to say no.
static_assert(!prints(tensor<double, d_model<2>>{7, 8}, "[d_model 2]\n  7 9"));

}  // namespace
}  // namespace attest
