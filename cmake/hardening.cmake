# What makes a fault in memory hard to use. Linking costs nothing later: tables of addresses are read
# only once the program has begun, and it lies anywhere (a PIE). Guards of the stack and checked
# functions of the C library (FORTIFY) are for code that meets what others wrote: all of the command,
# and the readers of the library. The numerics have neither; loops there keep arrays on the stack.
include(CheckPIESupported)
check_pie_supported(OUTPUT_VARIABLE EQUANT_PIE_TROUBLE LANGUAGES C)

set(EQUANT_HARDENED_LINK "")
set(EQUANT_HARDENED_CODE "")
if(UNIX AND NOT APPLE AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT EQUANT_SANITIZE)
  set(EQUANT_HARDENED_LINK -Wl,-z,relro,-z,now)
  set(EQUANT_HARDENED_CODE -fstack-protector-strong)
  # Checked functions need an optimiser; gcc knows the third level from 12 on.
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(EQUANT_FORTIFY 2)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
      set(EQUANT_FORTIFY 3)
    endif()
    list(APPEND EQUANT_HARDENED_CODE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${EQUANT_FORTIFY})
  endif()
endif()
