// SPDX-License-Identifier: BSL-1.0
// says: future_weights_are_zero
// says: weights
// says(gcc): Found = attest::finding{false, attest::part::weights, attest::row{0}, attest::column{1}
// says(clang): {0}
// says(clang): {1}
#include <attest/attest.hpp>
#include <attest/proof/weights.hpp>

using namespace attest;

constexpr attention_params<double, d_model<4>, d_head<2>> params{};
constexpr tensor<double, tokens<2>, d_model<4>> x{{1, 2, 3, 4}, {5, 6, 7, 8}};
#ifdef REPAIRED
constexpr auto weights = attention_forward(params, x, mask::causal).weights;
#else
constexpr auto weights = attention_forward(params, x, mask::none).weights;
#endif
static_assert(guarantee::future_weights_are_zero<proof::future_weights_are_zero(weights)>().holds);
