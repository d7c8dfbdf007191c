#!/usr/bin/env bash
# What cmake/hardening.cmake promises of the command and the library that users get: addresses that
# are read only, all of them resolved at the start, a place in memory that changes, guards of the
# stack, and checked functions of the C library.
set -euo pipefail
command -v readelf >/dev/null || { echo "SKIP: readelf is not installed"; exit 77; }
grep -q '^CMAKE_BUILD_TYPE:STRING=Debug' "${EQUANT_BUILD:?}/CMakeCache.txt" &&
  { echo "SKIP: a build for the debugger is not hardened"; exit 77; }
[ "$(uname -s)" = Linux ] || { echo "SKIP: not on Linux"; exit 77; }
bad=0
complain() { echo "$1" >&2; bad=1; }

for file in "${EQUANT:?}" "$EQUANT_BUILD/libequant.so"; do
  about=$(readelf -W --file-header --program-headers --dynamic "$file")
  symbols=$(readelf -W --dyn-syms "$file")
  grep -q GNU_RELRO <<<"$about" || complain "$file: no GNU_RELRO"
  grep -qE '\(FLAGS(_1)?\).*NOW' <<<"$about" || complain "$file: addresses are not resolved at the start"
  grep -qE 'Type: +DYN' <<<"$about" || complain "$file: its place in memory is always the same"
  grep -qE 'GNU_STACK.* RWE ' <<<"$about" && complain "$file: its stack can be executed"
  grep -q __stack_chk_fail <<<"$symbols" || complain "$file: no guards of the stack"
  grep -qE '__[a-z]+_chk@' <<<"$symbols" || complain "$file: no checked functions"
done
exit "$bad"
