#!/usr/bin/env bash
# Two programs and one folder: the second is told who has it, and a killed one leaves no lock.
source "$(dirname "$0")/../lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star a.csv search_planet.csv 1
for i in $(seq 400); do echo "star$i a.csv"; done >list
batch=(fit --batch list --out stars "${quick[@]}" --planets 1)
in_use="equant: *: in use by process [0-9]* on host * since 20* UTC; wait for it, or name another folder; --force goes on all the same"

# wait_for FILE: until it is there, half a minute at most.
wait_for() {
    for _ in $(seq 300); do
        [ -s "$1" ] && return
        sleep 0.1
    done
    fail "no $1"
}

# --- Two batches ----------------------------------------------------------------------
"$EQUANT" "${batch[@]}" >first 2>&1 &
pid=$!
wait_for stars/star1/fit.json
expect_error 1 "$in_use" "${batch[@]}"
expect_equal "whose it is" 1 "$(grep -c "in use by process $pid on host" err)"
kill -KILL "$pid"
wait "$pid" 2>/dev/null
head -n 1 list >short
expect_code 0 fit --batch short --out stars "${quick[@]}" --planets 1
expect_equal "no lock is left" "" "$(find . -name .equant.lock)"

# --- Two fits -------------------------------------------------------------------------
slow=(fit a.csv --noise white --planets 1 --probabilities full --sweeps 100000000 --threads 1)
"$EQUANT" "${slow[@]}" --out one >first 2>&1 &
pid=$!
wait_for one/.equant.lock
expect_error 1 "$in_use" fit a.csv "${quick[@]}" --planets 1 --out one
expect_code 0 fit a.csv "${quick[@]}" --planets 1 --out one --force
kill -KILL "$pid"
wait "$pid" 2>/dev/null
expect_code 0 fit a.csv "${quick[@]}" --planets 1 --out one
expect_equal "no lock is left" "" "$(find . -name .equant.lock)"

# --- Two samplers ---------------------------------------------------------------------
sample=(sample a.csv --planets 1 --start prior --walkers 20 --burn-in 60 --min-ess 1e9 --threads 1
    --no-pictures)
"$EQUANT" "${sample[@]}" --out run >first 2>&1 &
pid=$!
wait_for run/.equant.lock
sleep 0.2
if ! kill -0 "$pid" 2>/dev/null; then
    wait "$pid"
    expect_equal "no NetCDF" 3 $?
    finish
    exit
fi
wait_for run/run.nc
expect_error 1 "$in_use" "${sample[@]}" --out run
expect_error 1 "$in_use" sample --resume run --max-steps 200
kill -KILL "$pid"
wait "$pid" 2>/dev/null
expect_code 0 sample --resume run --max-steps 200 --no-pictures
expect_equal "no lock is left" "" "$(find . -name .equant.lock)"

# A planted link is not followed, and --force does without.
ln -s ../victim run/.equant.lock
expect_error 1 "equant: run: cannot be locked against other programs: *; --force goes on all the same" \
    sample --resume run --max-steps 200
expect_code 0 sample --resume run --max-steps 200 --no-pictures --force
expect_equal "no victim" "" "$(ls victim 2>/dev/null)"
finish
