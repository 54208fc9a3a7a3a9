// SPDX-License-Identifier: BSL-1.0
// operations_at_run_time_test.cpp — every scalar makes the layer do what double makes it do, for lengths
// that would take the compiler long. All from 1 to 16: nightly/operations_of_every_length_test.cpp.
#include "operations_at_run_time.hpp"

#include "broken_layers_every_input.hpp"

namespace attest {
namespace {

template <class Scalar>
class Operations : public testing::Test {};
TYPED_TEST_SUITE(Operations, scalars);

TYPED_TEST(Operations, AreThoseOfDoubleForNineAndSixteenTokens) {
  EXPECT_EQ((same_as_double<TypeParam, 9>()), finding{});
  EXPECT_EQ((same_as_double<TypeParam, 16>()), finding{});
}

TYPED_TEST(Operations, AreThoseOfDoubleFor64TokensOfWidth64) {
  EXPECT_EQ((same_as_double<TypeParam, 64, attention_layer<>, 64, 64>()), finding{});
}

TEST(OperationsOfExpression, AreThoseOfDoubleFor512TokensOfWidth64) {
  EXPECT_EQ((same_as_double<expression, 512, attention_layer<>, 64, 64>()), finding{});
}

TYPED_TEST(Operations, InAnotherOrderAreRefused) {
  using logged = proof::logged<TypeParam>;
  EXPECT_EQ((same_as_double<TypeParam, 9>(broken::sums_backwards_for<logged>{})),
            broken_at(part::out, 0, 0));
}

}  // namespace
}  // namespace attest
