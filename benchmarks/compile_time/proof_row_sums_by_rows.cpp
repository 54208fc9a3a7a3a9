// SPDX-License-Identifier: BSL-1.0
// proof_row_sums_by_rows.cpp — each row of weights sums to 1, and mixed lies in the hull of v, an assertion a row.
#include <attest/proof/by_rows.hpp>
#include <attest/proof/row_sums.hpp>

#include <utility>

namespace attest {

constexpr std::size_t size = ATTEST_SIZE;
constexpr auto q =
    proof::any_numbers<tensor<share, queries<1>, d_head<size>>>(std::uint64_t{1} << 32);
constexpr auto k =
    proof::any_numbers<tensor<share, keys<size>, d_head<size>>>(std::uint64_t{2} << 32);
constexpr auto v =
    proof::any_numbers<tensor<share, keys<size>, d_head<size>>>(std::uint64_t{3} << 32);

template <std::size_t Row>
constexpr auto trace = proof::layer_by_rows<>{}.attend(q, k, v, Row);
template <std::size_t Row>
constexpr proof::mask_of_row<mask::causal_t> asked{mask::causal, Row};
template <std::size_t Row>
constexpr bool sums = proof::rows_sum_to_one(trace<Row>.weights, asked<Row>).found.holds;
template <std::size_t Row>
constexpr bool hull =
    proof::mixed_is_in_the_hull_of_v(trace<Row>.weights, v, trace<Row>.mixed, asked<Row>)
        .found.holds;

static_assert([]<std::size_t... Row>(std::index_sequence<Row...>) {
  return ((sums<Row> && hull<Row>) && ...);
}(std::make_index_sequence<size>{}));

}  // namespace attest
