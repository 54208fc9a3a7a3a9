// SPDX-License-Identifier: BSL-1.0
// empty.cpp — nothing: what a compiler needs to start.
