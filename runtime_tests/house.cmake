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
