#!/usr/bin/env bash
# A file of a run as xarray and ArviZ see it; both installed from PyPI into a folder of this
# build.
set -euo pipefail
venv=${EQUANT_BUILD:?}/check-arviz log=$EQUANT_BUILD/check-arviz.log
check=${EQUANT_SOURCE:?}/tests/checks/arviz_check.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "SKIP: $1 (see $log)"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }
[ -x "$EQUANT_BUILD/tests/test_run_file" ] || { echo "SKIP: this build has no tests"; exit 77; }
"$EQUANT_BUILD/tests/test_run_file" "$work/run.nc" || exit

if [ ! -e "$venv/ready" ]; then
  python3 -m venv "$venv" >"$log" 2>&1 || skip "python3 cannot make virtual environments"
  "$venv/bin/pip" install --no-compile --disable-pip-version-check arviz==0.23.4 netcdf4 >>"$log" 2>&1 ||
    skip "PyPI cannot be reached"
  touch "$venv/ready"
fi
"$venv/bin/python" "$check" "$work/run.nc"
