// SPDX-License-Identifier: BSL-1.0
// dependence.hpp — causality for every input: what an output may depend on, and must.
// The layer runs on sets of inputs instead of numbers. The weights of the layer are constants here,
// so the statements speak of x, or of d_out, at any parameters.
//   v_j = x_j·Wv             every entry of row j of x
//   scores_ij = q_i·k_j      every entry of rows i and j, for j ≤ i
//   weights_ij               every entry of rows 0 … i for j ≤ i, through the maximum and the sum;
//                            nothing for j > i, where it is the constant 0
//   out_i = Σ_j≤i w_ij·v_j·Wo  every entry of rows 0 … i, in each of its entries
// and backward, d_out being tracked and x not:
//   d_x_j                    every entry of rows j … T − 1 of d_out: d_v_j = Σ_i≥j w_ij·d_mixed_i
// Stands on: scalar/dependency, proof/by_rows, proof/finding, proof/layer.
#pragma once

#include <attest/attention.hpp>
#include <attest/members.hpp>
#include <attest/proof/by_rows.hpp>
#include <attest/proof/finding.hpp>
#include <attest/proof/layer.hpp>
#include <attest/scalar/dependency.hpp>
#include <attest/tensor.hpp>

#include <cstddef>

namespace attest::proof {

/// What counts as one input: every entry of the tensor, or a row as a whole, which keeps sets small
/// and says only that some entry of the row has an influence.
enum class inputs { each_entry, each_row };

/// How the rows of a (tokens, d_model) tensor become inputs.
template <std::size_t T, std::size_t D, inputs Inputs = inputs::each_entry>
struct row_inputs {
  static constexpr std::size_t a_row = Inputs == inputs::each_entry ? D : 1;
  static constexpr std::size_t tokens_count = T;
  static constexpr std::size_t width = D;
  using scalar_type = dependency<T * a_row>;
  using of_tokens = tensor<scalar_type, tokens<T>, d_model<D>>;
  using of_pairs = tensor<scalar_type, queries<T>, keys<T>>;

  /// Each entry depends on itself, or on its row.
  static constexpr void label(of_tokens& rows) {
    for (std::size_t i = 0; i < T * D; ++i) {
      rows.elements[i] = scalar_type::on(i * a_row / D);
    }
  }
  static constexpr of_tokens labelled() {
    of_tokens rows;
    label(rows);
    return rows;
  }

  /// Rows first, …, last − 1.
  static constexpr scalar_type of_rows(std::size_t first, std::size_t last) {
    return scalar_type::on_range(first * a_row, last * a_row);
  }
};

namespace detail {

/// `value` depends on exactly `expected`. The finding's input is the first on which they differ.
template <std::size_t Inputs>
constexpr finding depends_on_exactly(dependency<Inputs> const& value,
                                     dependency<Inputs> const& expected, part where,
                                     std::size_t row, std::size_t column, part tracked,
                                     std::size_t inputs_a_row) {
  if (same_bits(value, expected)) {
    return {};
  }
  std::size_t input = 0;
  while (value.depends_on(input) == expected.depends_on(input)) {
    ++input;
  }
  finding found = broken_at(where, row, column);
  found.input = tracked;
  found.input_row = {input / inputs_a_row};
  found.input_column = {input % inputs_a_row};
  return found;
}

}  // namespace detail

/// Row `row` of weights and of out, given by their first entries, of a layer whose x was labelled by
/// Labels: each entry depends on exactly rows 0, …, row of x, and the weight of a later key on
/// nothing.
template <class Labels>
constexpr finding outputs_of_row_depend_on_exactly_earlier_rows(
    typename Labels::scalar_type const* weights, typename Labels::scalar_type const* out,
    std::size_t row) {
  using set = typename Labels::scalar_type;
  set const earlier = Labels::of_rows(0, row + 1);
  for (std::size_t key = 0; key < Labels::tokens_count; ++key) {
    finding const found =
        detail::depends_on_exactly(weights[key], key <= row ? earlier : set{}, part::weights, row,
                                   key, part::x, Labels::a_row);
    if (!found.holds) {
      return found;
    }
  }
  for (std::size_t channel = 0; channel < Labels::width; ++channel) {
    finding const found = detail::depends_on_exactly(out[channel], earlier, part::out, row, channel,
                                                     part::x, Labels::a_row);
    if (!found.holds) {
      return found;
    }
  }
  return {};
}

/// The same for every row; the first finding that is broken, rows in ascending order.
template <class Labels>
constexpr finding outputs_depend_on_exactly_earlier_rows(typename Labels::of_pairs const& weights,
                                                         typename Labels::of_tokens const& out) {
  for (std::size_t row = 0; row < Labels::tokens_count; ++row) {
    finding const found = outputs_of_row_depend_on_exactly_earlier_rows<Labels>(
        weights.data() + row * Labels::tokens_count, out.data() + row * Labels::width, row);
    if (!found.holds) {
      return found;
    }
  }
  return {};
}

/// Out row i and weights row i depend on exactly rows 0, …, i of x.
template <std::size_t T, std::size_t D, std::size_t H, inputs Inputs = inputs::each_entry,
          class Layer>
constexpr finding outputs_depend_on_exactly_earlier_rows(Layer const& layer) {
  using labels = row_inputs<T, D, Inputs>;
  attention_params<typename labels::scalar_type, d_model<D>, d_head<H>> const params{};
  auto const trace = layer.forward(params, labels::labelled());
  return outputs_depend_on_exactly_earlier_rows<labels>(trace.weights, trace.out);
}

/// Each entry of row j of d_x depends on exactly rows j, …, T − 1 of d_out, which was labelled by
/// Labels. The finding's part x is d_x, and its input out is d_out.
template <class Labels>
constexpr finding d_x_depends_on_exactly_later_rows(typename Labels::of_tokens const& d_x) {
  for (std::size_t row = 0; row < Labels::tokens_count; ++row) {
    auto const later = Labels::of_rows(row, Labels::tokens_count);
    for (std::size_t channel = 0; channel < Labels::width; ++channel) {
      finding const found =
          detail::depends_on_exactly(d_x.elements[row * Labels::width + channel], later, part::x,
                                     row, channel, part::out, Labels::a_row);
      if (!found.holds) {
        return found;
      }
    }
  }
  return {};
}

/// What query `row` adds to the gradients of q, k and v, its own row of d_mixed being the only input:
/// d_q, and d_k and d_v of keys 0, …, row, depend on it in every entry, those of later keys do not.
/// So d_k and d_v of key j, the sums over all queries, depend on exactly rows j, …, T − 1 of d_mixed.
/// The finding's input is that row of d_mixed.
template <std::size_t T, std::size_t H>
constexpr finding gradients_of_row_depend_on_it_up_to_its_key(
    attended_row_gradients<dependency<1>, T, H> const& gradients, std::size_t row) {
  finding found;
  for_each_member(gradients, [&](char const* name, auto const& gradient) {
    part const where = part_named(name);
    std::size_t const first = where == part::q ? row : 0;
    dependency<1> const* entry = gradient.data();
    for (std::size_t of_row = first; of_row < first + gradient.size / H; ++of_row) {
      auto const expected = of_row <= row ? dependency<1>::on(0) : dependency<1>{};
      for (std::size_t channel = 0; channel < H; ++channel, ++entry) {
        if (found.holds && !same_bits(*entry, expected)) {
          found =
              detail::depends_on_exactly(*entry, expected, where, of_row, channel, part::mixed, 1);
          found.input_row = {row};
        }
      }
    }
  });
  return found;
}

/// Each entry of d_x of a layer's backward pass depends on exactly later rows of d_out.
template <std::size_t T, std::size_t D, std::size_t H, inputs Inputs = inputs::each_entry,
          class Layer>
constexpr finding d_x_depends_on_exactly_later_rows(Layer const& layer) {
  using labels = row_inputs<T, D, Inputs>;
  attention_params<typename labels::scalar_type, d_model<D>, d_head<H>> const params{};
  typename labels::of_tokens const x{};
  auto const gradients = layer.backward(params, x, layer.forward(params, x), labels::labelled());
  return d_x_depends_on_exactly_later_rows<labels>(gradients.x);
}

}  // namespace attest::proof

namespace attest::guarantee {

template <finding Found>
consteval finding outputs_depend_on_exactly_earlier_rows() {
  static_assert(Found.holds, "an output depends on a later row of x, or not on an earlier one");
  return Found;
}

template <finding Found>
consteval finding d_x_depends_on_exactly_later_rows() {
  static_assert(Found.holds,
                "an entry of d_x depends on an earlier row of d_out, or not on a later one");
  return Found;
}

}  // namespace attest::guarantee
