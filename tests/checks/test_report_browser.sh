#!/usr/bin/env bash
# Pages of `equant report` in a real browser: on a desk, by night, on a phone and on paper. No word
# on the console, every figure drawn and visible, nothing wider than the window, no other file
# asked for. The screenshots stay in the build folder, to be looked at.
set -euo pipefail
: "${EQUANT:?}" "${EQUANT_SOURCE:?}" "${EQUANT_BUILD:?}"
check=$EQUANT_SOURCE/tests/checks/report_browser_check.py
pictures=$EQUANT_BUILD/report-screenshots

skip() { echo "SKIP: $1"; exit 77; }
command -v python3 >/dev/null || skip "python3 is not installed"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "there is no Chromium here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

planets=$EQUANT_SOURCE/tests/cli/fixtures/search_planets.csv
for seed in 5 6; do
  "$EQUANT" simulate --orbits "$planets" --start 2460000 --n-obs 60 --cadence 2 --jitter-times \
    --noise 2 --t-ref 2460060 --seed $seed --instrument "tower-$seed" --out "star_$seed.csv"
done
"$EQUANT" fit star_5.csv star_6.csv --t-ref 2460060 --period 6:80 --max-eccentricity 0.5 \
  --star-mass 1 --no-pictures --out star >/dev/null
figures=(figure-velocities figure-phase-1 figure-phase-2 figure-probabilities figure-periodograms figure-residuals)
if "$EQUANT" sample star_5.csv star_6.csv --planets 2 --start "$planets" --star-mass 1 \
  --max-steps 800 --no-pictures --out star >/dev/null 2>err; then
  figures+=(figure-corner figure-next)
else
  grep -q "built without NetCDF" err || { cat err; exit 1; }
fi
"$EQUANT" report star --out page.html >/dev/null

mkdir -p "$pictures"
python3 "$check" "$browser" "$work/page.html" "$pictures" "${figures[@]}"
