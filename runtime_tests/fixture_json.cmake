# Turns a piece of JSON into constants, to see what fixture_header.cmake refuses.
# cmake -D JSON=text -P fixture_json.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../cmake/fixture_header.cmake)
attest_fixture_object("${JSON}" "a.json: " constants)
message(FATAL_ERROR "understood:\n${constants}")
