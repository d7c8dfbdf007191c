#!/usr/bin/env bash
# Gaia's epochs and Hipparcos's scans of one star in one fit; draws of it that go on where they were
# stopped; the picture of a search.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

python3 - <<'PYTHON'
import math, random
random.seed(11)
period, a0 = 11.0 * 365.25, 6.0
shift = 2448349.0625 - 2457936.875

def seen(t, psi, f, zero):
    years, angle = t / 365.25, 2 * math.pi * t / period + 0.4
    s, c = math.sin(psi), math.cos(psi)
    return (zero[0] * s + zero[1] * c + 22 * f + (36.1 * s - 80.9 * c) * years
            + a0 * (math.cos(angle) * c + 0.7 * math.sin(angle) * s))

def scans(n, first, last):
    return sorted((random.uniform(first, last), random.uniform(0, 2 * math.pi)) for _ in range(n))

with open("gaia.csv", "w") as out:
    out.write("t,w,sigma,psi_deg,f,source_id\n")
    for t, psi in scans(90, -1000, 950):
        f = 0.7 * math.sin(psi + 2 * math.pi * t / 365.25)
        w = seen(t, psi, f, (3, -1)) + random.gauss(0, 0.1)
        out.write(f"{2457936.875 + t:.8f},{w:.8f},0.1,{math.degrees(psi):.8f},{f:.8f},77\n")
head = """# This file contains residual records
#
# HIP    MCE    NRES NC isol_n SCE  F2     F1
# 4711   4710   100  1  5      0    0.00   0
# Hp      B-V    VarAnn NOB NR
# 7.5062  0.203  0      100  0
# RAdeg DEdeg Plx pm_RA pm_DE e_RA e_DE e_Plx e_pmRA e_pmDE dpmRA dpmDE e_dpmRA e_dpmDE ddpmRA ddpmDE e_ddpmRA e_ddpmDE upsRA upsDE e_upsRA e_upsDE var
# 1.76733108 6.87560704 21.4 35.2 -81.7 0.7 0.4 0.8 0.8 0.7 --- --- --- --- --- --- --- --- --- --- --- --- ---
#
# IORB   EPOCH    PARF    CPSI    SPSI     RES   SRES
"""
with open("H004711.d", "w") as out:
    out.write(head)
    for i, (t, psi) in enumerate(scans(100, -500, 700)):
        f, s, c = 0.7 * math.sin(psi + 2 * math.pi * t / 365.25), math.sin(psi), math.cos(psi)
        told = 21.4 * f + (35.2 * s - 81.7 * c) * t / 365.25
        out.write(f"{i} {t / 365.25:.8f} {f:.8f} {s:.8f} {c:.8f} "
                  f"{seen(t + shift, psi, f, (0, 0)) - told + random.gauss(0, 2):.6f} 2.0\n")
PYTHON

# ---- one fit of both, in any order ----

fit() { # NAME FILE...
    local name=$1
    shift
    expect_code 0 fit "$@" --period 1000: --json
    cp "$work/out" "$work/$name"
}
fit both.json gaia.csv H004711.d
if in_full; then
    fit turned.json H004711.d gaia.csv
    n_checks=$((n_checks + 1))
    cmp -s both.json turned.json || fail "the order of the files changes the result"
fi
fit gaia.json gaia.csv
python3 - <<'PYTHON' || fail "the fit of both missions"
import json
both, gaia = (json.load(open(name)) for name in ("both.json", "gaia.json"))
assert both["astrometry"]["verdict"] == "orbit"
planet = both["planets"][0]
assert abs(planet["period_days"] - 11 * 365.25) < 4 * planet["period_days_err"], planet
assert planet["period_days_err"] < 0.5 * gaia["planets"][0]["period_days_err"]
parameters = both["astrometry"]["parameters"]
assert "ra_2" in parameters and "dec_2_err" in parameters, parameters
PYTHON
expect_error 2 "equant: * are both of astrometry*Hipparcos*" fit gaia.csv gaia.csv
expect_error 2 "equant: * are all of astrometry*" fit gaia.csv gaia.csv H004711.d

# ---- a run goes on with its files ----

options=(--walkers 24 --populations 2 --min-ess 1e9 --burn-in 50 --seed 5 --threads 1 --no-pictures)
# Under sanitizers every third measurement and fewer steps: draws are the same or not with these as well.
if in_full; then steps=300 thinned=1; else steps=120 thinned=3; fi
awk -v n="$thinned" 'NR == 1 || NR % n == 0' gaia.csv >run.csv
expect_code 0 sample run.csv "${options[@]}" --max-steps "$steps" --out whole
expect_code 0 sample run.csv "${options[@]}" --max-steps $((steps / 2)) --out parts
expect_code 0 sample run.csv "${options[@]}" --max-steps "$steps" --resume parts
expect_error 1 "*before the first draw was kept; go on with*--resume short*" \
    sample run.csv "${options[@]}" --max-steps "$steps" --budget 1e-6 --out short
expect_code 0 sample run.csv "${options[@]}" --max-steps "$steps" --resume short
n_checks=$((n_checks + 3))
cmp -s whole/run.state short/run.state || fail "a run that ended within its burn-in has another state"
cmp -s whole/summary.ecsv parts/summary.ecsv || fail "a run that went on has other draws"
cmp -s whole/run.state parts/run.state || fail "a run that went on has another state"
# What it cannot go on with is said before an orbit is looked for.
expect_error 2 "equant: *this run goes on as it began, with the seed 5, not 6" \
    sample run.csv "${options[@]}" --seed 6 --resume parts
expect_error 2 "equant: *with the number of walkers 24, not 26" \
    sample run.csv "${options[@]}" --walkers 26 --resume parts
sed '$d' run.csv >shorter.csv
expect_error 2 "equant: *other data*" sample shorter.csv "${options[@]}" --resume parts
expect_error 2 "equant: *this run goes on as it began, with the zero point of the parallax 0, not 1" \
    sample run.csv "${options[@]}" --parallax-zero-point 1 --resume parts
expect_error 2 "equant: *this run goes on as it began, with a jitter" \
    sample run.csv "${options[@]}" --jitter none --resume parts
expect_error 2 "equant: *with the burn-in 50, not 60" sample run.csv "${options[@]}" --burn-in 60 --resume parts
# Numbers of the walkers need not be said again.
expect_code 0 sample run.csv --min-ess 1e9 --seed 5 --threads 1 --no-pictures --max-steps "$steps" --resume parts
cmp -s whole/run.state parts/run.state || fail "a run that went on by itself has another state"
expect_error 1 "equant: *no run of astrometry to go on with*" sample run.csv --resume nowhere
expect_error 2 "equant: *is there already*" sample run.csv --out whole

# ---- the picture of a search ----

expect_code 0 search gaia.csv --period 100:9000 --out found --format svg
n_checks=$((n_checks + 3))
[[ -s found/periodogram.svg ]] || fail "a search on the sky draws no picture"
grep -q "gain in ln L" found/periodogram.svg || fail "the picture has no label"
in_full || { finish; exit; }
expect_code 0 search gaia.csv --period 100:9000 --out plain --no-pictures
[[ ! -e plain/periodogram.svg && -s plain/peaks.ecsv ]] || fail "a picture that was not wanted"

finish
