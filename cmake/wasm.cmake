# Cross compilation for browsers: WebAssembly over WASI, with clang and the C library of Zig, which
# web/install-toolchain fetches. The result runs in web/page/wasi.js.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}) # Platform/WASI.cmake, for CMake before 3.31
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(EQUANT_WASM_TOOLCHAIN ${CMAKE_CURRENT_LIST_DIR}/../build-wasm/toolchain CACHE PATH "Where web/install-toolchain put it")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES EQUANT_WASM_TOOLCHAIN)
set(CMAKE_C_COMPILER ${EQUANT_WASM_TOOLCHAIN}/bin/wasm-cc)
set(CMAKE_AR ${EQUANT_WASM_TOOLCHAIN}/bin/wasm-ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${EQUANT_WASM_TOOLCHAIN}/bin/wasm-ranlib CACHE FILEPATH "")
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
set(wasi ${CMAKE_CURRENT_LIST_DIR}/../web/wasi)
# Of signals there is one type.
string(CONCAT CMAKE_C_FLAGS_INIT "-mcpu=generic+simd128 -fno-sanitize=undefined -D_WASI_EMULATED_SIGNAL "
  "-isystem ${CMAKE_CURRENT_LIST_DIR}/../third_party")
set(RANDOM123_INCLUDE_DIR ${wasi}/include CACHE PATH "Before the one in third_party")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608 -Wl,--strip-all")
# Its threads are names alone: pthread_create refuses, and loops run on the caller's thread.
set(CMAKE_HAVE_LIBC_PTHREAD TRUE)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
