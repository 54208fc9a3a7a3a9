// SPDX-License-Identifier: BSL-1.0
// layer.hpp — what the guarantees are asked of: anything with a forward and a backward pass.
// A layer of your own is a type with these two members; its trace needs the tensors that a guarantee
// speaks of, under their names. Stands on: attention.
#pragma once

#include <attest/attention.hpp>

namespace attest {

/// The layer of this library, with a mask.
template <mask_policy Mask = mask::causal_t>
struct attention_layer {
  [[no_unique_address]] Mask mask{};

  template <class Scalar, class Tokens, class DModel, class DHead>
  constexpr auto forward(attention_params<Scalar, DModel, DHead> const& params,
                         tensor<Scalar, Tokens, DModel> const& x) const {
    return attention_forward(params, x, mask);
  }

  template <class Params, class X, class Trace>
  constexpr auto backward(Params const& params, X const& x, Trace const& trace,
                          X const& d_out) const {
    return attention_backward(params, x, trace, d_out);
  }
};
template <mask_policy Mask>
attention_layer(Mask) -> attention_layer<Mask>;

}  // namespace attest
