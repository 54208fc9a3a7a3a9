// SPDX-License-Identifier: BSL-1.0
// model.cpp — what a user writes: a layer of their own sizes, checked where it is used.
#include <attest/attest.hpp>

using namespace attest;

constexpr attention_params<float, d_model<2>, d_head<2>> params{
    {{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}};
constexpr tensor<float, tokens<3>, d_model<2>> x{{1, 2}, {3, 4}, {5, 6}};
static_assert(attention_forward(params, x, mask::causal).weights(0, 0) == 1);

int main() {
  return attention_forward(params, x, mask::causal).out(0, 0) == 1 ? 0 : 1;
}
