// SPDX-License-Identifier: BSL-1.0
// input_of.hpp — for each scalar, the value that a labelled input of the layer has, and what the layer
// does to it.
#pragma once

#include <attest/proof/operations.hpp>
#include <attest/scalar/bfloat16.hpp>
#include <attest/scalar/dependency.hpp>
#include <attest/scalar/dual.hpp>
#include <attest/scalar/expression.hpp>
#include <attest/scalar/finite_field.hpp>
#include <attest/scalar/float16.hpp>
#include <attest/scalar/operation_count.hpp>
#include <attest/scalar/share.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace attest::checks {

constexpr std::uint64_t scrambled(std::uint64_t label) {
  return expression::input(label).fingerprint;
}

/// Of a floating-point format: a number in [−1, 1) that the label decides.
template <class Number>
struct input_of {
  constexpr Number operator()(std::uint64_t label) const {
    return static_cast<Number>(static_cast<double>(scrambled(label) >> 40) * 0x1p-23 - 1);
  }
};

template <>
struct input_of<expression> {
  constexpr expression operator()(std::uint64_t label) const { return expression::input(label); }
};

template <>
struct input_of<share> {
  constexpr share operator()(std::uint64_t label) const { return share::number(label); }
};

template <>
struct input_of<finite_field> {
  constexpr finite_field operator()(std::uint64_t label) const {
    return finite_field::of(scrambled(label));
  }
};

template <>
struct input_of<dual<finite_field>> {
  constexpr dual<finite_field> operator()(std::uint64_t label) const {
    return {finite_field::of(scrambled(label)), finite_field::of(scrambled(~label))};
  }
};

/// Few inputs, that many entries share: the values only have to tell two programs apart.
template <std::size_t Inputs>
struct input_of<dependency<Inputs>> {
  constexpr dependency<Inputs> operator()(std::uint64_t label) const {
    return dependency<Inputs>::on(scrambled(label) % Inputs);
  }
};

/// Counts into what its owner holds.
template <>
struct input_of<operation_count> {
  operation_counts* counts;

  constexpr operation_count operator()(std::uint64_t) const { return operation_count{*counts}; }
};

/// The operations that Scalar makes the layer do.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr auto operations_of(Layer const& layer) {
  if constexpr (std::same_as<Scalar, operation_count>) {
    operation_counts counts;
    return proof::record_operations<T, D, H>(layer, input_of<Scalar>{&counts});
  } else {
    return proof::record_operations<T, D, H>(layer, input_of<Scalar>{});
  }
}

}  // namespace attest::checks
