// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: scaled_dot_product_attention
// says: heads<2>
// says: keys<5>
// says: d_head<4>
// says: d_head<3>
#include <attest/attest.hpp>

using namespace attest;

constexpr tensor<double, heads<2>, queries<6>, d_head<4>> q{};
#ifdef REPAIRED
constexpr tensor<double, heads<2>, keys<5>, d_head<4>> k{};
#else
constexpr tensor<double, heads<2>, keys<5>, d_head<3>> k{};
#endif
constexpr tensor<double, heads<2>, keys<5>, d_head<4>> v{};
constexpr auto out = scaled_dot_product_attention(q, k, v);
