#!/usr/bin/env bash
# Builds the library for 64-bit ARM, runs its backends under qemu, and compares
# hashes of their results with those of this machine.
set -euo pipefail
source_dir=${EQUANT_SOURCE:?} build=${EQUANT_BUILD:?}/check-neon
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
  if ! command -v "$tool" >/dev/null; then
    echo "SKIP: $tool is not installed (Debian: gcc-aarch64-linux-gnu, qemu-user)"
    exit 77
  fi
done
mkdir -p "$build"

# Random123 is headers alone. A link to it, because the folder that holds it
# holds this machine's C library headers too.
random123=$(sed -n 's/^RANDOM123_INCLUDE_DIR:[^=]*=//p' "$EQUANT_BUILD/CMakeCache.txt")
mkdir -p "$build/include"
ln -sfn "$random123/Random123" "$build/include/Random123"

command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
# Bits do not depend on the level of optimisation, the time of compiling does.
cmake -S "$source_dir" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$source_dir/cmake/aarch64.cmake" \
  -DRANDOM123_INCLUDE_DIR="$build/include" -DEQUANT_TESTS=OFF -DCMAKE_C_FLAGS_RELEASE=-O1 >"$build/build.log" 2>&1 &&
  cmake --build "$build" --parallel 2 --target equant_static >>"$build/build.log" 2>&1 ||
  { tail -n 40 "$build/build.log" >&2; exit 1; }

link_check() { # compiler library output
  "$1" -std=gnu11 -O1 -ffp-contract=off -pthread -I"$source_dir/include" -I"$source_dir/tests" \
    "$source_dir/tests/checks/neon_check.c" "$source_dir/tests/oracle/random_system.c" "$2" \
    -Wl,-rpath,"${2%/*}" -lm -o "$3"
}
link_check "${CC:-cc}" "$EQUANT_BUILD/libequant.so" "$build/check-here"
link_check aarch64-linux-gnu-gcc "$build/libequant.a" "$build/check-aarch64"

"$build/check-here" >"$build/here.txt" 2>"$build/here.backends"
qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/check-aarch64" >"$build/aarch64.txt" 2>"$build/aarch64.backends"
echo "here: $(cat "$build/here.backends"); under qemu: $(cat "$build/aarch64.backends")"
grep -q cpu/neon "$build/aarch64.backends" || { echo "cpu/neon did not run" >&2; exit 1; }
cat "$build/aarch64.txt"
diff "$build/here.txt" "$build/aarch64.txt" >&2 || { echo "results differ" >&2; exit 1; }
echo "same bits on both machines"
