// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: attention_forward
// says(gcc): Expected = tokens<6>
// says(clang): Expected = attest::tokens<6>
// says: queries<5>
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
constexpr tensor<double, tokens<6>, d_model<4>> x{};
#ifdef REPAIRED
constexpr mask::ranges<queries<6>, keys<6>> padding{};
#else
constexpr mask::ranges<queries<5>, keys<5>> padding{};
#endif
constexpr auto trace = attention_forward(params, x, padding);
