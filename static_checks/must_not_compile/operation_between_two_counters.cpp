// SPDX-License-Identifier: BSL-1.0
// says: operation_between_values_of_two_counters
#include <attest/attest.hpp>
#include <attest/scalar/operation_count.hpp>

using namespace attest;

constexpr bool counted = [] {
  operation_counts mine;
  operation_counts yours;
#ifdef REPAIRED
  static_cast<void>(operation_count{mine} * operation_count{mine});
#else
  static_cast<void>(operation_count{mine} * operation_count{yours});
#endif
  static_cast<void>(operation_count{yours});
  return true;
}();
