#include <attest/roof.hpp>
