#!/usr/bin/env bash
# equant fit, search and sample on astrometry: a made-up orbit found again, in words and in JSON; bad
# files in one sentence; and, where its tables are, Gaia BH3 from file to mass.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# Scans of a star with a companion of 600 days, e 0.3, a0 about 2 mas; and of one without.
python3 - <<'PYTHON'
import math, random
random.seed(5)
rows = []
for k in range(90):
    t = random.uniform(-900, 900)
    rows.append((t, random.uniform(0, 360)))
rows.sort()
for name, size in (("orbit.csv", 1.0), ("still.csv", 0.0)):
    with open(name, "w") as out:
        out.write("t,w,sigma,psi_deg,f,transit_id\n")
        for k, (t, degrees) in enumerate(rows):
            psi, year = math.radians(degrees), t / 365.25
            factor = math.sin(6.283 * year) * math.sin(psi) + 0.5 * math.cos(6.283 * year) * math.cos(psi)
            M = 2 * math.pi * t / 600 + 1
            E = M
            for _ in range(50):
                E = M + 0.3 * math.sin(E)
            x, y = math.cos(E) - 0.3, math.sqrt(1 - 0.09) * math.sin(E)
            w = (3 + 20 * year) * math.sin(psi) + (-1 - 7 * year) * math.cos(psi) + 5 * factor
            w += size * ((0.5 * x + 1.5 * y) * math.sin(psi) + (1.8 * x - 0.4 * y) * math.cos(psi))
            out.write("%.6f,%.6f,0.1,%.6f,%.6f,%d\n"
                      % (2457936.875 + t, w + random.gauss(0, 0.1), degrees, factor, k + 1))
PYTHON

# orbitize's joint file: positions and velocities of one star are what they are in two files.
python3 - <<'PYTHON'
import math, random
random.seed(8)
positions, velocities = [], []
for k in range(40):
    t = -6000 + 220 * k + random.uniform(0, 30)
    M = 2 * math.pi * t / 9000 + 1
    E = M
    for _ in range(80):
        E = M + 0.4 * math.sin(E)
    x, y, r = math.cos(E) - 0.4, math.sqrt(0.84) * math.sin(E), 1 - 0.4 * math.cos(E)
    velocities.append((57936.4 + t, 0, 300 * (-math.sin(E) * 0.8 + math.sqrt(0.84) * math.cos(E) * 0.6) / r + random.gauss(0, 3)))
    if k % 4 == 0:
        dec, ra = -(500 * x - 100 * y), -(150 * x + 330 * y)
        positions.append((57936.4 + t, 1, math.hypot(ra, dec) + random.gauss(0, 3), math.degrees(math.atan2(ra, dec)) % 360))
head = "epoch,object,rv,rv_err,sep,sep_err,pa,pa_err,instrument\n"
seen = ["%.4f,1,,,%.3f,3,%.4f,0.3,\n" % (t, s, p) for t, _, s, p in positions]
speeds = ["%.4f,0,%.6f,0.003,,,,,L\n" % (t, v / 1000) for t, _, v in velocities]
open("joint.csv", "w").write(head + "".join(speeds + seen))
open("positions.csv", "w").write("epoch,object,sep,sep_err,pa,pa_err\n" + "".join(
    "%.4f,1,%.3f,3,%.4f,0.3\n" % (t, s, p) for t, _, s, p in positions))
open("speeds.csv", "w").write("epoch,object,rv,rv_err,instrument\n" + "".join(
    "%.4f,0,%.6f,0.003,L\n" % (t, v / 1000) for t, _, v in velocities))
PYTHON
expect_code 0 fit positions.csv speeds.csv --star-mass 0.9 --json --out apart
expect_code 0 fit joint.csv --star-mass 0.9 --json --out joint
python3 - apart/fit.json joint/fit.json <<'PYTHON' || fail "a joint file is one star"
import json, sys
one, two = (json.load(open(path)) for path in sys.argv[1:])
assert one["planets"] == two["planets"] and one["n_obs"] == two["n_obs"] == 60, (one["n_obs"], two["n_obs"])
assert abs(two["planets"][0]["period_days"] - 9000) < 500
PYTHON

expect_code 0 fit orbit.csv --star-mass 1 --star-mass-err 0.1 --period 20:
expect_text "The star is on an orbit"
expect_text "of the star; the companion's is 180 more"
expect_text "North through East, where the star recedes"
expect_text "omega and node may both be 180 deg more"
expect_text "of a dark companion"
expect_code 0 fit orbit.csv --period 20: --json --out folder
python3 - "$work/out" folder/fit.json <<'PYTHON' || fail "the JSON of an orbit"
import json, sys
shown, kept = (json.load(open(path)) for path in sys.argv[1:])
assert shown == kept
own, sky = shown["planets"][0], shown["astrometry"]
assert sky["verdict"] == "orbit" and sky["n_transits"] == 90
for key, value in (("period_days", 600), ("eccentricity", 0.3)):
    assert abs(own[key] - value) < 4 * own[key + "_err"], (key, own[key])
for key, value in (("A", 1.8), ("B", 0.5), ("F", -0.4), ("G", 1.5)):
    assert abs(own["thiele_innes"][key] - value) < 4 * own["thiele_innes"][key + "_err"], key
for key, value in (("parallax_mas", 5), ("pm_ra_mas_yr", 20), ("pm_dec_mas_yr", -7)):
    assert abs(sky[key] - value) < 4 * sky[key + "_err"], key
assert own["a0_mas"] > 1 and own["inclination_deg_err"] > 0 and own["node_deg"] < 180
assert set(sky["chi2"]) >= {"5p", "7p", "9p", "orbit", "scan_angle"}
assert sky["chi2"]["orbit"] < sky["chi2"]["5p"] / 10
PYTHON
expect_code 0 fit still.csv --period 20: --orbit
expect_text "is shown because it was asked for"
expect_code 0 fit still.csv --period 20:
expect_text "Position, parallax and proper motion are enough"
one=$("$EQUANT" fit orbit.csv --period 20: --json --threads 1)
two=$("$EQUANT" fit orbit.csv --period 20: --json --threads 2)
expect_equal "the same on any number of threads" "$one" "$two"

# Periods, and draws.
expect_code 0 search orbit.csv --period 30:3000 --peaks 3
expect_text "Which periods does this source have on the sky?"
expect_code 0 search orbit.csv --period 30:3000 --json --out found
python3 - "$work/out" <<'PYTHON' || fail "the JSON of a search"
import json, sys
found = json.load(open(sys.argv[1]))
best = found["peaks"][0]
assert abs(best["period_days"] - 600) < 15 and best["a0_mas"] > 1, best
assert best["fap"] < 1e-6 and found["n_transits"] == 90
PYTHON
grep -q 'frequency_per_day' found/periodogram.ecsv || fail "the table of gains"
grep -q 'a0_mas' found/peaks.ecsv || fail "the table of peaks"
expect_error 2 "equant: --known is for velocities alone*" search orbit.csv --known orbit.csv
expect_code 0 sample orbit.csv --burn-in 50 --max-steps 80 --threads 1 --json --out drawn --no-pictures
python3 - "$work/out" <<'PYTHON' || fail "the JSON of draws"
import json, sys
found = {row["name"]: row for row in json.load(open(sys.argv[1]))["quantities"]}
own = found["period_days_1"]
assert abs(own["median"] - 600) < 4 * (own["high"] - own["low"]), own
assert found["a0_mas_1"]["unit"] == "mas" and "parallax_mas" in found and "jitter_mas" in found
PYTHON
grep -q 'inclination_rad_1' drawn/summary.ecsv || fail "the summary of draws"
if [ -e drawn/run.nc ]; then
    expect_error 1 "equant: *these are draws of astrometry*" sample --resume drawn
fi
expect_error 2 "equant: --temperatures is for velocities alone*" sample orbit.csv --temperatures 4
expect_error 2 "equant: on the sky there may be 1 to 3 companions*" sample orbit.csv --planets 4

# Bad input: one sentence each.
head -n 4 orbit.csv >few.csv
expect_error 1 "equant: * do not determine *" fit few.csv
expect_error 2 "equant: * are both of astrometry*" fit orbit.csv still.csv
expect_error 2 "equant: --source wants*" fit orbit.csv --source x
printf 't,w,sigma,psi_deg,f\n' >long.csv
awk -F, 'NR > 1 { printf "%s,%s,%s,40,%s\n", $1, $2, $3, $5 }' orbit.csv >>long.csv
expect_error 1 "equant: * do not determine dec *" fit long.csv

bh3=$data/gaia/bh3
if in_full && shared gaia/bh3/epochast.dat; then
    expect_code 0 fit "$bh3/epochast.dat" "$bh3/epochrv.dat" --star-mass 0.76 --json
    python3 - "$work/out" <<'PYTHON' || fail "Gaia BH3 with velocities"
import json, sys
own = json.load(open(sys.argv[1]))["planets"][0]
assert abs(own["period_days"] - 4211.6) < own["period_days_err"]
assert abs(own["mass_jupiter"] / 1047.57 - 32.7) < 2 and own["node_is_known"]
assert abs(own["omega_deg"] - 77.814) < 1 and abs(own["node_deg"] - 136.192) < 1
PYTHON
fi
picture=$data/astrometry/betaPic.csv
if shared astrometry/betaPic.csv; then # positions of a companion: beta Pictoris b, seen from its side
    expect_code 0 fit "$picture" --json
    python3 - "$work/out" <<'PYTHON' || fail "beta Pictoris b"
import json, sys
own = json.load(open(sys.argv[1]))["planets"][0]
assert abs(own["inclination_deg"] - 88.95) < 0.5 and abs(own["node_deg"] - 31.9) < 0.5
assert abs(own["period_days"] - 8800) < 3 * own["period_days_err"]
PYTHON
fi

star=$data/astrometry/hd4747
if shared astrometry/hd4747/HD4747_relAST.txt; then # positions and velocities: a brown dwarf of known mass
    expect_code 0 fit "$star/HD4747_relAST.txt" "$star/HD4747_RV.dat" --period 3000:40000 \
        --star-mass 0.82 --star-mass-err 0.04 --json
    python3 - "$work/out" <<'PYTHON' || fail "HD 4747 B"
import json, sys
own = json.load(open(sys.argv[1]))["planets"][0]
published = {"mass_jupiter": (67.0, 2.9), "a_au": (10.19, 0.45), "eccentricity": (0.7357, 0.0030),
             "inclination_deg": (49.9, 2.3)}
for name, (value, error) in published.items():
    both = (error**2 + own[name + "_err"] ** 2) ** 0.5
    assert abs(own[name] - value) < both, (name, own[name])
assert own["node_is_known"] and abs(own["omega_deg"] - 266.9) < 3
PYTHON
fi
finish
