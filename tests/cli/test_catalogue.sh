#!/usr/bin/env bash
# equant catalogue: a row for each source or star, whatever the batches, the threads and the interruptions.
source "$(dirname "$0")/lib.sh"

python3 "$here/fixtures/make_sky_sources.py" >"$work/sources.csv" || fail "no sources"

expect_code 0 catalogue "$work/sources.csv" --out "$work/whole.csv" --threads 2
expect_text "7 sources in"
expect_text "4 5p, 1 7p, 0 9p, 1 orbit, 0 scan_angle"
expect_text "1 without a solution"
expect_equal "columns" \
    "source_id,n_transits,verdict,parallax_mas,parallax_mas_err,pm_ra_mas_yr,pm_ra_mas_yr_err,pm_dec_mas_yr,pm_dec_mas_yr_err,chi2_5p,chi2_orbit,chi2_scan_angle,gain,fap,period_days,eccentricity,a0_mas,a0_mas_err,flags" \
    "$(head -n 1 "$work/whole.csv")"
expect_equal "numbers beyond 2^53 in their order" \
    "9007199254740993 9007199254740994 9007199254740995 9007199254740996 9007199254740997 9007199254740998 9007199254740999" \
    "$(tail -n +2 "$work/whole.csv" | cut -d , -f 1 | paste -sd ' ')"
orbit=$(sed -n 3p "$work/whole.csv")
expect_equal "the orbit" "orbit 1 1" \
    "$(awk -F , '{print $3, ($15 - 430)^2 < 9, ($17 - 1.5)^2 < 0.03}' <<<"$orbit")"
expect_equal "too few rows" "9007199254740997,4,,,,,,,,,,,,,,,,,unsolved" "$(sed -n 6p "$work/whole.csv")"

# Batches and threads change no bit; neither does an end in the middle of a row.
expect_code 0 catalogue "$work/sources.csv" --out "$work/single.csv" --batch 1 --threads 1
cmp "$work/whole.csv" "$work/single.csv" || fail "batches of one differ"
n_bytes=$(($(head -n 4 "$work/whole.csv" | wc -c) + 30))
head -c "$n_bytes" "$work/whole.csv" >"$work/part.csv"
cp "$work/whole.csv.options" "$work/part.csv.options"
expect_error 1 "*is there already; go on with it by --resume*" \
    catalogue "$work/sources.csv" --out "$work/part.csv"
expect_code 0 catalogue "$work/sources.csv" --out "$work/part.csv" --resume
expect_text "4 sources in"
expect_text "beside 3 that were there"
cmp "$work/whole.csv" "$work/part.csv" || fail "a resumed table differs"

# Shares are every n-th source.
for i in 1 2 3; do
    expect_code 0 catalogue "$work/sources.csv" --out "$work/shard$i.csv" --shard "$i/3"
done
expect_equal "second share" "$(sed -n '3p;6p' "$work/whole.csv")" "$(tail -n +2 "$work/shard2.csv")"
expect_equal "all shares" "$(tail -n +2 "$work/whole.csv" | sort)" \
    "$(tail -qn +2 "$work"/shard?.csv | sort)"

# A table is gone on with only with the options that its rows depend on, and the same sources.
expect_error 1 "*shard2.csv: it was made with another --shard: 2/3 then, 1/1 now; *" \
    catalogue "$work/sources.csv" --out "$work/shard2.csv" --resume
expect_error 1 "*whole.csv: it was made with another --fap: default then, 0.01 now; *" \
    catalogue "$work/sources.csv" --out "$work/whole.csv" --resume --fap 0.01
for option in "--period-min 20" "--period-max 900" "--max-eccentricity 0.5" "--precision double" \
    "--backend cpu/scalar" --no-colour --fit-all; do
    read -r -a words <<<"$option"
    expect_error 1 "*whole.csv: it was made with another ${words[0]}: *" \
        catalogue "$work/sources.csv" --out "$work/whole.csv" --resume "${words[@]}"
done
cmp "$work/whole.csv" "$work/single.csv" || fail "a table has changed that was not gone on with"
expect_code 0 catalogue "$work/sources.csv" --out "$work/whole.csv" --resume --batch 3 --threads 1
grep -v 9007199254740993 "$work/sources.csv" >"$work/others.csv"
expect_error 1 "*row 1 is not of the source*" catalogue "$work/others.csv" --out "$work/part.csv" --resume
mv "$work/part.csv.options" "$work/moved"
expect_error 1 "*part.csv: *part.csv.options is missing, *" \
    catalogue "$work/sources.csv" --out "$work/part.csv" --resume

# One program at a time writes to a table.
cp "$work/shard1.csv" "$work/before.csv"
exec 9>>"$work/shard1.csv"
python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
expect_error 1 "*shard1.csv: in use by another program; *" \
    catalogue "$work/sources.csv" --out "$work/shard1.csv" --resume --shard 1/3
exec 9>&-
cmp "$work/shard1.csv" "$work/before.csv" || fail "a table has changed that was in use"
for i in 1 2; do
    "$EQUANT" catalogue "$work/sources.csv" --out "$work/both.csv" --shard "$i/2" --threads 1 \
        >/dev/null 2>"$work/err$i" &
    pids[i]=$!
done
n_done=0
for i in 1 2; do
    if wait "${pids[i]}"; then
        n_done=$((n_done + 1))
        winner=$i
    else
        grep -q "both.csv\(: in use by another program\| is there already\)" "$work/err$i" || fail "$(cat "$work/err$i")"
    fi
done
expect_equal "shares that made a table" 1 "$n_done"
expect_code 0 catalogue "$work/sources.csv" --out "$work/alone.csv" --shard "$winner/2"
cmp "$work/both.csv" "$work/alone.csv" || fail "two shares are mixed in one table"

# The other form has the same rows, and units.
expect_code 0 catalogue "$work/sources.csv" --out "$work/whole.ecsv"
grep -q 'name: parallax_mas, unit: mas' "$work/whole.ecsv" || fail "no units"
expect_equal "rows of ECSV" "$(cat "$work/whole.csv")" "$(grep -v '^#' "$work/whole.ecsv")"

expect_error 2 "*no files*" catalogue --out "$work/x.csv"
expect_error 2 "*the output table is missing*" catalogue "$work/sources.csv"
expect_error 1 "equant: nowhere.csv: *" catalogue nowhere.csv --out "$work/none.csv"
expect_equal "no table of no file" "" "$(ls "$work/none.csv" 2>/dev/null)"
expect_error 2 "*--shard wants I/N*" catalogue "$work/sources.csv" --out "$work/x.csv" --shard 4/3
echo "a,b" >"$work/other.csv"
expect_error 1 "*this is no table of*" catalogue "$work/sources.csv" --out "$work/other.csv" --resume

# --- Stars with velocities ---------------------------------------------------------------
# Each row is what equant fit says of the star alone.
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

expect_code 1 catalogue "$work/survey.csv" --out "$work/stars-whole.csv" --period-min 2 --threads 2
expect_text "7 stars in"
expect_text "3 with a planet, 2 without, 2 failed"
expect_equal "failures are said" 1 "$(grep -c "2 of the stars could not be fitted; the column message of" "$work/err")"
expect_equal "columns" \
    "star,verdict,n_obs,n_planets,offset_m_s,offset_m_s_err,jitter_m_s,jitter_m_s_err,period_days,period_days_err,k_m_s,k_m_s_err,eccentricity,eccentricity_err,omega_rad,omega_rad_err,t_conj,t_conj_err,gain,fap,probability,chi2,lnl,message" \
    "$(head -n 1 "$work/stars-whole.csv")"
expect_equal "stars in their order" 's0 s1 "s2 s3 s4 few bad' \
    "$(tail -n +2 "$work/stars-whole.csv" | cut -d , -f 1 | paste -sd ' ')"
expect_equal "the planet" "planet 40 1 1 1" \
    "$(awk -F , '$1 == "s1" {print $2, $3, $4, ($9 - 7.3)^2 < 0.01, ($11 - 14)^2 < 9}' "$work/stars-whole.csv")"
grep -q '^few,failed,1,0,.*observation' "$work/stars-whole.csv" || fail "no reason for the star of one row"
grep -q '^bad,failed,0,0,.*star bad, whose rows begin in line 203' "$work/stars-whole.csv" ||
    fail "no reason for the star that cannot be read"

# What the table says of a star is what a fit of its own says.
expect_code 0 fit "$work/s3.csv" --period-min 2 --noise white --max-planets 1 --json
python3 - "$work" <<'END' || fail "the table and the fit differ"
import csv, json, sys

fit = json.load(open(f"{sys.argv[1]}/out"))
row = next(r for r in csv.DictReader(open(f"{sys.argv[1]}/stars-whole.csv")) if r["star"] == "s3")
planet = fit["planets"][0]
for name in ("period_days", "k_m_s", "eccentricity", "t_conj"):
    assert abs(float(row[name]) / planet[name] - 1) < 1e-10, (name, row[name], planet[name])
END

# Batches and threads change no bit; neither does an end in the middle of a row.
expect_code 1 catalogue "$work/survey.csv" --out "$work/stars-single.csv" --period-min 2 --batch 1 --threads 1
cmp "$work/stars-whole.csv" "$work/stars-single.csv" || fail "batches of one differ"
n_bytes=$(($(head -n 4 "$work/stars-whole.csv" | wc -c) + 30))
head -c "$n_bytes" "$work/stars-whole.csv" >"$work/stars-part.csv"
cp "$work/stars-whole.csv.options" "$work/stars-part.csv.options"
expect_code 1 catalogue "$work/survey.csv" --out "$work/stars-part.csv" --period-min 2 --resume
expect_text "4 stars in"
expect_text "beside 3 that were there"
cmp "$work/stars-whole.csv" "$work/stars-part.csv" || fail "a resumed table differs"
expect_code 0 catalogue "$work/survey.csv" --out "$work/stars-second.csv" --period-min 2 --shard 2/3
expect_equal "second share" "$(sed -n '3p;6p' "$work/stars-whole.csv")" "$(tail -n +2 "$work/stars-second.csv")"
expect_error 1 "*it was made with another --shard: 2/3 then, 1/1 now; *" \
    catalogue "$work/survey.csv" --out "$work/stars-second.csv" --period-min 2 --resume
expect_error 1 "*it was made with another --noise: white then, auto now; *" \
    catalogue "$work/survey.csv" --out "$work/stars-whole.csv" --period-min 2 --resume --noise auto
for option in "--max-planets 2" "--unit km/s" --skip-bad-rows; do
    read -r -a words <<<"$option"
    expect_error 1 "*it was made with another ${words[0]}: *" \
        catalogue "$work/survey.csv" --out "$work/stars-whole.csv" --period-min 2 --resume "${words[@]}"
done

# A disk that is full in the middle: a sentence, rows that are whole, and the rest later.
(
    trap '' XFSZ
    ulimit -f 1
    "$EQUANT" catalogue "$work/survey.csv" --out "$work/stars-full.csv" --period-min 2 --batch 2 >/dev/null \
        2>"$work/err"
)
expect_equal "exit code of a full disk" 1 $?
grep -q "stars-full.csv: cannot write" "$work/err" || fail "a full disk has no sentence: $(cat "$work/err")"
expect_code 1 catalogue "$work/survey.csv" --out "$work/stars-full.csv" --period-min 2 --resume
cmp "$work/stars-whole.csv" "$work/stars-full.csv" || fail "after a full disk the table differs"

# Files of one star each, and the other form of the table.
expect_code 0 catalogue "$work"/s[01].csv --out "$work/stars-files.ecsv" --period-min 2
expect_equal "files as stars" "$(sed -n '1p;2p;3p' "$work/stars-whole.csv")" "$(grep -v '^#' "$work/stars-files.ecsv")"
grep -q 'name: k_m_s, unit: m / s' "$work/stars-files.ecsv" || fail "no units"

expect_error 2 "*about astrometry*" catalogue "$work/survey.csv" --out "$work/stars-x.csv" --fit-all
expect_error 2 "*--noise: *nonsense*" catalogue "$work/survey.csv" --out "$work/stars-x.csv" --noise nonsense
finish
