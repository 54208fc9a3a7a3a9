// SPDX-License-Identifier: BSL-1.0
// of_openblas.hpp — what composed.hpp asks of a library: products by OpenBLAS, the rest in plain loops
// with the C library's exp.
#pragma once

#include <benchmarks/composed.hpp>

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attest::benchmarks {

struct openblas {
  template <class Scalar>
  static void multiply(gemm<Scalar> const& what, Scalar const* a, Scalar const* b, Scalar* c) {
    auto const size = [](std::size_t extent) { return static_cast<blasint>(extent); };
    auto const call = [&](auto const& blas_gemm) {
      blas_gemm(CblasRowMajor, what.a_transposed ? CblasTrans : CblasNoTrans,
                what.b_transposed ? CblasTrans : CblasNoTrans, size(what.rows), size(what.columns),
                size(what.shared), what.alpha, a, size(what.a_transposed ? what.rows : what.shared),
                b, size(what.b_transposed ? what.shared : what.columns), what.beta, c,
                size(what.columns));
    };
    if constexpr (sizeof(Scalar) == sizeof(float)) {
      call(cblas_sgemm);
    } else {
      call(cblas_dgemm);
    }
  }

  template <class Scalar>
  static void softmax(Scalar* row, std::size_t count) {
    Scalar const largest = *std::max_element(row, row + count);
    Scalar total{};
    for (std::size_t key = 0; key < count; ++key) {
      row[key] = std::exp(row[key] - largest);
      total += row[key];
    }
    for (std::size_t key = 0; key < count; ++key) {
      row[key] /= total;
    }
  }

  template <class Scalar>
  static void softmax_backward(Scalar const* weights, Scalar* d_row, std::size_t count,
                               Scalar scale) {
    Scalar mean{};
    for (std::size_t key = 0; key < count; ++key) {
      mean += weights[key] * d_row[key];
    }
    for (std::size_t key = 0; key < count; ++key) {
      d_row[key] = weights[key] * (d_row[key] - mean) * scale;
    }
  }
};

}  // namespace attest::benchmarks
