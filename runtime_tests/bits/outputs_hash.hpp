// SPDX-License-Identifier: BSL-1.0
// outputs_hash.hpp — all outputs of a layer as one number, in the compiler and at run time.
#pragma once

#include <attest/attention.hpp>
#include <attest/math/splitmix64.hpp>
#include <attest/members.hpp>
#include <attest/tensor.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace attest::bits {

/// A hash of numbers, by value and in order: neither byte order nor padding has a part in it.
/// One step is a bijection of its state, so that a single changed bit is never lost.
struct outputs_hash {
  std::uint64_t value = 0;

  constexpr void add(std::uint64_t bits) {
    std::uint64_t state = value ^ bits;
    value = detail::splitmix64(state);
  }
  constexpr void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  constexpr void add(float number) {
    add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(number)));
  }
  template <class Scalar, class... Axes>
  constexpr void add(tensor<Scalar, Axes...> const& tensor) {
    Scalar const* const elements = tensor.data();
    for (std::size_t i = 0; i < tensor.size; ++i) {
      add(elements[i]);
    }
  }
  /// Every member, in order.
  template <class Members>
    requires has_members<Members>
  constexpr void add(Members const& members) {
    for_each_member(members, [this](auto const*, auto const& member) { this->add(member); });
  }
};

/// Numbers in [−1, 1) that a seed decides; each is exact, so no evaluator can round it otherwise.
template <class Tensor>
constexpr void fill_from(std::uint64_t& seed, Tensor& tensor) {
  using scalar_type = typename Tensor::scalar_type;
  constexpr int kept = std::same_as<scalar_type, double> ? 53 : 24;
  constexpr auto unit = static_cast<scalar_type>(1.0 / static_cast<double>(1LL << (kept - 1)));
  for (auto& element : tensor.elements) {
    auto const bits = static_cast<std::int64_t>(detail::splitmix64(seed));
    element = static_cast<scalar_type>(bits >> (64 - kept)) * unit;
  }
}

/// A mask of our own: three keys, of which one query in five sees none.
struct window_t {
  static constexpr auto name = "window";
  static constexpr key_range attended(std::size_t query, std::size_t) {
    return {query < 2 ? 0 : query - 2, query % 5 == 1 ? 0 : query + 1};
  }
};

/// A route is a way to compute: a name, inputs from a number, outputs, and compute(), which may not read
/// what they hold. Inputs and outputs are structs with members; all members of the outputs are hashed.
/// This one is the layer, forward and backward: every tensor and the gradient of every tensor.
struct layer_route {
  static constexpr auto name = "layer";

  template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
  struct inputs {
    attention_params<Scalar, d_model<D>, d_head<H>> params;
    tensor<Scalar, tokens<T>, d_model<D>> x;
    tensor<Scalar, tokens<T>, d_model<D>> d_out;

    using members = member_list<member<"params", &inputs::params>, member<"x", &inputs::x>,
                                member<"d_out", &inputs::d_out>>;
  };

  /// The sequences of a shape share their parameters.
  template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
  static constexpr auto make_inputs(std::uint64_t sequence) {
    inputs<Scalar, T, D, H> result;
    std::uint64_t seed = T << 32 | D << 16 | H;
    for_each_member(result.params, [&](auto const*, auto& member) { fill_from(seed, member); });
    seed += sequence << 48;
    fill_from(seed, result.x);
    fill_from(seed, result.d_out);
    return result;
  }

  template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
  struct outputs {
    attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> trace;
    attention_trace<Scalar, tokens<T>, d_model<D>, d_head<H>, Mask> d_trace;
    attention_gradients<Scalar, tokens<T>, d_model<D>, d_head<H>> gradients;

    using members =
        member_list<member<"trace", &outputs::trace>, member<"d_trace", &outputs::d_trace>,
                    member<"gradients", &outputs::gradients>>;
  };

  template <class Inputs, class Mask, class Outputs>
  static constexpr void compute(Inputs const& inputs, Mask const& mask, Outputs& outputs) {
    attention_forward(inputs.params, inputs.x, mask, outputs.trace);
    attention_backward(inputs.params, inputs.x, outputs.trace, inputs.d_out, outputs.d_trace,
                       outputs.gradients);
  }
};

/// Equation 1 for two heads without a T × T tensor, forward and backward. d_model has no part in it.
struct heads_route {
  static constexpr auto name = "heads";

  template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
  struct inputs {
    tensor<Scalar, heads<2>, queries<T>, d_head<H>> q;
    tensor<Scalar, heads<2>, keys<T>, d_head<H>> k;
    tensor<Scalar, heads<2>, keys<T>, d_head<H>> v;
    tensor<Scalar, heads<2>, queries<T>, d_head<H>> d_out;

    using members = member_list<member<"q", &inputs::q>, member<"k", &inputs::k>,
                                member<"v", &inputs::v>, member<"d_out", &inputs::d_out>>;
  };

  template <class Scalar, std::size_t T, std::size_t D, std::size_t H>
  static constexpr auto make_inputs(std::uint64_t sequence) {
    inputs<Scalar, T, D, H> result;
    std::uint64_t seed = sequence << 48 | T << 32 | D << 16 | H;
    for_each_member(result, [&](auto const*, auto& member) { fill_from(seed, member); });
    return result;
  }

  template <class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
  struct outputs {
    tensor<Scalar, heads<2>, queries<T>, d_head<H>> out;
    tensor<Scalar, heads<2>, queries<T>, d_head<H>> d_q;
    tensor<Scalar, heads<2>, keys<T>, d_head<H>> d_k;
    tensor<Scalar, heads<2>, keys<T>, d_head<H>> d_v;

    using members = member_list<member<"out", &outputs::out>, member<"d_q", &outputs::d_q>,
                                member<"d_k", &outputs::d_k>, member<"d_v", &outputs::d_v>>;
  };

  template <class Inputs, class Mask, class Outputs>
  static constexpr void compute(Inputs const& inputs, Mask const& mask, Outputs& outputs) {
    auto const& [q, k, v, d_out] = inputs;
    scaled_dot_product_attention(q, k, v, mask, outputs.out);
    scaled_dot_product_attention_backward(q, k, v, mask, d_out, outputs.d_q, outputs.d_k,
                                          outputs.d_v);
  }
};

/// One route at one shape, scalar and mask.
template <class Route, class Scalar, std::size_t T, std::size_t D, std::size_t H, class Mask>
struct part {
  using route = Route;
  using scalar_type = Scalar;
  using mask_type = Mask;
  using inputs_type = typename Route::template inputs<Scalar, T, D, H>;
  using outputs_type = typename Route::template outputs<Scalar, T, D, H, Mask>;
  static constexpr std::size_t tokens = T;
  static constexpr std::size_t d_model = D;
  static constexpr std::size_t d_head = H;

  static constexpr inputs_type inputs(std::uint64_t sequence) {
    return Route::template make_inputs<Scalar, T, D, H>(sequence);
  }
  /// Once in the program, wherever it is called from, so that there is less to compile.
  [[gnu::noinline]] static constexpr std::uint64_t hash(inputs_type const& inputs,
                                                        outputs_type& outputs) {
    Route::compute(inputs, Mask{}, outputs);
    outputs_hash result;
    result.add(outputs);
    return result.value;
  }
  /// Into outputs of its own.
  static constexpr std::uint64_t hash(inputs_type const& inputs) {
    outputs_type outputs{};
    return hash(inputs, outputs);
  }
};

}  // namespace attest::bits
