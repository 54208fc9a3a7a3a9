// SPDX-License-Identifier: BSL-1.0
// gradients_by_rows.hpp — the gradients of equation 1 a row at a time, each step a constant of its own.
#pragma once

#include <attest/proof/by_rows.hpp>
#include <attest/proof/exact_gradients.hpp>

#include <cstddef>
#include <utility>

namespace attest::gradients_by_rows {

template <std::size_t T, std::size_t H>
constexpr proof::row_at_a_point<T, H> at{1};
template <std::size_t T, std::size_t H, class Rows, std::size_t Row>
constexpr auto forward = at<T, H>.forward(Rows{}, Row);
template <std::size_t T, std::size_t H, class Rows, std::size_t Row>
constexpr auto backward = at<T, H>.backward(Rows{}, forward<T, H, Rows, Row>, Row);
template <std::size_t T, std::size_t H, class Rows, std::size_t Row>
constexpr finding of_row =
    at<T, H>.gradients_are_exact(forward<T, H, Rows, Row>, backward<T, H, Rows, Row>, Row);

template <std::size_t T, std::size_t H, std::size_t... Row>
constexpr finding each_of =
    first_broken(guarantee::gradients_are_exact<of_row<T, H, proof::layer_by_rows<>, Row>>()...);
/// Rows First, …, First + Count − 1; all of them unless told.
template <std::size_t T, std::size_t H, std::size_t First = 0, std::size_t Count = T>
constexpr finding each_row = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return each_of<T, H, First + Row...>;
}(std::make_index_sequence<Count>{});

}  // namespace attest::gradients_by_rows
