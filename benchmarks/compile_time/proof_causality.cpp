// SPDX-License-Identifier: BSL-1.0
// proof_causality.cpp — rows of out and weights depend on exactly the rows up to them.
#include <attest/proof/dependence.hpp>
#include <attest/proof/layer.hpp>

constexpr std::size_t size = ATTEST_SIZE;
static_assert(attest::proof::outputs_depend_on_exactly_earlier_rows<size, size, size>(
                  attest::attention_layer<>{})
                  .holds);
