// SPDX-License-Identifier: BSL-1.0
// allocation_test.cpp — what a model calls in its loop takes no memory from the heap: operator new and,
// where nobody else has taken its place, malloc are replaced by ones that count.
// NOLINTBEGIN(cppcoreguidelines-no-malloc,bugprone-suspicious-realloc-usage): this file is about malloc.
#include <attest/attention.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <type_traits>
#include <vector>

namespace {

// How often memory was asked for since the program began.
std::size_t volatile asked = 0;

void count() {
  asked = asked + 1;
}

void* counted(void* memory) {
  count();
  if (memory == nullptr) {
    throw std::bad_alloc{};
  }
  return memory;
}

}  // namespace

// The other forms of new and delete come to these, but for a sanitizer's own. Not inlined, because g++
// warns of a free of what came from new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(std::malloc(size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  auto const unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return operator new(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

// malloc too, where glibc's can be reached under another name. Not with clang, whose sanitizers have a
// malloc of their own and no macro that tells.
#if defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
constexpr bool counts_malloc = true;
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  count();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
}
#else
constexpr bool counts_malloc = false;
#endif

namespace attest {
namespace {

// The optimiser must take it that somebody reads what `pointer` points to.
void keep(void const* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

std::size_t allocations_of(auto const& use) {
  std::size_t const before = asked;
  use();
  return asked - before;
}

TEST(Allocations, AreCounted) {
  EXPECT_EQ(allocations_of([] {}), 0U);
  EXPECT_GE(allocations_of([] { keep(std::vector<double>(3).data()); }), 1U);
  EXPECT_GE(allocations_of([] { keep(std::make_unique<double[]>(3).get()); }), 1U);
  struct alignas(128) aligned {
    double element;
  };
  EXPECT_GE(allocations_of([] { keep(std::make_unique<aligned>().get()); }), 1U);
}

TEST(Allocations, OfMallocAreCounted) {
  if (!counts_malloc) {
    GTEST_SKIP() << "malloc is not replaced here";
  }
  EXPECT_EQ(allocations_of([] {
              void* memory = std::malloc(8);
              keep(memory);
              memory = std::realloc(memory, 1000);
              keep(memory);
              std::free(memory);
              memory = std::calloc(2, 8);
              keep(memory);
              std::free(memory);
            }),
            3U);
}

// Everything that one step of a model reads and writes.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
struct step {
  using trace_type = attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask>;
  attention_params<Scalar, d_model<D>, d_head<H>> params;
  tensor<Scalar, tokens<T>, d_model<D>> x;
  tensor<Scalar, tokens<T>, d_model<D>> d_out;
  trace_type trace;
  trace_type d_trace;
  attention_gradients<Scalar, tokens<T>, d_model<D>, d_head<H>> gradients;
};

template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
void expect_no_allocations(Mask const& mask) {
  auto const owned = std::make_unique<step<Scalar, T, D, H, Mask>>();
  auto& params = owned->params;
  auto& x = owned->x;
  auto& d_out = owned->d_out;
  auto& trace = owned->trace;
  auto& d_trace = owned->d_trace;
  auto& gradients = owned->gradients;
  std::mt19937 random{1};
  // So far apart that some results of exp are left to integers.
  std::uniform_real_distribution<double> uniform{-20, 20};
  auto const draw = [&](auto const*, auto& tensor) {
    std::generate(tensor.elements.begin(), tensor.elements.end(),
                  [&] { return static_cast<Scalar>(uniform(random)); });
  };
  for_each_member(params, draw);
  draw("x", x);
  draw("d_out", d_out);

  // One line for each entry point that a loop calls.
  EXPECT_EQ(allocations_of([&] { attention_forward(params, x, mask, trace); }), 0U);
  EXPECT_EQ(allocations_of([&] { keep(attention_forward(params, x, mask).out.data()); }), 0U);
  EXPECT_EQ(
      allocations_of([&] { attention_backward(params, x, trace, d_out, d_trace, gradients); }), 0U);
  keep(owned.get());
}

template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
void expect_no_allocations_under_any_mask() {
  expect_no_allocations<Scalar, T, D, H>(mask::causal);
  expect_no_allocations<Scalar, T, D, H>(mask::none);
  mask::ranges<queries<T>, keys<T>> window;
  for (std::size_t query = 1; query < T; ++query) {  // the first has no key at all
    window.of_query[query] = {query < 3 ? 0 : query - 3, query + 1};
  }
  expect_no_allocations<Scalar, T, D, H>(window);
  expect_no_allocations<Scalar, T, D, H>(mask::both{mask::causal, window});
}

template <class Scalar>
class Loop : public testing::Test {};

using scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Loop, scalars);

TYPED_TEST(Loop, AllocatesNothing) {
  expect_no_allocations_under_any_mask<TypeParam, 1, 4, 2>();
  expect_no_allocations_under_any_mask<TypeParam, 37, 19, 11>();
  expect_no_allocations<TypeParam, 64, 64, 32>(mask::causal);
}

TYPED_TEST(Loop, AllocatesNothingWithoutATrace) {
  using x_type = tensor<TypeParam, tokens<37>, d_model<19>>;
  using params_type = attention_params<TypeParam, d_model<19>, d_head<11>>;
  auto const params = std::make_unique<params_type>();
  auto const x = std::make_unique<x_type>();
  auto const out = std::make_unique<x_type>();
  fill(*x, TypeParam{1});
  EXPECT_EQ(allocations_of([&] { attention_output(*params, *x, mask::causal, *out); }), 0U);
  keep(out.get());

  using of_queries = tensor<TypeParam, heads<2>, queries<37>, d_head<11>>;
  using of_keys = tensor<TypeParam, heads<2>, keys<37>, d_head<11>>;
  auto const q = std::make_unique<of_queries>();
  auto const d_q = std::make_unique<of_queries>();
  auto const k = std::make_unique<of_keys>();
  auto const d_k = std::make_unique<of_keys>();
  auto const d_v = std::make_unique<of_keys>();
  EXPECT_EQ(allocations_of([&] {
              scaled_dot_product_attention(*q, *k, *k, mask::causal, *d_q);
              scaled_dot_product_attention_backward(*q, *k, *k, mask::causal, *q, *d_q, *d_k, *d_v);
            }),
            0U);
  keep(d_v.get());
}

}  // namespace
}  // namespace attest
// NOLINTEND(cppcoreguidelines-no-malloc,bugprone-suspicious-realloc-usage)
