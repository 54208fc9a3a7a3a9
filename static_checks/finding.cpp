// SPDX-License-Identifier: BSL-1.0
// finding.cpp — what checks say, and that they can say no.
#include <attest/attest.hpp>
#include <attest/proof/causality.hpp>
#include <attest/proof/certificate.hpp>
#include <attest/proof/closeness.hpp>
#include <attest/proof/gradients.hpp>

#include <type_traits>

namespace attest {
namespace {

// Every tensor of the layer has a part of its name, and nothing else has.
static_assert(part_named("x") == part::x && part_named("q") == part::q);
static_assert(part_named("k") == part::k && part_named("v") == part::v);
static_assert(part_named("Wq") == part::Wq && part_named("Wk") == part::Wk);
static_assert(part_named("Wv") == part::Wv && part_named("Wo") == part::Wo);
static_assert(part_named("scores") == part::scores && part_named("weights") == part::weights);
static_assert(part_named("mixed") == part::mixed && part_named("out") == part::out);
static_assert(part_named("W") == part::unnamed && part_named("weight") == part::unnamed);
static_assert(part_named("outs") == part::unnamed && part_named("") == part::unnamed);

static_assert(finding{} ==
              finding{true, part::unnamed, row{0}, column{0}, part::unnamed, row{0}, column{0}});
static_assert(finding{}.holds && !broken_at(part::q, 1, 2).holds);
static_assert(broken_at(part::q, 1, 2).part == part::q);
static_assert(broken_at(part::q, 1, 2).row == row{1} &&
              broken_at(part::q, 1, 2).column == column{2});
static_assert(broken_at(part::q, 1, 2) != broken_at(part::k, 1, 2));
static_assert(broken_at(part::q, 1, 2) != broken_at(part::q, 1, 1));

constexpr finding broken = broken_at(part::q, 1, 2);
constexpr finding later = broken_at(part::v, 0, 0);
static_assert(first_broken(finding{}, finding{}) == finding{});
static_assert(first_broken(finding{}, broken, later) == broken);
static_assert(first_broken(finding{}, finding{}, later) == later);
static_assert(first_broken(broken) == broken);

// A row is certified by findings that hold, by at least one, and by nothing else.
template <finding... Found>
constexpr bool certifies = requires {
  typename std::bool_constant<(certificate_row{}.certified_by({Found...}).row().check == nullptr)>;
};
static_assert(certifies<finding{}> && certifies<finding{}, finding{}>);
static_assert(!certifies<broken> && !certifies<finding{}, broken> && !certifies<broken, finding{}>);
static_assert(!certifies<>);
static_assert(!std::is_constructible_v<certified_row, certificate_row>);
static_assert(!std::is_default_constructible_v<certified_row>);

// Closeness: the largest distance and the first entry that disagrees.
constexpr tensor<double, queries<2>, d_head<2>> ones{{1, 1}, {1, 1}};
constexpr tensor<double, queries<2>, d_head<2>> near{{1, 1 + 0x1p-51}, {1 + 0x1p-52, 1}};
static_assert(proof::largest_ulps(ones, near) == 2 && proof::largest_ulps(near, ones) == 2);
static_assert(proof::largest_ulps(ones, ones) == 0);
constexpr auto equal = [](double left, double right) { return left == right; };
static_assert(proof::entries_agree(part::q, ones, ones, equal).holds);
static_assert(proof::entries_agree(part::q, ones, near, equal) == broken_at(part::q, 0, 1));

// Causality: which rows changed, in any channel, to the bit.
constexpr tensor<double, tokens<3>, d_model<2>> before{{0, 1}, {2, 3}, {4, 5}};
constexpr tensor<double, tokens<3>, d_model<2>> after{{-0.0, 1}, {2, 3}, {4, 6}};
static_assert(proof::changed_rows(before, after) == std::array{true, false, true});
static_assert(proof::changed_rows(before, before) == std::array{false, false, false});
static_assert(proof::with_row(before, 1, {8, 9}) ==
              tensor<double, tokens<3>, d_model<2>>{{0, 1}, {8, 9}, {4, 5}});

// Gradients: which entries a check goes through, and the loss.
static_assert(proof::gradient_entries{}.contain(part::Wq, 0));
static_assert(proof::gradient_entries{part::Wq}.contain(part::Wq, 9));
static_assert(!proof::gradient_entries{part::Wq}.contain(part::x, 0));
static_assert(proof::gradient_entries{part::x, 1, 3}.contain(part::x, 1));
static_assert(proof::gradient_entries{part::x, 1, 3}.contain(part::x, 2));
static_assert(!proof::gradient_entries{part::x, 1, 3}.contain(part::x, 0));
static_assert(!proof::gradient_entries{part::x, 1, 3}.contain(part::x, 3));
static_assert(proof::loss_of(before, before) == 1 + 4 + 9 + 16 + 25);
static_assert(proof::loss_of(before, after) == 1 + 4 + 9 + 16 + 30);

}  // namespace
}  // namespace attest
