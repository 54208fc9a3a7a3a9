// SPDX-License-Identifier: BSL-1.0
// says: operation_between_constants_has_no_counter
#include <attest/attest.hpp>
#include <attest/scalar/operation_count.hpp>

using namespace attest;

constexpr auto half = scalar_traits<operation_count>::constant(0.5);
constexpr bool counted = [] {
  operation_counts counts;
#ifdef REPAIRED
  static_cast<void>(operation_count{counts} * half);
#else
  static_cast<void>(half * half);
#endif
  return true;
}();
