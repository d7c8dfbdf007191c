#!/usr/bin/env bash
# equant inject with velocities: large planets are detected, small ones are not; the same seed gives the
# same map on any number of threads; table, JSON and picture agree.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
python3 - <<'PYTHON'
import math, random
random.seed(7)
with open("star.csv", "w") as out:
    out.write("bjd,rv,e_rv\n")
    for _ in range(50):
        t = random.uniform(0, 900)
        out.write(f"{2455000 + t:.5f},{30 * math.cos(t / 9.0) + random.gauss(0, 2):.4f},2\n")
PYTHON
small=(--unit m/s --noise white --cells 3 --sizes 3 --draws 8 --period-min 5 --period-max 400 --k-min 0.3 --k-max 60)
expect_code 0 inject star.csv "${small[@]}" --star-mass 1 --format svg --out map
expect_text "Percentage of injections that are detected"
expect_text "72 planets of random phase"
expect_text "beside the 1 planet of the fit"
expect_text "50 %, M_jup"
n_checks=$((n_checks + 1))
python3 "$here/picture.py" map/injections.svg >texts || fail "the picture"
for said in "period (days)" "K (m/s)" "10 % detected" "90 %"; do
    n_checks=$((n_checks + 1))
    grep -qF -- "$said" texts || fail "the picture does not say: $said"
done
expect_code 0 inject star.csv "${small[@]}" --json --threads 1
cp out one.json
expect_code 0 inject star.csv "${small[@]}" --json --threads 2
n_checks=$((n_checks + 1))
cmp -s out one.json || fail "threads change the map"
expect_code 0 inject star.csv "${small[@]}" --json --drawn-noise --circular
n_checks=$((n_checks + 2))
cmp -s out one.json && fail "drawn noise changes nothing"
python3 - one.json map/injections.ecsv <<'PYTHON' || fail "the map"
import json, sys
it = json.load(open(sys.argv[1]))
found = it["found"]
assert len(found) == 3 and len(found[0]) == 3 and it["n_draws"] == 8 and it["n_planets"] == 1
assert all(share == 0 for share in found[0]), found
assert all(share >= 0.75 for share in found[2]), found
assert [limit["share"] for limit in it["limits"]] == [0.5, 0.9, 0.99]
rows = [line.split(",") for line in open(sys.argv[2]) if line[0] != "#"][1:]
assert [float(row[5]) for row in rows] == sum(found, [])
# m sin i of Jupiter from the 12.47 m/s with which it moves the Sun in 4332.6 days.
for low, high, k_low, k_high, mass, _ in (map(float, row) for row in rows):
    p, k = (low * high) ** 0.5, (k_low * k_high) ** 0.5
    assert abs(mass / (k / 12.47 * (p / 4332.6) ** (1 / 3)) - 1) < 0.02, (p, k, mass)
PYTHON

expect_error 2 "equant: --a0-min is for astrometry; leave it out with velocities" inject star.csv --a0-min 1
expect_error 1 "equant: star.csv: the ranges of injected planets* must increase" \
    inject star.csv --unit m/s --noise white --period-min 200 --period-max 100
expect_error 1 "equant: star.csv: injected eccentricities go up to 0.95 at most, not to 1.5" \
    inject star.csv --unit m/s --noise white --max-eccentricity 1.5
expect_error 1 "equant: *nowhere.csv*" inject nowhere.csv
finish
