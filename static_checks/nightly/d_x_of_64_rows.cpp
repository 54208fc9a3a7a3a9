// SPDX-License-Identifier: BSL-1.0
// d_x_of_64_rows.cpp — d_x depends on exactly later rows of d_out at T = 64, d_model 64, d_head 64: every
// row, eight a compilation, from ATTEST_FIRST_ROW on.
#include "d_x_by_rows.hpp"

namespace attest {

static_assert(d_x_by_rows::each_row<64, 64, 64, ATTEST_FIRST_ROW, 8>.holds);

}  // namespace attest
