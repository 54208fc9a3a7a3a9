// SPDX-License-Identifier: BSL-1.0
// operations_at_run_time.hpp — every scalar makes the layer do what double makes it do.
#pragma once

#include "input_of.hpp"

#include <attest/proof/layer.hpp>
#include <attest/proof/operations.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace attest {

using scalars = testing::Types<float, bfloat16, float16, dependency<64>, share, finite_field,
                               dual<finite_field>, expression, operation_count>;

// Not constexpr, so that g++ 12 does not try to evaluate it while it compiles.
template <class Scalar, std::size_t T, class Layer = attention_layer<>>
finding same_as_double(Layer const& layer = {}) {
  return proof::performed_the_same_operations(checks::operations_of<double, T, 4, 2>(layer),
                                              checks::operations_of<Scalar, T, 4, 2>(layer));
}

}  // namespace attest
