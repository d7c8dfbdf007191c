#!/usr/bin/env bash
# equant priors: what it writes, `equant sample --priors` reads, to the same draws.
source "$(dirname "$0")/lib.sh"

expect_code 0 priors --sets
for set in ford-gregory kipping circular eprv3; do
    expect_text "$set"
done

expect_code 0 priors --demo --planets 2 --trend linear --prior-set kipping
cp "$work/out" "$work/priors.yaml"
expect_text "set: kipping"
expect_text "  - period_days: log-uniform(1, 365250)"
expect_text "    eccentricity: beta(0.867, 3.03, 0, 1)"
expect_text "trend_m_s_day: uniform("
expect_equal "planets" 2 "$(grep -c period_days "$work/priors.yaml")"

simulated=$work/star.csv
"$EQUANT" simulate --orbits "$here/fixtures/search_planet.csv" --start 2455000 --n-obs 30 --cadence 4.3 \
    --noise 2 --seed 5 >"$simulated"
expect_code 0 priors "$simulated"
cp "$work/out" "$work/star.yaml"
settings=(--planets 1 --max-steps 450 --walkers 40 --json)
expect_code 0 sample "$simulated" "${settings[@]}"
json 'it["quantities"]' >"$work/by_default"
code=0
"$EQUANT" sample "$simulated" "${settings[@]}" --priors "$work/star.yaml" >"$work/out" 2>"$work/err" || code=$?
if grep -q 'built without' "$work/err"; then
    echo "this build reads no YAML: the way back is not tested"
else
    expect_equal "exit code with the file" 0 "$code"
    expect_equal "draws with the file" "$(cat "$work/by_default")" "$(json 'it["quantities"]')"
fi

expect_code 2 priors
expect_error 2 "equant: --sets lists sets of priors for any data; leave 'x=3' out" priors --sets x=3
expect_error 2 "equant: --sets lists sets of priors for any data; leave --demo out" priors --sets --demo
expect_error 1 "*there is no set of priors*" priors --demo --prior-set nobody
expect_code 2 priors --demo --planets 101
finish
