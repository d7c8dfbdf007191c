#!/usr/bin/env bash
# The C tests, in their quick form, and the tests of the command under
# AddressSanitizer and UndefinedBehaviorSanitizer, leaks included. Any report
# ends a program with a failure.
set -euo pipefail
build=${EQUANT_BUILD:?}/check-sanitizers
command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
cmake -S "${EQUANT_SOURCE:?}" -B "$build" -DEQUANT_SANITIZE=address,undefined -DEQUANT_CUDA=OFF \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-fno-sanitize-recover=all" \
  -DCMAKE_C_FLAGS_RELEASE=-Og >"$build.log" 2>&1 &&
  cmake --build "$build" --parallel 2 >>"$build.log" 2>&1 ||
  { tail -n 40 "$build.log" >&2; exit 1; }

export EQUANT_QUICK=1 OMP_NUM_THREADS=2
export EQUANT=$build/equant EQUANT_BUILD=$build
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=99
export LSAN_OPTIONS=suppressions=$EQUANT_SOURCE/tests/checks/leaks.txt:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
bad=0 count=0

run() { # name, command...
  local name=$1 status=0
  shift
  count=$((count + 1))
  "$@" >"$build/$name.log" 2>&1 || status=$?
  if [ "$status" != 0 ] && [ "$status" != 77 ]; then
    echo "$name failed under the sanitizers:" >&2
    grep -nE 'ERROR|runtime error|SUMMARY|FAILED' "$build/$name.log" | head -n 20 >&2 ||
      tail -n 5 "$build/$name.log" >&2
    bad=1
  fi
}

for program in "$build"/tests/test_*; do
  if [ -f "$program" ] && [ -x "$program" ]; then
    run "$(basename "$program")" "$program"
  fi
done
[ "$count" -gt 0 ] || { echo "no test programs were built" >&2; exit 1; }
for script in "$EQUANT_SOURCE"/tests/cli/test_*.sh "$EQUANT_SOURCE"/tests/cli/*/test_*.sh; do
  # Millions of rows are for the optimised command.
  if [ "$(basename "$script")" != test_evaluate_stream.sh ]; then
    run "$(basename "$script" .sh)" bash "$script"
  fi
done
[ "$bad" = 0 ] && echo "$count tests ran without a report"
exit "$bad"
