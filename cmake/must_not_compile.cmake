# A case of static_checks/must_not_compile: a mistake, and the words with which a compiler must refuse it.
#
#   // says: TEXT            stands within the first six lines of the diagnostic; at least one
#   // says(gcc): TEXT       the same where the compilers' words differ; also says(clang)
#   // flags: -ffast-math    flags for the mistake only, instead of a token
#   // unseen(clang): WHY    this compiler cannot see the mistake: the case is skipped
#   #ifdef REPAIRED          around the one token in which the repaired twin differs; it must compile
#
# The compiler echoes no source lines, and file names are cut out of what it says, so that neither a
# comment of the case nor its name can be what says TEXT.
# cmake -D CASE=file -D COMPILER=g++ -D COMPILER_ID=GNU|Clang -D INCLUDES=list -P must_not_compile.cmake
cmake_minimum_required(VERSION 3.25)

set(words_of_GNU gcc)
set(words_of_Clang clang)
set(no_echo_GNU -fno-diagnostics-show-caret)
set(no_echo_Clang -fno-caret-diagnostics)

file(READ ${CASE} rest)
set(rest "\n${rest}")
set(texts 0)
while(rest MATCHES "\n// (says|flags|unseen)(\\(([^)\n]*)\\))?: ([^\n]+)(.*)")
  set(rest "${CMAKE_MATCH_5}")
  set(text_${texts} "${CMAKE_MATCH_4}")
  if("${CMAKE_MATCH_1}" STREQUAL "flags")
    separate_arguments(flags UNIX_COMMAND "${CMAKE_MATCH_4}")
  elseif("${CMAKE_MATCH_3}" STREQUAL "" OR "${CMAKE_MATCH_3}" STREQUAL "${words_of_${COMPILER_ID}}")
    if("${CMAKE_MATCH_1}" STREQUAL "unseen")
      message("skipped: ${CMAKE_MATCH_4}")
      return()
    endif()
    math(EXPR texts "${texts} + 1")
  endif()
endwhile()
if(texts EQUAL 0)
  message(FATAL_ERROR "${CASE} has no line that begins with // says: so any error would pass")
endif()

set(ENV{LC_ALL} C)  # quotes as 'upper'
list(TRANSFORM INCLUDES PREPEND -I)
set(compile ${COMPILER} -std=c++20 -fsyntax-only ${no_echo_${COMPILER_ID}} ${INCLUDES} ${CASE})

execute_process(COMMAND ${compile} -DREPAIRED RESULT_VARIABLE failed ERROR_VARIABLE diagnostic)
if(NOT failed EQUAL 0)
  message(FATAL_ERROR "${CASE}: the repaired twin does not compile:\n ${diagnostic}")
endif()

execute_process(COMMAND ${compile} ${flags} RESULT_VARIABLE failed ERROR_VARIABLE diagnostic)
if(failed EQUAL 0)
  message(FATAL_ERROR "${CASE}: the mistake compiles")
endif()
string(REGEX MATCH "^([^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*\n?[^\n]*)" head "${diagnostic}")
string(REGEX REPLACE "[^ \n]*\\.[ch]pp" "" head "${head}")
math(EXPR last "${texts} - 1")
foreach(index RANGE ${last})
  string(FIND "${head}" "${text_${index}}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${CASE}: the first six lines do not say\n  ${text_${index}}\nbut\n ${diagnostic}")
  endif()
endforeach()
