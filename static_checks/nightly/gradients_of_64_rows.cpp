// SPDX-License-Identifier: BSL-1.0
// gradients_of_64_rows.cpp — the gradients of equation 1 at T = 64, d_head 64: every row, eight a
// compilation, from ATTEST_FIRST_ROW on. A row takes g++ some two seconds.
#include "gradients_by_rows.hpp"

namespace attest {

static_assert(gradients_by_rows::each_row<64, 64, ATTEST_FIRST_ROW, 8>.holds);

}  // namespace attest
