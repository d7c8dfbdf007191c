#!/usr/bin/env bash
# Every digit that a command prints on the pages is one that it prints: the commands of all pages
# run again, and only times, speeds and names of backends may differ.
set -euo pipefail

cache() { sed -n "s/^$1:[A-Z]*=//p" "${EQUANT_BUILD:?}/CMakeCache.txt"; }
if [ -n "$(cache EQUANT_SANITIZE)" ] || [ -n "$(cache CMAKE_TOOLCHAIN_FILE)" ]; then
    echo "SKIP: pages are compared with plain native builds only"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    echo "SKIP: python3 is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"${EQUANT:?}" sample --demo --planets 0 --max-steps 10 --out "$work/run" >/dev/null 2>&1 || status=$?
if [ $status -eq 3 ]; then
    echo "SKIP: this build has no NetCDF, which the pages use"
    exit 77
fi
status=0
"$EQUANT" nights --site Keck --ra 10 --dec 20 --start 2026-11-16 --end 2026-11-16 >/dev/null 2>&1 || status=$?
if [ $status -eq 3 ]; then
    echo "SKIP: this build has no ERFA, which the pages use"
    exit 77
fi
BUILD=$(dirname "$EQUANT") "${EQUANT_SOURCE:?}/tools/refresh-docs" --check
