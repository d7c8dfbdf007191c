#!/usr/bin/env bash
# Where results go: names of any length, nothing of anybody else's overwritten.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planet.csv 5
fit=(fit star.csv "${quick[@]}" --planets 1 --no-pictures)
expect_code 0 "${fit[@]}" --out result

# name N: a name of N bytes.
name() { printf "%0$1d" 1; }

# --- Names of any length, and what stands beside them --------------------------------
short=$(name 127)
long=$short$(name 14)
echo precious >"$short"
expect_code 0 report result --no-periodograms --out "$long"
expect_equal "a file whose name begins the same" precious "$(cat "$short")"
expect_equal "a page" 1 "$(grep -ci '^<!doctype html>' "$long")"
expect_code 0 report result --no-periodograms --out "$(name 255)"
expect_error 1 "equant: *: File name too long" report result --no-periodograms --out "$(name 256)"

echo precious >victim
mkdir planted
for file in fit.json origin.json residuals.ecsv; do
    ln -s ../victim "planted/$file.part"
done
expect_code 0 "${fit[@]}" --out planted
expect_equal "what a planted link leads to" precious "$(cat victim)"
expect_equal "a planted link" ../victim "$(readlink planted/fit.json.part)"
ln -s ../victim planted/curve.link && mv planted/curve.link planted/curve.ecsv
expect_code 0 "${fit[@]}" --out planted
expect_equal "what a link in the folder leads to" precious "$(cat victim)"
expect_equal "nothing is left over" "" "$(find . -name '.equant-*')"
finish
