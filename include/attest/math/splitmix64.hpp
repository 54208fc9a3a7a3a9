// SPDX-License-Identifier: BSL-1.0
// splitmix64.hpp — numbers that look like chance and are the same everywhere, for proofs at random points.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#pragma once

#include <cstdint>

namespace attest::detail {

/// The number after `state`, which moves on.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e37'79b9'7f4a'7c15;
  std::uint64_t bits = state;
  bits = (bits ^ bits >> 30) * 0xbf58'476d'1ce4'e5b9;
  bits = (bits ^ bits >> 27) * 0x94d0'49bb'1331'11eb;
  return bits ^ bits >> 31;
}

}  // namespace attest::detail
