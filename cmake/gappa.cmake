# Runs Gappa on SCRIPT with each FROM behind -- replaced by its TO; fails where a goal is not proved.
# cmake -D GAPPA=program -D SCRIPT=file -D OUT=file -P gappa.cmake -- [from to]…
cmake_minimum_required(VERSION 3.25)

file(READ ${SCRIPT} script)
set(place 0)
while(NOT "${CMAKE_ARGV${place}}" STREQUAL "--")
  math(EXPR place "${place} + 1")
endwhile()
math(EXPR place "${place} + 1")
while(place LESS CMAKE_ARGC)
  math(EXPR next "${place} + 1")
  string(REPLACE "${CMAKE_ARGV${place}}" "${CMAKE_ARGV${next}}" replaced "${script}")
  if(replaced STREQUAL script)
    message(FATAL_ERROR "${SCRIPT} does not say ${CMAKE_ARGV${place}}")
  endif()
  set(script "${replaced}")
  math(EXPR place "${next} + 1")
endwhile()

file(WRITE ${OUT} "${script}")
# That table_high is no zero is a hypothesis: it lies in [1, 2).
execute_process(COMMAND ${GAPPA} -Wno-null-denominator ${OUT} RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT failed EQUAL 0)
  string(REGEX REPLACE "Warning: maximum number of iterations reached.\n" "" said "${said}")
  message(FATAL_ERROR "${SCRIPT}: ${said}")
endif()
