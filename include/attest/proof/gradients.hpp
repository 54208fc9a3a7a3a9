// SPDX-License-Identifier: BSL-1.0
// gradients.hpp — the hand-written gradients against central finite differences.
// Loss = Σ out·d_out, so that dLoss/d(out) = d_out; each entry p of the weights and of x:
//   (Loss(p + ε) − Loss(p − ε)) / 2ε, with an error of about ε²·Loss''' / 6 + 2⁻⁵³·Loss / ε.
// Stands on: proof/finding, proof/layer, attention.
#pragma once

#include <attest/attention.hpp>
#include <attest/math/ulps.hpp>
#include <attest/members.hpp>
#include <attest/proof/finding.hpp>

#include <cstddef>

namespace attest::proof {

/// Σ out·d_out, in the order of the elements.
template <class Out>
constexpr typename Out::scalar_type loss_of(Out const& out, Out const& d_out) {
  ATTEST_NO_CONTRACTION
  typename Out::scalar_type sum{};
  for (std::size_t i = 0; i < Out::size; ++i) {
    sum = sum + ATTEST_ROUNDED(out.elements[i] * d_out.elements[i]);
  }
  return sum;
}

/// Which entries a check goes through: a part, or all five if it is unnamed; of it rows first to
/// last − 1, so that a large check can be several constants.
struct gradient_entries {
  attest::part part = part::unnamed;
  std::size_t first_row = 0;
  std::size_t last_row = static_cast<std::size_t>(-1);

  constexpr bool contain(attest::part where, std::size_t row) const {
    return (part == where || part == part::unnamed) && first_row <= row && row < last_row;
  }
};

/// The largest difference between a gradient and its finite difference, and where it is.
struct gradient_error {
  double largest = 0;
  part where = part::unnamed;
  std::size_t row = 0;
  std::size_t column = 0;
};

namespace detail {

template <class Scalar, class Rows, class Columns, class Loss>
constexpr void compare_gradient(tensor<Scalar, Rows, Columns>& parameter,
                                tensor<Scalar, Rows, Columns> const& gradient, part where,
                                gradient_entries const& entries, Scalar epsilon, Loss const& loss,
                                gradient_error& error) {
  for (std::size_t i = 0; i < parameter.size; ++i) {
    if (!entries.contain(where, i / Columns::size)) {
      continue;
    }
    Scalar const original = parameter.elements[i];
    parameter.elements[i] = original + epsilon;
    Scalar const above = loss();
    parameter.elements[i] = original - epsilon;
    Scalar const below = loss();
    parameter.elements[i] = original;
    double const distance =
        distance_between(static_cast<double>((above - below) / (Scalar{2} * epsilon)),
                         static_cast<double>(gradient.elements[i]));
    if (!(distance <= error.largest)) {
      error = {distance, where, i / Columns::size, i % Columns::size};
    }
  }
}

}  // namespace detail

/// The error over the entries that are asked for. Cost: two forward passes an entry.
template <class Layer, class Scalar, std::size_t T, std::size_t D, std::size_t H>
constexpr gradient_error largest_gradient_error(
    Layer const& layer, attention_params<Scalar, d_model<D>, d_head<H>> params,
    tensor<Scalar, tokens<T>, d_model<D>> x, tensor<Scalar, tokens<T>, d_model<D>> const& d_out,
    Scalar epsilon, gradient_entries const& entries = {}) {
  auto const gradients = layer.backward(params, x, layer.forward(params, x), d_out);
  auto const loss = [&] { return loss_of(layer.forward(params, x).out, d_out); };
  gradient_error error;
  for_each_member(
      params, gradients.params, [&](auto const* name, auto& member, auto const& gradient) {
        detail::compare_gradient(member, gradient, part_named(name), entries, epsilon, loss, error);
      });
  detail::compare_gradient(x, gradients.x, part::x, entries, epsilon, loss, error);
  return error;
}

/// The gradients are within `bound` of their finite differences.
template <class Layer, class Params, class X>
constexpr finding gradients_match_finite_differences(Layer const& layer, Params const& params,
                                                     X const& x, X const& d_out, double bound,
                                                     gradient_entries const& entries = {},
                                                     double epsilon = 1e-6) {
  auto const error = largest_gradient_error(layer, params, x, d_out,
                                            static_cast<typename X::scalar_type>(epsilon), entries);
  return error.largest <= bound ? finding{} : broken_at(error.where, error.row, error.column);
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding gradients_match_finite_differences() {
  static_assert(Found.holds, "a gradient differs from its finite difference");
  return Found;
}

}  // namespace attest::guarantee
