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

# A long path in a remark, which no blank breaks.
folder=observations_of_a_star_whose_folder_has_a_name_without_blanks
mkdir -p "$folder" "$pictures/path" "$pictures/sky"
grep -v '^#' star_5.csv | tail -n +2 | cut -d, -f1-3 | tr , ' ' >"$folder/velocities.txt"
"$EQUANT" fit "$folder/velocities.txt" --planets 1 --period 6:80 --max-eccentricity 0.5 --probabilities none \
  --noise white --no-pictures --out path >/dev/null
"$EQUANT" report path --no-periodograms --out path.html >/dev/null
grep -q "<li>$folder" path.html || { echo "no remark has a path"; exit 1; }
python3 "$check" "$browser" "$work/path.html" "$pictures/path" figure-velocities figure-phase-1 figure-residuals
# Astrometry.
epochs=${EQUANT_SHARED_DATA:-}/gaia/bh3
if [ -e "$epochs/epochast.dat" ]; then
  "$EQUANT" fit "$epochs/epochast.dat" "$epochs/epochrv.dat" --star-mass 0.76+-0.05 --no-pictures --out sky >/dev/null
  "$EQUANT" report sky --out sky.html >/dev/null
  python3 "$check" "$browser" "$work/sky.html" "$pictures/sky" figure-orbit figure-path figure-residuals \
    figure-velocities figure-periodogram
fi

python3 "$check" "$browser" "$work/page.html" "$pictures" "${figures[@]}"
