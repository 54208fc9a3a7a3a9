// SPDX-License-Identifier: BSL-1.0
// operations_of_every_length_test.cpp — every scalar makes the layer do what double makes it do, for each
// length from 1 to 16: some three hundred instances of the layer, which take minutes to compile.
#include "runtime_tests/operations_at_run_time.hpp"

#include <utility>

namespace attest {
namespace {

template <class Scalar>
class OperationsOfEveryLength : public testing::Test {};
TYPED_TEST_SUITE(OperationsOfEveryLength, scalars);

TYPED_TEST(OperationsOfEveryLength, AreThoseOfDouble) {
  auto const expect_same = [](std::size_t T, finding const& found) {
    EXPECT_EQ(found, finding{}) << "T = " << T;
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (expect_same(I + 1, same_as_double<TypeParam, I + 1>()), ...);
  }(std::make_index_sequence<16>{});
}

}  // namespace
}  // namespace attest
