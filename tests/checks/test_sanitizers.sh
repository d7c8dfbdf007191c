#!/usr/bin/env bash
# The C tests under AddressSanitizer and UndefinedBehaviorSanitizer, leaks
# included, in their quick form. Any report ends a test program.
set -euo pipefail
build=${EQUANT_BUILD:?}/check-sanitizers
command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
cmake -S "${EQUANT_SOURCE:?}" -B "$build" -DEQUANT_SANITIZE=address,undefined \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-fno-sanitize-recover=all" \
  -DCMAKE_C_FLAGS_RELEASE=-Og >"$build.log" 2>&1 &&
  cmake --build "$build" --parallel 2 >>"$build.log" 2>&1 ||
  { tail -n 40 "$build.log" >&2; exit 1; }

export EQUANT_QUICK=1 OMP_NUM_THREADS=2
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1
bad=0 count=0
for program in "$build"/tests/test_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  name=$(basename "$program")
  count=$((count + 1))
  if ! "$program" >"$build/$name.log" 2>&1; then
    echo "$name failed under the sanitizers:" >&2
    grep -nE 'ERROR|runtime error|SUMMARY|FAILED|FAILURE' "$build/$name.log" | head -n 20 >&2 || true
    bad=1
  fi
done
[ "$count" -gt 0 ] || { echo "no test programs were built" >&2; exit 1; }
[ "$bad" = 0 ] && echo "$count test programs ran without a report"
exit "$bad"
