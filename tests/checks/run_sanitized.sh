#!/usr/bin/env bash
# run_sanitized.sh programs|command PART PARTS: every PARTS-th of the C tests, in their quick form, or
# of the tests of the command under AddressSanitizer and UndefinedBehaviorSanitizer, leaks included,
# with what build_sanitized.sh has built. Any report ends a program with a failure.
set -euo pipefail
kind=$1 part=$2 parts=$3
build=${EQUANT_BUILD:?}/check-sanitizers
export EQUANT_QUICK=1 OMP_NUM_THREADS=2
export EQUANT=$build/equant EQUANT_BUILD=$build
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=99
export LSAN_OPTIONS=suppressions=${EQUANT_SOURCE:?}/tests/checks/leaks.txt:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
bad=0 count=0 TIMEFORMAT='%U + %S s of the processors'

run() { # name, command...
  local name=$1 status=0
  shift
  count=$((count + 1))
  echo "== $name"
  time "$@" >"$build/$kind-$name.log" 2>&1 || status=$?
  if [ "$status" != 0 ] && [ "$status" != 77 ]; then
    echo "$name failed under the sanitizers:" >&2
    grep -nE 'ERROR|runtime error|SUMMARY|FAILED|FAIL:' "$build/$kind-$name.log" | head -n 20 >&2 ||
      tail -n 5 "$build/$kind-$name.log" >&2
    bad=1
  fi
}

files=()
case $kind in
programs)
  for file in "$build"/tests/test_*; do
    if [ -f "$file" ] && [ -x "$file" ]; then files+=("$file"); fi
  done
  ;;
command)
  for file in "$EQUANT_SOURCE"/tests/cli/test_*.sh "$EQUANT_SOURCE"/tests/cli/*/test_*.sh; do
    # Millions of rows are for the optimised command.
    case $file in */test_evaluate_stream.sh) ;; *) files+=("$file") ;; esac
  done
  ;;
esac
for ((i = part - 1; i < ${#files[@]}; i += parts)); do
  case ${files[i]} in
  *.sh) run "$(basename "${files[i]}" .sh)" bash "${files[i]}" ;;
  *) run "$(basename "${files[i]}")" "${files[i]}" ;;
  esac
done
[ "$count" -gt 0 ] || { echo "there are no tests to run" >&2; exit 1; }
[ "$bad" = 0 ] && echo "$count tests ran without a report"
exit "$bad"
