// SPDX-License-Identifier: BSL-1.0
// bits.cpp — prints the hash of all outputs, part by part and of all. Whatever compiles it, with
// whatever flags, for whatever processor, it prints the same; CMakeLists.txt compares.
// It fails by itself where what runs has not the bits that the compiler computed, or where they depend
// on a batch or on threads.
#include "outputs_hash.hpp"

#include "../unseen.hpp"

#include <cinttypes>
#include <cstdio>
#include <thread>
#include <vector>

namespace attest::bits {
namespace {

// What would let a difference through.
constexpr std::uint64_t hash_of(auto... numbers) {
  outputs_hash hash;
  (hash.add(numbers), ...);
  return hash.value;
}
static_assert(hash_of(0.0) != hash_of(-0.0));
static_assert(hash_of(1.0, 2.0) != hash_of(2.0, 1.0));
static_assert(hash_of(1.0, 2.0) != hash_of(-1.0, -2.0));
static_assert(hash_of(1.0F) != hash_of(1.0));

constexpr std::size_t batch = 8;

struct report {
  outputs_hash all;
  bool same = true;

  void expect(bool holds, char const* what) {
    if (!holds) {
      std::printf("  ^ differs %s\n", what);
      same = false;
    }
  }
};

/// The inputs of a batch, out of the optimiser's sight.
template <class Part>
std::vector<typename Part::inputs_type> unseen_batch() {
  std::vector<typename Part::inputs_type> inputs;
  for (std::uint64_t sequence = 0; sequence < batch; ++sequence) {
    inputs.push_back(unseen(Part::inputs(sequence)));
  }
  return inputs;
}

/// One sequence after the other into the same outputs, which still hold the one before.
template <class Part>
std::vector<std::uint64_t> of_a_batch(std::vector<typename Part::inputs_type> const& inputs) {
  std::vector<std::uint64_t> hashes;
  typename Part::outputs_type outputs;
  for (auto const& input : inputs) {
    hashes.push_back(Part::hash(input, outputs));
  }
  return hashes;
}

/// The sequences dealt to threads.
template <class Part>
std::vector<std::uint64_t> of_threads(std::vector<typename Part::inputs_type> const& inputs,
                                      std::size_t count) {
  std::vector<std::uint64_t> hashes(inputs.size());
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < count; ++first) {
    threads.emplace_back([&inputs, &hashes, first, count] {
      for (std::size_t i = first; i < inputs.size(); i += count) {
        hashes[i] = Part::hash(inputs[i]);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  return hashes;
}

/// A batch of 1, of 8, and 1 to 4 threads.
template <class Part>
std::vector<std::uint64_t> run(report& report) {
  auto const inputs = unseen_batch<Part>();
  std::vector<std::uint64_t> alone;
  outputs_hash hash;
  for (auto const& input : inputs) {
    alone.push_back(Part::hash(input));
    hash.add(alone.back());
  }
  report.all.add(hash.value);
  std::printf("%016" PRIx64 " %s, %s, T = %zu, d_model %zu, d_head %zu, %s\n", hash.value,
              Part::route::name, sizeof(typename Part::scalar_type) == 8 ? "double" : "float",
              Part::tokens, Part::d_model, Part::d_head, Part::mask_type::name);
  report.expect(of_a_batch<Part>(inputs) == alone, "in a batch of 8");
  for (std::size_t threads = 1; threads <= 4; ++threads) {
    report.expect(of_threads<Part>(inputs, threads) == alone, "between threads");
  }
  return alone;
}

/// The first sequence in the compiler too.
template <class Part>
void compile_and_run(report& report) {
  static constexpr std::uint64_t compiled = Part::hash(Part::inputs(0));
  std::uint64_t const first = run<Part>(report)[0];
  std::printf("  %016" PRIx64 " the first of 8, in the compiler\n  %016" PRIx64 " as run\n",
              compiled, first);
  report.expect(first == compiled, "from what the compiler computed");
}

template <class Route, class Scalar>
void add_shapes(report& report) {
  // What the optimiser may unroll whole, up to what the compiler can evaluate.
  compile_and_run<part<Route, Scalar, 3, 2, 2, mask::zero_t>>(report);
  compile_and_run<part<Route, Scalar, 11, 4, 3, window_t>>(report);
  compile_and_run<part<Route, Scalar, 17, 9, 5, mask::causal_t>>(report);
  // So wide that the compiler may take vectors itself.
  compile_and_run<part<Route, Scalar, 10, 4, 32, mask::causal_t>>(report);
  // Whole tiles, single registers and what is left over, for any width of register.
  run<part<Route, Scalar, 67, 37, 20, mask::causal_t>>(report);
}

template <class Route>
void add_route(report& report) {
  add_shapes<Route, double>(report);
  add_shapes<Route, float>(report);
}

/// A shape of which the compiler evaluates all, and one with remainders.
template <class Route, class Scalar>
void add_two_shapes(report& report) {
  compile_and_run<part<Route, Scalar, 5, 1, 3, window_t>>(report);
  run<part<Route, Scalar, 67, 1, 20, mask::causal_t>>(report);
}

/// Each route of outputs_hash.hpp has a line here.
int print_all() {
  report report;
  add_route<layer_route>(report);
  add_two_shapes<heads_route, double>(report);
  add_two_shapes<heads_route, float>(report);
  std::printf("%016" PRIx64 " all\n", report.all.value);
  return report.same ? 0 : 1;
}

}  // namespace
}  // namespace attest::bits

int main() {
  return attest::bits::print_all();
}
