#!/usr/bin/env bash
# Observations and nights that the rest does not predict: what a fit says of them in text and JSON, and
# that they make no planets.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# simulate FILE ORBIT SEED: 60 observations of a star with one planet, P,K,e,omega,M0.
simulate() {
    printf 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1\n%s\n' "$2" >orbit.csv
    "$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 60 --cadence 5 --jitter-times \
        --noise 2 --seed "$3" --out "$1" || fail "equant simulate"
}
rows() { json '[o["rows"] for o in it["outliers"]]'; }

# --- Bad observations make no planet ------------------------------------------------
simulate quiet.csv 13.7,0.001,0.1,120,45 2
awk -F, -v OFS=, 'NR==12 || NR==30 || NR==47 { $2 += 18 } { print }' quiet.csv >bad.csv
expect_code 0 fit bad.csv --json --outliers none
expect_equal "believed, they are a candidate of high eccentricity" "0 True []" "$(json '"%d %s %s" % (
    len(it["planets"]), it["candidate"]["eccentricity"] > 0.8, it["outliers"])')"
expect_code 0 fit bad.csv --out folder --no-pictures
cp out text
cp folder/fit.json out
expect_equal "no planet" 0 "$(json 'len(it["planets"])')"
expect_equal "their rows" "[[10], [28], [45]]" "$(rows)"
expect_equal "what they are" "observation simulated True True" "$(json '"%s %s %s %s" % (
    it["outliers"][0]["unit"], it["outliers"][0]["instrument"],
    abs(it["outliers"][0]["time"] - 2460050) < 5,
    all(abs(o["deviation_m_s"] - 18) < 6 and abs(o["widening_m_s"] - 18) < 6 and
        abs(o["deviation_sigma"] * o["expected_m_s"] - o["deviation_m_s"]) < 1e-9
        for o in it["outliers"]))')"
cp out auto.json
if in_full; then
    expect_code 0 fit bad.csv --json --threads 2
    expect_equal "on any number of threads" "" "$(cmp auto.json out)"
fi
cp text out
expect_text "observation of JD 2460047.810: +"
expect_text "error inflated to"
expect_equal "lines that are too long" 0 "$(grep 'prediction\|inflated' "$work/out" | grep -c '.\{83\}')"
if in_full; then
    expect_code 0 fit bad.csv --json --outliers 0.05
    expect_equal "with a share" "0 True" "$(json '"%d %s" % (len(it["planets"]), len(it["outliers"]) >= 3)')"
fi
expect_code 0 report folder --no-periodograms
n_checks=$((n_checks + 1))
grep -q 'observation of JD 2460047.810' folder/report.html || fail "the page lacks an outlier"
grep -q 'class="dot open' folder/report.html || fail "no open mark on the page"
expect_code 0 fit quiet.csv --json
expect_equal "clean data have none" "[]" "$(rows)"

# --- A real planet of high eccentricity stays, and is believed ----------------------------
simulate spike.csv 61.3,40,0.9,120,45 1
expect_code 0 fit spike.csv --json
expect_equal "a real planet" "1 True []" "$(json '"%d %s %s" % (len(it["planets"]),
    abs(it["planets"][0]["period_days"] - 61.3) < 0.5, it["outliers"])')"

# --- A night -----------------------------------------------------------------------
awk -F, -v OFS=, -v CONVFMT=%.17g -v OFMT=%.17g '{ print } NR % 4 == 0 {
    $1 += 0.02; $2 += 1; print; $1 += 0.02; $2 -= 2; print }' quiet.csv |
    awk -F, -v OFS=, 'NR > 1 && $1 > 2460071 && $1 < 2460072 { $2 -= 20 } { print }' >night.csv
expect_code 0 fit night.csv --json
expect_equal "a night" "night 3 True" "$(json '"%s %d %s" % (it["outliers"][0]["unit"],
    len(it["outliers"][0]["rows"]), it["outliers"][0]["deviation_m_s"] < -10)')"

# --- Words that nobody understands -----------------------------------------------------
for words in some 0 0.5 -1 nan ''; do
    expect_error 2 "*--outliers: outliers are 'auto', 'none' or a share of the observations between 0 and\
 0.5, not '$words'*" fit bad.csv "--outliers=$words"
done

# --- A run has the errors of a fit -------------------------------------------------------
expect_code 0 sample bad.csv --planets 0 --outliers auto --max-steps 410
expect_text "errors inflated for the observation of JD 2460047.810 (simulated), +"
expect_error 2 "*--outliers: outliers are 'auto', 'none' or a share*" sample bad.csv --planets 0 \
    --outliers many

finish
