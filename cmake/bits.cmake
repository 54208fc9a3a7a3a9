# Compiles a program by itself, runs it, and holds what it prints to what the build's own program
# prints. What this machine has not is named in a line "skipped: …"; anything else that goes wrong fails.
#
#   SOURCE, INCLUDES   the program
#   BEFORE             a folder to be included before INCLUDES, or nothing
#   COMPILER, FLAGS    with what; FLAGS as one would type them
#   FEATURES           what the processor must have, by its names in /proc/cpuinfo
#   ARCH               another processor: Debian's cross compiler's libraries, and qemu-ARCH
#   OWN                the build's own program
#   OUT                where the program may be written
# cmake -D SOURCE=… -P bits.cmake
cmake_minimum_required(VERSION 3.25)

set(programs ${COMPILER})
if(ARCH)
  list(APPEND programs ${ARCH}-linux-gnu-g++ qemu-${ARCH})  # clang too takes the former's libraries
  set(emulator qemu-${ARCH} -L /usr/${ARCH}-linux-gnu)
endif()
foreach(program IN LISTS programs)
  unset(found)
  find_program(found ${program} NO_CACHE)
  if(NOT found)
    list(APPEND missing "${program} is not installed")
  endif()
endforeach()

if(FEATURES AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo has REGEX "^flags" LIMIT_COUNT 1)
endif()
separate_arguments(FEATURES)
foreach(feature IN LISTS FEATURES)
  if(NOT "${has} " MATCHES " ${feature} ")
    list(APPEND missing "the processor has no ${feature}")
  endif()
endforeach()

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
if(NOT missing AND "-stdlib=libc++" IN_LIST flags)
  execute_process(COMMAND ${COMPILER} -stdlib=libc++ -x c++ -include version -E /dev/null
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed EQUAL 0)
    list(APPEND missing "libc++ for ${COMPILER} is not installed")
  endif()
endif()
if(missing)
  list(JOIN missing ", " missing)
  message("skipped: ${missing}")
  return()
endif()

list(PREPEND INCLUDES ${BEFORE})
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(COMMAND ${COMPILER} -std=c++20 ${flags} ${INCLUDES} ${SOURCE} -pthread -o ${OUT}
                RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT failed EQUAL 0)
  message(FATAL_ERROR "${COMPILER} ${FLAGS} does not compile it:\n${said}")
endif()
execute_process(COMMAND ${OWN} OUTPUT_VARIABLE expected COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${emulator} ${OUT} RESULT_VARIABLE failed OUTPUT_VARIABLE printed
                ERROR_VARIABLE said)
file(REMOVE ${OUT})
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "other bits than the build's own. It prints\n${printed}but the build's own\n${expected}")
elseif(NOT failed EQUAL 0 OR NOT printed MATCHES "^[^\n]+\n")
  message(FATAL_ERROR "${emulator} ${OUT} fails (${failed}) after\n${printed}${said}")
endif()
string(REGEX MATCH "[^\n]+\n$" last "${printed}")
message("${last}")
