// SPDX-License-Identifier: BSL-1.0
// says(gcc): use of deleted function
// says(clang): call to deleted function
// says: scaled_dot_product_attention
// says: queries<6>
// says: keys<4>
#include <attest/attest.hpp>

using namespace attest;

constexpr tensor<double, heads<2>, queries<6>, d_head<4>> q{};
constexpr tensor<double, heads<2>, keys<5>, d_head<4>> k{};
constexpr tensor<double, heads<2>, keys<5>, d_head<4>> v{};
#ifdef REPAIRED
constexpr mask::ranges<queries<6>, keys<5>> padding{};
#else
constexpr mask::ranges<queries<6>, keys<4>> padding{};
#endif
constexpr auto out = scaled_dot_product_attention(q, k, v, padding);
