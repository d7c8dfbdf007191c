#!/usr/bin/env bash
# equant solve: a filter for Kepler's equation.
source "$(dirname "$0")/lib.sh"

n_checks=$((n_checks + 1))
"$EQUANT" solve <"$here/fixtures/pairs.txt" >"$work/out" || fail "solve"
expect_golden_within 4e-15 solve.txt
"$EQUANT" solve --solver danby --tolerance 1e-14 <"$here/fixtures/pairs.txt" >"$work/out"
expect_golden_within 4e-15 solve.txt
for precision in mixed single pair; do
    "$EQUANT" solve --precision $precision <"$here/fixtures/pairs.txt" >"$work/out"
    expect_equal "lines in $precision" 8 "$(wc -l <"$work/out")"
done

# M = E - e sin E holds for what comes out.
python3 - "$here/fixtures/pairs.txt" "$here/golden/solve.txt" <<'PYTHON' || fail "solutions"
import math, sys
pairs = [line.replace(",", " ").split() for line in open(sys.argv[1])
         if line.strip() and line[0] != "#"]
for (M, e), line in zip(pairs, open(sys.argv[2])):
    E, sine, cosine = map(float, line.split())
    M, e = float(M), float(e)
    assert abs(E - e * sine - M) <= 4e-16 * max(1.0, abs(M)), line
    assert abs(sine - math.sin(E)) < 4e-16 * max(1.0, abs(E)), line
PYTHON

# No input, no output; a last line without its end; Windows line ends.
expect_equal "empty input" "" "$("$EQUANT" solve </dev/null)"
expect_equal "last line" 1 "$(printf '1 0.5' | "$EQUANT" solve | wc -l)"
expect_equal "CR LF" "$(echo 1 0.5 | "$EQUANT" solve)" "$(printf '1 0.5\r\n' | "$EQUANT" solve)"

# More than one batch, and the same for any number of threads.
python3 -c 'for i in range(20000): print(i * 0.37 - 3000, (i * 7 % 1000) / 1001)' >"$work/many"
"$EQUANT" solve --threads 1 <"$work/many" >"$work/one"
"$EQUANT" solve --threads 2 <"$work/many" >"$work/two"
expect_equal "lines" 20000 "$(wc -l <"$work/one")"
n_checks=$((n_checks + 1))
cmp "$work/one" "$work/two" || fail "solve depends on the number of threads"

# Whoever writes one line is answered before the next.
# (Named pipes, not a coproc: bash forgets the variables of a coproc that has ended.)
mkfifo "$work/question" "$work/reply"
"$EQUANT" solve <"$work/question" >"$work/reply" &
solver=$!
exec 5>"$work/question" 6<"$work/reply"
echo "1 0.5" >&5
IFS= read -r -t 60 answer <&6 || fail "solve does not answer line by line"
expect_equal "answer" "$(echo 1 0.5 | "$EQUANT" solve)" "$answer"
exec 5>&-
wait "$solver"
exec 6<&-

# What came before a bad line is not lost.
printf '1 0.5\n2 0.5\n3 1.5\n4 0.5\n' | "$EQUANT" solve >"$work/out" 2>"$work/err"
expect_equal "exit code" "0 1" "${PIPESTATUS[*]}"
expect_equal "lines before a bad one" 2 "$(wc -l <"$work/out")"
expect_equal "sentence" "equant: stdin:3: the eccentricity must be in [0, 1), not 1.5" \
    "$(cat "$work/err")"
finish
