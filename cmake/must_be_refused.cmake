# Runs a command that must fail and say WORDS: so a test of the house is seen to fail.
# cmake -D WORDS=text -P must_be_refused.cmake -- command…
cmake_minimum_required(VERSION 3.25)

set(started FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(started)
    string(APPEND command " [==[${CMAKE_ARGV${index}}]==]")  # no list: an argument may hold ; and [
  elseif(CMAKE_ARGV${index} STREQUAL "--")
    set(started TRUE)
  endif()
endforeach()
cmake_language(EVAL CODE "execute_process(COMMAND ${command} RESULT_VARIABLE failed
                                          OUTPUT_QUIET ERROR_VARIABLE said)")
string(REGEX REPLACE "[ \n]+" " " said "${said}")  # CMake breaks its messages into lines
string(FIND "${said}" "${WORDS}" position)
if(failed EQUAL 0 OR position EQUAL -1)
  message(FATAL_ERROR "not refused with the words\n ${WORDS}\nbut ${failed}:\n ${said}")
endif()
