#!/usr/bin/env bash
# Velocities against radvel, installed from PyPI into a folder of this build.
set -euo pipefail
venv=${EQUANT_BUILD:?}/check-radvel log=$EQUANT_BUILD/check-radvel.log
check=${EQUANT_SOURCE:?}/tests/checks/radvel_check.py
library=$EQUANT_BUILD/libequant.so

skip() { echo "SKIP: $1 (see $log)"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }

# numpy is all that radvel's orbits need of its many dependencies.
if [ ! -e "$venv/ready" ]; then
  python3 -m venv "$venv" >"$log" 2>&1 || skip "python3 cannot make virtual environments"
  "$venv/bin/pip" install --no-compile --disable-pip-version-check numpy >>"$log" 2>&1 ||
    skip "PyPI cannot be reached"
  "$venv/bin/pip" install --no-compile --disable-pip-version-check --no-deps radvel==1.6.7 >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; exit 1; }
  touch "$venv/ready"
fi
"$venv/bin/python" "$check" "$library"
