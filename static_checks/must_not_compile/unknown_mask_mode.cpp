// SPDX-License-Identifier: BSL-1.0
// says: 'upper'
// says: attest::mask
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
constexpr tensor<double, tokens<6>, d_model<4>> x{};
#ifdef REPAIRED
constexpr auto trace = attention_forward(params, x, mask::causal);
#else
constexpr auto trace = attention_forward(params, x, mask::upper);
#endif
