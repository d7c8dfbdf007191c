#!/usr/bin/env bash
# equant catalogue: a row for each source, whatever the batches, the threads and the interruptions.
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
expect_error 1 "*row 1 is not of the source*" \
    catalogue "$work/sources.csv" --out "$work/shard2.csv" --resume

# The other form has the same rows, and units.
expect_code 0 catalogue "$work/sources.csv" --out "$work/whole.ecsv"
grep -q 'name: parallax_mas, unit: mas' "$work/whole.ecsv" || fail "no units"
expect_equal "rows of ECSV" "$(cat "$work/whole.csv")" "$(grep -v '^#' "$work/whole.ecsv")"

expect_error 2 "*no files*" catalogue --out "$work/x.csv"
expect_error 2 "*no table*" catalogue "$work/sources.csv"
expect_error 1 "equant: nowhere.csv: *" catalogue nowhere.csv --out "$work/none.csv"
expect_equal "no table of no file" "" "$(ls "$work/none.csv" 2>/dev/null)"
expect_error 2 "*--shard wants I/N*" catalogue "$work/sources.csv" --out "$work/x.csv" --shard 4/3
echo "a,b" >"$work/other.csv"
expect_error 1 "*this is no table of*" catalogue "$work/sources.csv" --out "$work/other.csv" --resume
finish
