// SPDX-License-Identifier: BSL-1.0
// environment_test.cpp — the floating-point environment: the library leaves it as it was, needs
// rounding to nearest, and where subnormal numbers are flushed to zero they become 0 and nothing else.
#include <attest/attention.hpp>
#include <attest/math/exact_sum.hpp>
#include <attest/math/exp.hpp>
#include <attest/math/exp_lanes.hpp>
#include <attest/math/sqrt.hpp>
#include <attest/members.hpp>
#include <attest/proof/weights.hpp>
#include <attest/softmax.hpp>

#include <gtest/gtest.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace attest {
namespace {

// The processor's control bits: rounding, traps, what becomes of subnormal numbers. Not the flags.
#if defined(__SSE2__)
constexpr bool can_flush = true;
constexpr std::uint64_t flush_bits = 0x8040;  // results (FTZ) and operands (DAZ)
std::uint64_t control_bits() {
  return _mm_getcsr() & 0xffc0U;
}
void set_control_bits(std::uint64_t bits) {
  _mm_setcsr(static_cast<unsigned>(bits) | (_mm_getcsr() & 0x3fU));
}
#elif defined(__aarch64__)
constexpr bool can_flush = true;
constexpr std::uint64_t flush_bits = std::uint64_t{1} << 24;  // both (FZ)
std::uint64_t control_bits() {
  std::uint64_t bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void set_control_bits(std::uint64_t bits) {
  asm volatile("msr fpcr, %0" : : "r"(bits));
}
#else
constexpr bool can_flush = false;
constexpr std::uint64_t flush_bits = 0;
std::uint64_t control_bits() {
  return 0;
}
void set_control_bits(std::uint64_t) {}
#endif

// Nothing that touches these objects is moved across.
void fence(auto&... objects) {
  (..., [](void const* object) { asm volatile("" : : "r"(object) : "memory"); }(&objects));
}

// use() under these control bits, all of whose inputs and results are `objects`; gives the bits that
// were found after it.
std::uint64_t under(std::uint64_t bits, auto const& use, auto&... objects) {
  std::uint64_t const before = control_bits();
  fence(objects...);
  set_control_bits(bits);
  fence(objects...);
  use();
  fence(objects...);
  std::uint64_t const after = control_bits();
  set_control_bits(before);
  fence(objects...);
  return after;
}

std::uint64_t flushing() {
  return control_bits() | flush_bits;
}

template <class Scalar>
bool same_bits(Scalar a, Scalar b) {
  using integer = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<integer>(a) == std::bit_cast<integer>(b);
}

template <class Scalar>
bool is_subnormal(Scalar number) {
  return std::fpclassify(number) == FP_SUBNORMAL;
}

template <class Scalar>
Scalar flushed(Scalar number) {
  return is_subnormal(number) ? std::copysign(Scalar{}, number) : number;
}

// use(name, element, element) for each element of two structs of tensors, nested ones too.
template <class Members>
void for_each_element(Members const& left, Members const& right, auto const& use) {
  for_each_member(left, right, [&](char const* name, auto const& a, auto const& b) {
    if constexpr (has_members<std::remove_cvref_t<decltype(a)>>) {
      for_each_element(a, b, use);
    } else {
      for (std::size_t i = 0; i < a.size; ++i) {
        use(name, a.elements[i], b.elements[i]);
      }
    }
  });
}

// The layer, forward and backward, with everything it reads and writes.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
struct run_of {
  using trace_type = attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>>;
  attention_params<Scalar, d_model<D>, d_head<H>> params{};
  tensor<Scalar, tokens<T>, d_model<D>> x{};
  tensor<Scalar, tokens<T>, d_model<D>> d_out{};
  trace_type trace{};
  trace_type d_trace{};
  attention_gradients<Scalar, tokens<T>, d_model<D>, d_head<H>> gradients{};

  std::uint64_t evaluate(std::uint64_t bits = control_bits()) {
    return under(
        bits,
        [&] {
          attention_forward(params, x, mask::causal, trace);
          attention_backward(params, x, trace, d_out, d_trace, gradients);
        },
        *this);
  }

  // What it wrote, beside what another wrote.
  void compare(run_of const& other, auto const& use) const {
    for_each_element(trace, other.trace, use);
    for_each_element(d_trace, other.d_trace, use);
    for_each_element(gradients, other.gradients, use);
  }
};

template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
run_of<Scalar, T, D, H> normal_run() {
  std::mt19937 random{7};
  std::uniform_real_distribution<Scalar> uniform{-1, 1};
  run_of<Scalar, T, D, H> run;
  auto const draw = [&](auto const*, auto& tensor) {
    std::generate(tensor.elements.begin(), tensor.elements.end(), [&] { return uniform(random); });
  };
  for_each_member(run.params, draw);
  draw("x", run.x);
  draw("d_out", run.d_out);
  return run;
}

// Scores are products of tokens. After the third and the fifth, which are so large that their
// difference to the others is where e^x is subnormal.
template <class Scalar>
run_of<Scalar, 6, 1, 1> subnormal_run() {
  bool const is_float = std::same_as<Scalar, float>;
  Scalar const large = is_float ? static_cast<Scalar>(9.6) : static_cast<Scalar>(26.9);
  run_of<Scalar, 6, 1, 1> run;
  for_each_member(run.params, [](auto const*, auto& tensor) { tensor.elements[0] = 1; });
  run.x.elements = {
      static_cast<Scalar>(0.2), static_cast<Scalar>(0.25), large, static_cast<Scalar>(0.3), large,
      static_cast<Scalar>(-0.5)};
  run.d_out.elements = {1, static_cast<Scalar>(-0.5), 2, 1, 3, -1};
  return run;
}

template <class Scalar>
class Environment : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_flush) {
      GTEST_SKIP() << "how this processor flushes subnormal numbers is not known";
    }
  }
};

using scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Environment, scalars);

template <class Run>
void expect_the_same_bits_flushed(Run run) {
  run.evaluate();
  auto flushed_run = run;
  flushed_run.evaluate(flushing());
  std::size_t compared = 0;
  run.compare(flushed_run, [&](char const* name, auto normal, auto other) {
    ++compared;
    EXPECT_FALSE(is_subnormal(normal)) << name;
    EXPECT_TRUE(same_bits(normal, other)) << name << ": " << normal << ", flushed " << other;
  });
  EXPECT_GT(compared, 100U);
}

TYPED_TEST(Environment, OfNormalNumbersFlushingChangesNoBit) {
  expect_the_same_bits_flushed(normal_run<TypeParam, 7, 4, 3>());
  expect_the_same_bits_flushed(normal_run<TypeParam, 23, 16, 16>());
}

TYPED_TEST(Environment, SubnormalWeightsBecomeZeroAndNothingElseChanges) {
  auto run = subnormal_run<TypeParam>();
  run.evaluate();
  auto flushed_run = run;
  flushed_run.evaluate(flushing());

  std::size_t subnormal = 0;
  for_each_element(run.trace, flushed_run.trace,
                   [&](char const* name, TypeParam normal, TypeParam other) {
                     subnormal += is_subnormal(normal) ? 1U : 0U;
                     EXPECT_TRUE(same_bits(flushed(normal), other))
                         << name << ": " << normal << ", flushed " << other;
                   });
  EXPECT_GT(subnormal, 3U);

  // What is made of them differs by no more than they were.
  TypeParam const bound = std::numeric_limits<TypeParam>::min() * TypeParam{1024};
  std::size_t changed = 0;
  run.compare(flushed_run, [&](char const* name, TypeParam normal, TypeParam other) {
    EXPECT_FALSE(std::isnan(other)) << name;
    EXPECT_FALSE(is_subnormal(other)) << name;
    changed += same_bits(normal, other) ? 0U : 1U;
    if (!std::isinf(normal)) {
      EXPECT_LE(std::abs(normal - other), bound) << name;
    } else {
      EXPECT_TRUE(same_bits(normal, other)) << name;
    }
  });
  EXPECT_GT(changed, subnormal);
}

TYPED_TEST(Environment, RowsSumToOneWhenFlushed) {
  auto run = subnormal_run<TypeParam>();
  run.evaluate(flushing());
  double const unit = static_cast<double>(std::numeric_limits<TypeParam>::epsilon()) / 2;
  double const bound = 6 * unit / (1 - 6 * unit);
  EXPECT_TRUE(proof::rows_sum_to_one(run.trace.weights, bound).holds);
  EXPECT_TRUE(proof::future_weights_are_zero(run.trace.weights).holds);
  run.trace.weights(2, 2) -= static_cast<TypeParam>(8 * unit);
  EXPECT_FALSE(proof::rows_sum_to_one(run.trace.weights, bound).holds);
}

TYPED_TEST(Environment, NoLaterTokenIsSeenWhenFlushed) {
  auto clean = subnormal_run<TypeParam>();
  clean.evaluate(flushing());
  for (TypeParam const poison :
       {std::numeric_limits<TypeParam>::quiet_NaN(), std::numeric_limits<TypeParam>::infinity(),
        std::numeric_limits<TypeParam>::denorm_min(), TypeParam{-5}}) {
    for (std::size_t row = 1; row < 6; ++row) {
      auto changed = clean;
      changed.x(row, 0) = poison;
      changed.evaluate(flushing());
      for (std::size_t i = 0; i < row; ++i) {
        EXPECT_EQ(changed.trace.weights.row(i), clean.trace.weights.row(i)) << row;
        EXPECT_EQ(changed.trace.out.row(i), clean.trace.out.row(i)) << row;
      }
      EXPECT_FALSE(changed.trace.out.row(row) == clean.trace.out.row(row)) << row;
    }
  }
}

// But for the flags of exceptions: inexact results, and those that underflow, may raise them.
TYPED_TEST(Environment, IsLeftAsItWas) {
  auto run = normal_run<TypeParam, 7, 4, 3>();
  for (int const rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(rounding), 0);
    std::uint64_t const plain = control_bits();
    std::uint64_t const after = run.evaluate(plain);
    std::uint64_t const after_flushing = run.evaluate(plain | flush_bits);
    int const rounding_after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(after, plain);
    EXPECT_EQ(after_flushing, plain | flush_bits);
    EXPECT_EQ(rounding_after, rounding);
  }
}

// Outside the contract, and not without a reason.
TYPED_TEST(Environment, RoundedUpwardsTheBitsAreOthers) {
  auto run = normal_run<TypeParam, 7, 4, 3>();
  run.evaluate();
  auto upwards = run;
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  upwards.evaluate();
  std::fesetround(FE_TONEAREST);
  std::size_t others = 0;
  run.compare(upwards, [&](char const*, TypeParam nearest, TypeParam other) {
    others += same_bits(nearest, other) ? 0U : 1U;
  });
  EXPECT_GT(others, 0U);
}

// Arguments of all results and of all exponents, subnormal ones included.
template <class Scalar>
std::vector<Scalar> arguments() {
  std::mt19937_64 random{3};
  bool const is_float = std::same_as<Scalar, float>;
  std::uniform_real_distribution<Scalar> all{static_cast<Scalar>(is_float ? -105.0 : -750.0),
                                             static_cast<Scalar>(is_float ? 90.0 : 712.0)};
  std::uniform_real_distribution<Scalar> to_subnormal{
      static_cast<Scalar>(is_float ? -103.0 : -745.0),
      static_cast<Scalar>(is_float ? -87.5 : -708.5)};
  std::uniform_real_distribution<Scalar> subnormal{1, 1000};
  std::vector<Scalar> numbers;
  for (int i = 0; i < 30'000; ++i) {
    numbers.push_back(all(random));
    numbers.push_back(to_subnormal(random));
    numbers.push_back(std::floor(subnormal(random)) * std::numeric_limits<Scalar>::denorm_min());
    numbers.push_back(-numbers.back());
  }
  return numbers;
}

// exp of a double makes its subnormal results of integers: flushing does not reach them. A float's
// is a double's, converted: there they become 0.
TYPED_TEST(Environment, ExpIsFlushedForFloatsAlone) {
  std::vector<TypeParam> const x = arguments<TypeParam>();
  std::vector<TypeParam> normal(x.size());
  std::vector<TypeParam> alone(x.size());
  std::vector<TypeParam> by_lanes = x;
  std::transform(x.begin(), x.end(), normal.begin(), [](TypeParam a) { return exp(a); });
  under(
      flushing(),
      [&] {
        for (std::size_t i = 0; i < x.size(); ++i) {
          alone[i] = exp(x[i]);
        }
        detail::exp_each(by_lanes.data(), by_lanes.size());
      },
      x, alone, by_lanes);
  std::size_t subnormal = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    subnormal += is_subnormal(normal[i]) ? 1U : 0U;
    TypeParam const expected = std::same_as<TypeParam, float> ? flushed(normal[i]) : normal[i];
    wrong += same_bits(alone[i], expected) && same_bits(by_lanes[i], expected) ? 0U : 1U;
  }
  EXPECT_GT(subnormal, 20'000U);
  EXPECT_EQ(wrong, 0U);
}

// Likewise the root of a subnormal double is right. That of a subnormal float is one that is read as 0:
// 0, or, where the compiler leaves out the way to double and back, x itself.
TYPED_TEST(Environment, SqrtIsFlushedForFloatsAlone) {
  std::vector<TypeParam> x = arguments<TypeParam>();
  std::erase_if(x, [](TypeParam a) { return a < 0; });
  std::vector<TypeParam> normal(x.size());
  std::vector<TypeParam> when_flushed(x.size());
  std::transform(x.begin(), x.end(), normal.begin(), [](TypeParam a) { return sqrt(a); });
  under(
      flushing(),
      [&] {
        for (std::size_t i = 0; i < x.size(); ++i) {
          when_flushed[i] = sqrt(x[i]);
        }
      },
      x, when_flushed);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::same_as<TypeParam, float> && is_subnormal(x[i])) {
      wrong += same_bits(flushed(when_flushed[i]), TypeParam{}) ? 0U : 1U;
    } else {
      wrong += same_bits(when_flushed[i], normal[i]) ? 0U : 1U;
    }
  }
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace attest
