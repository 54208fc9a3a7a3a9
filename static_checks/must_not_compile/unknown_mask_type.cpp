// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: attention_forward
// says: Got = upper
// says(gcc): mask::causal_t, attest::mask::none_t, attest::mask::zero_t
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
constexpr tensor<double, tokens<6>, d_model<4>> x{};
struct upper {};
#ifdef REPAIRED
constexpr auto trace = attention_forward(params, x, mask::none);
#else
constexpr auto trace = attention_forward(params, x, upper{});
#endif
