#!/usr/bin/env bash
# The posterior in the hands of emcee, NUTS (NumPyro, BlackJAX, PyMC), dynesty, UltraNest and nautilus:
# short runs of the examples. The planet of 1200 days is there for all of them, and their evidences
# are the same.
set -euo pipefail
examples=${EQUANT_SOURCE:?}/examples/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

source "$EQUANT_SOURCE/tests/checks/python_environment.sh"
source "$EQUANT_SOURCE/tests/checks/python_package.sh"
cd "$work"

run() {
  local name=$1
  echo "== $*"
  "$venv/bin/python" "$examples/$@" >"$work/$name.txt" 2>"$work/$name.err" ||
    { tail -n 20 "$work/$name.err" >&2; exit 1; }
  cat "$work/$name.txt"
}
# What an example has printed: a period, and ln Z with one planet.
period_of() { awk -v name="$2" '$1 == name {print $2}' "$work/$1.txt"; }
evidence_of() { awk '/^planets 1/ {print $6}' "$work/$1.txt"; }
between() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN {exit !(x > low && x < high)}'; }

for name in emcee numpyro blackjax pymc; do
  run "${name}_posterior.py" 300
  between "$(period_of "${name}_posterior.py" period_days_2)" 1190 1210
  between "$(period_of "${name}_posterior.py" period_days_1)" 75.6 75.9
done
for name in dynesty ultranest nautilus; do
  run "${name}_evidence.py" 100
  between "$(period_of "${name}_evidence.py" period_days_1)" 1195 1205
  between "$(evidence_of "${name}_evidence.py")" -1098 -1089
done
echo "seven samplers, one planet"
