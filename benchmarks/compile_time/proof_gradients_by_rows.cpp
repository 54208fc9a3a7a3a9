// SPDX-License-Identifier: BSL-1.0
// proof_gradients_by_rows.cpp — the gradients of q, k and v are the derivatives, an assertion a row.
#include <static_checks/gradients_by_rows.hpp>

static_assert(attest::gradients_by_rows::each_row<ATTEST_SIZE, ATTEST_SIZE>.holds);
