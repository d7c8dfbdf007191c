#!/usr/bin/env bash
# equant evaluate: orbits in, chi-square out, as a stream.
source "$(dirname "$0")/lib.sh"
data=$here/fixtures/two_instruments.csv
orbits=$here/fixtures/orbits.csv

expect_error 1 "equant: * is no orbit (4 such in all); *" evaluate --orbits "$orbits" "$data"
expect_golden_within 1e-11 evaluate.csv
cp "$work/out" "$work/plain"
expect_code 1 evaluate --orbits - "$data" <"$orbits"
expect_golden_within 1e-11 evaluate.csv
expect_code 0 evaluate --orbits "$here/fixtures/two_planets.csv" "$data" --trend 2
expect_equal "header" \
    "chi_square,log_likelihood,offset_m_s_1,offset_m_s_2,trend_m_s_day,trend_m_s_day2" \
    "$(head -n 1 "$work/out")"

# An orbit outside the domain does not disturb its neighbours.
expect_equal "rows outside the domain" 4 "$(grep -c '^inf,-inf,' "$work/plain")"

# Neither threads nor batches change a digit.
for options in "--threads 1" "--threads 2" "--batch 1" "--batch 3" "--backend cpu/scalar"; do
    # shellcheck disable=SC2086  # options are words
    expect_code 1 evaluate --orbits "$orbits" "$data" $options
    n_checks=$((n_checks + 1))
    cmp -s "$work/out" "$work/plain" || fail "evaluate depends on $options"
done

# Solved offsets, given back as columns, give the same chi-square.
awk -F, 'NR == 2 { print $3 "," $4 }' "$work/plain" >"$work/offsets"
{
    echo "k_m_s_1,period_days_1,eccentricity_1,m0_deg_1,omega_deg_1,offset_m_s_1,offset_m_s_2"
    echo "5,13.7,0.1,30,90,$(cat "$work/offsets")"
} >"$work/given.csv"
expect_code 0 evaluate --orbits "$work/given.csv" "$data"
sed -n 2p "$work/out" >"$work/given"
sed -n 2p "$work/plain" >"$work/solved"
n_checks=$((n_checks + 1))
python3 "$here/compare.py" 1e-12 "$work/solved" "$work/given" || fail "given offsets"

# Jitter columns, quotes around names, an unnamed index column, Windows line ends.
printf '"","period_days_1","k_m_s_1","eccentricity_1","omega_deg_1","m0_deg_1"\r\n1,13.7,5,0.1,90,30\r\n' \
    >"$work/quoted.csv"
expect_code 0 evaluate --orbits "$work/quoted.csv" "$data"
expect_equal "quoted header" "$(cat "$work/solved")" "$(sed -n 2p "$work/out")"
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1,jitter_m_s_1,jitter_m_s_2\n13.7,5,0.1,90,30,0,0\n13.7,5,0.1,90,30,3,2\n' \
    >"$work/jitter.csv"
expect_code 0 evaluate --orbits "$work/jitter.csv" "$data"
sed -n 2p "$work/out" >"$work/given"
n_checks=$((n_checks + 1))
python3 "$here/compare.py" 1e-12 "$work/solved" "$work/given" || fail "jitter of zero"
expect_equal "jitter lowers chi-square" 1 \
    "$(awk -F, 'NR == 2 { a = $1 } NR == 3 { b = $1 } END { print (b < a) }' "$work/out")"

# A bad row ends the run; the rows before it are written, and --skip goes on.
head -n 4 "$orbits" >"$work/broken.csv"
echo "5,thirteen,0.1,30,90" >>"$work/broken.csv"
rm -f "$work/results.csv"
expect_error 1 "equant: $work/broken.csv:5: 'thirteen' is not a number (column period_days_1)" \
    evaluate --orbits "$work/broken.csv" "$data" --out "$work/results.csv"
expect_equal "rows before the bad one" 3 "$(wc -l <"$work/results.csv")"
n_checks=$((n_checks + 1))
grep -qF -- "equant: stopped with 2 rows written; --skip 2 continues there" "$work/err" ||
    fail "no word on --skip"
expect_code 1 evaluate --orbits "$orbits" "$data" --out "$work/results.csv" --skip 2
n_checks=$((n_checks + 1))
cmp "$work/results.csv" "$work/plain" || fail "--skip does not continue"
expect_error 1 "equant: $work/results.csv: it holds 6 rows, so --skip 2 would not continue it" \
    evaluate --orbits "$orbits" "$data" --out "$work/results.csv" --skip 2
finish
