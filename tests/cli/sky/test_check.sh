#!/usr/bin/env bash
# equant check: published orbits that are right, of another geometry, of another period, of stars that are
# alone and of scan-angle signals are told apart; tables of all kinds, numbers of DR3.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

cat >made.py <<'PYTHON'
import math, random, sys
sys.path.insert(0, sys.argv[1])
from joint_sources import Orbit, made_up_scans
draw = random.Random(8)
kinds = ["agrees", "other_geometry", "other_period", "nothing", "scan_angle"] * 2
names = ["a_thiele_innes", "b_thiele_innes", "f_thiele_innes", "g_thiele_innes", "period", "eccentricity",
         "t_periastron"]
epochs = open("epochs.csv", "w")
epochs.write("t_jd,w,sigma,psi_deg,f,transit_id,source_id\n")
orbits = open("orbits.csv", "w")
orbits.write("source_id,solution_type," + ",".join(f"{n},{n}_error" for n in names) + ",corr_vec\n")
for number, kind in enumerate(kinds):
    own = 5000000000000000000 + number
    p, e, m0 = draw.uniform(150, 700), draw.uniform(0.2, 0.5), draw.uniform(0, 6.28)
    orbit = Orbit(p, e, 1.0, math.acos(draw.uniform(-0.8, 0.8)), draw.uniform(0, 6.28), draw.uniform(0, 3.1), m0, 5.0)
    bias = [0.4 * draw.choice((-1, 1)) if kind == "scan_angle" else 0 for _ in range(4)]
    for k, (t, psi, f) in enumerate(made_up_scans(draw)):
        x, y = orbit.place(t) if kind not in ("nothing", "scan_angle") else (0, 0)
        w = x * math.sin(psi) + y * math.cos(psi) + 5 * f + draw.gauss(0, 0.08)
        for n in range(2):
            w += bias[2 * n] * math.cos((3 + 2 * n) * psi) + bias[2 * n + 1] * math.sin((3 + 2 * n) * psi)
        epochs.write(f"{2457936.875 + t:.8f},{w:.6f},0.08,{math.degrees(psi):.6f},{f:.6f},{k + 1},{own}\n")
    told = [orbit.a, orbit.b, orbit.f, orbit.g, p, e, -m0 / (2 * math.pi) * p]
    errors = [0.02, 0.02, 0.02, 0.02, 0.0007 * p, 0.01, 0.004 * p]
    told = [v + draw.gauss(0, s) for v, s in zip(told, errors)]
    if kind == "other_geometry":
        told[0], told[3] = -told[0], -told[3]
    if kind == "other_period":
        told[4] *= 0.37
    cells = ",".join(f"{v:.8g},{s:.8g}" for v, s in zip(told, errors))
    orbits.write(f'{own},Orbital,{cells},"[' + ",".join(["0.0"] * 66) + ']"\n')
orbits.write("5000000000000000003,SB1," + "," * 8 + "33.5,0.1,0.1,0.1,2,1,\n")
orbits.close()
# The same as DR3 has it: other numbers, another word for the type, times that count from J2016.0.
rows = open("orbits.csv").read().splitlines()
with open("dr3.csv", "w") as out:
    out.write(rows[0].replace("solution_type", "nss_solution_type") + "\n")
    for row in rows[1:3]:
        cells = row.split(",")
        cells[0] = "77" + cells[0][-1]
        cells[14] = repr(float(cells[14]) + 2457936.875 - 2457389.0)
        out.write(",".join(cells) + "\n")
open("ids.csv", "w").write("source_id,dr3_source_id\n5000000000000000000,770\n5000000000000000001,771\n")
open("no_period.csv", "w").write("source_id,a_thiele_innes\n1,2\n")
PYTHON
python3 made.py "$here/sky"

expect_code 0 check orbits.csv epochs.csv --out checks.csv --period-min 30 --threads 2
expect_text "2 agree, 2 with another geometry, 2 of other periods, 2 of the scan angle, 2 of which the epochs show nothing, 1 unchecked"
python3 - <<'PYTHON' || fail "orbits are judged by their epochs"
import csv
rows = list(csv.DictReader(open("checks.csv")))
assert [row["judgement"] for row in rows[:4]] == ["agrees", "other_geometry", "other_period", "nothing"]
assert rows[4]["judgement"] == "unchecked" and rows[4]["solution_type"] == "SB1" and rows[4]["chi2_best"] == ""
right, turned, other = rows[0], rows[1], rows[2]
assert right["has_correlations"] == "1" and float(right["distance2"]) < 25 and float(right["distance_probability"]) > 1e-3
assert float(turned["distance_probability"]) < 1e-3 and float(turned["ln_ratio"]) > 50
assert float(turned["chi2_published"]) > float(turned["chi2_5p"]) > float(turned["chi2_best"])
assert abs(0.37 * float(other["period_days"]) / float(other["published_period_days"]) - 1) < 0.01
assert float(other["ln_ratio"]) > 50 > float(other["published_gain"])
PYTHON

expect_code 0 check orbits.csv epochs.csv --out part.csv --period-min 30 --shard 2/3
expect_code 0 check dr3.csv epochs.csv --sources ids.csv --out dr3_checks.csv --period-min 30
n_checks=$((n_checks + 1))
cmp -s <(head -n 3 checks.csv | cut -d, -f 3,4,14-) <(cut -d, -f 3,4,14- dr3_checks.csv) ||
    fail "orbits of DR3 are judged otherwise"
n_checks=$((n_checks + 1))
cmp -s <(sed -n '3p;6p;9p' checks.csv) <(tail -n +2 part.csv | head -n 3) || fail "a share has other rows"
# One source, as text and JSON, as its row in the table.
expect_code 0 check orbits.csv epochs.csv --source 5000000000000000002 --period-min 30
expect_text "source 5000000000000000002: the published orbit (Orbital) has another period than its epochs"
expect_code 0 check orbits.csv epochs.csv --source 5000000000000000003 --period-min 30 --json
cp out one.json
n_checks=$((n_checks + 1))
python3 - <<'PYTHON' || fail "one source is checked otherwise"
import csv, json, math
rows = [row for row in csv.DictReader(open("checks.csv")) if row["source_id"] == "5000000000000000003"]
told = json.load(open("one.json"))
assert told["source_id"] == "5000000000000000003" and len(rows) == len(told["orbits"]) == 2
for row, own in zip(rows, told["orbits"]):
    for name in ("solution_type", "judgement", "verdict"):
        assert row[name] == own[name]
    for name in ("ln_ratio", "chi2_5p", "chi2_published", "chi2_best", "fap"):
        assert row[name] == "" and own[name] is None or math.isclose(float(row[name]), own[name], rel_tol=1e-6)
assert abs(told["orbits"][0]["published"]["a0_mas"] - 1) < 0.1
PYTHON
expect_error 1 "equant: there is no published orbit of source 17" check orbits.csv epochs.csv --source 17
expect_error 2 "equant: --json is of one source; name it with --source*" check orbits.csv epochs.csv --json --out x.csv

# A fit of one source takes what a list knows of it, unless options say otherwise.
printf 'source_id,star_mass,star_mass_err,tentative_parallax_bias\n5000000000000000000,0.8,0.1,0.05\n' >stars.csv
one="epochs.csv --source 5000000000000000000 --period-min 30 --json"
# shellcheck disable=SC2086  # words
{
    expect_code 0 fit $one --star-mass 0.8+-0.1 --parallax-zero-point 0.05
    cp out told.json
    expect_code 0 fit $one --sources stars.csv
    n_checks=$((n_checks + 1))
    cmp -s out told.json || fail "a list says something else than options"
    expect_code 0 fit $one --sources stars.csv --star-mass 2 --parallax-zero-point 0.1
    cp out other.json
    n_checks=$((n_checks + 1))
    ! cmp -s other.json told.json || fail "options do not come before lists"
}
expect_error 0 "equant: warning: the lists of --sources do not have source 5000000000000000002" \
    fit epochs.csv --source 5000000000000000002 --sources stars.csv --period-min 30

# Numbers of another release belong to no epochs; cells that are none are refused with their place.
expect_error 0 "equant: warning: 2 of 2 orbits have no epochs in these files; where orbits and epochs are of*" \
    check dr3.csv epochs.csv --out alone.csv --period-min 30
expect_bad_cell() {
    python3 -c 'import csv, sys
rows = list(csv.reader(open("orbits.csv")))[:4]
rows[3][rows[0].index(sys.argv[1])] = sys.argv[2]
csv.writer(open("bad.csv", "w"), lineterminator="\n").writerows(rows)' "$@"
    expect_error 1 "equant: bad.csv:4: $3" check bad.csv epochs.csv --out bad_checks.csv
}
expect_bad_cell a_thiele_innes x "'x' is no number, but stands where a_thiele_innes belongs"
expect_bad_cell period_error 3d "'3d' is no number, but stands where period_error belongs"
expect_bad_cell corr_vec "[0.1 x 0.3]" "'x' is no number, but stands where corr_vec belongs"
expect_bad_cell eccentricity 1.2 "an eccentricity of 1.2; it must be at least 0 and below 1"
expect_bad_cell period -300 "a period of -300 days; it must be positive"
printf 'source_id,dr3_source_id,probable_match\n1,3,true\n2,2,maybe\n' >list.csv
expect_error 1 "equant: list.csv:3: 'maybe' is neither true nor false, but stands where probable_match belongs" \
    check dr3.csv epochs.csv --sources list.csv --out bad_checks.csv
printf 'source_id,has_epoch_rvs,m1\n1,true,nan\n2,weak,0.7\n' >list.csv
expect_error 1 "equant: list.csv:3: 'weak' is neither true nor false*has_epoch_rvs belongs" \
    check dr3.csv epochs.csv --sources list.csv --out bad_checks.csv
expect_error 1 "equant: no_period.csv: there is no column period" check no_period.csv epochs.csv --out x.csv
expect_error 2 "equant: name the table of published orbits*" check orbits.csv --out x.csv
finish
