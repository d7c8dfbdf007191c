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
    "['n_obs', 'n_left_out', 'span_days', 'unit', 't_ref', 'time_name', 'instruments', 'indicators', 'ignored_columns', 'warnings', 'format']" \
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

# A bad row is refused, and the option that leaves it out is named; then it is told.
printf 'time,rv,rv_err,s_index,note\n1,2,1,0.17,a\n2,nan,1,0.18,b\n3,4,1,0.19,c\n' >"$work/bad.csv"
expect_error 1 "*bad.csv:3: the velocity is 'nan'*" data "$work/bad.csv" --unit m/s
grep -q -- '--skip-bad-rows' "$work/err" || fail "the way to leave bad rows out is not named"
expect_code 0 data "$work/bad.csv" --unit m/s --skip-bad-rows
grep -q 'left out: 1, line 3; in the first' "$work/out" || fail "what was skipped is not said"
for command in fit search; do
    expect_code 1 "$command" "$work/bad.csv" --unit m/s --period 1.5:3
    grep -q -- '--skip-bad-rows' "$work/err" || fail "$command names no way to leave bad rows out"
done

# Indicators and columns of no use are listed.
expect_code 0 data "$work/bad.csv" --unit m/s --skip-bad-rows --json
expect_equal "indicator" "('s_index', 2, 0, 0.17, 0.19)" \
    "$(json 'tuple(it["indicators"][0][k] for k in ("name", "n_values", "n_uncertainties", "smallest", "largest"))')"
expect_equal "ignored" "['note']" "$(json 'it["ignored_columns"]')"

# Times are called what their heading calls them.
expect_equal "times without a name" JD "$(json 'it["time_name"]')"
printf 'BJD_TDB,rv,rv_err\n2455000.5,2,1\n2455001.5,4,1\n' >"$work/named.csv"
expect_code 0 data "$work/named.csv" --unit m/s --json
expect_equal "times with a name" BJD "$(json 'it["time_name"]')"
expect_code 0 data "$work/named.csv" --unit m/s
expect_text "  times           BJD"

# Columns by choice.
printf 'when what how\n1 2 0.5\n2 3 0.5\n' >"$work/odd.txt"
expect_error 1 "*no column of times is named here*" data "$work/odd.txt" --unit m/s
grep -q -- '--columns' "$work/err" || fail "the way to choose columns is not named"
expect_code 0 data "$work/odd.txt" --unit m/s --columns time=when,rv=2,err=how --json
expect_equal "chosen" 2.5 "$(json 'it["instruments"][0]["mean_m_s"]')"
expect_error 1 "*is no kind of column*" data "$work/odd.txt" --columns tiem=when

# What has no end is refused; pipes are read.
expect_error 1 "*/dev/zero: this is a binary file*" data /dev/zero
printf 'RV[] /dev/zero\n' >"$work/endless.sys"
expect_error 1 "*binary file*" data "$work/endless.sys"
printf '1 2 1\n2 3 1\n' | "$EQUANT" data /dev/stdin --unit m/s >"$work/out" 2>&1 ||
    fail "standard input is not read"
finish
