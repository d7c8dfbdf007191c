#!/usr/bin/env bash
# Pictures and the page of a fit of astrometry: what they say, that the page is drawn from the folder
# alone, and folders that are not of one fit.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# Scans of a star at 5h, -20 degrees with a companion of 600 days; with factors of a real place on the
# sky, and with factors of none.
python3 - <<'PYTHON'
import math, random
random.seed(7)
a, d = math.radians(75), math.radians(-20)

def factors(jd):
    days = jd - 2451545.0
    g = math.radians(357.528 + 0.9856003 * days)
    l = math.radians(280.460 + 0.9856474 * days + 1.915 * math.sin(g) + 0.020 * math.sin(2 * g))
    r, tilt = 1.00014 - 0.01671 * math.cos(g), math.radians(23.439)
    x, y, z = -r * math.cos(l), -r * math.cos(tilt) * math.sin(l), -r * math.sin(tilt) * math.sin(l)
    return (x * math.sin(a) - y * math.cos(a),
            (x * math.cos(a) + y * math.sin(a)) * math.sin(d) - z * math.cos(d))

rows = sorted((random.uniform(-900, 900), random.uniform(0, 360)) for _ in range(80))
for name, size, is_real in (("orbit.csv", 1, 1), ("still.csv", 0, 1), ("odd.csv", 0, 0)):
    with open(name, "w") as out:
        out.write("t,w,sigma,psi_deg,f,transit_id\n")
        for k, (t, degrees) in enumerate(rows):
            psi, year = math.radians(degrees), t / 365.25
            east, north = factors(2457936.875 + t)
            f = east * math.sin(psi) + north * math.cos(psi) if is_real else math.cos(k * k)
            M = 2 * math.pi * t / 600 + 1
            E = M
            for _ in range(50):
                E = M + 0.3 * math.sin(E)
            x, y = math.cos(E) - 0.3, math.sqrt(1 - 0.09) * math.sin(E)
            w = 20 * year * math.sin(psi) - 7 * year * math.cos(psi) + 5 * f
            w += size * ((0.5 * x + 1.5 * y) * math.sin(psi) + (1.8 * x - 0.4 * y) * math.cos(psi))
            out.write("%.6f,%.6f,0.1,%.6f,%.6f,%d\n"
                      % (2457936.875 + t, w + random.gauss(0, 0.1), degrees, f, k + 1))
PYTHON

# expect_said FILE TEXT...: a picture that is as it should be, with these texts.
expect_said() {
    local file=$1
    shift
    n_checks=$((n_checks + 1))
    python3 "$here/picture.py" "$file" >texts || fail "$file"
    for text in "$@"; do
        n_checks=$((n_checks + 1))
        tr '\n' ' ' <texts | grep -qF -- "$text" || fail "$file does not say: $text"
    done
}

expect_code 0 fit orbit.csv --period 20: --format svg --star-mass 1 --out plain
expect_said plain/orbit.svg "pericentre" "line of nodes" "N" "E" "Δ RA cos Dec (mas)" "P 60"
expect_said plain/path.svg "RA cos Dec (mas)" "Dec (mas)" "2017" "scans and their directions" \
    "about its place at J2017.5"
expect_said plain/residuals.svg "what position, parallax and proper motion leave" \
    "what the model orbit leaves" "scan angle, North through East (degrees)" "one point for each transit"
expect_said plain/periodogram.svg "period (days)" "gain in ln L" "FAP" "0.1 %" " d "
expect_equal "no velocities, no picture of them" "" "$(ls plain | grep velocit)"
if grep -q "parallax is left out" plain/path.svg; then fail "the place on the sky was not found"; fi

# The same, the same bytes; the page comes from the folder alone.
if in_full; then
    expect_code 0 fit orbit.csv --period 20: --format svg --star-mass 1 --out again
    n_checks=$((n_checks + 1))
    cmp -s plain/orbit.svg again/orbit.svg || fail "the same fit makes another picture"
fi
expect_code 0 report plain --star "Some star" --reference "Somebody 2026"
n_checks=$((n_checks + 1))
python3 "$here/page.py" plain/report.html figure-orbit figure-path figure-residuals \
    figure-periodogram >texts || fail "the page of an orbit"
for said in "Some star" "The star is on an orbit" "mass, where it is dark" "Somebody 2026" \
    "equant fit orbit.csv" "eccentricity" "parallax"; do
    n_checks=$((n_checks + 1))
    grep -qF -- "$said" plain/report.html || fail "the page does not say: $said"
done

# A run in the same folder: the page has its posterior, beside the fit and in a section of its own.
"$EQUANT" sample orbit.csv --star-mass 1 --populations 2 --walkers 20 --burn-in 60 \
    --max-steps 200 --no-pictures --out plain >out 2>err
if ! grep -q "built without NetCDF" err; then
    expect_code 0 report plain
    n_checks=$((n_checks + 1))
    python3 "$here/page.py" plain/report.html figure-orbit figure-path figure-residuals \
        figure-periodogram figure-corner >texts || fail "the page of a fit and a run"
    for said in ">fit</th>" ">posterior</th>" "The run has not converged" "draws of 40 walkers" \
        "<i>a</i><sub>0" "Priors: ln P, e and M0 uniform" "<dt>run</dt>"; do
        n_checks=$((n_checks + 1))
        grep -qF -- "$said" plain/report.html || fail "the page of a fit and a run does not say: $said"
    done
    # A run of another star is refused.
    sed 's/^24/25/' orbit.csv >later.csv
    rm plain/run.nc plain/run.state
    expect_code 0 sample later.csv --populations 2 --walkers 20 --burn-in 60 \
        --max-steps 100 --no-pictures --out plain
    expect_error 1 "equant: plain: the fit and the run in it are of different data" report plain
    rm plain/run.nc plain/run.state
fi

# Without an orbit; with factors that are of no place on the sky.
expect_code 0 fit still.csv --period 20: --format svg --out still
expect_said still/residuals.svg "what the model 5p leaves"
expect_equal "no orbit, no picture of one" "" "$(ls still | grep orbit)"
expect_code 0 report still
n_checks=$((n_checks + 1))
python3 "$here/page.py" still/report.html figure-path figure-residuals figure-periodogram >texts ||
    fail "the page without an orbit"
expect_code 0 fit odd.csv --period 20: --format svg --out odd
expect_said odd/path.svg "The parallax is left out"
expect_code 0 fit odd.csv --period 20: --no-pictures --out none
expect_equal "no pictures" "fit.json origin.json periodogram.ecsv scans.ecsv" "$(ls none | xargs)"

# What people get wrong: tables of another fit, rows that are no numbers.
cp plain/fit.json none
expect_code 0 report none
sed '$d' plain/scans.ecsv >none/scans.ecsv
expect_error 1 "equant: none: fit.json is of 80 rows, and scans.ecsv and velocities.ecsv have 79: they are not of one fit" \
    report none
echo "1,2,x" >>none/scans.ecsv
expect_error 1 "equant: none/scans.ecsv:*: a row of 8 numbers is wanted here" report none
expect_error 2 "equant: --out would overwrite *" report plain --out plain/fit.json

in_full || { finish; exit; }
if shared gaia/bh3/epochast.dat gaia/bh3/epochrv.dat; then # with velocities
    expect_code 0 fit "$data/gaia/bh3/epochast.dat" "$data/gaia/bh3/epochrv.dat" --star-mass 0.76 \
        --format svg --out bh3
    expect_said bh3/velocities.svg "velocity (km/s)" "what the orbit leaves"
    expect_said bh3/path.svg "2015" "2016"
    if grep -q "parallax is left out" bh3/path.svg; then fail "where BH3 is was not found"; fi
    expect_code 0 report bh3 --star "Gaia BH3"
    n_checks=$((n_checks + 1))
    python3 "$here/page.py" bh3/report.html figure-orbit figure-path figure-residuals \
        figure-velocities figure-periodogram >texts || fail "the page of BH3"
fi
if shared astrometry/betaPic.csv; then # a companion relative to its star
    expect_code 0 fit "$data/astrometry/betaPic.csv" --format svg --out beta
    expect_said beta/orbit.svg "The companion about its star"
    expect_equal "points: one for each position" "$(grep -c '^-\?[0-9]' beta/scans.ecsv | awk '{print $1 / 2}')" \
        "$(sed -n 's/.*<path class="dot i1" d="\([^"]*\)".*/\1/p' beta/orbit.svg | tail -1 | grep -o M | wc -l)"
    expect_equal "no path" "" "$(ls beta | grep path)"
fi
star="$data/astrometry/hd4747"
if shared astrometry/hd4747/HD4747_relAST.txt; then # where the orbit is told as the star's, the companion's is drawn
    expect_code 0 fit "$star/HD4747_relAST.txt" "$star/HD4747_RV.dat" --period 3000:40000 \
        --star-mass 0.82 --format svg --out pair
    python3 "$here/picture.py" pair/orbit.svg | tr '\n' ' ' >texts
    n_checks=$((n_checks + 1))
    grep -qE ' a 5[0-9][0-9](\.[0-9]+)? ± ' texts || fail "the companion's orbit is not as large as it was seen"
fi
finish
