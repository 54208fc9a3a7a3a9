// SPDX-License-Identifier: BSL-1.0
// proof_d_x.cpp — rows of d_x depend on exactly the rows of d_out from them on.
#include <attest/proof/dependence.hpp>
#include <attest/proof/layer.hpp>

constexpr std::size_t size = ATTEST_SIZE;
static_assert(
    attest::proof::d_x_depends_on_exactly_later_rows<size, size, size>(attest::attention_layer<>{})
        .holds);
