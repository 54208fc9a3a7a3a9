// SPDX-License-Identifier: BSL-1.0
// row_sums_of_64_rows.cpp — row sums and the hull of v at T = 64, d_head 64: every row, eight a compilation,
// from ATTEST_FIRST_ROW on.
#include "row_sums_by_rows.hpp"

namespace attest {

static_assert(row_sums_by_rows::each_row<64, 64, ATTEST_FIRST_ROW, 8>.holds);

}  // namespace attest
