// SPDX-License-Identifier: BSL-1.0
// operations.hpp — the proofs speak of the code that runs: a proof scalar sees the operations that
// double performs, in the same order, on the same values.
// A template need not do the same for every scalar: an overload or an `if constexpr` would make it
// another program. So two runs are compared three times:
//   logged<A> and logged<B>   log the same operations, in the same order, on the same values;
//   A and logged<A>           give the same values, and so do B and logged<B>, at these inputs.
// The second line is needed because logged<double> is not double: an overload for double alone is
// not called by it, but is seen by its values. Of an overload that gives the same values as the
// general code at these inputs nothing is said.
// Stands on: scalar/expression, scalar/operation_count, proof/same_arithmetic.
#pragma once

#include <attest/math/exp.hpp>
#include <attest/members.hpp>
#include <attest/proof/finding.hpp>
#include <attest/proof/same_arithmetic.hpp>
#include <attest/scalar/expression.hpp>
#include <attest/scalar/operation_count.hpp>
#include <attest/scalar/scalar.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace attest::proof {

/// The operations that were performed so far: how many of each kind, and a fingerprint of which, in
/// which order and on which values.
struct operation_log {
  operation_counts counts;
  std::uint64_t fingerprint = 0;

  /// Gives the new value's name: the fingerprint of everything up to it.
  constexpr std::uint64_t add(operation kind, std::uint64_t left, std::uint64_t right) {
    switch (kind) {
      case operation::addition:
      case operation::subtraction:
        ++counts.additions;
        break;
      case operation::multiplication:
        ++counts.multiplications;
        break;
      case operation::division:
        ++counts.divisions;
        break;
      case operation::exponential:
        ++counts.exponentials;
        break;
      case operation::comparison:
        ++counts.comparisons;
        break;
      case operation::constant:
      case operation::input:
        break;
    }
    std::uint64_t const performed = attest::detail::fingerprint(kind, left, right);
    fingerprint = attest::detail::fingerprint(operation::input, fingerprint, performed);
    return fingerprint;
  }

  friend constexpr bool operator==(operation_log const&, operation_log const&) = default;
};

/// A scalar that computes what Scalar does, and writes each operation into the log that it knows.
/// A constant knows none and takes the other operand's, as operation_count does; its name is its
/// bits, an input's its label.
/// Refuses: an operation between two constants (is no constant expression, aborts at run time).
template <class Scalar>
struct logged {
  Scalar value{};
  operation_log* log = nullptr;
  std::uint64_t name = 0;  // the constant +0

  constexpr logged() = default;
  constexpr logged(Scalar const& constant, std::uint64_t bits) : value{constant}, name{bits} {}
  constexpr logged(Scalar const& input, operation_log& owner, std::uint64_t label)
      : value{input}, log{&owner}, name{expression::input(label).fingerprint} {}
  constexpr logged(Scalar const& result, operation kind, logged const& left, logged const& right)
      : value{result},
        log{&attest::detail::common_counter(left.log, right.log)},
        name{log->add(kind, left.name, right.name)} {}

  friend constexpr logged operator+(logged const& left, logged const& right) {
    return {left.value + right.value, operation::addition, left, right};
  }
  friend constexpr logged operator-(logged const& left, logged const& right) {
    return {left.value - right.value, operation::subtraction, left, right};
  }
  friend constexpr logged operator*(logged const& left, logged const& right) {
    return {left.value * right.value, operation::multiplication, left, right};
  }
  friend constexpr logged operator/(logged const& left, logged const& right) {
    return {left.value / right.value, operation::division, left, right};
  }
  friend constexpr logged larger(logged const& left, logged const& right) {
    return {larger(left.value, right.value), operation::comparison, left, right};
  }
  friend constexpr logged exp(logged const& a) {
    return {exp(a.value), operation::exponential, a, a};
  }
  friend constexpr bool same_bits(logged const& left, logged const& right) {
    return left.name == right.name && same_bits(left.value, right.value);
  }
};

namespace detail {

template <class Layer, class Scalar, std::size_t T, std::size_t D, std::size_t H>
using trace_of = decltype(std::declval<Layer const&>().forward(
    std::declval<layer_input<Scalar, T, D, H> const&>().params,
    std::declval<layer_input<Scalar, T, D, H> const&>().x));
template <class Layer, class Scalar, std::size_t T, std::size_t D, std::size_t H>
using gradients_of = decltype(std::declval<Layer const&>().backward(
    std::declval<layer_input<Scalar, T, D, H> const&>().params,
    std::declval<layer_input<Scalar, T, D, H> const&>().x,
    std::declval<trace_of<Layer, Scalar, T, D, H> const&>(),
    std::declval<layer_input<Scalar, T, D, H> const&>().d_out));

struct same_value {
  template <class Scalar>
  constexpr bool operator()(Scalar const& value, logged<Scalar> const& other) const {
    return same_bits(value, other.value);
  }
};

/// Each entry's name, as the expression in its place.
template <class Names, class Logged>
constexpr void take_names(Names& names, Logged const& values) {
  if constexpr (tensor_like<Names>) {
    for (std::size_t i = 0; i < Names::size; ++i) {
      names.elements[i] = expression{values.elements[i].name};
    }
  } else {
    for_each_member(names, values, [](auto const*, auto& names_of_member, auto const& member) {
      take_names(names_of_member, member);
    });
  }
}

}  // namespace detail

/// What one scalar did: the log, the operation that made each entry, and whether the same values
/// come out when nothing is logged. It holds no pointer, so it can be a constant.
template <class Layer, std::size_t T, std::size_t D, std::size_t H>
struct recorded_operations {
  operation_log log;
  finding values_are_same;
  detail::trace_of<Layer, expression, T, D, H> trace;
  detail::gradients_of<Layer, expression, T, D, H> gradients;
};

/// Runs the layer twice, forward and backward: with the scalar that make(label) makes of an input's
/// label, and with the same scalar logged.
template <std::size_t T, std::size_t D, std::size_t H, class Layer, class Make>
constexpr recorded_operations<Layer, T, D, H> record_operations(Layer const& layer,
                                                                Make const& make) {
  using scalar_type = decltype(make(std::uint64_t{}));
  recorded_operations<Layer, T, D, H> result;
  layer_input<logged<scalar_type>, T, D, H> const input{
      [&](std::uint64_t label) { return logged<scalar_type>{make(label), result.log, label}; }};
  auto const trace = layer.forward(input.params, input.x);
  auto const gradients = layer.backward(input.params, input.x, trace, input.d_out);
  detail::take_names(result.trace, trace);
  detail::take_names(result.gradients, gradients);

  layer_input<scalar_type, T, D, H> const plain{make};
  auto const plain_trace = layer.forward(plain.params, plain.x);
  result.values_are_same = first_broken(
      detail::results_are_same(plain_trace, trace, detail::same_value{}),
      detail::results_are_same(layer.backward(plain.params, plain.x, plain_trace, plain.d_out),
                               gradients, detail::same_value{}));
  return result;
}

/// Two scalars performed the same operations.
/// The finding names the first entry that has another value when nothing is logged, or that was made
/// by other operations; it is unnamed if only what no entry uses differs.
template <class Recorded>
constexpr finding performed_the_same_operations(Recorded const& left, Recorded const& right) {
  return first_broken(
      left.values_are_same, right.values_are_same,
      detail::results_are_same(left.trace, right.trace, detail::same_expressions),
      detail::results_are_same(left.gradients, right.gradients, detail::same_expressions),
      left.log == right.log ? finding{} : broken_at(part::unnamed, 0, 0));
}

}  // namespace attest::proof

namespace attest {

template <class Scalar>
struct scalar_traits<proof::logged<Scalar>> {
  static constexpr proof::logged<Scalar> constant(double value) {
    return {scalar_traits<Scalar>::constant(value), expression::constant(value).fingerprint};
  }
  static constexpr proof::logged<Scalar> minus_infinity() {
    return {scalar_traits<Scalar>::minus_infinity(),
            scalar_traits<expression>::minus_infinity().fingerprint};
  }
};

}  // namespace attest

namespace attest::guarantee {

template <finding Found>
consteval finding performed_the_same_operations() {
  static_assert(Found.holds, "two scalars made the layer do different operations");
  return Found;
}

}  // namespace attest::guarantee
