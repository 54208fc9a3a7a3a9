// SPDX-License-Identifier: BSL-1.0
// proof_gradients.cpp — the gradients are the derivatives, all at once.
#include <attest/proof/exact_gradients.hpp>
#include <attest/proof/layer.hpp>

constexpr std::size_t size = ATTEST_SIZE;
static_assert(attest::proof::gradient_is_exact<size, size, size>(attest::attention_layer<>{},
                                                                 attest::part::unnamed)
                  .holds);
