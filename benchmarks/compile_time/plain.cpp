// SPDX-License-Identifier: BSL-1.0
// plain.cpp — the same layer with element access.
#include <benchmarks/compile_time/layer_input.hpp>
#include <benchmarks/compile_time/plain_layer.hpp>

constexpr attest::benchmarks::layer_input<ATTEST_SIZE> input;
constexpr auto trace = attest::benchmarks::plain_layer(input.params, input.x);
static_assert(trace.weights(0, 0) == 1);
