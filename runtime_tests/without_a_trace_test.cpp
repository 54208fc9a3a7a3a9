// SPDX-License-Identifier: BSL-1.0
// without_a_trace_test.cpp — scaled_dot_product_attention and attention_output give the bits of the layer
// with its trace, on registers, for lengths that leave remainders, and whoever runs the heads.
#include "recorded_input.hpp"
#include "unseen.hpp"

#include <attest/attest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace attest {
namespace {

template <class Tensor>
std::unique_ptr<Tensor> random_tensor(unsigned seed) {
  auto result = std::make_unique<Tensor>();
  std::mt19937 random{seed};
  std::uniform_real_distribution<double> uniform{-2, 2};
  for (auto& element : result->elements) {
    element = static_cast<typename Tensor::scalar_type>(uniform(random));
  }
  return result;
}

template <class Scalar, std::size_t N, std::size_t Q, std::size_t K, std::size_t H>
struct many_heads {
  using of_queries = tensor<Scalar, heads<N>, queries<Q>, d_head<H>>;
  using of_keys = tensor<Scalar, heads<N>, keys<K>, d_head<H>>;

  std::unique_ptr<of_queries> q = random_tensor<of_queries>(1);
  std::unique_ptr<of_keys> k = random_tensor<of_keys>(2);
  std::unique_ptr<of_keys> v = random_tensor<of_keys>(3);
  std::unique_ptr<of_queries> d_out = random_tensor<of_queries>(4);
  // What stood there before has no influence.
  std::unique_ptr<of_queries> out = random_tensor<of_queries>(5);
  std::unique_ptr<of_queries> d_q = random_tensor<of_queries>(6);
  std::unique_ptr<of_keys> d_k = random_tensor<of_keys>(7);
  std::unique_ptr<of_keys> d_v = random_tensor<of_keys>(8);

  template <class Mask, class Run = one_after_another>
  void run(Mask const& mask, Run const& run = {}) {
    scaled_dot_product_attention(*q, *k, *v, mask, *out, run);
    scaled_dot_product_attention_backward(*q, *k, *v, mask, *d_out, *d_q, *d_k, *d_v, run);
  }
};

/// One head as the layer computes it.
template <class Scalar, std::size_t Q, std::size_t K, std::size_t H>
struct with_a_trace {
  tensor<Scalar, queries<Q>, d_head<H>> q, d_mixed, mixed, d_q;
  tensor<Scalar, keys<K>, d_head<H>> k, v, d_k, d_v;
  tensor<Scalar, queries<Q>, keys<K>> scores, weights, d_weights, d_scores;

  template <class Heads, class Mask>
  void run(Heads const& heads, std::size_t head, Mask const& mask) {
    std::copy_n(heads.q->data() + head * q.size, q.size, q.data());
    std::copy_n(heads.d_out->data() + head * q.size, q.size, d_mixed.data());
    std::copy_n(heads.k->data() + head * k.size, k.size, k.data());
    std::copy_n(heads.v->data() + head * k.size, k.size, v.data());
    auto const scored = scored_pairs(mask);
    attended_pairs const attended{mask};
    detail::scaled_dot_product_attention(q, k, v, scored, attended, scores, weights, mixed);
    detail::scaled_dot_product_attention_backward(q, k, v, weights, d_mixed, scored, attended,
                                                  d_weights, d_scores, d_q, d_k, d_v);
  }
};

template <class Scalar>
bool are_the_same(Scalar const* left, Scalar const* right, std::size_t count) {
  return std::equal(left, left + count, right, [](Scalar a, Scalar b) { return same_bits(a, b); });
}

template <class Scalar, std::size_t N, std::size_t Q, std::size_t K, std::size_t H, class Mask>
void expect_the_bits_of_the_trace(Mask const& mask) {
  many_heads<Scalar, N, Q, K, H> heads;
  heads.run(mask);
  auto const trace = std::make_unique<with_a_trace<Scalar, Q, K, H>>();
  for (std::size_t head = 0; head < N; ++head) {
    trace->run(heads, head, mask);
    std::size_t const of_queries = head * Q * H;
    std::size_t const of_keys = head * K * H;
    EXPECT_TRUE(are_the_same(heads.out->data() + of_queries, trace->mixed.data(), Q * H))
        << Q << " × " << K << " × " << H << " head " << head;
    EXPECT_TRUE(are_the_same(heads.d_q->data() + of_queries, trace->d_q.data(), Q * H)) << Q;
    EXPECT_TRUE(are_the_same(heads.d_k->data() + of_keys, trace->d_k.data(), K * H)) << Q;
    EXPECT_TRUE(are_the_same(heads.d_v->data() + of_keys, trace->d_v.data(), K * H)) << Q;
  }
}

template <class Scalar>
class WithoutATrace : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(WithoutATrace, scalars);

TYPED_TEST(WithoutATrace, HasTheBitsOfTheTrace) {
  expect_the_bits_of_the_trace<TypeParam, 3, 17, 17, 5>(mask::causal);
  expect_the_bits_of_the_trace<TypeParam, 1, 131, 131, 20>(mask::causal);
  expect_the_bits_of_the_trace<TypeParam, 1, 20, 75, 33>(mask::causal);
  expect_the_bits_of_the_trace<TypeParam, 1, 75, 20, 33>(mask::causal);
}

/// It has not heard of the last key, where its ranges end all the same.
struct five_keys_ahead {
  static constexpr key_range attended(std::size_t query, std::size_t) {
    return {query / 2, query + 6};
  }
};

TYPED_TEST(WithoutATrace, HasThemUnderOtherMasks) {
  expect_the_bits_of_the_trace<TypeParam, 1, 40, 23, 24>(five_keys_ahead{});
  expect_the_bits_of_the_trace<TypeParam, 1, 67, 67, 24>(mask::zero);
  mask::ranges<queries<67>, keys<67>> ranges;
  for (std::size_t query = 0; query < 67; ++query) {
    std::size_t const first = query * 31 % 67;
    ranges.of_query[query] = {first, query % 5 == 0 ? first : first + query * 7 % 29};
  }
  expect_the_bits_of_the_trace<TypeParam, 1, 67, 67, 24>(ranges);
  for (std::size_t query = 0; query < 67; ++query) {
    ranges.of_query[query] = {0, query < 9 ? 67 : query};
  }
  expect_the_bits_of_the_trace<TypeParam, 1, 67, 67, 24>(ranges);
}

/// So many keys that a product takes them in several passes, whatever the registers; a mask whose ranges begin and
/// end within passes, and leave some out.
TYPED_TEST(WithoutATrace, HasThemInSeveralPassesOverTheKeys) {
  constexpr std::size_t Q = 20;
  constexpr std::size_t K = 2100;
  constexpr std::size_t H = 64;
  static_assert(native_width<TypeParam> == 1 || detail::tile_for<TypeParam, H>::keys_a_pass < K);
  mask::ranges<queries<Q>, keys<K>> ranges;
  for (std::size_t query = 0; query < Q; ++query) {
    ranges.of_query[query] = {query % 3 * 500, K - query % 4 * 600};
  }
  expect_the_bits_of_the_trace<TypeParam, 1, Q, K, H>(ranges);

  // Without passes, and without lanes.
  auto const weights = random_tensor<tensor<TypeParam, queries<Q>, keys<K>>>(1);
  auto const v = random_tensor<tensor<TypeParam, keys<K>, d_head<H>>>(2);
  tensor<TypeParam, queries<Q>, d_head<H>> in_passes;
  tensor<TypeParam, queries<Q>, d_head<H>> entry_by_entry;
  matmul(*weights, *v, in_passes, attended_pairs{ranges});
  detail::add_by_tiles<detail::one_entry>(*weights, *v, entry_by_entry, attended_pairs{ranges});
  EXPECT_EQ(in_passes, entry_by_entry);
}

/// Scores far apart: exp of lanes leaves its short path, and weights underflow.
TYPED_TEST(WithoutATrace, HasThemWhereScoresAreFarApart) {
  many_heads<TypeParam, 1, 40, 40, 8> heads;
  for (std::size_t i = 0; i < heads.q->size; ++i) {
    heads.q->elements[i] *= static_cast<TypeParam>(i % 7 == 0 ? 200 : 1);
  }
  heads.run(mask::causal);
  auto const trace = std::make_unique<with_a_trace<TypeParam, 40, 40, 8>>();
  trace->run(heads, 0, mask::causal);
  EXPECT_TRUE(are_the_same(heads.out->data(), trace->mixed.data(), trace->mixed.size));
  EXPECT_TRUE(are_the_same(heads.d_k->data(), trace->d_k.data(), trace->d_k.size));
}

/// NaN, infinities and the largest numbers from row `poisoned` on change no earlier row.
TYPED_TEST(WithoutATrace, LaterRowsCannotPoisonEarlierOnes) {
  using limits = std::numeric_limits<TypeParam>;
  for (TypeParam const poison :
       {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), limits::max()}) {
    for (std::size_t const poisoned : {1U, 15U, 31U, 33U, 39U}) {
      constexpr std::size_t T = 40;
      constexpr std::size_t H = 8;
      many_heads<TypeParam, 1, T, T, H> clean;
      many_heads<TypeParam, 1, T, T, H> dirty;
      for (std::size_t i = poisoned * H; i < T * H; ++i) {
        dirty.q->elements[i] = poison;
        dirty.k->elements[i] = poison;
        dirty.v->elements[i] = poison;
      }
      clean.run(mask::causal);
      dirty.run(mask::causal);
      EXPECT_TRUE(are_the_same(clean.out->data(), dirty.out->data(), poisoned * H)) << poisoned;
      EXPECT_TRUE(are_the_same(clean.d_q->data(), dirty.d_q->data(), poisoned * H)) << poisoned;
      EXPECT_FALSE(are_the_same(clean.out->data(), dirty.out->data(), T * H)) << poisoned;
    }
  }
}

/// As many threads as told, each with every so many-th head.
struct threads {
  std::size_t count;

  template <class Task>
  void operator()(std::size_t heads, Task const& task) const {
    std::vector<std::thread> running;
    running.reserve(count);
    for (std::size_t thread = 0; thread < count; ++thread) {
      running.emplace_back([heads, thread, among = count, &task] {
        for (std::size_t done = thread; done < heads; done += among) {
          task(heads - 1 - done);
        }
      });
    }
    for (std::thread& thread : running) {
      thread.join();
    }
  }
};

TYPED_TEST(WithoutATrace, AnyNumberOfThreadsGivesTheSameBits) {
  many_heads<TypeParam, 8, 40, 40, 8> alone;
  alone.run(mask::causal);
  for (std::size_t const count : {1U, 2U, 3U, 4U}) {
    many_heads<TypeParam, 8, 40, 40, 8> together;
    together.run(mask::causal, threads{count});
    EXPECT_EQ(*together.out, *alone.out) << count;
    EXPECT_EQ(*together.d_q, *alone.d_q) << count;
    EXPECT_EQ(*together.d_k, *alone.d_k) << count;
    EXPECT_EQ(*together.d_v, *alone.d_v) << count;
  }
}

template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
void expect_the_output_of_the_layer() {
  static constexpr auto input = checks::make_sample<Scalar, T, D, H>(T + D + H);
  static constexpr auto in_the_compiler = attention_output(input.params, input.x);
  auto const output = attention_output(unseen(input.params), unseen(input.x));
  EXPECT_EQ(output, in_the_compiler);
  EXPECT_EQ(output, attention_forward(unseen(input.params), unseen(input.x)).out);
}

TYPED_TEST(WithoutATrace, OutputIsTheCompilers) {
  expect_the_output_of_the_layer<TypeParam, 1, 1, 1>();
  expect_the_output_of_the_layer<TypeParam, 6, 4, 2>();
  expect_the_output_of_the_layer<TypeParam, 17, 8, 16>();
}

}  // namespace
}  // namespace attest
