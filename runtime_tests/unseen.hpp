// SPDX-License-Identifier: BSL-1.0
// unseen.hpp — values that the optimiser cannot see, so that a test runs and is not folded away.
#pragma once

#include <attest/attention.hpp>
#include <attest/members.hpp>
#include <attest/print.hpp>

namespace attest {

template <class Scalar, class... Axes>
tensor<Scalar, Axes...> unseen(tensor<Scalar, Axes...> const& seen) {
  tensor<Scalar, Axes...> result;
  for (std::size_t i = 0; i < result.size; ++i) {
    Scalar const volatile element = seen.elements[i];
    result.elements[i] = element;
  }
  return result;
}

/// Every member of a struct of tensors.
template <class Members>
Members unseen(Members members) {
  for_each_member(members, [](auto const*, auto& member) { member = unseen(member); });
  return members;
}

}  // namespace attest
