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

# Correlated noise: values in words or in columns.
cat >"$work/noisy.csv" <<'END'
k_m_s_1,period_days_1,eccentricity_1,m0_deg_1,omega_deg_1,jitter_m_s_1,jitter_m_s_2
5,13.7,0.1,30,90,1.5,0.5
4,21,0.3,60,45,0,0
END
awk -F, -v OFS=, 'NR == 1 { print $0, "night_amplitude_m_s", "matern32_amplitude_m_s", "matern32_decay_days" }
    NR > 1 { print $0, 1.5, 2, 9 }' "$work/noisy.csv" >"$work/columns.csv"
expect_code 0 evaluate --orbits "$work/columns.csv" "$data" --trend 1 --noise night,matern32
cp "$work/out" "$work/in_columns"
expect_code 0 evaluate --orbits "$work/noisy.csv" "$data" --trend 1 \
    --noise 'night(amplitude=1.5),matern32(amplitude=2,decay=9)'
expect_equal "values in words" "$(cat "$work/in_columns")" "$(cat "$work/out")"
qp='qp(amplitude=3,period=12,decay=30,width=0.5)'
expect_code 0 evaluate --orbits "$work/noisy.csv" "$data" --noise "$qp"
cp "$work/out" "$work/kernel"
# Offsets that are solved for, given back as columns, leave ln L as it is; and so it is the best.
for shift in 0 0.01; do
    awk -F, -v OFS=, -v CONVFMT=%.17g -v shift=$shift 'NR == FNR { offset[FNR] = $3 + shift OFS $4; next }
        FNR == 1 { print $0, "offset_m_s_1", "offset_m_s_2" } FNR > 1 { print $0, offset[FNR] }' \
        "$work/kernel" "$work/noisy.csv" >"$work/given.csv"
    expect_code 0 evaluate --orbits "$work/given.csv" "$data" --noise "$qp"
    cp "$work/out" "$work/shifted_$shift"
done
n_checks=$((n_checks + 1))
python3 "$here/compare.py" 1e-9 "$work/kernel" "$work/shifted_0" || fail "offsets given back"
expect_equal "they are the best" 1 "$(paste -d, "$work/kernel" "$work/shifted_0.01" |
    awk -F, 'NR > 1 && !($2 > $6) { bad = 1 } END { print !bad }')"
expect_error 1 "equant: $work/columns.csv:1: column night_amplitude_m_s is there, and --noise gives its value" \
    evaluate --orbits "$work/columns.csv" "$data" \
    --noise 'night(amplitude=1.5),matern32(amplitude=2,decay=9)'
expect_error 1 "equant: $work/noisy.csv:1: column mep_amplitude_m_s is missing" \
    evaluate --orbits "$work/noisy.csv" "$data" --noise mep
expect_error 2 "equant: --noise: noise 'mep(period=1)': 'mep' lacks amplitude (standard deviation)" \
    evaluate --orbits "$work/noisy.csv" "$data" --noise 'mep(period=1)'
expect_error 2 "equant: --noise auto is what a fit chooses; name terms here" \
    evaluate --orbits "$work/noisy.csv" "$data" --noise auto
# --- What states give needs no column -------------------------------------------
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1,jitter_m_s_1,jitter_m_s_2\n%s\n' \
    '20,3,0.2,100,30,1.5,0' >"$work/whole.csv"
printf 'k_m_s_1,omega_deg_1\n3,100\n' >"$work/half.csv"
expect_code 0 evaluate --orbits "$work/whole.csv" "$data" --trend 1
cp "$work/out" "$work/whole"
first=$("$EQUANT" data "$data" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["instruments"][0]["name"])')
given=(b.period_days=20 b.eccentricity=0.2 b.m0_deg=30 "jitter[$first]=1.5" trend=linear)
expect_code 0 evaluate --orbits "$work/half.csv" "$data" --set "${given[@]}"
n_checks=$((n_checks + 1))
python3 "$here/compare.py" 1e-12 "$work/whole" "$work/out" || fail "values by states"
expect_code 0 evaluate --orbits "$work/half.csv" "$data" --set "${given[@]}" 'b.k_m_s=normal(2, 0.5)' b.omega_deg=0:360
expect_equal "priors" "log_prior True" "$(python3 -c '
import csv, math, sys
row = next(csv.DictReader(open(sys.argv[1])))
wanted = -2 - math.log(0.5 * math.sqrt(2 * math.pi) * 0.99996832875817) - math.log(2 * math.pi)
print(list(row)[2], abs(float(row["log_prior"]) - wanted) < 1e-9)' "$work/out")"
expect_error 1 "equant: $work/half.csv:1: column k_m_s_1 is there, and --set gives its value" \
    evaluate --orbits "$work/half.csv" "$data" --set "${given[@]}" b.k_m_s=3
expect_error 1 "equant: $work/half.csv:1: column m0_rad_1 is missing" \
    evaluate --orbits "$work/half.csv" "$data" --set b.period_days=20 b.eccentricity=0.2
expect_error 1 "equant: --set: b.m_sin_i_jupiter needs the mass of the star" \
    evaluate --orbits "$work/half.csv" "$data" --set "${given[@]}" 'b.m_sin_i_jupiter=normal(1, 2)'
expect_error 2 "equant: --trend 2 contradicts --set trend=linear" \
    evaluate --orbits "$work/half.csv" "$data" --trend 2 --set "${given[@]}"
finish
