// SPDX-License-Identifier: BSL-1.0
// exact_gradients.hpp — the hand-written gradients are the derivatives, exactly, for every input.
// For a direction t in the space of weights and x, both sides are rational functions of all numbers:
//   Σ d_out·(derivative of out along t)  =  Σ gradient·t
// The left is the forward pass on dual<finite_field>, the right the backward pass on finite_field; both
// are computed without rounding at one random point. If they differ as functions, they are equal
// there by accident only: chance_of_a_false_gradient.
//
// What is proved: the identity, for every x, weights and d_out, for any function E with E′ = E in the
// place of exp and any constant in the place of max; exp is such an E, and scalar/finite_field.hpp
// says why a constant maximum suffices. What is not: anything about rounding, and a difference whose
// coefficients are all multiples of 2⁶¹ − 1. The point comes from a fixed seed: the chance is that of a
// seed drawn at random, with E taken for a random function.
// Source: Schwartz, "Fast probabilistic algorithms for verification of polynomial identities",
// J. ACM 27 (1980), corollary 1. Stands on: scalar/dual, scalar/finite_field, attention, finding.
#pragma once

#include <attest/attention.hpp>
#include <attest/math/splitmix64.hpp>
#include <attest/proof/by_rows.hpp>
#include <attest/proof/finding.hpp>
#include <attest/scalar/dual.hpp>
#include <attest/scalar/finite_field.hpp>

#include <cstddef>
#include <cstdint>

namespace attest::proof {

/// A bound on the chance that a layer with a wrong gradient passes at one random point.
/// With e for the values of E, degree 1 each, and U = Σ e of a query, every term of either side:
///   q, k, v 2 · score 4 · score′ 4 · e′ = e·score′ 5 · weight′ = (e′·U − e·U′) / U²  6 over U²
///   mixed′ = weight′·v + …  8 over U² · out′ 9 over U² · d_out·out′ 10 over U²
///   d_mixed 2 · d_weight 4 · d_score = e·(d_weight·U − Σ e·d_weight) / U²  6 over U²
///   d_q, d_k 8 over U² · gradient·t 10 over U²
/// so over the common denominator of all T queries, Π U², the difference of both sides has degree
/// 10 + 2·(T − 1): this is what Schwartz's lemma counts. Before that, the T² numbers that E is asked for,
/// of degree 4, must not meet by accident, T²·(T² − 1) / 2 pairs. No widths occur: a sum of many terms
/// has their degree. An element is drawn with a chance of at most 2⁻⁶⁰, not 1 / (2⁶¹ − 1), since 2⁶¹
/// values fall on fewer elements. For a layer of your own, the formulas above are what is assumed.
constexpr double chance_of_a_false_gradient(std::size_t T) {
  auto const positions = static_cast<double>(T);
  double const pairs = positions * positions * (positions * positions - 1) / 2;
  return (10 + 2 * (positions - 1) + 4 * pairs) * 0x1p-60;
}

namespace detail {

/// Random elements of the field.
struct random_elements {
  std::uint64_t state;

  constexpr finite_field next() { return finite_field::of(attest::detail::splitmix64(state) >> 3); }
  template <class Tensor>
  constexpr void fill(Tensor& tensor) {
    for (auto& element : tensor.elements) {
      element = next();
    }
  }
};

/// Weights and x, as attention_gradients holds them: a point, a direction or the gradients.
template <std::size_t T, std::size_t D, std::size_t H>
using field_point = attention_gradients<finite_field, tokens<T>, d_model<D>, d_head<H>>;
template <std::size_t T, std::size_t D, std::size_t H>
using dual_point = attention_gradients<dual<finite_field>, tokens<T>, d_model<D>, d_head<H>>;

/// Random where `which` says, everywhere if it says nothing, and 0 elsewhere.
template <class Point>
constexpr Point random_direction(random_elements& random, part which) {
  Point direction;
  auto const draw = [&](part of, auto& tensor) {
    if (which == of || which == part::unnamed) {
      random.fill(tensor);
    }
  };
  draw(part::Wq, direction.params.Wq);
  draw(part::Wk, direction.params.Wk);
  draw(part::Wv, direction.params.Wv);
  draw(part::Wo, direction.params.Wo);
  draw(part::x, direction.x);
  return direction;
}

template <class... Axes>
constexpr void move_along(tensor<finite_field, Axes...> const& point,
                          tensor<finite_field, Axes...> const& direction,
                          tensor<dual<finite_field>, Axes...>& moved) {
  for (std::size_t i = 0; i < moved.size; ++i) {
    moved.elements[i] = {point.elements[i], direction.elements[i]};
  }
}
template <std::size_t T, std::size_t D, std::size_t H>
constexpr dual_point<T, D, H> moved_along(field_point<T, D, H> const& point,
                                          field_point<T, D, H> const& direction) {
  dual_point<T, D, H> moved;
  move_along(point.params.Wq, direction.params.Wq, moved.params.Wq);
  move_along(point.params.Wk, direction.params.Wk, moved.params.Wk);
  move_along(point.params.Wv, direction.params.Wv, moved.params.Wv);
  move_along(point.params.Wo, direction.params.Wo, moved.params.Wo);
  move_along(point.x, direction.x, moved.x);
  return moved;
}

template <class... Axes>
constexpr finite_field inner_product(tensor<finite_field, Axes...> const& a,
                                     tensor<finite_field, Axes...> const& b) {
  finite_field sum;
  for (std::size_t i = 0; i < a.size; ++i) {
    sum = sum + a.elements[i] * b.elements[i];
  }
  return sum;
}
template <std::size_t T, std::size_t D, std::size_t H>
constexpr finite_field inner_product(field_point<T, D, H> const& a, field_point<T, D, H> const& b) {
  return inner_product(a.params.Wq, b.params.Wq) + inner_product(a.params.Wk, b.params.Wk) +
         inner_product(a.params.Wv, b.params.Wv) + inner_product(a.params.Wo, b.params.Wo) +
         inner_product(a.x, b.x);
}

/// A random point, and the gradients that the layer gives out there.
template <std::size_t T, std::size_t D, std::size_t H>
struct gradients_at_a_point {
  random_elements random;
  field_point<T, D, H> point;
  tensor<finite_field, tokens<T>, d_model<D>> d_out;
  field_point<T, D, H> gradients;

  template <class Layer>
  constexpr gradients_at_a_point(Layer const& layer, std::uint64_t seed)
      : random{seed}, point{random_direction<field_point<T, D, H>>(random, part::unnamed)} {
    random.fill(d_out);
    auto const trace = layer.forward(point.params, point.x);
    gradients = layer.backward(point.params, point.x, trace, d_out);
  }

  /// Both sides of the identity along a random direction in one part, or in all.
  template <class Layer>
  constexpr finding are_exact_in(Layer const& layer, part which) {
    auto const direction = random_direction<field_point<T, D, H>>(random, which);
    auto const moved = moved_along<T, D, H>(point, direction);
    auto const trace = layer.forward(moved.params, moved.x);
    finite_field derivative;
    for (std::size_t i = 0; i < d_out.size; ++i) {
      derivative = derivative + d_out.elements[i] * trace.out.elements[i].derivative;
    }
    return equals(derivative, inner_product<T, D, H>(gradients, direction))
               ? finding{}
               : broken_at(which, 0, 0);
  }
};

}  // namespace detail

/// The gradient of one part, Wq, Wk, Wv, Wo or x, is the derivative; of all if `which` is unnamed.
/// Cost: a forward pass on finite_field, one on dual<finite_field>, a backward pass.
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr finding gradient_is_exact(Layer const& layer, part which, std::uint64_t seed = 1) {
  detail::gradients_at_a_point<T, D, H> at{layer, seed};
  return at.are_exact_in(layer, which);
}

/// The same for each part on its own, so that the finding names it, and then for all at once.
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr finding gradients_are_exact(Layer const& layer, std::uint64_t seed = 1) {
  detail::gradients_at_a_point<T, D, H> at{layer, seed};
  for (part const which : {part::Wq, part::Wk, part::Wv, part::Wo, part::x, part::unnamed}) {
    if (finding const found = at.are_exact_in(layer, which); !found.holds) {
      return found;
    }
  }
  return {};
}

/// A random q of one query, k and v of all keys, d_mixed of the query, and a direction: the identity for
/// a d_mixed that is 0 in all other rows, in which the passes are linear. One point serves every row, and
/// each step below can be a constant of its own, so that long rows fit into the limits of an evaluation.
/// Chance: as chance_of_a_false_gradient, which counts all rows.
template <std::size_t T, std::size_t H>
struct row_at_a_point {
  using of_field = attended_row_gradients<finite_field, T, H>;
  using of_duals = attended_row_gradients<dual<finite_field>, T, H>;
  using forward_of_duals = attended_row<dual<finite_field>, T, H>;

  of_field point;
  of_field direction;
  of_duals moved;
  tensor<finite_field, queries<1>, d_head<H>> d_mixed;

  constexpr explicit row_at_a_point(std::uint64_t seed) {
    detail::random_elements random{seed};
    for (of_field* const drawn : {&point, &direction}) {
      random.fill(drawn->q);
      random.fill(drawn->k);
      random.fill(drawn->v);
    }
    random.fill(d_mixed);
    detail::move_along(point.q, direction.q, moved.q);
    detail::move_along(point.k, direction.k, moved.k);
    detail::move_along(point.v, direction.v, moved.v);
  }

  template <class Rows>
  constexpr forward_of_duals forward(Rows const& rows, std::size_t row) const {
    return rows.attend(moved.q, moved.k, moved.v, row);
  }

  /// From the forward pass of this row, of which only the values are looked at.
  template <class Rows>
  constexpr of_field backward(Rows const& rows, forward_of_duals const& trace,
                              std::size_t row) const {
    attended_row<finite_field, T, H> values;
    for (std::size_t key = 0; key < T; ++key) {
      values.weights.elements[key] = trace.weights.elements[key].value;
    }
    return rows.attend_backward(point.q, point.k, point.v, values, d_mixed, row);
  }

  /// The finding's row is the query's.
  constexpr finding gradients_are_exact(forward_of_duals const& trace, of_field const& gradients,
                                        std::size_t row) const {
    finite_field derivative;
    for (std::size_t channel = 0; channel < H; ++channel) {
      derivative =
          derivative + d_mixed.elements[channel] * trace.mixed.elements[channel].derivative;
    }
    return equals(derivative, detail::inner_product(gradients.q, direction.q) +
                                  detail::inner_product(gradients.k, direction.k) +
                                  detail::inner_product(gradients.v, direction.v))
               ? finding{}
               : broken_at(part::mixed, row, 0);
  }
};

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding gradients_are_exact() {
  static_assert(Found.holds, "a gradient is not the derivative of the forward pass");
  return Found;
}

}  // namespace attest::guarantee
