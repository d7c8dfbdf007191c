#!/usr/bin/env bash
# Builds the site of the documentation, where any warning of Sphinx is an error, and walks over the
# result: every link and anchor leads somewhere, nothing comes from a network, every name of the C
# headers and of the Python package is in the reference.
set -euo pipefail

cache() { sed -n "s/^$1:[A-Z]*=//p" "${EQUANT_BUILD:?}/CMakeCache.txt"; }
if [ -n "$(cache EQUANT_SANITIZE)" ] || [ -n "$(cache CMAKE_TOOLCHAIN_FILE)" ]; then
    echo "SKIP: the site is built with plain native builds only"
    exit 77
fi

status=0
"${EQUANT_SOURCE:?}/docs/site/environment" "$EQUANT_BUILD" || status=$?
[ $status -ne 3 ] || exit 77
[ $status -eq 0 ] || exit 1

"$EQUANT_SOURCE/docs/site/build" "$EQUANT_BUILD"
"$EQUANT_BUILD/docs/venv/bin/python" "$EQUANT_SOURCE/tests/install/site_check.py" \
    "$EQUANT_BUILD/docs/html" "$EQUANT_SOURCE/include"
