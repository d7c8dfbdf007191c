#!/usr/bin/env bash
# Builds the C tests and the command with AddressSanitizer and UndefinedBehaviorSanitizer, for the
# tests named sanitizers_*. The first report ends a program. Lightly optimised, which takes no longer to
# compile than not at all and a fifth less to run; one library for all programs, which is linked once.
set -euo pipefail
build=${EQUANT_BUILD:?}/check-sanitizers
exec 9>"$build.lock" # whoever builds there at the same time waits
flock 9
command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
cmake -S "${EQUANT_SOURCE:?}" -B "$build" -DEQUANT_SANITIZE=address,undefined -DEQUANT_CUDA=OFF -DEQUANT_OPEN=ON \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-fno-sanitize-recover=all" \
  -DCMAKE_C_FLAGS_RELEASE=-O1 >"$build.log" 2>&1 &&
  cmake --build "$build" --parallel "$(nproc)" --target equant equant_test_programs >>"$build.log" 2>&1 ||
  { tail -n 40 "$build.log" >&2; exit 1; }
