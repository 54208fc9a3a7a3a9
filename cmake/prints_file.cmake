# A program prints a file of the tree, byte for byte.
# cmake -D PROGRAM=path -D FILE=path -P prints_file.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FILE} kept)
if(NOT "${printed}" STREQUAL "${kept}")
  message(FATAL_ERROR "${FILE} is not what ${PROGRAM} prints")
endif()
