// SPDX-License-Identifier: BSL-1.0
// of_eigen.hpp — what composed.hpp asks of a library, in Eigen's expressions.
#pragma once

#include <benchmarks/composed.hpp>

#include <Eigen/Core>

#include <cstddef>

namespace attest::benchmarks {

struct eigen {
  template <class Scalar>
  using matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  template <class Scalar>
  static auto of(Scalar const* elements, std::size_t rows, std::size_t columns) {
    return Eigen::Map<matrix<Scalar> const>{elements, index(rows), index(columns)};
  }

  template <class Scalar>
  static void multiply(gemm<Scalar> const& what, Scalar const* a, Scalar const* b, Scalar* c) {
    auto const [a_transposed, b_transposed, rows, columns, shared, alpha, beta] = what;
    Eigen::Map<matrix<Scalar>> out{c, index(rows), index(columns)};
    auto const assign = [&out, adds = beta != 0](auto const& product) {
      if (adds) {
        out.noalias() += product;
      } else {
        out.noalias() = product;
      }
    };
    if (a_transposed) {
      assign(alpha * of(a, shared, rows).transpose() * of(b, shared, columns));
    } else if (b_transposed) {
      assign(alpha * of(a, rows, shared) * of(b, columns, shared).transpose());
    } else {
      assign(alpha * of(a, rows, shared) * of(b, shared, columns));
    }
  }

  template <class Scalar>
  static void softmax(Scalar* row, std::size_t count) {
    Eigen::Map<Eigen::Array<Scalar, 1, Eigen::Dynamic>> weights{row, index(count)};
    weights = (weights - weights.maxCoeff()).exp();
    weights /= weights.sum();
  }

  template <class Scalar>
  static void softmax_backward(Scalar const* weights, Scalar* d_row, std::size_t count,
                               Scalar scale) {
    using array = Eigen::Array<Scalar, 1, Eigen::Dynamic>;
    Eigen::Map<array const> const weight{weights, index(count)};
    Eigen::Map<array> d_score{d_row, index(count)};
    Scalar const mean = (weight * d_score).sum();
    d_score = weight * (d_score - mean) * scale;
  }

 private:
  static Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }
};

}  // namespace attest::benchmarks
