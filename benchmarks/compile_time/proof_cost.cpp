// SPDX-License-Identifier: BSL-1.0
// proof_cost.cpp — the numbers of operations are those of the formula.
#include <attest/proof/cost.hpp>
#include <attest/proof/layer.hpp>

constexpr std::size_t size = ATTEST_SIZE;
static_assert(attest::proof::cost_is_as_expected<size, size, size>(
                  attest::attention_layer<>{}, attest::proof::causal_pairs(size))
                  .holds);
