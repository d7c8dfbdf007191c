#!/usr/bin/env bash
# The posterior in the hands of emcee, dynesty, UltraNest and nautilus: short runs of the examples,
# with the packages from PyPI in a folder of this build. The planet of 1200 days is there for
# all of them, and their evidences are the same.
set -euo pipefail
venv=${EQUANT_BUILD:?}/check-samplers log=$EQUANT_BUILD/check-samplers.log
examples=${EQUANT_SOURCE:?}/examples/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "SKIP: $1 (see $log)"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }

if [ ! -e "$venv/ready" ]; then
  python3 -m venv "$venv" >"$log" 2>&1 || skip "python3 cannot make virtual environments"
  "$venv/bin/pip" install --no-compile --disable-pip-version-check emcee==3.1.6 dynesty==3.1.0 \
    ultranest==4.6.3 nautilus-sampler==1.0.6 >>"$log" 2>&1 || skip "PyPI cannot be reached"
  touch "$venv/ready"
fi
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

run emcee_posterior.py 300
between "$(period_of emcee_posterior.py period_days_2)" 1190 1210
between "$(period_of emcee_posterior.py period_days_1)" 75.6 75.9
for name in dynesty ultranest nautilus; do
  run "${name}_evidence.py" 100
  between "$(period_of "${name}_evidence.py" period_days_1)" 1195 1205
  between "$(evidence_of "${name}_evidence.py")" -1098 -1089
done
echo "four samplers, one planet"
