// SPDX-License-Identifier: BSL-1.0
// proof_low_precision.cpp — rows of bfloat16 weights sum to 1 within their bound.
#include <attest/proof/layer.hpp>
#include <attest/proof/low_precision.hpp>
#include <attest/scalar/bfloat16.hpp>
#include <benchmarks/compile_time/layer_input.hpp>

constexpr attest::benchmarks::layer_input<ATTEST_SIZE> input;
constexpr auto trace =
    attest::proof::forward_in<attest::bfloat16>(attest::attention_layer{}, input.params, input.x);
static_assert(attest::proof::rows_sum_to_one_in_low_precision(trace.weights).holds);
