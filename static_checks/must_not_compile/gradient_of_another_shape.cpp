// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: attention_backward
// says: tokens<6>
// says: tokens<5>
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
constexpr tensor<double, tokens<6>, d_model<4>> x{};
constexpr auto trace = attention_forward(params, x);
#ifdef REPAIRED
constexpr tensor<double, tokens<6>, d_model<4>> d_out{};
#else
constexpr tensor<double, tokens<5>, d_model<4>> d_out{};
#endif
constexpr auto gradients = attention_backward(params, x, trace, d_out);
