#!/usr/bin/env bash
# equant catalogue of astrometry with velocities: rows joined by source_id from files of all kinds, what
# astrometry alone says left as it is, shares and interrupted tables, lists of sources.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

n=8
python3 "$here/sky/joint_sources.py" . $n --seed 11
python3 - <<'PYTHON'
import zipfile
epochs, velocities = open("epochs.csv").read(), open("velocities.csv").read()
with zipfile.ZipFile("both.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("EPOCH_ASTROMETRY_RAW.csv", epochs)
    archive.writestr("EPOCH_PARAMETERS_RVS_SINGLE.csv", velocities)
    archive.writestr("README.txt", "hello\n")
head, *rows = velocities.splitlines()
ids = list(dict.fromkeys(row.split(",")[0] for row in rows))
of = {own: [row for row in rows if row.startswith(own)] for own in ids}
# The velocities of source 0 as another telescope has them, by a name and in Julian dates of TDB.
with open("named.csv", "w") as out:
    out.write("star,bjd_tdb,rv,rv_err\n")
    for row in of[ids[0]]:
        _, _, days, v, error = row.split(",")
        jd = float(days) + 2455197.5
        jd -= 1.550519768e-8 * (jd - 2443144.5003725)
        out.write(f"HD 1,{jd:.9f},{1000 * float(v):.2f},{1000 * float(error):.2f}\n")
open("named_in_list.csv", "w").write(f"source_id,name\n{ids[0]},HD 1\n")
# Numbers of DR3, of which two are told of one source.
with open("dr3.csv", "w") as out:
    out.write(head + "\n")
    out.writelines(row.replace(ids[1], "123456789012345678") + "\n" for row in of[ids[1]])
open("neighbours.csv", "w").write("source_id,dr3_source_id,angular_distance,probable_match\n"
    f"{ids[2]},123456789012345678,90.5,false\n{ids[1]},123456789012345678,0.2,true\n")
open("only.csv", "w").write(head + "\n" + "".join(row.replace(ids[1], "999") + "\n" for row in of[ids[1]]))
open("facts.csv", "w").write("source_id,m1,m1_lower,m1_upper,tentative_parallax_bias,has_epoch_astrometry,"
    "has_epoch_rvs\n" + "".join(f"{own},0.8,0.75,0.85,-0.03,true,3\n" for own in ids) + "77,1,1,1,0,true,0\n")
open("bad_id.csv", "w").write(f"source_id,star_mass\n{float(ids[0]):.6e},1\n")
open("bad_mass.csv", "w").write(f"source_id,star_mass\n{ids[0]},-1\n")
open("no_id.csv", "w").write("star,star_mass\nHD 1,1\n")
PYTHON

all=(--threads 2 --period-min 30)
expect_code 0 catalogue epochs.csv --out sky.csv "${all[@]}"
expect_code 0 catalogue velocities.csv epochs.csv --sources truth.csv --out joint.csv "${all[@]}"
expect_code 0 catalogue both.zip --sources truth.csv --out zipped.csv "${all[@]}"
n_checks=$((n_checks + 1))
cmp -s joint.csv zipped.csv || fail "an archive of both tables gives other rows"
n_checks=$((n_checks + 1))
cmp -s sky.csv <(cut -d, -f 1-19 joint.csv) || fail "velocities change what the astrometry alone says"

python3 - <<'PYTHON' || fail "orbits are told by the data that have them"
import csv
rows = {row["source_id"]: row for row in csv.DictReader(open("joint.csv"))}
truth = {row["source_id"]: row for row in csv.DictReader(open("truth.csv"))}
kinds = [row["kind"] for row in truth.values()]
assert list(rows) == list(truth) and kinds.count("orbit") >= 3, kinds
n_joint = 0
for own, row in rows.items():
    true = truth[own]
    assert int(row["n_velocities"]) == 24
    if true["kind"] != "orbit":
        assert row["orbit_from"] == "none", row
    elif row["orbit_from"] != "none":
        ratio = float(row["orbit_period_days"]) / float(true["period_days"])
        assert abs(ratio - 1) < 0.1 or float(true["period_days"]) > 1500, (row, true)
        n_joint += row["orbit_from"] == "both"
        if row["orbit_from"] == "both":
            assert abs(float(row["k_m_s"]) / 1000 - float(true["k_km_s"])) < 5 * float(row["k_m_s_err"]) / 1000
            assert float(row["tie_probability"]) > 1e-3 and float(row["mass_jupiter"]) > 0
assert n_joint >= 1
PYTHON

# Shares, and a table that was cut off in its second row.
expect_code 0 catalogue both.zip --sources truth.csv --out one.csv --shard 1/2 "${all[@]}"
expect_code 0 catalogue both.zip --sources truth.csv --out two.csv --shard 2/2 "${all[@]}"
n_checks=$((n_checks + 1))
cmp -s <(sort joint.csv) <({ cat one.csv; tail -n +2 two.csv; } | sort) || fail "shares have other rows"
head -c 1500 joint.csv >part.csv
sed "s/joint.csv/part.csv/" joint.csv.options >part.csv.options
expect_code 0 catalogue velocities.csv epochs.csv --sources truth.csv --out part.csv --resume "${all[@]}"
n_checks=$((n_checks + 1))
cmp -s joint.csv part.csv || fail "a table that goes on is another"

# Names, numbers of DR3, a star without astrometry.
fast=(--threads 2 --period-min 400 --period-max 1000)
expect_code 0 catalogue epochs.csv named.csv dr3.csv only.csv --sources named_in_list.csv \
    --sources neighbours.csv --sources facts.csv --out lists.csv "${fast[@]}"
expect_text "1 sources of the list have epoch astrometry in the archive, and none in these files"
python3 - <<'PYTHON' || fail "lists of sources say whose velocities are whose"
import csv
rows = list(csv.DictReader(open("lists.csv")))
assert [int(row["n_velocities"]) for row in rows] == [24, 24, 0, 0, 0, 0, 0, 0, 24]
assert rows[-1]["source_id"] == "999" and rows[-1]["verdict"] == "" and rows[-1]["n_transits"] == "0"
for row in rows[:-1]:
    assert row["star_mass"] == "0.8" and abs(float(row["star_mass_err"]) - 0.05) < 1e-9
    assert float(row["parallax_bias_mas"]) == -0.03
    assert row["has_epoch_astrometry"] == "1" and row["has_epoch_rvs"] == "3"
PYTHON
expect_code 0 catalogue epochs.csv named.csv --out unnamed.csv "${fast[@]}"
n_checks=$((n_checks + 1))
grep -q "velocities of 1 stars without a number of a source are left out, such as those of HD 1" "$work/err" ||
    fail "nothing is said of a star that nobody knows"

expect_error 1 "equant: no_id.csv: there is no column source_id" catalogue epochs.csv --sources no_id.csv --out x.csv
expect_error 1 "equant: bad_id.csv:2: '*' is no number of a source; *" \
    catalogue epochs.csv --sources bad_id.csv --out x.csv
expect_error 1 "equant: bad_mass.csv:2: a star of -1 solar masses" \
    catalogue epochs.csv --sources bad_mass.csv --out x.csv
# A file of velocities of which nothing can be used has been misunderstood.
sed -E '2,$s/^([^,]*,[^,]*),([0-9]+)\.([0-9]{8})/\1,\2\3000000/' velocities.csv >nanoseconds.csv
cut -d, -f 1-4 velocities.csv >without.csv
expect_error 1 "equant: star *: nanoseconds.csv:2: '*' is no time of Gaia, *; nanoseconds stand here" \
    catalogue epochs.csv nanoseconds.csv --out x.csv
expect_error 1 "equant: star *: without.csv: Gaia's velocities without uncertainties: *" \
    catalogue epochs.csv without.csv --out x.csv
expect_error 2 "equant: --fit-all, --no-colour and --sources are about astrometry*" \
    catalogue named.csv --sources truth.csv --out x.csv
finish
