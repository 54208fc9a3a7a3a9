// SPDX-License-Identifier: BSL-1.0
// composed.hpp — attention as one composes it from a library's products: scores, softmax, mix, with a
// matrix of T×T between them. Softmax and its gradient stop at the diagonal; the products do not.
// A Library has multiply(…) as BLAS's gemm, row-major, and softmax(row, count) in place.
#pragma once

#include <benchmarks/problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace attest::benchmarks {

/// c = alpha·op(a)·op(b) + beta·c, where op(a) is (rows, shared) and op(b) is (shared, columns).
template <class Scalar>
struct gemm {
  bool a_transposed;
  bool b_transposed;
  std::size_t rows;
  std::size_t columns;
  std::size_t shared;
  Scalar alpha = 1;
  Scalar beta = 0;
};

template <class Library, class Scalar>
struct composed_attention {
  attention_problem<Scalar> problem;
  /// For backward the weights of every head are kept, as frameworks do; else one matrix serves all.
  bool keeps_weights;

  extents size = problem.size;
  std::size_t pairs = size.tokens * size.tokens;
  std::vector<Scalar> weights = zeros(keeps_weights ? size.heads * pairs : pairs);
  std::vector<Scalar> d_scores = zeros(keeps_weights ? pairs : 0);
  std::vector<Scalar> out = zeros(size.size());
  std::vector<Scalar> d_q = zeros(keeps_weights ? size.size() : 0);
  std::vector<Scalar> d_k = d_q;
  std::vector<Scalar> d_v = d_q;
  Scalar scale = static_cast<Scalar>(1 / std::sqrt(static_cast<double>(size.d_head)));

  static std::vector<Scalar> zeros(std::size_t count) { return std::vector<Scalar>(count); }

  void forward() {
    auto const [heads, tokens, d_head] = size;
    for (std::size_t head = 0; head < heads; ++head) {
      std::size_t const first = head * tokens * d_head;
      Scalar* const weight = weights_of(head);
      Library::multiply(gemm<Scalar>{false, true, tokens, tokens, d_head, scale},
                        problem.q.data() + first, problem.k.data() + first, weight);
      for (std::size_t query = 0; query < tokens; ++query) {
        Scalar* const row = weight + query * tokens;
        Library::softmax(row, query + 1);
        std::fill(row + query + 1, row + tokens, Scalar{});
      }
      Library::multiply(gemm<Scalar>{false, false, tokens, d_head, tokens}, weight,
                        problem.v.data() + first, out.data() + first);
    }
  }

  /// After forward, with the weights kept.
  void backward() {
    auto const [heads, tokens, d_head] = size;
    for (std::size_t head = 0; head < heads; ++head) {
      std::size_t const first = head * tokens * d_head;
      Scalar const* const weight = weights_of(head);
      Scalar const* const d_out = problem.d_out.data() + first;
      Library::multiply(gemm<Scalar>{false, true, tokens, tokens, d_head}, d_out,
                        problem.v.data() + first, d_scores.data());
      Library::multiply(gemm<Scalar>{true, false, tokens, d_head, tokens}, weight, d_out,
                        d_v.data() + first);
      for (std::size_t query = 0; query < tokens; ++query) {
        Scalar* const d_row = d_scores.data() + query * tokens;
        Library::softmax_backward(weight + query * tokens, d_row, query + 1, scale);
        std::fill(d_row + query + 1, d_row + tokens, Scalar{});
      }
      Library::multiply(gemm<Scalar>{false, false, tokens, d_head, tokens}, d_scores.data(),
                        problem.k.data() + first, d_q.data() + first);
      Library::multiply(gemm<Scalar>{true, false, tokens, d_head, tokens}, d_scores.data(),
                        problem.q.data() + first, d_k.data() + first);
    }
  }

  std::size_t extra_bytes() const { return (weights.size() + d_scores.size()) * sizeof(Scalar); }

  Scalar* weights_of(std::size_t head) {
    return weights.data() + (keeps_weights ? head * pairs : 0);
  }
};

/// The layer of one head: q, k and v from x, and out from what the attention gives.
template <class Library, class Scalar>
struct composed_layer {
  layer_problem<Scalar> problem;
  bool keeps_weights;

  composed_attention<Library, Scalar> attention{{{1, problem.size.tokens, problem.size.d_head}},
                                                keeps_weights};
  std::vector<Scalar> out = problem.x;
  std::vector<Scalar> d_x = problem.x;
  std::vector<Scalar> d_Wq = problem.Wq;
  std::vector<Scalar> d_Wk = problem.Wk;
  std::vector<Scalar> d_Wv = problem.Wv;
  std::vector<Scalar> d_Wo = problem.Wo;

  void forward() {
    auto const [tokens, d_model, d_head] = problem.size;
    auto& inner = attention.problem;
    gemm<Scalar> const project{false, false, tokens, d_head, d_model};
    Library::multiply(project, problem.x.data(), problem.Wq.data(), inner.q.data());
    Library::multiply(project, problem.x.data(), problem.Wk.data(), inner.k.data());
    Library::multiply(project, problem.x.data(), problem.Wv.data(), inner.v.data());
    attention.forward();
    Library::multiply(gemm<Scalar>{false, false, tokens, d_model, d_head}, attention.out.data(),
                      problem.Wo.data(), out.data());
  }

  void backward() {
    auto const [tokens, d_model, d_head] = problem.size;
    gemm<Scalar> const of_weights{true, false, d_model, d_head, tokens};
    gemm<Scalar> of_x{false, true, tokens, d_model, d_head};
    Library::multiply(gemm<Scalar>{true, false, d_head, d_model, tokens}, attention.out.data(),
                      problem.d_out.data(), d_Wo.data());
    Library::multiply(gemm<Scalar>{false, true, tokens, d_head, d_model}, problem.d_out.data(),
                      problem.Wo.data(), attention.problem.d_out.data());
    attention.backward();
    Library::multiply(of_weights, problem.x.data(), attention.d_q.data(), d_Wq.data());
    Library::multiply(of_weights, problem.x.data(), attention.d_k.data(), d_Wk.data());
    Library::multiply(of_weights, problem.x.data(), attention.d_v.data(), d_Wv.data());
    Library::multiply(of_x, attention.d_q.data(), problem.Wq.data(), d_x.data());
    of_x.beta = 1;
    Library::multiply(of_x, attention.d_k.data(), problem.Wk.data(), d_x.data());
    Library::multiply(of_x, attention.d_v.data(), problem.Wv.data(), d_x.data());
  }
};

}  // namespace attest::benchmarks
