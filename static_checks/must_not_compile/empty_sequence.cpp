// SPDX-License-Identifier: BSL-1.0
// says: empty sequence: attention needs at least one position
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
#ifdef REPAIRED
constexpr tensor<double, tokens<1>, d_model<4>> x{};
#else
constexpr tensor<double, tokens<0>, d_model<4>> x{};
#endif
constexpr auto trace = attention_forward(params, x);
