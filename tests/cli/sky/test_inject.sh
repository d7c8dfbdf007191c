#!/usr/bin/env bash
# equant inject: large companions are found, small ones are not; the same seed gives the same map; table,
# JSON and picture agree.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
python3 - <<'PYTHON'
import math, random
random.seed(3)
with open("scans.csv", "w") as out:
    out.write("t,w,sigma,psi_deg,f\n")
    for _ in range(60):
        t, psi = random.uniform(-900, 900), random.uniform(0, 2 * math.pi)
        f = math.sin(psi + 6.2832 * t / 365.25)
        out.write(f"{2457936.875 + t:.6f},{10 * f + random.gauss(0, 0.1):.6f},0.1,{math.degrees(psi):.6f},{f:.6f}\n")
PYTHON
small=(--cells 3 --sizes 3 --draws 8 --period-min 60 --period-max 1500 --a0-min 0.02 --a0-max 1.5)
expect_code 0 inject scans.csv "${small[@]}" --star-mass 1 --format svg --out map
expect_text "Percentage of injections that are detected"
expect_text "72 companions of random orientation and phase"
expect_text "50 %, M_jup"
n_checks=$((n_checks + 1))
python3 "$here/picture.py" map/injections.svg >texts || fail "the picture"
for said in "period (days)" "a0 of the star (mas)" "10 % detected" "90 %"; do
    n_checks=$((n_checks + 1))
    grep -qF -- "$said" texts || fail "the picture does not say: $said"
done
expect_code 0 inject scans.csv "${small[@]}" --json --threads 1
cp out one.json
expect_code 0 inject scans.csv "${small[@]}" --json --threads 2
n_checks=$((n_checks + 1))
cmp -s out one.json || fail "threads change the map"
expect_code 0 inject scans.csv "${small[@]}" --json --seed 2
n_checks=$((n_checks + 1))
cmp -s out one.json && fail "the seed changes nothing"
python3 - one.json map/injections.ecsv <<'PYTHON' || fail "the map"
import json, sys
it = json.load(open(sys.argv[1]))
found, recovered = it["found"], it["recovered"]
assert len(found) == 3 and len(found[0]) == 3 and it["n_draws"] == 8
assert all(share <= 0.26 for share in found[0]), found # as noise
assert all(share >= 0.8 for share in found[2]), found
assert all(r <= f + 1e-12 for a, b in zip(recovered, found) for r, f in zip(a, b))
assert sum(recovered[2]) > 2.4
assert abs(it["parallax_mas"] - 10) < 0.5
rows = [line.split(",") for line in open(sys.argv[2]) if line[0] != "#"][1:]
assert [float(row[5]) for row in rows] == sum(found, [])
# a0 = parallax a m / (M + m): a Jupiter at 5.2 au and 10 mas moves the Sun by 0.0496 mas.
masses = {(float(r[0]), float(r[2])): float(r[4]) for r in rows}
assert all(mass > 0 for mass in masses.values())
PYTHON

expect_error 2 "equant: *" inject
expect_error 2 "equant: the scans of one source are needed; name one file" inject scans.csv scans.csv
expect_error 1 "equant: scans.csv: companions from 2000 to 100 days *" \
    inject scans.csv --period-min 2000 --period-max 100
expect_error 1 "equant: scans.csv: eccentricities up to 1.5; *" inject scans.csv --max-eccentricity 1.5
expect_error 2 "equant: --k-min is for velocities; leave it out with astrometry" inject scans.csv --k-min 1
expect_error 1 "equant: *nowhere.csv*" inject nowhere.csv
head -n 5 scans.csv >few.csv
expect_error 1 "equant: few.csv: * do not determine *" inject few.csv
finish
