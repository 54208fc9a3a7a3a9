// SPDX-License-Identifier: BSL-1.0
// members.cpp — params, trace and gradients are walked by their members, by us and by Boost.Hana.
#include <attest/attest.hpp>
#include <boost/hana.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace attest {
namespace {

using params_type = attention_params<double, d_model<4>, d_head<2>>;
using x_type = tensor<double, tokens<3>, d_model<4>>;
using trace_type = attention_trace<double, tokens<3>, d_model<4>, d_head<2>>;
using gradients_type = attention_gradients<double, tokens<3>, d_model<4>, d_head<2>>;

// The place of each member is what tells which it is.
struct walked {
  std::string_view names[7];
  std::size_t sizes[7]{};
  std::size_t count = 0;

  constexpr void operator()(char const* name, auto const& member) {
    names[count] = name;
    if constexpr (tensor_like<std::remove_cvref_t<decltype(member)>>) {
      sizes[count] = member.size;
    }
    ++count;
  }
  friend constexpr bool operator==(walked const&, walked const&) = default;
};

template <class Struct>
constexpr walked by_us() {
  walked result;
  Struct const of_struct{};
  for_each_member(of_struct, [&](auto const* name, auto const& member) { result(name, member); });
  return result;
}

template <class Struct>
constexpr walked by_hana() {
  static_assert(hana::Struct<Struct>::value);
  walked result;
  Struct const of_struct{};
  hana::for_each(hana::accessors<Struct>(), [&](auto const& accessor) {
    result(hana::first(accessor).c_str(), hana::second(accessor)(of_struct));
  });
  return result;
}

static_assert(by_us<params_type>() == walked{{"Wq", "Wk", "Wv", "Wo"}, {8, 8, 8, 8}, 4});
static_assert(by_us<trace_type>() == walked{{"q", "k", "v", "scores", "weights", "mixed", "out"},
                                            {6, 6, 6, 9, 9, 6, 12},
                                            7});
static_assert(by_us<gradients_type>() == walked{{"params", "x"}, {0, 12}, 2});
static_assert(by_hana<params_type>() == by_us<params_type>());
static_assert(by_hana<trace_type>() == by_us<trace_type>());
static_assert(by_hana<gradients_type>() == by_us<gradients_type>());
static_assert(!hana::Struct<x_type>::value);

// Boost.Hana finds a member by its name, letter by letter.
static_assert(hana::keys(gradients_type{}) ==
              hana::make_tuple(hana::string_c<'p', 'a', 'r', 'a', 'm', 's'>, hana::string_c<'x'>));
static_assert(hana::at_key(params_type{}, hana::string_c<'W', 'v'>) == params_type{}.Wv);

// Each name leads to the member of that name, which can be written to.
constexpr bool names_are_the_members() {
  params_type params;
  double next = 0;
  for_each_member(params, [&](auto const*, auto& member) { member(0, 0) = ++next; });
  trace_type trace;
  hana::for_each(hana::accessors<trace_type>(),
                 [&](auto const& accessor) { hana::second(accessor)(trace)(0, 0) = ++next; });
  return params.Wq(0, 0) == 1 && params.Wk(0, 0) == 2 && params.Wv(0, 0) == 3 &&
         params.Wo(0, 0) == 4 && trace.q(0, 0) == 5 && trace.k(0, 0) == 6 && trace.v(0, 0) == 7 &&
         trace.scores(0, 0) == 8 && trace.weights(0, 0) == 9 && trace.mixed(0, 0) == 10 &&
         trace.out(0, 0) == 11;
}
static_assert(names_are_the_members());

// Two structs are walked side by side if their members have the same names.
constexpr bool pairs_are_members_of_one_name() {
  params_type left;
  params_type right;
  left.Wv(0, 0) = 1;
  right.Wv(0, 0) = 2;
  bool as_expected = true;
  for_each_member(
      left, right, [&](std::string_view name, auto const& of_left, auto const& of_right) {
        bool const is_v = name == "Wv";
        as_expected =
            as_expected && of_left(0, 0) == (is_v ? 1 : 0) && of_right(0, 0) == (is_v ? 2 : 0);
      });
  return as_expected;
}
static_assert(pairs_are_members_of_one_name());

// A shape is a value that Boost.Hana's algorithms take.
static_assert(hana::length(x_type::shape_type{}) == hana::size_c<2>);
static_assert(hana::contains(x_type::shape_type{}, hana::type_c<tokens<3>>));
static_assert(!hana::contains(x_type::shape_type{}, hana::type_c<tokens<4>>));

}  // namespace
}  // namespace attest
