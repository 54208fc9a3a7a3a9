// SPDX-License-Identifier: BSL-1.0
// proof_same_arithmetic.cpp — the first T of T + 1 tokens: the same operations in the same order.
#include <attest/proof/layer.hpp>
#include <attest/proof/same_arithmetic.hpp>

constexpr std::size_t size = ATTEST_SIZE;
static_assert(attest::proof::longer_sequences_do_the_same_arithmetic<size, size, size>(
                  attest::attention_layer<>{})
                  .holds);
