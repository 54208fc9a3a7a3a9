// SPDX-License-Identifier: BSL-1.0
// config.hpp — what the results need of the compiler: IEEE arithmetic, one rounding an operation.
// The only macros of the library are defined here.
#pragma once

#include <cstddef>
#include <type_traits>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
    "attest does not compile with -ffast-math, -Ofast or -ffinite-math-only: they assume that no infinity and no NaN exists and reorder sums, so a masked score of minus infinity and the bits of every result would mean nothing. Remove the flag for the files that include attest."
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error \
    "attest does not compile with -funsafe-math-optimizations, -fassociative-math, -freciprocal-math or -fno-signed-zeros: they change the order and the rounding of operations, on which the bits of every result rest. Remove the flag for the files that include attest."
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error \
    "attest does not compile where float and double are evaluated in a wider format (x87): every operation must be rounded to its own type. Use -mfpmath=sse."
#endif

// Bytes of the target's vector registers. Vectors are an extension that g++ and clang share; without it,
// or without such registers, lanes are plain elements.
#if !defined(__GNUC__)
#define ATTEST_REGISTER_BYTES 0
#elif defined(__AVX512F__)
#define ATTEST_REGISTER_BYTES 64
#elif defined(__AVX2__)
#define ATTEST_REGISTER_BYTES 32
#elif defined(__SSE2__)
#define ATTEST_REGISTER_BYTES 16
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define ATTEST_REGISTER_BYTES 16
#else
#define ATTEST_REGISTER_BYTES 0
#endif

// In front of a loop of a few turns whose sums are to stay in registers.
#if defined(__clang__)
#define ATTEST_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define ATTEST_UNROLL _Pragma("GCC unroll 16")
#else
#define ATTEST_UNROLL
#endif

// A product that is rounded before it is added to: ATTEST_ROUNDED(a * b) + c is never one fused
// multiply-add, whatever -ffp-contract says. ATTEST_NO_CONTRACTION opens every function body in
// which a product meets a sum: the standard's own way, which g++ ignores and clang obeys in every mode
// but -ffp-contract=fast. So where the target has a fused instruction, the product also passes through
// a register that the optimiser cannot see into. g++'s __builtin_assoc_barrier is no way: its
// vectoriser drops it (g++ 12, -O3 -mfma).
#if defined(__clang__)
#define ATTEST_NO_CONTRACTION _Pragma("clang fp contract(off)")
#elif defined(__GNUC__)
#define ATTEST_NO_CONTRACTION
#else
#define ATTEST_NO_CONTRACTION _Pragma("STDC FP_CONTRACT OFF")
#endif

#if !defined(__GNUC__) || ((defined(__x86_64__) || defined(__i386__)) && !defined(__FMA__) && \
                           !defined(__FMA4__) && !defined(__AVX512F__))
#define ATTEST_ROUNDED(...) (__VA_ARGS__)
#else
#if defined(__AVX512F__)
#define ATTEST_FLOAT_REGISTER "+v"
#elif defined(__x86_64__) || defined(__i386__)
#define ATTEST_FLOAT_REGISTER "+x"
#elif defined(__aarch64__)
#define ATTEST_FLOAT_REGISTER "+w"
#elif defined(__riscv_flen) || defined(__s390x__) || defined(__loongarch__)
#define ATTEST_FLOAT_REGISTER "+f"
#else
#define ATTEST_FLOAT_REGISTER "+m"
#endif
namespace attest::detail {

template <class Value>
[[gnu::always_inline]] constexpr Value through_a_register(Value product) {
  if constexpr (!std::is_class_v<Value>) {
    if (!std::is_constant_evaluated()) {
      asm("" : ATTEST_FLOAT_REGISTER(product));
    }
  }
  return product;
}

}  // namespace attest::detail
#define ATTEST_ROUNDED(...) ::attest::detail::through_a_register(__VA_ARGS__)
#endif

namespace attest::detail {

/// Where arrays begin of which registers are loaded, so that none lies across two lines of a cache.
inline constexpr std::size_t cache_line = 64;

}  // namespace attest::detail

// Zen 4 (AMD's AVX-512 without VP2INTERSECT) copies a number to the lanes of 64 bytes in an arithmetic unit, one
// multiplication less. An operand in memory, which the instruction itself copies, is free; a factor becomes one
// where each product reads it for itself and has its other operand in a register.
namespace attest::detail {

#if defined(__GNUC__) && defined(__AVX512F__) && defined(__SSE4A__) && \
    !defined(__AVX512VP2INTERSECT__)
inline constexpr bool factors_stay_in_memory = true;

/// The same pointer, of which the optimiser does not know that it is the same.
template <class Value>
constexpr Value const* another(Value const* pointer) {
  if (!std::is_constant_evaluated()) {
    asm volatile("" : "+r"(pointer));
  }
  return pointer;
}
#else
inline constexpr bool factors_stay_in_memory = false;

template <class Value>
constexpr Value const* another(Value const* pointer) {
  return pointer;
}
#endif

}  // namespace attest::detail
