#!/usr/bin/env bash
# equant catalogue of velocities: a row for each star, whatever the batches, the threads and the
# interruptions; each is what equant fit says of the star alone.
source "$(dirname "$0")/lib.sh"

python3 - "$work" <<'END' || fail "no stars"
import math, random, sys

random.seed(5)
lines = ["star,time,mnvel,errvel"]
for i, period in enumerate((0, 7.3, 0, 11.9, 5.1)):
    rows = []
    for t in sorted(random.uniform(0, 150) for _ in range(40)):
        v = 14 * math.sin(2 * math.pi * t / period) if period else 0.0
        rows.append(f"{t!r},{v + random.gauss(0, 2)!r},2")
    name = '"s2,x"' if i == 2 else f"s{i}"
    lines += [f"{name},{row}" for row in rows]
    open(f"{sys.argv[1]}/s{i}.csv", "w").write("\n".join(["time,mnvel,errvel", *rows]) + "\n")
lines += ["few,1,1,1", "bad,1,word,1"]
open(f"{sys.argv[1]}/survey.csv", "w").write("\n".join(lines) + "\n")
END

expect_code 0 catalogue "$work/survey.csv" --out "$work/whole.csv" --period-min 2 --threads 2
expect_text "7 stars in"
expect_text "3 with a planet, 2 without, 2 failed"
expect_equal "columns" \
    "star,verdict,n_obs,n_planets,offset_m_s,offset_m_s_err,jitter_m_s,jitter_m_s_err,period_days,period_days_err,k_m_s,k_m_s_err,eccentricity,eccentricity_err,omega_rad,omega_rad_err,t_conj,t_conj_err,gain,fap,probability,chi2,lnl,message" \
    "$(head -n 1 "$work/whole.csv")"
expect_equal "stars in their order" 's0 s1 "s2 s3 s4 few bad' \
    "$(tail -n +2 "$work/whole.csv" | cut -d , -f 1 | paste -sd ' ')"
expect_equal "the planet" "planet 40 1 1 1" \
    "$(awk -F , '$1 == "s1" {print $2, $3, $4, ($9 - 7.3)^2 < 0.01, ($11 - 14)^2 < 9}' "$work/whole.csv")"
grep -q '^few,failed,1,0,.*observation' "$work/whole.csv" || fail "no reason for the star of one row"
grep -q '^bad,failed,0,0,.*star bad, whose rows begin in line 203' "$work/whole.csv" ||
    fail "no reason for the star that cannot be read"

# What the table says of a star is what a fit of its own says.
expect_code 0 fit "$work/s3.csv" --period-min 2 --noise white --max-planets 1 --json
python3 - "$work" <<'END' || fail "the table and the fit differ"
import csv, json, sys

fit = json.load(open(f"{sys.argv[1]}/out"))
row = next(r for r in csv.DictReader(open(f"{sys.argv[1]}/whole.csv")) if r["star"] == "s3")
planet = fit["planets"][0]
for name in ("period_days", "k_m_s", "eccentricity", "t_conj"):
    assert abs(float(row[name]) / planet[name] - 1) < 1e-10, (name, row[name], planet[name])
END

# Batches and threads change no bit; neither does an end in the middle of a row.
expect_code 0 catalogue "$work/survey.csv" --out "$work/single.csv" --period-min 2 --batch 1 --threads 1
cmp "$work/whole.csv" "$work/single.csv" || fail "batches of one differ"
n_bytes=$(($(head -n 4 "$work/whole.csv" | wc -c) + 30))
head -c "$n_bytes" "$work/whole.csv" >"$work/part.csv"
expect_code 0 catalogue "$work/survey.csv" --out "$work/part.csv" --period-min 2 --resume
expect_text "4 stars in"
expect_text "beside 3 that were there"
cmp "$work/whole.csv" "$work/part.csv" || fail "a resumed table differs"
expect_code 0 catalogue "$work/survey.csv" --out "$work/second.csv" --period-min 2 --shard 2/3
expect_equal "second share" "$(sed -n '3p;6p' "$work/whole.csv")" "$(tail -n +2 "$work/second.csv")"
expect_error 1 "*row 1 is not of the source*" \
    catalogue "$work/survey.csv" --out "$work/second.csv" --period-min 2 --resume

# A disk that is full in the middle: a sentence, rows that are whole, and the rest later.
(
    trap '' XFSZ
    ulimit -f 1
    "$EQUANT" catalogue "$work/survey.csv" --out "$work/full.csv" --period-min 2 --batch 2 >/dev/null \
        2>"$work/err"
)
expect_equal "exit code of a full disk" 1 $?
grep -q "full.csv: cannot write" "$work/err" || fail "a full disk has no sentence: $(cat "$work/err")"
expect_code 0 catalogue "$work/survey.csv" --out "$work/full.csv" --period-min 2 --resume
cmp "$work/whole.csv" "$work/full.csv" || fail "after a full disk the table differs"

# Files of one star each, and the other form of the table.
expect_code 0 catalogue "$work"/s[01].csv --out "$work/files.ecsv" --period-min 2
expect_equal "files as stars" "$(sed -n '1p;2p;3p' "$work/whole.csv")" "$(grep -v '^#' "$work/files.ecsv")"
grep -q 'name: k_m_s, unit: m / s' "$work/files.ecsv" || fail "no units"

expect_error 2 "*about astrometry*" catalogue "$work/survey.csv" --out "$work/x.csv" --fit-all
expect_error 2 "*--noise: *nonsense*" catalogue "$work/survey.csv" --out "$work/x.csv" --noise nonsense
finish
