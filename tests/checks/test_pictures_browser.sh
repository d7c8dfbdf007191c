#!/usr/bin/env bash
# Pictures of fit, search and sample in a real browser: no text lies on another, and none reaches
# beyond the picture; of small stars and of known ones, where their data are.
set -euo pipefail
: "${EQUANT:?}" "${EQUANT_SOURCE:?}" "${EQUANT_SHARED_DATA:?}"
check=$EQUANT_SOURCE/tests/checks/picture_browser_check.py

skip() { echo "SKIP: $1"; exit 77; }
command -v python3 >/dev/null || skip "python3 is not installed"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "there is no Chromium here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# draw NAME PLANETS PERIODS FILE...: all pictures of a star, in the folder NAME.
draw() {
  local name=$1 planets=$2 periods=$3 start=()
  shift 3
  [ "$planets" = 0 ] || start=(--start "$name/fit.json")
  "$EQUANT" fit "$@" --planets "$planets" --period "$periods" --max-eccentricity 0.5 --format svg --out "$name" >/dev/null
  "$EQUANT" search "$@" --period "$periods" --circular --format svg --out "$name" >/dev/null
  "$EQUANT" sample "$@" --planets "$planets" "${start[@]}" --walkers 60 --burn-in 100 \
    --max-steps 400 --min-ess 1e9 --format svg --out "$name" >/dev/null 2>err ||
    grep -q "built without NetCDF" err || { cat err; exit 1; }
}

# Many instruments with long names, and planets whose periods are close to each other.
planets=$EQUANT_SOURCE/tests/cli/fixtures/search_planets.csv
for seed in 5 6 7 8 9; do
  "$EQUANT" simulate --orbits "$planets" --start 2460000 --n-obs 40 --cadence 3 --jitter-times \
    --noise 2 --t-ref 2460060 --seed $seed --instrument "spectrograph-of-tower-$seed" \
    --out "star_$seed.csv"
done
draw towers 2 6:80 star_*.csv
draw empty 0 6:80 star_5.csv
if [ -d "$EQUANT_SHARED_DATA" ]; then
  draw hd164922 1 1000:1400 --demo
  draw 51peg 1 4:5 "$EQUANT_SHARED_DATA/kima/51Peg.rv"
  draw k2-24 1 15:60 "$EQUANT_SHARED_DATA/radvel/epic203771098.csv"
else
  echo "SKIP: the pictures of 51 Peg and K2-24: $EQUANT_SHARED_DATA is missing"
  [ -z "${EQUANT_REQUIRE_DATA:-}" ] || exit 1
fi
python3 "$check" "$browser" ./*/*.svg
