// SPDX-License-Identifier: BSL-1.0
// stack_use.hpp — how many bytes of stack a call writes to.
#pragma once

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace attest::benchmarks {

/// Runs `call` on a stack that is painted first, and looks how far the paint is gone. The thread's own
/// start is in it: a few kilobytes, which stack_use([] {}) tells.
template <class Call>
std::size_t stack_use(Call call) {
  constexpr std::size_t size = std::size_t{32} << 20;
  constexpr unsigned char paint = 0xa5;
  void* const stack =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) {
    throw std::runtime_error("stack_use: no memory for a stack");
  }
  std::memset(stack, paint, size);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, size);
  pthread_t thread{};
  auto const run = [](void* argument) -> void* {
    (*static_cast<Call*>(argument))();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, run, &call) != 0) {
    throw std::runtime_error("stack_use: no thread");
  }
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  auto const* const first = static_cast<unsigned char const*>(stack);
  auto const* const untouched =
      std::find_if(first, first + size, [](unsigned char byte) { return byte != paint; });
  auto const used = static_cast<std::size_t>(first + size - untouched);
  munmap(stack, size);
  return used;
}

}  // namespace attest::benchmarks
