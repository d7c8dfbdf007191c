#!/usr/bin/env bash
# equant montecarlo: the same seed finds the same orbits, whoever computes them.
source "$(dirname "$0")/lib.sh"
search=(montecarlo --demo --samples 20000 --best 5 --seed 7)

# Everything but the speed.
stable='{k: v for k, v in it.items()
         if k not in ("seconds", "orbits_per_s", "evaluations_per_s", "backend")}'

expect_code 0 "${search[@]}" --json --out "$work/best.csv"
expect_json
wanted=$(json "$stable")
expect_equal "best orbits" 5 "$(json 'len(it["best"])')"
expect_equal "sorted" True \
    "$(json '[o["chi_square"] for o in it["best"]] == sorted(o["chi_square"] for o in it["best"])')"
expect_equal "better than no planet" True \
    "$(json 'it["best"][0]["chi_square"] < it["chi_square_no_planet"]')"
for options in "--threads 1" "--threads 2" "--batch 1000" "--batch 77777" "--backend cpu/scalar"; do
    # shellcheck disable=SC2086  # options are words
    expect_code 0 "${search[@]}" --json $options
    expect_equal "montecarlo with $options" "$wanted" "$(json "$stable")"
done
expect_code 0 montecarlo --demo --samples 20000 --best 5 --seed 8 --json
n_checks=$((n_checks + 1))
[ "$wanted" != "$(json "$stable")" ] || fail "the seed changes nothing"

# The first orbits of a longer search are those of a shorter one.
expect_code 0 montecarlo --demo --samples 10000 --best 20000 --seed 7 --json
expect_equal "all of them" 10000 "$(json 'len(it["best"])')"
expect_equal "all indices" True \
    "$(json 'sorted(o["index"] for o in it["best"]) == list(range(10000))')"

# The table goes back into evaluate, and comes out the same.
expect_code 0 evaluate --demo --orbits "$work/best.csv"
expect_equal "chi-square by evaluate" "$(cut -d, -f 2,3 "$work/best.csv")" \
    "$(cut -d, -f 1,2 "$work/out")"

# Text: all but the last lines, which tell the speed.
expect_code 0 "${search[@]}"
expect_text "orbits/s"
sed -i '/ orbits in /,$d' "$work/out"
expect_golden_within 1e-9 montecarlo.txt

# Counts may be written as 2e4; with too few observations no figure is made up.
expect_code 0 montecarlo --demo --samples 2e4 --best 5 --seed 7 --json
expect_equal "montecarlo with --samples 2e4" "$wanted" "$(json "$stable")"
printf 'time,mnvel,errvel\n1,2,1\n2,3,1\n3,5,1\n' >"$work/three.csv"
expect_code 0 montecarlo "$work/three.csv" --samples 100 --best 2 --trend 2
expect_text "they cannot"
expect_equal "lines with nan" 0 "$(grep -c nan "$work/out")"

# Two planets, a trend, other ranges.
expect_code 0 montecarlo --demo --planets 2 --samples 5000 --best 2 --trend 1 --period-min 50 \
    --period-max 2000 --k-min 2 --k-max 20 --eccentricity-max 0.3 --json
expect_equal "ranges" True "$(json 'all(50 <= p["period_days"] <= 2000 and 2 <= p["k_m_s"] <= 20
    and p["eccentricity"] <= 0.3 for o in it["best"] for p in o["planets"])')"
expect_equal "planets" 2 "$(json 'len(it["best"][0]["planets"])')"
expect_equal "trend" 1 "$(json 'len(it["best"][0]["trend"])')"

# Ctrl-C shows the best so far, once there is work to show: two seconds of one processor, however long
# a busy machine takes to give them; sanitizers take more.
"$EQUANT" montecarlo --demo --samples 100000000000 --threads 1 --json >"$work/out" 2>"$work/err" &
pid=$!
if in_full; then enough=2; else enough=4; fi
for _ in $(seq 600); do
    [ "$(awk '{ print int(($14 + $15) / 100) }' "/proc/$pid/stat")" -ge "$enough" ] && break
    sleep 0.1
done
kill -TERM "$pid"
wait "$pid"
expect_equal "exit code" 130 "$?"
expect_json
expect_equal "best so far" 10 "$(json 'len(it["best"])')"
n_checks=$((n_checks + 1))
grep -q "^equant: interrupted after [0-9]* of 100000000000 orbits$" "$work/err" ||
    fail "no word on the interruption"
finish
