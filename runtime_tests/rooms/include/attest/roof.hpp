#include <attest/ground.hpp>
