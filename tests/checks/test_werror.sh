#!/usr/bin/env bash
# Everything, tests included, compiles without a warning. Lightly optimised: that
# is quick, and enough for the compiler to see what flows where.
set -euo pipefail
if grep -q '^EQUANT_WERROR:BOOL=ON' "${EQUANT_BUILD:?}/CMakeCache.txt"; then
  echo "no warnings: this build would have stopped at the first"
  exit 0
fi
build=$EQUANT_BUILD/check-werror
command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
cmake -S "${EQUANT_SOURCE:?}" -B "$build" -DEQUANT_WERROR=ON -DEQUANT_CUDA=OFF -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_FLAGS_RELEASE=-O1 >"$build.log" 2>&1 &&
  cmake --build "$build" --parallel 2 >>"$build.log" 2>&1 ||
  { tail -n 40 "$build.log" >&2; exit 1; }
echo "no warnings"
