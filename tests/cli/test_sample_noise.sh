#!/usr/bin/env bash
# equant sample --noise: parameters of noise in tables, files and on the page; a run that goes on; the
# priors of noise written and read again; what cannot be meant.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

printf 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1\n8.3,6,0.1,120,45\n' >orbit.csv
"$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 60 --cadence 2.5 --jitter-times \
    --noise 'mep(amplitude=4,period=25,decay=50,width=0.5)' --white 1 --seed 3 --out star.csv ||
    fail "equant simulate"

words='exponential,rotation(period=20:30)'
expect_code 0 priors star.csv --noise "$words" --prior-set circular
cp out priors.yaml
expect_text "  - parameter: mep_period_days"
expect_text "    prior: log-uniform(20, 30)"
expect_text "    prior: turns(1, 4)"

settings=(star.csv --planets 1 --start orbit.csv --noise "$words" --walkers 32 --populations 2 --seed 4
          --json)
expect_code 0 sample "${settings[@]}" --prior-set circular --max-steps 440
json 'it["quantities"]' >whole
for name in exponential_amplitude_m_s exponential_decay_days mep_period_days mep_decay_days mep_width; do
    expect_text "\"$name\""
done
"$EQUANT" sample "${settings[@]}" --priors priors.yaml --max-steps 440 >out 2>err
if ! grep -q 'built without' err; then
    expect_equal "draws with the file of priors" "$(cat whole)" "$(json 'it["quantities"]')"
fi

expect_error 2 "*there is no term 'spots'*" sample star.csv --planets 0 --noise spots
expect_error 1 "*what a fit chooses*" sample star.csv --planets 0 --noise auto
expect_error 1 "*not integrated out*" sample star.csv --planets 0 --noise rotation --marginalise-offsets

"$EQUANT" sample "${settings[@]}" --prior-set circular --max-steps 420 --out run --no-pictures >out 2>err
if grep -q 'built without' err; then
    echo "this build writes no runs: files and pages are not tested"
    finish
fi
expect_code 0 sample --resume run --max-steps 440 --json
expect_equal "draws of a run that was stopped" "$(cat whole)" "$(json 'it["quantities"]')"
expect_code 0 report run --out page.html
n_checks=$((n_checks + 1))
grep -q 'The rotation period of the star is 2[0-9]' page.html || fail "the page does not say in how many days the star turns"
finish
