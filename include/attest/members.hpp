// SPDX-License-Identifier: BSL-1.0
// members.hpp — the members of params, trace and gradients under their names: what printing, comparing
// and the proofs walk over, and what makes such a struct one of Boost.Hana's.
// Hana's own macro for this says the same, but brings a quarter of the library's whole compile time
// and a twentieth of a second for every new scalar. Stands on: nothing.
#pragma once

#include <boost/hana/core/when.hpp>
#include <boost/hana/fwd/accessors.hpp>
#include <boost/hana/fwd/pair.hpp>
#include <boost/hana/fwd/string.hpp>
#include <boost/hana/fwd/tuple.hpp>

#include <cstddef>
#include <utility>

namespace attest {

/// The letters of a name, as a template argument.
template <std::size_t Size>
struct member_name {
  char letters[Size]{};

  constexpr member_name(char const (&name)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) {
      letters[i] = name[i];
    }
  }
};

/// One member; called with a struct, it is that struct's member.
template <member_name Name, auto Pointer>
struct member {
  static constexpr char const* name = Name.letters;

  template <class Struct>
  constexpr decltype(auto) operator()(Struct&& members) const {
    return (static_cast<Struct&&>(members).*Pointer);
  }
};

/// Members in order; a struct names its list `members`:
///   using members = member_list<member<"params", &gradients::params>, member<"x", &gradients::x>>;
template <class... Members>
struct member_list {};

template <class Struct>
concept has_members = requires { typename Struct::members; };

namespace detail {

template <class... Members>
constexpr void walk(member_list<Members...>, auto const& use, auto& of_struct) {
  (use(Members::name, Members{}(of_struct)), ...);
}
template <member_name... Names, auto... Left, auto... Right>
constexpr void walk(member_list<member<Names, Left>...>, member_list<member<Names, Right>...>,
                    auto const& use, auto& left, auto& right) {
  (use(member<Names, Left>::name, member<Names, Left>{}(left), member<Names, Right>{}(right)), ...);
}

/// What Boost.Hana asks for: a tuple of pairs, each a name and a function.
template <member_name Name, auto Pointer, std::size_t... Letter>
constexpr auto hana_accessor(member<Name, Pointer> member, std::index_sequence<Letter...>) {
  return boost::hana::make_pair(boost::hana::string<Name.letters[Letter]...>{}, member);
}
template <member_name... Names, auto... Pointers>
constexpr auto hana_accessors(member_list<member<Names, Pointers>...>) {
  return boost::hana::make_tuple(hana_accessor(
      member<Names, Pointers>{}, std::make_index_sequence<sizeof(Names.letters) - 1>{})...);
}

}  // namespace detail

/// use(name, member) for each member, in order.
template <class Struct>
  requires has_members<Struct>
constexpr void for_each_member(Struct& of_struct, auto const& use) {
  detail::walk(typename Struct::members{}, use, of_struct);
}

/// use(name, left's member, right's member) for each, in order.
/// Refuses: two structs whose members have not the same names (does not compile).
template <class Left, class Right>
  requires has_members<Left> && has_members<Right>
constexpr void for_each_member(Left& left, Right& right, auto const& use) {
  detail::walk(typename Left::members{}, typename Right::members{}, use, left, right);
}

}  // namespace attest

namespace boost::hana {

template <class Struct>
struct accessors_impl<Struct, when<attest::has_members<Struct>>> {
  static constexpr auto apply() {
    return attest::detail::hana_accessors(typename Struct::members{});
  }
};

}  // namespace boost::hana
