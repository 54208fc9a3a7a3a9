// SPDX-License-Identifier: BSL-1.0
// input.cpp — what forward.cpp and plain.cpp do besides: the library is included, x and the weights are made.
#include <benchmarks/compile_time/layer_input.hpp>

constexpr attest::benchmarks::layer_input<ATTEST_SIZE> input;
static_assert(input.x(0, 0) != 0);
