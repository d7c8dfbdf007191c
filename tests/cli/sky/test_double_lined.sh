#!/usr/bin/env bash
# equant fit of double-lined binaries: the orbit of both stars whichever column is whose, from tables of
# all kinds; sentences for what cannot be fitted.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

cat >made.py <<'PYTHON'
import math, random
draw = random.Random(37)
period, e, omega, peri, gamma, k1, k2 = 37.42, 0.32, 1.1, 2457500.3, -12.3, 31.5, 42.7
def kepler(mean):
    anomaly = mean
    for _ in range(99):
        anomaly = mean + e * math.sin(anomaly)
    return anomaly
rows, roles = [], []
for _ in range(18):
    time = 2457936.875 + draw.uniform(-900, 900)
    anomaly = kepler(2 * math.pi * ((time - peri) / period % 1))
    nu = 2 * math.atan2(math.sqrt(1 + e) * math.sin(anomaly / 2), math.sqrt(1 - e) * math.cos(anomaly / 2))
    x = math.cos(nu + omega) + e * math.cos(omega)
    stars = [(gamma + k1 * x + draw.gauss(0, 0.6), 0.6), (gamma - k2 * x + draw.gauss(0, 1.1), 1.1)]
    swap = draw.random() < 0.5
    roles.append((time, swap, abs((k1 + k2) * x)))
    rows.append((time, *stars[swap], *stars[not swap]))
def write(name, head, rows, scale=1.0, zero=0.0):
    with open(name, "w") as out:
        out.write(head + "\n")
        for row in rows:
            out.write(f"{row[0] - zero:.9f}," + ",".join("" if v is None else f"{v * scale:.6f}" for v in row[1:]) + "\n")
write("km.csv", "bjd,rv1 [km/s],rv1_err,rv2 [km/s],rv2_err", rows)
write("m.csv", "bjd,rv1 [m/s],rv1_err,rv2 [m/s],rv2_err", rows, 1000.0)
write("plain.csv", "jd,rv_1,rv_1_err,rv_2,rv_2_err", rows)
one = [row[:3] + (None, None) if k == 4 else row for k, row in enumerate(rows)]
write("one.csv", "bjd,rv1 [km/s],rv1_err,rv2 [km/s],rv2_err", one)
write("few.csv", "bjd,rv1 [km/s],rv1_err,rv2 [km/s],rv2_err", rows[:4])
tcb = [(t + 1.550519768e-8 * (t - 2443144.5003725), *rest) for t, *rest in rows]
head = "obs_time_rv,radial_velocity_1,radial_velocity_1_error,radial_velocity_2,radial_velocity_2_error"
write("gaia.csv", head, tcb, 1.0, 2455197.5)
columns = ['"[' + " ".join(f"{v:.9f}" for v in column) + ']"' for column in zip(*[(r[0] - 2455197.5, *r[1:]) for r in tcb])]
with open("arrays.csv", "w") as out:
    out.write("source_id," + head + "\n")
    out.write("41," + ",".join(columns) + "\n42," + ",".join(columns) + "\n")
with open("roles.txt", "w") as out:
    for role in roles:
        out.write("%.9f %d %.6f\n" % role)
PYTHON
python3 made.py

in_full && range="0.5:4000" || range="20:100"
expect_code 0 fit km.csv --json --threads 2 --period "$range"
cp out km.json
n_checks=$((n_checks + 1))
python3 - <<'PYTHON' || fail "the orbit is that of the simulation"
import json, math
it = json.load(open("km.json"))
orbit = it["orbit"]
truth = {"period_days": 37.42, "eccentricity": 0.32, "omega_rad": 1.1, "gamma_m_s": -12300.0, "k1_m_s": 31500.0,
         "k2_m_s": 42700.0, "mass_ratio": 31.5 / 42.7}
for name, value in truth.items():
    assert abs(orbit[name] - value) < 4 * orbit[name + "_err"], (name, orbit[name], orbit[name + "_err"])
turns = (orbit["t_peri"] - 2457500.3) / orbit["period_days"]
assert abs(turns - round(turns)) < 0.02
# M1 sin^3 i by its definition, in SI units.
seconds = orbit["period_days"] * 86400
mass = (1 - orbit["eccentricity"] ** 2) ** 1.5 * (orbit["k1_m_s"] + orbit["k2_m_s"]) ** 2 * orbit["k2_m_s"] * seconds
assert abs(mass / (2 * math.pi * 1.3271244e20) / orbit["m1_sin3_i_sun"] - 1) < 1e-9
assert orbit["m1_sin3_i_sun"] > orbit["m2_sin3_i_sun"] > 0
roles = [line.split() for line in open("roles.txt")]
for epoch, (time, swap, apart) in zip(it["epochs"], roles):
    assert abs(epoch["time"] - float(time)) < 1e-6
    assert epoch["swapped"] == (swap == "1") or float(apart) < 4
assert it["ln_odds"] > 20 and it["next_ln_ratio"] < -10 and it["n_velocities"] == 36
PYTHON

expect_code 0 fit km.csv --threads 1 --json --period "$range"
n_checks=$((n_checks + 1))
cmp -s out km.json || fail "the number of threads changes a result"

# m/s, Gaia's days in TCB, and arrays of a source are the same orbit.
for other in m.csv gaia.csv "arrays.csv --source 42"; do
    # shellcheck disable=SC2086  # a file, and an option
    expect_code 0 fit $other --json --period 20:100
    cp out other.json
    n_checks=$((n_checks + 1))
    python3 - <<'PYTHON' || fail "$other is another orbit"
import json
one, two = (json.load(open(name))["orbit"] for name in ("km.json", "other.json"))
for name in one:
    size = abs(one.get(name + "_err", 1e3 * abs(one[name])))
    assert abs(one[name] - two[name]) < 1e-3 * size, (name, one[name], two[name])
PYTHON
done

expect_error 0 "equant: warning: plain.csv: no unit of velocities is told; they are taken as km/s" fit plain.csv --period 20:100
expect_text "The orbit of two stars: period 37."
expect_text "swapped at"
expect_code 0 fit one.csv --json --period 20:100
expect_equal "velocities" 35 "$(json 'it["n_velocities"]')"

expect_error 1 "equant: 4 epochs with two velocities; an orbit of two stars needs 5" fit few.csv
expect_error 1 "equant: arrays.csv:3: source 42, and 41 before it; one of them is to be named*" fit arrays.csv
expect_error 2 "equant: --trend has no meaning for two velocities at each epoch" fit km.csv --trend linear
expect_error 1 "equant: periods from 1e-09 days on*" fit km.csv --period-min 1e-9
awk -F, -v OFS=, 'NR == 3 { $3 = "x" } { print }' km.csv >bad.csv
expect_error 1 "equant: bad.csv:3: velocity 1 has no uncertainty above zero" fit bad.csv
sed '3s/^[0-9.]*/yesterday/' km.csv >bad.csv
expect_error 1 "equant: bad.csv:3: *" fit bad.csv
sed '1s/bjd/day/' km.csv >bad.csv
expect_error 1 "equant: bad.csv: there is no column of times, such as bjd" fit bad.csv
cut -d, -f 1-4 km.csv >bad.csv
expect_error 1 "equant: bad.csv: there is no column rv2_err" fit bad.csv
sed '2s/^[0-9.]*/1e18/' gaia.csv >bad.csv
expect_error 1 "equant: bad.csv:2: 1e+18 is no time of Gaia*" fit bad.csv
finish
