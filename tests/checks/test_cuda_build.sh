#!/usr/bin/env bash
# The GPU backend compiles, links and says what its failures mean, where there is nvcc but no GPU
# for which the tests themselves would build it.
set -euo pipefail
command -v nvcc >/dev/null || { echo "SKIP: there is no nvcc"; exit 77; }
if grep -q backends/cuda "${EQUANT_BUILD:?}/compile_commands.json"; then
  echo "SKIP: the tests are built with the GPU backend already"
  exit 77
fi
build=$EQUANT_BUILD/check-cuda
command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
# That it compiles is the question, not how fast it is: few optimisations, where nvcc knows how.
flags=
[[ $(nvcc --help) != *--Ofast-compile* ]] || flags=--Ofast-compile=max
cmake -S "${EQUANT_SOURCE:?}" -B "$build" -DEQUANT_WERROR=ON -DEQUANT_CUDA=ON \
  -DEQUANT_CUDA_ARCHITECTURE=sm_90 -DCMAKE_CUDA_FLAGS="$flags" >"$build.log" 2>&1 &&
  cmake --build "$build" --parallel 2 --target test_failure test_slow_double test_random_device \
    >>"$build.log" 2>&1 ||
  { tail -n 40 "$build.log" >&2; exit 1; }
"$build/tests/test_failure"
"$build/tests/test_slow_double"
