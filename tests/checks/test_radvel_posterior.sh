#!/usr/bin/env bash
# Posteriors of radvel in batches: the same numbers in every basis and with every prior, and the
# example; radvel and emcee from PyPI in a folder of this build.
set -euo pipefail
venv=${EQUANT_BUILD:?}/check-radvel-posterior log=$EQUANT_BUILD/check-radvel-posterior.log

skip() { echo "SKIP: $1 (see $log)"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }

if [ ! -e "$venv/ready" ]; then
  python3 -m venv "$venv" >"$log" 2>&1 || skip "python3 cannot make virtual environments"
  "$venv/bin/pip" install --no-compile --disable-pip-version-check pytest emcee==3.1.6 radvel==1.6.7 \
    >>"$log" 2>&1 || skip "PyPI cannot be reached"
  touch "$venv/ready"
fi
source "${EQUANT_SOURCE:?}/tests/checks/python_package.sh"

"$venv/bin/python" -m pytest -q -p no:cacheprovider "$EQUANT_SOURCE/tests/python/test_radvel.py"
found=$("$venv/bin/python" "$EQUANT_SOURCE/examples/python/radvel_batched.py" 200)
echo "$found"
awk '/^radvel:/ {theirs = $2} /^equant:/ {ours = $2} /^per1/ {period = $2}
     END {exit !(theirs < 0 && (ours - theirs)^2 < 1e-14 && period > 1190 && period < 1210)}' \
  <<<"$found"
