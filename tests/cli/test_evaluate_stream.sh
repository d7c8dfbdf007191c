#!/usr/bin/env bash
# equant evaluate on many rows: bounded memory, and Ctrl-C loses nothing.
source "$(dirname "$0")/lib.sh"
data=$here/fixtures/two_instruments.csv

# make_orbits N: a table of N rows.
make_orbits() {
    awk -v n="$1" 'BEGIN {
        print "period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1"
        for (i = 0; i < n; i++)
            printf "%.6f,%.3f,%.4f,%.4f,%.4f\n", 2 + i % 997 * 0.5, 1 + i % 83, i % 98 / 100,
                   i % 628 / 100, i % 571 / 91
    }'
}

# peak_kilobytes N: the largest memory that evaluating N rows took.
peak_kilobytes() {
    make_orbits "$1" | python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
' "$EQUANT" evaluate --orbits - "$data"
}

small=$(peak_kilobytes 50000)
large=$(peak_kilobytes 1000000)
echo "peak memory: $small kB for 50000 rows, $large kB for 1000000"
n_checks=$((n_checks + 1))
[ "$large" -lt $((small + 16384)) ] || fail "memory grows with the rows"

# Ctrl-C while rows are still coming: whole rows, exit code 130, how to go on.
make_orbits 60000 >"$work/orbits.csv"
"$EQUANT" evaluate --orbits "$work/orbits.csv" "$data" --out "$work/whole.csv" || fail "whole run"
mkfifo "$work/pipe"
"$EQUANT" evaluate --orbits "$work/pipe" "$data" --out "$work/part.csv" --batch 1000 \
    2>"$work/err" &
pid=$!
exec 7>"$work/pipe"
head -n 20001 "$work/orbits.csv" >&7
for _ in $(seq 600); do
    [ "$(wc -l <"$work/part.csv" 2>/dev/null || echo 0)" -ge 10001 ] && break
    sleep 0.1
done
kill -TERM "$pid"
wait "$pid"
expect_equal "exit code" 130 "$?"
exec 7>&-
n_rows=$(($(wc -l <"$work/part.csv") - 1))
expect_equal "sentence" "equant: stopped with $n_rows rows written; --skip $n_rows continues there" \
    "$(cat "$work/err")"
expect_code 0 evaluate --orbits "$work/orbits.csv" "$data" --out "$work/part.csv" --skip "$n_rows"
n_checks=$((n_checks + 1))
cmp "$work/part.csv" "$work/whole.csv" || fail "continued run differs from a whole one"
finish
