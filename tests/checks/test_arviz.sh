#!/usr/bin/env bash
# A file of a run as xarray and ArviZ see it.
set -euo pipefail
check=${EQUANT_SOURCE:?}/tests/checks/arviz_check.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x "${EQUANT_BUILD:?}/tests/test_run_file" ] || { echo "SKIP: this build has no tests"; exit 77; }
"$EQUANT_BUILD/tests/test_run_file" "$work/run.nc" || exit

source "$EQUANT_SOURCE/tests/checks/python_environment.sh"
"$venv/bin/python" "$check" "$work/run.nc"
