// SPDX-License-Identifier: BSL-1.0
// forward.cpp — the layer with every intermediate tensor, as a constant.
#include <benchmarks/compile_time/layer_input.hpp>

constexpr attest::benchmarks::layer_input<ATTEST_SIZE> input;
constexpr auto trace = attest::attention_forward(input.params, input.x);
static_assert(trace.weights(0, 0) == 1);
