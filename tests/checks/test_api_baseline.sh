#!/usr/bin/env bash
# The interface is that of tests/golden/api.txt: functions, enumerations, sizes and members of structs.
# docs/c-api.md lists the functions that are marked experimental, and no others.
set -euo pipefail
cd "${EQUANT_SOURCE:?}"
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }
case $(uname -m) in x86_64 | aarch64) ;; *) echo "SKIP: the list is of an LP64 machine"; exit 77 ;; esac

bad=0
if ! diff -u tests/golden/api.txt <(tools/list-api); then
  echo "the interface changed: lines with - are what programs relied on." >&2
  echo "If that is meant: tools/list-api > tests/golden/api.txt, and a line in CHANGELOG.md" >&2
  bad=1
fi
listed=$(sed -n '/^## Experimental functions/,/^## /p' docs/c-api.md | { grep -oE "\`equant_[a-z0-9_]+\`" || true; } | tr -d "\`" | sort)
if ! diff <(echo "$listed") <(tools/list-api --experimental); then
  echo "docs/c-api.md (<) and the headers (>) mark different functions as experimental" >&2
  bad=1
fi
[ "$bad" = 0 ] && echo "the interface is that of tests/golden/api.txt"
exit "$bad"
