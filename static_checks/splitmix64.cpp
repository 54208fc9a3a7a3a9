// SPDX-License-Identifier: BSL-1.0
// splitmix64.cpp — the random numbers of the proofs are those of the published generator.
#include <attest/math/splitmix64.hpp>

namespace attest {
namespace {

constexpr bool begins_with(std::uint64_t state, std::uint64_t first, std::uint64_t second) {
  return detail::splitmix64(state) == first && detail::splitmix64(state) == second;
}
static_assert(begins_with(0, 0xe220'a839'7b1d'cdaf, 0x6e78'9e6a'a1b9'65f4));
static_assert(begins_with(1'234'567, 6'457'827'717'110'365'317U, 3'203'168'211'198'807'973U));
static_assert(!begins_with(1, 0xe220'a839'7b1d'cdaf, 0x6e78'9e6a'a1b9'65f4));

}  // namespace
}  // namespace attest
