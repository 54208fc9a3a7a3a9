// SPDX-License-Identifier: BSL-1.0
// backward.cpp — the layer and its gradients, as constants.
#include <benchmarks/compile_time/layer_input.hpp>

constexpr attest::benchmarks::layer_input<ATTEST_SIZE> input;
constexpr auto trace = attest::attention_forward(input.params, input.x);
constexpr auto gradients = attest::attention_backward(input.params, input.x, trace, input.x);
static_assert(gradients.x(0, 0) != 0);
