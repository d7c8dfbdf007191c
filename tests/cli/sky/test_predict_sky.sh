#!/usr/bin/env bash
# equant predict of runs of astrometry: every form of output, against the orbit that was put in, and
# what it cannot tell.
source "$(dirname "$0")/../lib.sh"
source "$here/star.sh"
cd "$work" || exit 1

# Scans of a star with a companion of 400 days, its velocities, and scans to come. The truth at all
# times of scans to come goes to truth.csv.
python3 - <<'PYTHON'
import math, random
random.seed(5)

def place(t):
    m = (2 * math.pi * t / 400 + 1.0) % (2 * math.pi)
    e, anomaly = 0.35, m
    for _ in range(60):
        anomaly -= (anomaly - e * math.sin(anomaly) - m) / (1 - e * math.cos(anomaly))
    return math.cos(anomaly) - e, math.sqrt(1 - e * e) * math.sin(anomaly)

def east_north(t):
    x, y = place(t)
    return 0.25 * x + 0.20 * y, 0.30 * x - 0.35 * y

def abscissa(t, psi, f):
    east, north = east_north(t)
    year = t / 365.25
    return (1 + 3 * year + east) * math.sin(psi) + (-2 - year + north) * math.cos(psi) + 10 * f

def scan(t):
    psi = random.uniform(0, 2 * math.pi)
    year = 2 * math.pi * t / 365.25
    return psi, math.sin(year) * math.sin(psi) + 0.4 * math.cos(year) * math.cos(psi)

with open("sky.csv", "w") as out:
    out.write("t,w,sigma,psi_deg,f,transit_id\n")
    for k, t in enumerate(sorted(random.uniform(-900, 900) for _ in range(60))):
        psi, f = scan(t)
        w = abscissa(t, psi, f) + random.gauss(0, 0.03)
        out.write(f"{t:.6f},{w:.6f},0.03,{math.degrees(psi):.9f},{f:.9f},{k}\n")
with open("scans.csv", "w") as out, open("truth.csv", "w") as truth:
    out.write("t,w,sigma,psi_deg,f,transit_id\n")
    for k, t in enumerate((950.0, 1000.0, 1080.0, 1200.0)):
        psi, f = scan(t)
        out.write(f"{t:.6f},0,0.03,{math.degrees(psi):.9f},{f:.9f},{k}\n")
        truth.write("%r %r %r\n" % (abscissa(t, psi, f), *east_north(t)))
with open("rv.csv", "w") as out:
    out.write("time,rv,err\n")
    for t in sorted(random.uniform(-800, 800) for _ in range(30)):
        x, y = place(t)
        nu, w = math.atan2(y, x), 1.1
        v = 180 * (math.cos(nu + w) + 0.35 * math.cos(w)) + random.gauss(0, 5)
        out.write(f"{2457936.875 + t:.6f},{v:.4f},5\n")
PYTHON
# Under sanitizers a shorter run: what is predicted of it is wider, or less exact, and as true.
if in_full; then length=(--max-steps 500); else length=(--max-steps 160 --burn-in 60 --walkers 32 --populations 2); fi
small=(--min-ess 100 "${length[@]}" --threads 1 --no-pictures)
"$EQUANT" sample sky.csv rv.csv "${small[@]}" --free-velocities --star-mass 1 --out both >out 2>err
if [ $? -eq 3 ]; then
    expect_equal "no NetCDF" 1 "$(grep -c 'built without NetCDF' err)"
    finish
    exit
fi

# --- what is predicted ------------------------------------------------------------------
expect_code 0 predict both --days 300 --step 30
grep -q "60 measurements on the sky and 30 velocities" out || fail "no run"
for words in "The light east of the barycentre (mas)" "Companion 1 north of its star (mas)" \
    "Velocities of rv (m/s; error of an observation 5)"; do
    grep -qF "$words" out || fail "no '$words'"
done
expect_code 0 predict both --scans scans.csv --days 300 --step 30 --json
expect_json
expect_equal "channels" \
    "['abscissa', 'light_ra', 'light_dec', 'companion_1_ra', 'companion_1_dec', 'velocity']" \
    "$(json '[c["what"] for c in it["channels"]]')"
expect_equal "order" True "$(json 'all(t["low_95"] < t["low_68"] < t["median"] < t["high_68"] <
    t["high_95"] for c in it["channels"] for t in c["times"])')"
expect_equal "scans are told, and hold the truth within four widths" True \
    "$(json 'all(abs(t["median"] - float(line.split()[0])) < 4 * t["sd"] and t["sd"] < 0.3 and
    t["information"] > 0 for t, line in zip(it["channels"][0]["times"], open("truth.csv")))')"
wanted=$(cat out)
expect_code 0 predict both/run.nc --scans scans.csv --days 300 --step 30 --json --threads 2
expect_equal "on two threads" "$wanted" "$(cat out)"
printf 'time\n2458886.875\n2458936.875\n2459016.875\n2459136.875\n' >times.csv
expect_code 0 predict both --velocity --times times.csv --json
expect_equal "the light holds the truth" True \
    "$(json 'all(abs(it["channels"][k - 1]["times"][i]["median"] - float(line.split()[k])) <
    4 * it["channels"][k - 1]["times"][i]["sd"] for k in (1, 2)
    for i, line in enumerate(open("truth.csv")))')"
expect_equal "itself, without errors" "[0]" "$(json 'sorted({c["uncertainty"] for c in it["channels"]})')"
expect_code 0 predict both --days 300 --out coming
expect_ecsv coming/prediction.ecsv 2505 what unit jd mean sd low_95
expect_picture coming/prediction.png

# --- what is wrong ---------------------------------------------------------------------
expect_code 2 predict both --days 60 --step 30 --instrument nobody
expect_code 2 predict both --days 60 --step 30 --error much
expect_code 1 predict both --scans nowhere.csv
expect_code 1 plan both
grep -q "these are draws of astrometry" err || fail "no sentence"
"$EQUANT" sample sky.csv "${small[@]}" --out alone >out 2>err
expect_code 0 predict alone --days 300 --step 30 --json
expect_equal "the light alone" "['light_ra', 'light_dec']" "$(json '[c["what"] for c in it["channels"]]')"
expect_code 2 predict alone --days 60 --step 30 --instrument rv
head -c 3000 alone/run.nc >cut.nc
expect_code 1 predict cut.nc
finish
