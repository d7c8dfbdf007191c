#!/usr/bin/env bash
# Executes the notebooks of examples/ with the library of this build: no cell fails, and what they
# say is what they said.
set -euo pipefail

cache() { sed -n "s/^$1:[A-Z]*=//p" "${EQUANT_BUILD:?}/CMakeCache.txt"; }
if [ -n "$(cache EQUANT_SANITIZE)" ] || [ -n "$(cache CMAKE_TOOLCHAIN_FILE)" ]; then
    echo "SKIP: notebooks run with plain native builds only"
    exit 77
fi

status=0
"${EQUANT_SOURCE:?}/docs/site/environment" "$EQUANT_BUILD" || status=$?
[ $status -ne 3 ] || exit 77
[ $status -eq 0 ] || exit 1

export OMP_NUM_THREADS=1 # other tests run beside this one
"$EQUANT_BUILD/docs/venv/bin/python" "$EQUANT_SOURCE/tools/refresh-notebooks" --check
