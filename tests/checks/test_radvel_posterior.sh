#!/usr/bin/env bash
# Posteriors of radvel in batches: the same numbers in every basis and with every prior, and the
# example.
set -euo pipefail
source "${EQUANT_SOURCE:?}/tests/checks/python_environment.sh"
source "$EQUANT_SOURCE/tests/checks/python_package.sh"

"$venv/bin/python" -m pytest -q -p no:cacheprovider "$EQUANT_SOURCE/tests/python/test_radvel.py"
found=$("$venv/bin/python" "$EQUANT_SOURCE/examples/python/radvel_batched.py" 200)
echo "$found"
awk '/^radvel:/ {theirs = $2} /^equant:/ {ours = $2} /^per1/ {period = $2}
     END {exit !(theirs < 0 && (ours - theirs)^2 < 1e-14 && period > 1190 && period < 1210)}' \
  <<<"$found"
