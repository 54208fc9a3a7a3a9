// SPDX-License-Identifier: BSL-1.0
// of_attest.hpp — the library's own kernel and layer, on the problem that every contestant gets.
// All that the benchmarks know of the library's interface stands here.
#pragma once

#include <attest/attention.hpp>
#include <attest/scaled_dot_product_attention.hpp>
#include <benchmarks/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace attest::benchmarks {

template <class Tensor, class Elements>
void copy_into(Tensor& tensor, Elements const& elements) {
  std::copy_n(elements.begin(), tensor.size, tensor.data());
}

/// softmax(q·kᵀ / √d_head)·v of every head, without a matrix of T×T.
template <class Scalar, extents Size>
class fused_attention {
 public:
  using of_queries = tensor<Scalar, heads<Size.heads>, queries<Size.tokens>, d_head<Size.d_head>>;
  using of_keys = tensor<Scalar, heads<Size.heads>, keys<Size.tokens>, d_head<Size.d_head>>;

  explicit fused_attention(attention_problem<Scalar> const& problem) {
    copy_into(tensors->q, problem.q);
    copy_into(tensors->k, problem.k);
    copy_into(tensors->v, problem.v);
    copy_into(tensors->d_out, problem.d_out);
  }

  void forward() {
    auto& [q, k, v, d_out, out, d_q, d_k, d_v] = *tensors;
    scaled_dot_product_attention(q, k, v, mask::causal, out);
  }
  void backward() {
    auto& [q, k, v, d_out, out, d_q, d_k, d_v] = *tensors;
    scaled_dot_product_attention_backward(q, k, v, mask::causal, d_out, d_q, d_k, d_v);
  }

 private:
  struct all_tensors {
    of_queries q;
    of_keys k, v;
    of_queries d_out, out, d_q;
    of_keys d_k, d_v;
  };

 public:
  std::unique_ptr<all_tensors> tensors = std::make_unique<all_tensors>();
};

template <class Scalar, layer_extents Size>
struct layer_tensors {
  using of_tokens = tensor<Scalar, tokens<Size.tokens>, d_model<Size.d_model>>;

  attention_params<Scalar, d_model<Size.d_model>, d_head<Size.d_head>> params;
  of_tokens x;
  of_tokens out;

  explicit layer_tensors(layer_problem<Scalar> const& problem) {
    copy_into(params.Wq, problem.Wq);
    copy_into(params.Wk, problem.Wk);
    copy_into(params.Wv, problem.Wv);
    copy_into(params.Wo, problem.Wo);
    copy_into(x, problem.x);
  }
};

/// The layer without a trace.
template <class Scalar, layer_extents Size>
class fused_layer {
 public:
  explicit fused_layer(layer_problem<Scalar> const& problem)
      : tensors{std::make_unique<layer_tensors<Scalar, Size>>(problem)} {}

  void forward() {
    attention_output(tensors->params, tensors->x, mask::causal, *workspace, tensors->out);
  }

  using workspace_type = attention_workspace<Scalar, Size.tokens, Size.d_head>;

  std::unique_ptr<layer_tensors<Scalar, Size>> tensors;
  // Of 8 MB in double at T = 4096, which no stack holds.
  std::unique_ptr<workspace_type> workspace = std::make_unique<workspace_type>();
};

/// The layer with every intermediate tensor, and its gradients.
template <class Scalar, layer_extents Size>
class traced_layer {
 public:
  explicit traced_layer(layer_problem<Scalar> const& problem)
      : tensors{std::make_unique<layer_tensors<Scalar, Size>>(problem)} {
    copy_into(d_trace->out, problem.d_out);
    d_out->elements = d_trace->out.elements;
  }

  void forward() { attention_forward(tensors->params, tensors->x, mask::causal, *trace); }
  void backward() {
    attention_backward(tensors->params, tensors->x, *trace, *d_out, *d_trace, *gradients);
  }

  using trace_type =
      attention_trace<Scalar, tokens<Size.tokens>, d_model<Size.d_model>, d_head<Size.d_head>>;
  using gradients_type =
      attention_gradients<Scalar, tokens<Size.tokens>, d_model<Size.d_model>, d_head<Size.d_head>>;
  std::unique_ptr<layer_tensors<Scalar, Size>> tensors;
  std::unique_ptr<trace_type> trace = std::make_unique<trace_type>();
  std::unique_ptr<trace_type> d_trace = std::make_unique<trace_type>();
  std::unique_ptr<gradients_type> gradients = std::make_unique<gradients_type>();
  std::unique_ptr<typename trace_type::of_tokens> d_out =
      std::make_unique<typename trace_type::of_tokens>();
};

}  // namespace attest::benchmarks
