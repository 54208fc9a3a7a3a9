// SPDX-License-Identifier: BSL-1.0
// floor.cpp — as many multiply-adds as the layer has, and nothing else: what the evaluator takes for them.

constexpr unsigned size = ATTEST_SIZE;
// Four projections, and two products over the pairs that a causal mask leaves.
constexpr unsigned terms = 5 * size + 1;

constexpr double floor_of_the_evaluator() {
  double a[terms] = {};
  double b[terms] = {};
  double largest = 0;
  for (unsigned i = 0; i < terms; ++i) {
    a[i] = b[i] = 0.5;
  }
  for (unsigned entry = 0; entry < size * size; ++entry) {
    double sum = 0;
    for (unsigned i = 0; i < terms; ++i) {
      sum += a[i] * b[i];
    }
    largest = largest < sum ? sum : largest;
  }
  return largest;
}
static_assert(floor_of_the_evaluator() == terms / 4.0);
