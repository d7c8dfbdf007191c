#!/usr/bin/env bash
# equant simulate --gaia: sources that fit and catalogue read, whose companions and biases come out as
# they went in.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# Scans as GOST has them, and epochs with two CCDs a transit.
python3 - <<'PYTHON'
import math, random
random.seed(3)
rows = sorted((random.uniform(-900, 900), random.uniform(0, 2 * math.pi)) for _ in range(90))
with open("gost.csv", "w") as out:
    out.write("Target, ra[rad], dec[rad], ra[h:m:s], dec[d:m:s], ObservationTimeAtGaia[UTC], "
              "CcdRow[1-7], zetaFieldAngle[rad], scanAngle[rad], Fov[FovP=preceding/FovF=following], "
              "parallaxFactorAlongScan, parallaxFactorAcrossScan, "
              "ObservationTimeAtBarycentre[BarycentricJulianDateInTCB]\n")
    for t, psi in rows:
        f = math.sin(psi + 6.2832 * t / 365.25)
        out.write(f"star, 1, 0.5, 1:0:0, 1:0:0, 2017-01-01T00:00:00, 3, 0, {psi:.8f}, FovP, {f:.8f}, 0, "
                  f"{2457936.875 + t:.8f}\n")
with open("epochs.csv", "w") as out:
    out.write("t,w,sigma,psi_deg,f,transit_id,source_id\n")
    for k, (t, psi) in enumerate(rows):
        for ccd in range(2):
            f = math.sin(psi + 6.2832 * t / 365.25)
            out.write(f"{2457936.875 + t + ccd * 5e-5:.8f},0,0.2,{math.degrees(psi):.6f},{f:.6f},{k + 1},"
                      "4295806720123456789\n")
PYTHON

companion=P=600,a0=1.5,e=0.3,i=60,omega=40,node=100,M0=30
expect_code 0 simulate --gaia gost.csv --magnitude 13 --parallax 8 --pm-ra 20 --pm-dec -7 \
    --companion $companion --seed 4 --out found.csv
expect_code 0 simulate --gaia gost.csv --magnitude 13 --parallax 8 --pm-ra 20 --pm-dec -7 \
    --companion $companion --seed 4
n_checks=$((n_checks + 1))
cmp -s found.csv "$work/out" || fail "the same seed gives another file"
expect_code 0 fit found.csv --period 20: --json
python3 - "$work/out" <<'PYTHON' || fail "what went in comes out"
import json, sys
fit = json.load(open(sys.argv[1]))
own, sky = fit["planets"][0], fit["astrometry"]
truth = {"period_days": 600, "a0_mas": 1.5, "eccentricity": 0.3, "inclination_deg": 60,
         "omega_deg": 40, "node_deg": 100, "m0_deg": 30}
for name, value in truth.items():
    assert abs(own[name] - value) < 4 * own[name + "_err"], (name, own[name], own[name + "_err"])
for name, value in (("parallax_mas", 8), ("pm_ra_mas_yr", 20), ("pm_dec_mas_yr", -7)):
    assert abs(sky[name] - value) < 4 * sky[name + "_err"], (name, sky[name])
assert sky["n_transits"] == 90
assert 50 < sky["chi2"]["orbit"] < 110 # errors are what they are said to be
PYTHON

# Errors: by magnitude of one CCD, and of eight for a planned scan; those of the file; given ones.
error() { awk -F, 'NR == 2 { printf "%.4g", $5 }' "$work/out"; }
expect_code 0 simulate --gaia epochs.csv --magnitude 15
expect_equal "error of a CCD" 0.223 "$(error)"
expect_equal "the source keeps its number" 4295806720123456789 "$(awk -F, 'NR == 2 { print $1 }' "$work/out")"
expect_code 0 simulate --gaia gost.csv --magnitude 15
expect_equal "error of a transit" 0.07884 "$(error)"
expect_code 0 simulate --gaia epochs.csv
expect_equal "error of the file" 0.2 "$(error)"
expect_code 0 simulate --gaia gost.csv --error 0.3
expect_equal "error that is given" 0.3 "$(error)"

# A bias of the scan angle is no orbit; scatter of transits is a jitter.
expect_code 0 simulate --gaia gost.csv --magnitude 13 --scan-bias cos3=0.5,sin5=0.4 --out biased.csv
expect_code 0 fit biased.csv --period 20: --json
expect_equal "verdict of a bias" scan_angle "$(json 'it["astrometry"]["verdict"]')"
expect_code 0 simulate --gaia epochs.csv --magnitude 13 --excess 0.5 --out excess.csv
expect_code 0 fit excess.csv --period 20: --json
expect_equal "a jitter of about 0.5 mas" True "$(json '0.35 < it["astrometry"]["jitter_mas"] < 0.65')"

# Many sources, each with its own noise, through the catalogue.
expect_code 0 simulate --gaia gost.csv --magnitude 13 --parallax 3 --sources 12 --out many.csv
expect_code 0 catalogue many.csv --out table.csv --period-min 30
expect_equal "rows" 13 "$(wc -l <table.csv)"
expect_equal "all are noise" 12 "$(grep -c ',5p,' table.csv)"
expect_equal "no two alike" 12 "$(tail -n +2 table.csv | cut -d, -f 4 | sort -u | wc -l)"

# What people get wrong.
expect_error 2 "equant: gost.csv has scans that were planned, without errors: give --magnitude or --error" \
    simulate --gaia gost.csv
expect_error 2 "equant: --magnitude 30: errors are known from 4.7 to 20.9" \
    simulate --gaia gost.csv --magnitude 30
expect_error 2 "equant: --companion wants words such as P=1, not 'Q'" \
    simulate --gaia gost.csv --error 1 --companion Q=3
expect_error 2 "equant: --companion 'P=10,a0=1,e=1' is no orbit: *" \
    simulate --gaia gost.csv --error 1 --companion P=10,a0=1,e=1
expect_error 2 "equant: --companion 'a0=1' is no orbit: *" \
    simulate --gaia gost.csv --error 1 --companion a0=1
expect_error 2 "equant: --scan-bias wants words such as cos3=1, not 'cos4'" \
    simulate --gaia gost.csv --error 1 --scan-bias cos4=1
expect_error 2 "equant: --gaia simulates astrometry: *" simulate --gaia gost.csv --noise 2
expect_error 2 "equant: companions, parallax, magnitude and the like are of astrometry: *" \
    simulate --orbits "$here/fixtures/two_planets.csv" --start 1 --n-obs 5 --cadence 1 --parallax 3
expect_error 2 "equant: --out would overwrite *" simulate --gaia gost.csv --error 1 --out gost.csv
expect_error 1 "equant: *nowhere.csv*" simulate --gaia nowhere.csv --error 1
if shared astrometry/gaia_edr3_betpic_epochs.csv; then
    expect_code 0 simulate --gaia "$data/astrometry/gaia_edr3_betpic_epochs.csv" --magnitude 6 \
        --companion P=500,a0=2 --out real.csv
    expect_code 0 data real.csv
fi
finish
