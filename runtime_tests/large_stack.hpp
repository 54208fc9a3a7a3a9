// SPDX-License-Identifier: BSL-1.0
// large_stack.hpp — room for the tensors of long sequences, which the proofs keep on the stack.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <stdexcept>
#include <type_traits>

namespace attest {

/// What f() returns, on a thread of its own with a stack of a gigabyte, of which only what is used
/// takes memory.
template <class F>
auto on_a_large_stack(F const& f) {
  struct call {
    F const* f;
    std::invoke_result_t<F const&> result;
  } here{&f, {}};
  pthread_attr_t attributes{};
  pthread_t thread{};
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, std::size_t{1} << 30) != 0 ||
      pthread_create(
          &thread, &attributes,
          [](void* argument) -> void* {
            auto& there = *static_cast<call*>(argument);
            there.result = (*there.f)();
            return nullptr;
          },
          &here) != 0) {
    throw std::runtime_error("no thread with a stack of a gigabyte");
  }
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
  return here.result;
}

}  // namespace attest
