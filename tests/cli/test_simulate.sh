#!/usr/bin/env bash
# equant simulate: files that equant itself reads and fits.
source "$(dirname "$0")/lib.sh"
orbits=$here/fixtures/two_planets.csv
cadence=(--start 2455000 --n-obs 60 --cadence 3.5)

expect_code 0 simulate --orbits "$orbits" "${cadence[@]}" --jitter-times --noise 2 --seed 42 \
    --offset 100
expect_golden_within 1e-11 simulate.csv
expect_code 0 simulate --orbits "$orbits" "${cadence[@]}" --jitter-times --noise 2 --seed 42 \
    --offset 100 --out "$work/noisy.csv"
expect_code 0 data "$work/noisy.csv" --unit m/s --json
expect_equal "round trip" "60 simulated" "$(json '"%d %s" % (it["n_obs"], it["instruments"][0]["name"])')"

# The orbit that made the data fits them: chi-square near the number of
# observations with noise, near nothing without; the offset is found.
expect_code 0 evaluate --orbits "$orbits" "$work/noisy.csv" --unit m/s
expect_equal "chi-square with noise" 1 \
    "$(awk -F, 'NR == 2 { print ($1 > 25 && $1 < 110 && $3 > 98 && $3 < 102) }' "$work/out")"
expect_code 0 simulate --orbits "$orbits" "${cadence[@]}" --out "$work/exact.csv"
expect_code 0 evaluate --orbits "$orbits" "$work/exact.csv" --unit m/s
expect_equal "chi-square without noise" 1 "$(awk -F, 'NR == 2 { print ($1 < 1e-18) }' "$work/out")"

# A reference time of one's own, at both ends.
expect_code 0 simulate --orbits "$orbits" "${cadence[@]}" --t-ref 2450000 --out "$work/other.csv"
expect_code 0 evaluate --orbits "$orbits" "$work/other.csv" --unit m/s --t-ref 2450000
expect_equal "same reference time" 1 "$(awk -F, 'NR == 2 { print ($1 < 1e-15) }' "$work/out")"
expect_code 0 evaluate --orbits "$orbits" "$work/other.csv" --unit m/s
expect_equal "other reference time" 1 "$(awk -F, 'NR == 2 { print ($1 > 100) }' "$work/out")"

# Another seed is another file; the times of an existing file can be used again.
expect_code 0 simulate --orbits "$orbits" "${cadence[@]}" --noise 2 --seed 43 --out "$work/43.csv"
n_checks=$((n_checks + 1))
cmp -s "$work/noisy.csv" "$work/43.csv" && fail "the seed changes nothing"
expect_code 0 simulate --orbits "$orbits" --times "$work/noisy.csv" --instrument copy
expect_equal "times" "$(cut -d, -f 1 "$work/noisy.csv")" "$(cut -d, -f 1 "$work/out")"

# Rows of the table by number; trend and offset columns count.
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1,offset_m_s_1,trend_m_s_day\n10,1e-9,0,0,0,50,0\n10,1e-9,0,0,0,50,0.25\n' \
    >"$work/linear.csv"
expect_code 0 simulate --orbits "$work/linear.csv" --row 2 --start 0 --n-obs 2 --cadence 4 --t-ref 0
expect_equal "offset and trend" "50 51" \
    "$(awk -F, 'NR > 1 { printf "%s%.6g", (NR > 2 ? " " : ""), $2 }' "$work/out")"

# Correlated noise in words: a night has one offset; the seed says which.
printf 'time\n2455001.62\n2455000.6\n2455000.7\n2455001.6\n' >"$work/nights.txt"
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1\n10,1e-9,0,0,0\n' >"$work/still.csv"
nights=(simulate --orbits "$work/still.csv" --times "$work/nights.txt")
expect_code 0 "${nights[@]}" --noise 'night(amplitude=2)' --seed 3
expect_equal "one offset a night" "1 1 0 1" "$(awk -F, 'function near(a, b) { return (a - b)^2 < 1e-6 }
    NR > 1 { v[NR] = $2; err[$3]++ }
    END { print near(v[2], v[3]), near(v[4], v[5]), near(v[3], v[4]), (err[1] == 4) }' "$work/out")"
mv "$work/out" "$work/first"
expect_code 0 "${nights[@]}" --noise ' night( amplitude=2 )' --seed 3
n_checks=$((n_checks + 1))
cmp -s "$work/first" "$work/out" || fail "the same seed gives other noise"
expect_code 0 "${nights[@]}" --noise 'night(amplitude=2)' --white 0.5 --seed 3
expect_equal "white noise beside it" "1 1" "$(awk -F, 'NR > 1 { v[NR] = $2; n += $3 == 0.5 }
    END { d = (v[2] - v[3])^2; print (d > 1e-4 && d < 9), (n == 4) }' "$work/out")"
expect_error 2 "*'night' has no parameter 'size'*" "${nights[@]}" --noise 'night(size=2)'
expect_error 2 "*there is no term 'spots'*" "${nights[@]}" --noise spots
expect_error 2 '*--white cannot be negative*' "${nights[@]}" --white -1
finish
