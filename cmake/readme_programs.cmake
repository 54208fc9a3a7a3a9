# Cuts the programs out of a page, byte for byte, so that what it prints is what is compiled.
#
# A ```cpp block begins with // example: model.cpp and is written to OUT/model.cpp; or its lines are
# mistakes, made after the program above it, each with the words that g++ refuses it with:
#     attention_forward(params, x, mask::upper);  // ❌ some words … and some more
# Each is written to OUT/refused as a case for must_not_compile.cmake.
# cmake -D PAGE=README.md -D OUT=folder -P readme_programs.cmake
cmake_minimum_required(VERSION 3.25)

# A line of mistakes, after the program of that name.
function(write_mistake line name program)
  if(NOT line MATCHES "^(.*[^ ]) *// ❌ (.+)$")
    message(FATAL_ERROR "${PAGE}: not as in mistake;  // ❌ what the compiler says:\n ${line}")
  endif()
  set(mistake "${CMAKE_MATCH_1}")
  string(REPLACE " … " "\n// says: " words "${CMAKE_MATCH_2}")
  file(GLOB before ${OUT}/refused/${name}_*.cpp)
  list(LENGTH before count)
  file(WRITE ${OUT}/refused/${name}_${count}.cpp "// says: ${words}
${program}
void mistake() {
#ifndef REPAIRED
${mistake}
#endif
}
")
endfunction()

file(READ ${PAGE} rest)
file(REMOVE_RECURSE ${OUT})
set(name "")
set(fence "\n```cpp\n")
string(LENGTH "${fence}" fence_length)
while(TRUE)
  string(FIND "${rest}" "${fence}" start)
  if(start EQUAL -1)
    break()
  endif()
  math(EXPR start "${start} + ${fence_length}")
  string(SUBSTRING "${rest}" ${start} -1 rest)
  string(FIND "${rest}" "\n```\n" end)
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${rest}" 0 ${end} block)
  string(SUBSTRING "${rest}" ${end} -1 rest)

  if(block MATCHES "^// example: ([a-z_]+)\\.cpp\n")
    set(name ${CMAKE_MATCH_1})
    set(program "${block}")
    if(EXISTS ${OUT}/${name}.cpp)
      message(FATAL_ERROR "${PAGE}: two examples are called ${name}.cpp")
    endif()
    file(WRITE ${OUT}/${name}.cpp "${program}")
  elseif(block MATCHES "^[^\n]*❌" AND name)
    while(block MATCHES "^([^\n]*)\n(.*)$")
      set(block "${CMAKE_MATCH_2}")
      write_mistake("${CMAKE_MATCH_1}" ${name} "${program}")
    endwhile()
  else()
    message(FATAL_ERROR "${PAGE}: neither // example: model.cpp nor mistakes with ❌:\n ${block}")
  endif()
endwhile()
if(NOT name)
  message(FATAL_ERROR "${PAGE}: no example")
endif()
