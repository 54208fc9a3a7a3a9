# The house tests itself: rooms, package, page. Each check has a case that it must be seen to refuse.

set(rooms ${PROJECT_SOURCE_DIR}/cmake/rooms.cmake)
set(broken_house ${CMAKE_COMMAND} -D HOUSE=${CMAKE_CURRENT_SOURCE_DIR}/rooms -P ${rooms})
add_test(NAME rooms COMMAND ${CMAKE_COMMAND} -D HOUSE=${PROJECT_SOURCE_DIR} -P ${rooms})
attest_must_be_refused(rooms.a_header_that_includes_a_later_one
                       "attest/ground.hpp includes attest/roof.hpp" ${broken_house})
attest_must_be_refused(rooms.a_header_that_is_not_listed
                       "not listed in CMakeLists.txt: attest/wall.hpp" ${broken_house})

# A project that finds the installed package and one that has attest as a folder build and run a model.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/installed)
add_test(NAME consumers.install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix
                                        ${prefix})
foreach(consumer find_package add_subdirectory)
  add_test(
    NAME consumers.${consumer}
    COMMAND
      ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumers/${consumer}
      ${CMAKE_CURRENT_BINARY_DIR}/${consumer} --build-generator ${CMAKE_GENERATOR} --build-options
      -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${prefix}
      -DATTEST_SOURCE=${PROJECT_SOURCE_DIR} --test-command model)
endforeach()
set_tests_properties(consumers.install PROPERTIES FIXTURES_SETUP installed)
set_tests_properties(consumers.find_package PROPERTIES FIXTURES_REQUIRED installed)

# The programs of a page compile as printed and run if they have a main; its mistakes are refused with
# the words printed, which are those of g++.
function(attest_page page name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name})
  execute_process(COMMAND ${CMAKE_COMMAND} -D PAGE=${page} -D OUT=${out} -P ${readme_programs}
                          COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB programs ${out}/*.cpp)
  foreach(program IN LISTS programs)
    cmake_path(GET program STEM stem)
    file(READ ${program} text)
    if(text MATCHES "\nint main\\(")
      add_executable(attest.${name}.${stem} ${program})
      add_test(NAME ${name}.${stem} COMMAND attest.${name}.${stem})
    else()
      add_library(attest.${name}.${stem} OBJECT ${program})
    endif()
    target_link_libraries(attest.${name}.${stem} PRIVATE attest.development)
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    file(GLOB mistakes ${out}/refused/*.cpp)
    foreach(mistake IN LISTS mistakes)
      cmake_path(GET mistake STEM stem)
      attest_must_not_compile(${mistake} command)
      add_test(NAME ${name}.refused.${stem} COMMAND ${command})
    endforeach()
  endif()
endfunction()

set(readme_programs ${PROJECT_SOURCE_DIR}/cmake/readme_programs.cmake)
attest_page(${PROJECT_SOURCE_DIR}/README.md readme)

# What the test of the page must refuse.
attest_page(${CMAKE_CURRENT_SOURCE_DIR}/readme/sample.md readme.sample)
set(out ${CMAKE_CURRENT_BINARY_DIR}/readme.refused)
set(words_for_without_a_name "neither // example: model.cpp nor mistakes")
set(words_for_without_words "// ❌ what the compiler says: sum = 2; // ❌")
set(words_for_without_an_example "no example")
foreach(page without_a_name without_words without_an_example)
  attest_must_be_refused(
    readme.programs.${page} "${words_for_${page}}" ${CMAKE_COMMAND} -D
    PAGE=${CMAKE_CURRENT_SOURCE_DIR}/readme/${page}.md -D OUT=${out}/${page} -P ${readme_programs})
endforeach()

# The table of exp is what MPFR says it is.
add_test(NAME exp_table COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:attest.exp_constants> -D
                                FILE=${PROJECT_SOURCE_DIR}/include/attest/math/exp_table.hpp -P
                                ${PROJECT_SOURCE_DIR}/cmake/prints_file.cmake)
attest_must_be_refused(
  exp_table.of_another_program "is not what" ${CMAKE_COMMAND} -D PROGRAM=true -D
  FILE=${PROJECT_SOURCE_DIR}/include/attest/math/exp_table.hpp -P
  ${PROJECT_SOURCE_DIR}/cmake/prints_file.cmake)

# The error of exp's fast path is within what Gappa proves, of exp.hpp's own constants.
set(exp_bound ${PROJECT_SOURCE_DIR}/static_checks/exp_bound.gappa)
set(same_constants ${CMAKE_COMMAND} -D SCRIPT=${exp_bound} -P
                   ${PROJECT_SOURCE_DIR}/cmake/same_constants.cmake --)
add_test(NAME exp_bound.constants COMMAND ${same_constants}
                                          ${PROJECT_SOURCE_DIR}/include/attest/math/exp.hpp)
file(READ ${PROJECT_SOURCE_DIR}/include/attest/math/exp.hpp other_constants)
string(REPLACE "1.0 / 720" "1.0 / 5040" other_constants "${other_constants}")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/other_constants.hpp "${other_constants}")
attest_must_be_refused(exp_bound.constants.of_another "1 / 120;1 / 5040;0.5;0x1p-67 ${exp_bound} has"
                       ${same_constants} ${CMAKE_CURRENT_BINARY_DIR}/other_constants.hpp)

find_program(GAPPA gappa)
function(attest_gappa name result)
  set(${result}
      ${CMAKE_COMMAND} -D GAPPA=${GAPPA} -D SCRIPT=${exp_bound} -D
      OUT=${CMAKE_CURRENT_BINARY_DIR}/${name}.gappa -P ${PROJECT_SOURCE_DIR}/cmake/gappa.cmake --
      PARENT_SCOPE)
endfunction()
if(GAPPA)
  attest_gappa(exp_bound gappa)
  add_test(NAME exp_bound COMMAND ${gappa})
  # There k is 0, so `upper` is x, and what `rest` would round is bounded.
  attest_gappa(exp_bound.near_zero gappa)
  add_test(
    NAME exp_bound.near_zero
    COMMAND
      ${gappa} "|x| in [0x1p-9, 709] ->"
      "|x| <= 0x1p-9 -> k_upper - k * 0x1.62e42fef8p-8 in [0, 0] -> upper - (x - k_upper) in [0, 0] ->"
      "rest - (upper - coarse) in [0, 0] /\\" "")
  attest_gappa(exp_bound.half_the_margin gappa)
  attest_must_be_refused(exp_bound.half_the_margin
                         "not satisfied: BND((head + least - table_value) / table_high), best:" ${gappa}
                         0x1p-67 0x1p-68)
  attest_gappa(exp_bound.a_term_less gappa)
  attest_must_be_refused(
    exp_bound.a_term_less "not satisfied: BND(|series - S|), best:" ${gappa}
    "dbl(dbl(1 / 120) + dbl(r * dbl(1 / 720)))" "dbl(1 / 120)")
  attest_gappa(exp_bound.ln2_of_all_bits gappa)
  attest_must_be_refused(
    exp_bound.ln2_of_all_bits "not satisfied: BND(k_upper - k * " ${gappa} 0x1.62e42fef8p-8
    0x1.62e42fefa38p-8)
  attest_gappa(exp_bound.a_table_beyond_2 gappa)
  attest_must_be_refused(
    exp_bound.a_table_beyond_2 "not satisfied: BND(head - (table_high + head_product)), best:"
    ${gappa} 1.9892 2.1)
  attest_gappa(exp_bound.of_other_words gappa)
  attest_must_be_refused(exp_bound.of_other_words "does not say 0x1p-66" ${gappa} 0x1p-66 0x1p-65)
else()
  add_test(NAME exp_bound COMMAND ${CMAKE_COMMAND} -E echo "skipped: no gappa")
  set_tests_properties(exp_bound PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
endif()

# What a fixture may not hold, and a piece that is understood, so that not every piece is refused.
function(attest_fixture_json name json words)
  attest_must_be_refused(fixture_header.${name} "${words}" ${CMAKE_COMMAND} -D "JSON=${json}" -P
                         ${CMAKE_CURRENT_SOURCE_DIR}/fixture_json.cmake)
endfunction()
attest_fixture_json(understands_all_types
                    [=[{"a": [[0, 0.5], [null, "0x1.8p-1"]], "b": [0, 1], "c": true}]=]
                    "understood: inline constexpr double a[2][2] = {{0, 0.5}, {minus_infinity, 0x1.8p-1}}; \
inline constexpr std::size_t b[2] = {0, 1}; inline constexpr bool c = true;")
attest_fixture_json(escapes_text [=[{"a": "say \"\\\" [now]"}]=] [[a = "say \"\\\" [now]"]])
attest_fixture_json(refuses_a_name [=[{"b": {"a-b": 1}}]=] [[a.json: b."a-b" is not a C++ identifier]])
attest_fixture_json(refuses_a_ragged_array [=[{"a": [[1, 2], [3]]}]=]
                    "a.json: a[1]: not as long as the member before it")
attest_fixture_json(refuses_a_mixed_array [=[{"a": [1, "x"]}]=]
                    "a.json: a[1]: char const* in an array of std::size_t")
attest_fixture_json(refuses_an_empty_array [=[{"a": []}]=] "a.json: a: an empty array has no type")
attest_fixture_json(refuses_an_empty_object [=[{"a": {}}]=] "a.json: a: an empty object")
attest_fixture_json(refuses_an_object_in_an_array [=[{"a": [{"b": 1}]}]=]
                    "a.json: a[0]: a value of type OBJECT is not understood here")
attest_fixture_json(refuses_a_control_character [=[{"a": "\u0001"}]=] "a.json: a: a control character")

# What must_be_refused.cmake itself must refuse: a command that succeeds, and one that says other words.
set(refuse ${CMAKE_COMMAND} -D WORDS=nothing -P ${PROJECT_SOURCE_DIR}/cmake/must_be_refused.cmake --)
attest_must_be_refused(must_be_refused.a_success "not refused with the words nothing but 0"
                       ${refuse} ${CMAKE_COMMAND} -E true)
attest_must_be_refused(must_be_refused.other_words "not refused with the words nothing but 1"
                       ${refuse} ${CMAKE_COMMAND} -E false)
