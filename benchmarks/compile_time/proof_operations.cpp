// SPDX-License-Identifier: BSL-1.0
// proof_operations.cpp — a proof's scalar performs the operations that double performs.
#include <attest/proof/layer.hpp>
#include <attest/proof/operations.hpp>
#include <static_checks/input_of.hpp>

constexpr std::size_t size = ATTEST_SIZE;
constexpr attest::attention_layer<> layer;
static_assert(attest::proof::performed_the_same_operations(
                  attest::checks::operations_of<double, size, size, size>(layer),
                  attest::checks::operations_of<attest::expression, size, size, size>(layer))
                  .holds);
