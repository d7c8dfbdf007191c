#!/usr/bin/env bash
# equant data: text and JSON for people and programs.
source "$(dirname "$0")/lib.sh"
cd "$here/fixtures" || exit 1

expect_code 0 data two_instruments.csv
expect_golden_within 1e-9 data_text.txt
expect_code 0 data two_instruments.csv --json
expect_json
expect_golden_within 1e-12 data.json
expect_equal "keys" \
    "['n_obs', 'span_days', 'unit', 't_ref', 'instruments', 'warnings', 'format']" \
    "$(json 'list(it)')"
expect_equal "instrument keys" "['name', 'n_obs', 'mean_m_s']" \
    "$(json 'list(it["instruments"][0])')"

# km/s by request: a thousand times the velocities, the unit of the file kept.
expect_code 0 data two_instruments.csv --unit km/s --json
expect_equal "unit" km/s "$(json 'it["unit"]')"
expect_equal "mean of hires" 2000 "$(json 'it["instruments"][0]["mean_m_s"]')"

expect_code 0 data two_instruments.csv --t-ref 2455000.5 --json
expect_equal "reference time" 2455000.5 "$(json 'it["t_ref"]')"

# Two files without instrument columns are two instruments.
printf '1 10 1\n2 11 1\n' >"$work/first.txt"
printf '3 20 1\n4 21 1\n5 25 1\n' >"$work/second.txt"
expect_code 0 data "$work/first.txt" "$work/second.txt" --unit m/s --json
expect_equal "instruments" "[2, 3]" "$(json '[i["n_obs"] for i in it["instruments"]]')"

expect_code 0 data --demo --json
expect_equal "demonstration" 401 "$(json 'it["n_obs"]')"

# A name that would break JSON, were it not escaped.
printf 'time,mnvel,errvel,tel\n1,2,1,a\\b\n2,3,1,a\\b\n' >"$work/escape.csv"
expect_code 0 data "$work/escape.csv" --unit m/s --json
expect_json
expect_equal "escaped name" 'a\b' "$(json 'it["instruments"][0]["name"]')"
finish
