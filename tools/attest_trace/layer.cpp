// SPDX-License-Identifier: BSL-1.0
// layer.cpp — one instance of the layer a length. All 64 are made here, and only here, because this is
// what takes the compiler's time.
#include "layer.hpp"

#include <attest/attention.hpp>
#include <attest/members.hpp>
#include <attest/proof/gradients.hpp>
#include <attest/runtime.hpp>
#include <recorded/run.hpp>

#include <algorithm>
#include <stdexcept>

namespace attest::tool {
namespace {

using params_type = attention_params<double, d_model<model_width>, d_head<head_width>>;

// One of the masks, chosen at run time: one instance a length instead of three.
struct chosen_mask {
  key_range (*attended)(std::size_t, std::size_t);
  key_range (*scored)(std::size_t, std::size_t);
};
static_assert(mask_policy<chosen_mask>);

chosen_mask mask_named(std::string_view name) {
  return runtime::with_mask(name, []<class Mask>(Mask) {
    return chosen_mask{&Mask::attended, [](std::size_t query, std::size_t keys) {
                         return scored_pairs(Mask{})(query, keys);
                       }};
  });
}

// Not inlined and made small, as everything that has 64 instances here: it runs a few hundred times,
// and would take twice as long to compile if it were fast.
struct chosen_layer {
  chosen_mask mask;

  template <class X>
  [[gnu::noinline, gnu::cold]] auto forward(params_type const& params, X const& x) const {
    return attention_forward(params, x, mask);
  }
  template <class X, class Trace>
  [[gnu::noinline, gnu::cold]] auto backward(params_type const& params, X const& x,
                                             Trace const& trace, X const& d_out) const {
    return attention_backward(params, x, trace, d_out);
  }
};

matrix untyped(char const* name, std::size_t rows, std::size_t columns, double const* elements) {
  return {name, rows, columns, {elements, elements + rows * columns}};
}

template <class Members>
std::vector<matrix> members_of(Members const& members) {
  std::vector<matrix> result;
  for_each_member(members, [&](char const* name, auto const& tensor) {
    result.push_back(untyped(name, tensor.extents[0], tensor.extents[1], tensor.data()));
  });
  return result;
}

template <class Tensor>
Tensor first_rows(double const* elements) {
  Tensor result;
  std::copy_n(elements, result.size, result.data());
  return result;
}

}  // namespace

std::vector<matrix> recorded_params() {
  return members_of(recorded::params<model_width, head_width>());
}

matrix embedded(std::vector<std::size_t> const& ids) {
  static auto const table = recorded::embedding_table<recorded::vocabulary_size, model_width>();
  matrix x{"x", ids.size(), model_width, {}};
  for (std::size_t const id : ids) {
    if (id >= recorded::vocabulary_size) {
      throw std::invalid_argument("the recorded embedding table has rows for the ids 0 to " +
                                  std::to_string(recorded::vocabulary_size - 1) + ", none for " +
                                  std::to_string(id));
    }
    auto const row = table.row(id);
    x.elements.insert(x.elements.end(), row.elements.begin(), row.elements.end());
  }
  return x;
}

std::vector<matrix> forward(matrix const& x, std::string_view mask) {
  static auto const params = recorded::params<model_width, head_width>();
  chosen_layer const layer{mask_named(mask)};
  return runtime::with_tokens<most_tokens>(
      x.rows, [&]<std::size_t T>(tokens<T>) __attribute__((cold)) {
        auto const rows =
            first_rows<tensor<double, tokens<T>, d_model<model_width>>>(x.elements.data());
        return members_of(layer.forward(params, rows));
      });
}

double largest_gradient_error(matrix const& x, std::string_view mask) {
  static auto const params = recorded::params<model_width, head_width>();
  static auto const readout = recorded::readout<most_tokens, model_width>();
  chosen_layer const layer{mask_named(mask)};
  return runtime::with_tokens<most_tokens>(
      x.rows, [&]<std::size_t T>(tokens<T>) __attribute__((cold)) {
        using of_x = tensor<double, tokens<T>, d_model<model_width>>;
        return proof::largest_gradient_error(layer, params, first_rows<of_x>(x.elements.data()),
                                             first_rows<of_x>(readout.data()), epsilon)
            .largest;
      });
}

}  // namespace attest::tool
