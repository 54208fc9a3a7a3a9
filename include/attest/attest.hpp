// SPDX-License-Identifier: BSL-1.0
// attest.hpp — the library: everything but what only run time or tests need.
#pragma once

#include <attest/version.hpp>
#include <attest/config.hpp>
#include <attest/axis.hpp>
#include <attest/tensor.hpp>
#include <attest/math/exp.hpp>
#include <attest/math/sqrt.hpp>
#include <attest/scalar/scalar.hpp>
#include <attest/mask.hpp>
#include <attest/matmul.hpp>
#include <attest/softmax.hpp>
#include <attest/scaled_dot_product_attention.hpp>
#include <attest/attention.hpp>
#include <attest/print.hpp>
