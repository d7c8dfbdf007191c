# Flags that every target of this project is compiled with.
#
# -ffp-contract=off: a formula means the same on every machine; where a fused
# multiply-add is wanted the source says so. -fno-math-errno lets sqrt be one
# instruction; it changes no value.
add_library(equant_flags INTERFACE)
target_compile_options(equant_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
  -ffp-contract=off -fno-math-errno>)
if(EQUANT_WERROR)
  target_compile_options(equant_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
if(EQUANT_SANITIZE)
  target_compile_options(equant_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-fsanitize=${EQUANT_SANITIZE} -fno-omit-frame-pointer -g1>)
  # Sizes of objects are AddressSanitizer's business, which knows all of them and not only those that
  # the compiler sees; looking twice takes a fifth of the time of compiling.
  if(EQUANT_SANITIZE MATCHES "address" AND EQUANT_SANITIZE MATCHES "undefined")
    target_compile_options(equant_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fno-sanitize=object-size>)
  endif()
  # libFuzzer hears only of what ends the program. Conversions of numbers that do not fit are none of
  # "undefined", and give indices from nowhere.
  if(EQUANT_FUZZ)
    target_compile_options(equant_flags INTERFACE
      $<$<COMPILE_LANGUAGE:C>:-fsanitize=float-cast-overflow -fno-sanitize-recover=all>)
  endif()
  target_link_options(equant_flags INTERFACE -fsanitize=${EQUANT_SANITIZE})
endif()
