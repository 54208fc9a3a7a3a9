# Sets `result` to the command that holds a case to must_not_compile.cmake.
function(attest_must_not_compile case result)
  set(${result}
      ${CMAKE_COMMAND} -D CASE=${case} -D COMPILER=${CMAKE_CXX_COMPILER} -D
      COMPILER_ID=${CMAKE_CXX_COMPILER_ID} -D
      INCLUDES=$<TARGET_PROPERTY:attest.recorded,INTERFACE_INCLUDE_DIRECTORIES> -P
      ${PROJECT_SOURCE_DIR}/cmake/must_not_compile.cmake
      PARENT_SCOPE)
endfunction()

# A test that a command fails and says `words`: so a check is seen to fail.
function(attest_must_be_refused name words)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D "WORDS=${words}" -P
                                ${PROJECT_SOURCE_DIR}/cmake/must_be_refused.cmake -- ${ARGN})
endfunction()

# Writes a header of the library, with a fault in place of `text`, into `folder`. Included before the
# library's own, it shows that a check sees the fault.
function(attest_faulty_header header text fault folder)
  set(right ${PROJECT_SOURCE_DIR}/include/${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${right})
  file(READ ${right} content)
  string(REPLACE "${text}" "${fault}" faulty "${content}")
  if(faulty STREQUAL content)
    message(FATAL_ERROR "${right} does not say ${text}")
  endif()
  file(WRITE ${folder}/${header} "${faulty}")
endfunction()
