#!/usr/bin/env bash
# equant data on files of astrometry: recognised by their contents, one source or many.
source "$(dirname "$0")/lib.sh"

printf ' 20114916805338633 1 2457937.875 146.5 0.25 0.5 -60 0\n 20114916805338633 2 2457936.875 147.0 0.50 0.5 -30 0\n 20114916805338634 1 2457938.875 999.0 0.50 0.5 -30 1\n' >"$work/bh3.dat"
expect_code 0 data "$work/bh3.dat"
grep -q '2 measurements of the star in 1 transits' "$work/out" || fail "rows and transits are not counted"
grep -q 'table of Gaia BH3' "$work/out" || fail "the format is not named"
grep -q 'left out: 1 of 3 measurements' "$work/out" || fail "what was left out is not said"
expect_code 0 data "$work/bh3.dat" --json
expect_json
expect_equal "counts" "(1, 2, 1, 'star', 2457936.875)" \
    "$(json '(len(it["sources"]), it["sources"][0]["n_rows"], it["sources"][0]["n_transits"], it["sources"][0]["kind"], it["sources"][0]["reference_jd"])')"

# Many sources; their numbers have more digits than a double.
{
    echo 'source_id,obs_time_tcb,centroid_pos_al,centroid_pos_error_al,scan_pos_angle,used_by_agis_al'
    for i in 3 4 5 6 7 8 9; do
        echo "900719925474099$i,\"(0, 5000000000)\",\"(1, 2)\",\"(0.5, 0.5)\",\"(10, 20)\",\"(true, true)\""
    done
} >"$work/bulk.csv"
expect_code 0 data "$work/bulk.csv" --json
expect_json
expect_equal "numbers" "[9007199254740993, 7]" "$(json '[it["sources"][0]["source_id"], len(it["sources"])]')"
expect_code 0 data "$work/bulk.csv"
grep -q '^Gaia 9007199254740999  2 rows' "$work/out" || fail "further sources have no line"

# Bad files, one sentence each, and nothing on standard output.
head -c 300 "$work/bulk.csv" >"$work/cut.csv"
expect_error 1 "*cut.csv:4: *" data "$work/cut.csv"
printf 'PAR1 something' >"$work/epochs.parquet"
expect_error 3 "*Parquet*" data "$work/epochs.parquet"
expect_error 2 "*is astrometry: options of velocities*" data "$work/bh3.dat" --unit m/s
printf '1 10 1\n2 11 1\n' >"$work/rv.txt"
expect_error 2 "*one kind at a time*" data "$work/bh3.dat" "$work/rv.txt"

finish
