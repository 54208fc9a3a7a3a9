// SPDX-License-Identifier: BSL-1.0
// proof_row_sums.cpp — each row of weights sums to 1, and mixed lies in the hull of v.
#include <attest/proof/layer.hpp>
#include <attest/proof/row_sums.hpp>

constexpr std::size_t size = ATTEST_SIZE;
constexpr attest::attention_layer<> layer;
static_assert(
    attest::proof::rows_sum_to_one_for_every_finite_input<size, size, size>(layer).found.holds);
static_assert(attest::proof::mixed_is_in_the_hull_of_v<size, size, size>(layer).found.holds);
