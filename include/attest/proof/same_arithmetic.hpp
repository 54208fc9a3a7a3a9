// SPDX-License-Identifier: BSL-1.0
// same_arithmetic.hpp — two routes perform the same operations, in the same order, on the same
// inputs, for every entry of what they give; so for every input they agree to the bit.
// A route is a function without arguments that gives a tensor, or a struct of tensors such as a trace.
// Stands on: scalar/expression, proof/finding, proof/layer.
#pragma once

#include <attest/attention.hpp>
#include <attest/members.hpp>
#include <attest/proof/finding.hpp>
#include <attest/proof/layer.hpp>
#include <attest/scalar/expression.hpp>
#include <attest/tensor.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest::proof {

/// Everything that a layer is given. make(label) makes a scalar, with another label for each entry.
/// Bits: an entry's label is its tensor and its place in it, so that the first rows of a longer
///       sequence have the labels of a shorter one.
template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
struct layer_input {
  using of_tokens = tensor<Scalar, tokens<T>, d_model<D>>;

  attention_params<Scalar, d_model<D>, d_head<H>> params;
  of_tokens x;
  of_tokens d_out;

  template <class Make>
  static constexpr void label(auto& tensor, std::uint64_t which, Make const& make) {
    for (std::size_t i = 0; i < tensor.size; ++i) {
      tensor.elements[i] = make(which << 32 | i);
    }
  }

  template <class Make>
  constexpr explicit layer_input(Make const& make) {
    label(params.Wq, 1, make);
    label(params.Wk, 2, make);
    label(params.Wv, 3, make);
    label(params.Wo, 4, make);
    label(x, 5, make);
    label(d_out, 6, make);
  }
};

template <std::size_t T, std::size_t D, std::size_t H>
constexpr layer_input<expression, T, D, H> expressions() {
  return layer_input<expression, T, D, H>{expression::input};
}

namespace detail {

/// The first entry of the first `rows` rows, and of as many keys, that is not the same.
template <class Left, class Right, class Same>
constexpr finding entries_are_same(Left const& left, Right const& right, part where,
                                   std::size_t rows, Same const& same) {
  constexpr std::size_t left_width = Left::extents[Left::rank - 1];
  constexpr std::size_t right_width = Right::extents[Right::rank - 1];
  constexpr std::size_t width = left_width < right_width ? left_width : right_width;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      if (!same(left.elements[row * left_width + column],
                right.elements[row * right_width + column])) {
        return broken_at(where, row, column);
      }
    }
  }
  return {};
}

template <class Tensor>
constexpr std::size_t rows_of = Tensor::size / Tensor::extents[Tensor::rank - 1];

/// Tensors, or structs of them, entry by entry in as many rows as both have.
template <class Left, class Right, class Same>
constexpr finding results_are_same(Left const& left, Right const& right, Same const& same,
                                   part where = part::unnamed) {
  if constexpr (tensor_like<Left>) {
    constexpr std::size_t rows = rows_of<Left> < rows_of<Right> ? rows_of<Left> : rows_of<Right>;
    return entries_are_same(left, right, where, rows, same);
  } else {
    // Both are traces, or both gradients: their members stand in the same order.
    finding found;
    for_each_member(left, right,
                    [&](auto const* name, auto const& left_member, auto const& right_member) {
                      if (found.holds) {
                        found = results_are_same(left_member, right_member, same, part_named(name));
                      }
                    });
    return found;
  }
}

constexpr bool same_expressions(expression left, expression right) {
  return same_bits(left, right);
}

}  // namespace detail

/// route_a() and route_b() are the same expressions, entry by entry.
/// The finding names the first member, row and column that differs; a gradient has its tensor's name.
template <class RouteA, class RouteB>
constexpr finding same_arithmetic(RouteA const& route_a, RouteB const& route_b) {
  auto const left = route_a();
  auto const right = route_b();
  static_assert(std::same_as<decltype(left), decltype(right)>,
                "two routes with the same arithmetic give results of the same shapes");
  return detail::results_are_same(left, right, detail::same_expressions);
}

/// Two layers, forward: every tensor of the trace; and backward, each from its own trace: every
/// gradient. The finding of a gradient has the name of what it is the gradient of.
template <std::size_t T, std::size_t D, std::size_t H, class LayerA, class LayerB>
constexpr finding layers_do_the_same_arithmetic(LayerA const& layer_a, LayerB const& layer_b) {
  auto const input = expressions<T, D, H>();
  auto const trace_a = layer_a.forward(input.params, input.x);
  auto const trace_b = layer_b.forward(input.params, input.x);
  finding const forward = detail::results_are_same(trace_a, trace_b, detail::same_expressions);
  if (!forward.holds) {
    return forward;
  }
  return detail::results_are_same(layer_a.backward(input.params, input.x, trace_a, input.d_out),
                                  layer_b.backward(input.params, input.x, trace_b, input.d_out),
                                  detail::same_expressions);
}

/// T rows, and the first T of T + 1 rows: every tensor of the trace, with its first T keys.
template <std::size_t T, std::size_t D, std::size_t H, class Layer>
constexpr finding longer_sequences_do_the_same_arithmetic(Layer const& layer) {
  auto const shorter = expressions<T, D, H>();
  auto const longer = expressions<T + 1, D, H>();
  return detail::results_are_same(layer.forward(shorter.params, shorter.x),
                                  layer.forward(longer.params, longer.x), detail::same_expressions);
}

/// How the layer of this library writes into traces and gradients that the caller owns.
struct into_callers_memory {
  static constexpr void forward(auto const& params, auto const& x, auto const& mask, auto& trace) {
    attention_forward(params, x, mask, trace);
  }
  static constexpr void backward(auto const& params, auto const& x, auto const& trace,
                                 auto const& d_out, auto& d_trace, auto& gradients) {
    attention_backward(params, x, trace, d_out, d_trace, gradients);
  }
};

/// A layer that writes into the caller's memory, which was used before: every entry holds another
/// value than the layer puts there.
template <mask_policy Mask = mask::causal_t, class Into = into_callers_memory>
struct into_used_memory {
  [[no_unique_address]] Mask mask{};

  /// Inputs that are none of the layer's.
  static constexpr void use(auto& members, std::uint64_t which) {
    using all = std::remove_cvref_t<decltype(members)>;
    if constexpr (tensor_like<all>) {
      for (std::size_t i = 0; i < all::size; ++i) {
        members.elements[i] = expression::input(which << 32 | i);
      }
    } else {
      for_each_member(members, [&](auto const*, auto& member) { use(member, ++which); });
    }
  }

  template <std::size_t T, std::size_t D, std::size_t H>
  constexpr auto forward(attention_params<expression, d_model<D>, d_head<H>> const& params,
                         tensor<expression, tokens<T>, d_model<D>> const& x) const {
    attention_trace<expression, tokens<T>, d_model<D>, d_head<H>, Mask> trace;
    use(trace, 100);
    Into::forward(params, x, mask, trace);
    return trace;
  }

  template <std::size_t T, std::size_t D, std::size_t H>
  constexpr auto backward(
      attention_params<expression, d_model<D>, d_head<H>> const& params,
      tensor<expression, tokens<T>, d_model<D>> const& x,
      attention_trace<expression, tokens<T>, d_model<D>, d_head<H>, Mask> const& trace,
      tensor<expression, tokens<T>, d_model<D>> const& d_out) const {
    attention_trace<expression, tokens<T>, d_model<D>, d_head<H>, Mask> d_trace;
    attention_gradients<expression, tokens<T>, d_model<D>, d_head<H>> gradients;
    use(d_trace, 200);
    use(gradients, 300);
    Into::backward(params, x, trace, d_out, d_trace, gradients);
    return gradients;
  }
};
template <mask_policy Mask>
into_used_memory(Mask) -> into_used_memory<Mask>;

/// The last sequence of a batch of `Sequences`: a batch is a loop over sequences, one after the
/// other in the same trace, and each is computed as if it were alone.
template <std::size_t Sequences, mask_policy Mask = mask::causal_t,
          class Into = into_callers_memory>
struct last_of_a_batch {
  [[no_unique_address]] Mask mask{};

  /// Row by row other inputs than the last sequence's.
  template <class Tokens>
  static constexpr Tokens another_sequence(std::uint64_t number) {
    Tokens result;
    into_used_memory<Mask>::use(result, 400 + number);
    return result;
  }

  template <class Params, class X>
  constexpr auto forward(Params const& params, X const& x) const {
    decltype(attention_forward(params, x, mask)) trace;
    for (std::size_t number = 1; number < Sequences; ++number) {
      Into::forward(params, another_sequence<X>(number), mask, trace);
    }
    Into::forward(params, x, mask, trace);
    return trace;
  }

  template <class Params, class X, class Trace>
  constexpr auto backward(Params const& params, X const& x, Trace const& trace,
                          X const& d_out) const {
    Trace d_trace;
    decltype(attention_backward(params, x, trace, d_out)) gradients;
    for (std::size_t number = 1; number < Sequences; ++number) {
      X const other = another_sequence<X>(number);
      Into::backward(params, other, attention_forward(params, other, mask), d_out, d_trace,
                     gradients);
    }
    Into::backward(params, x, trace, d_out, d_trace, gradients);
    return gradients;
  }
};

/// The layer a row at a time, put together again. Source: proof/by_rows.
template <class Rows>
struct put_together {
  Rows rows{};

  template <std::size_t T, std::size_t D, std::size_t H>
  constexpr auto forward(attention_params<expression, d_model<D>, d_head<H>> const& params,
                         tensor<expression, tokens<T>, d_model<D>> const& x) const {
    using of_mask = std::remove_cvref_t<decltype(rows.mask)>;
    attention_trace<expression, tokens<T>, d_model<D>, d_head<H>, of_mask> trace;
    trace.mask = rows.mask;
    for (std::size_t row = 0; row < T; ++row) {
      tensor<expression, tokens<1>, d_model<D>> row_of_x;
      copy(x.data() + row * D, row_of_x, row_of_x.data());
      auto const projected = rows.project(params, row_of_x);
      copy(projected.q.data(), projected.q, trace.q.data() + row * H);
      copy(projected.k.data(), projected.k, trace.k.data() + row * H);
      copy(projected.v.data(), projected.v, trace.v.data() + row * H);
    }
    for (std::size_t row = 0; row < T; ++row) {
      tensor<expression, queries<1>, d_head<H>> q;
      copy(trace.q.data() + row * H, q, q.data());
      auto const found = rows.attend(q, trace.k, trace.v, row);
      tensor<expression, queries<1>, d_model<D>> out;
      matmul(found.mixed, params.Wo, out);
      copy(found.scores.data(), found.scores, trace.scores.data() + row * T);
      copy(found.weights.data(), found.weights, trace.weights.data() + row * T);
      copy(found.mixed.data(), found.mixed, trace.mixed.data() + row * H);
      copy(out.data(), out, trace.out.data() + row * D);
    }
    return trace;
  }

 private:
  template <class Tensor>
  static constexpr void copy(expression const* from, Tensor const&, expression* to) {
    for (std::size_t i = 0; i < Tensor::size; ++i) {
      to[i] = from[i];
    }
  }
};

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding two_routes_do_the_same_arithmetic() {
  static_assert(Found.holds, "two routes do different arithmetic for an entry");
  return Found;
}

}  // namespace attest::guarantee
