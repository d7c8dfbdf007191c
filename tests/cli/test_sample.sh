#!/usr/bin/env bash
# equant sample: draws that depend on the seed alone, runs that survive being stopped and killed,
# and every form of output.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planet.csv 5
make_star other.csv search_planet.csv 6 --offset 30 --instrument other
planet=$here/fixtures/search_planet.csv
# A run that takes no time, and one that goes on until it is stopped.
small=(sample star.csv other.csv --planets 1 --start "$planet" --walkers 24 --burn-in 100
    --max-steps 400 --min-ess 1e9 --threads 1)
n_endless=3000
in_full || n_endless=1000 # under sanitizers these take as long
endless=(sample star.csv --planets 1 --start "$planet" --walkers 24 --burn-in 300
    --max-steps $n_endless --min-ess 1e9 --threads 1 --checkpoint 0.05 --no-pictures)

# --- Files of runs, or a sentence where this build has none ------------------------
expect_code 0 "${small[@]}" --json --star-mass 1
expect_json
cp out first.json
"$EQUANT" "${small[@]}" --json --out probe --no-pictures >out 2>err
if [ $? -eq 3 ]; then
    expect_equal "no NetCDF" 1 "$(grep -c 'built without NetCDF' err)"
    finish
    exit
fi

# --- What it says ----------------------------------------------------------------------
cp first.json out
expect_equal "keys" True "$(json 'all(k in it for k in ("end", "converged", "n_planets",
    "n_parameters", "n_populations", "n_walkers", "n_kept", "n_steps", "rhat", "ess_bulk",
    "ess_tail", "acceptance", "seconds", "backend", "ln_z", "modes", "quantities"))')"
expect_equal "numbers" "steps False 1 9 4 24 400" "$(json 'it["end"], it["converged"],
    it["n_planets"], it["n_parameters"], it["n_populations"], it["n_walkers"], it["n_steps"]' |
    tr -d "(),'")"
expect_equal "what is lacking" True "$(json 'it["lacks"] in ("rhat", "ess", "turnover", "burn_in",
    "drift", "populations") and it["lacks_quantity"] in [q["name"] for q in it["quantities"]] and
    it["lacks_found"] != it["lacks_wanted"]')"
expect_equal "the period" True "$(json '[abs(q["median"] - 13.7) < 5 * (q["high"] - q["low"])
    for q in it["quantities"] if q["name"] == "period_days_1"][0]')"
expect_equal "instruments" "['simulated', 'other']" \
    "$(json '[q["instrument"] for q in it["quantities"] if q["name"].startswith("jitter")]')"
expect_equal "no evidence" None "$(json 'it["ln_z"]')"
expect_equal "one mode" "1 13.7" "$(json '"%d %.1f" % (len(it["modes"]), it["modes"][0]["period_days"][0])')"

# --- Same seed, same draws ---------------------------------------------------------------
# same_as FILE WHAT: the JSON in out is that of the file, but for the time it took.
same_as() {
    n_checks=$((n_checks + 1))
    diff <(grep -v seconds "$1") <(grep -v seconds out) >/dev/null || fail "$2"
}
expect_code 0 "${small[@]}" --json --star-mass 1 --threads 2
same_as first.json "the draws depend on --threads"
expect_code 0 "${small[@]}" --json --star-mass 1 --seed 2
expect_equal "another seed" 1 "$(cmp -s out first.json; echo $?)"

# --- Text and folder -----------------------------------------------------------------------
expect_code 0 "${small[@]}" --star-mass 1 --out result
expect_text "Not converged when all steps were made."
expect_text "  Worst is planet "
expect_text "  Do not quote these intervals: go on with --resume and a longer --budget or"
expect_text "planet b   period days "
expect_text "median and 68 %"
expect_equal "lines with nan" 0 "$(grep -c nan out)"
expect_equal "folder" True "$(python3 -c 'import os; found = set(os.listdir("result"))
print({"run.nc", "summary.ecsv"} <= found <= {"run.nc", "summary.ecsv", "corner.png", "trace.png", "corner.svg", "trace.svg", "corner.caption.txt", "trace.caption.txt"})')"
expect_ecsv result/summary.ecsv -1 name instrument unit median low high mode best ess_bulk \
    ess_tail rhat
expect_picture result/corner.png
expect_picture result/trace.png
expect_code 0 sample star.csv --planets 0 --walkers 12 --max-steps 500 --min-ess 1e9 --threads 1 \
    --out svg --format svg
expect_picture svg/corner.svg

# --- Models and priors -----------------------------------------------------------------------
expect_code 0 "${small[@]}" --prior-set circular --trend linear --marginalise-offsets --json
expect_equal "circular" "0 0" "$(json '[(q["low"], q["high"]) for q in it["quantities"]
    if q["name"] == "eccentricity_1"][0]' | tr -d '(),')"
expect_equal "no offsets" 0 "$(json 'sum(q["name"].startswith("offset") for q in it["quantities"])')"
expect_code 0 "${small[@]}" --prior 'eccentricity_1=beta(0.867, 3.03)' --prior jitter_m_s=0 --json
expect_equal "no jitter" 0 "$(json 'max(q["high"] for q in it["quantities"]
    if q["name"].startswith("jitter"))')"
printf 'set: circular\nevery_instrument:\n  jitter_m_s: fixed(1.5)\n' >priors.yaml
expect_code 0 "${small[@]}" --priors priors.yaml --json
expect_equal "what is fixed is counted by itself" "9 5 4" "$(json 'it["n_parameters"], it["n_fitted"], it["n_fixed"]' |
    tr -d '(),')"
expect_code 0 "${small[@]}" --priors priors.yaml
expect_text "1 planet, 5 parameters and 4 fixed;"
expect_code 0 "${small[@]}" --priors priors.yaml --json
expect_equal "a set and a jitter from a file" "0 1.5" "$(json '(
    [q["high"] for q in it["quantities"] if q["name"] == "eccentricity_1"][0],
    [q["median"] for q in it["quantities"] if q["name"].startswith("jitter")][0])' | tr -d '(),')"
expect_code 0 sample star.csv --planets 0 --temperatures 4 --walkers 12 --burn-in 100 \
    --max-steps 400 --min-ess 1e9 --threads 1 --json
expect_equal "evidence" True "$(json 'it["ln_z"] < -100 and it["ln_z_err"] > 0')"
# Populations that disagree have none, and weights with too heavy a tail.
apart=(sample star.csv --planets 1 --start prior --temperatures 3 --walkers 24 --burn-in 10
    --max-steps 40 --min-ess 1e9 --threads 1)
expect_code 0 "${apart[@]}" --json
expect_equal "no evidence to be trusted" True \
    "$(json 'it["ln_z_spread"] > 0.3 and it["k_hat"] > 0.7 and it["ln_z"] is None')"
expect_code 0 "${apart[@]}"
expect_text "ln Z cannot be told: its importance weights have too heavy a tail"

# --- Stopped, killed, resumed -------------------------------------------------------------------
expect_code 0 "${endless[@]}" --json
cp out whole.json
# A busy machine may take long to begin.
await() { # FILE
    for ((i = 0; i < 600; i++)); do
        if [ -e "$1" ]; then return; fi
        sleep 0.1
    done
}
"$EQUANT" "${endless[@]}" --out stopped >out 2>err &
await stopped/run.nc
sleep 0.3
kill -INT $!
wait $!
code=$?
if [ $code -eq 130 ]; then
    expect_equal "how to go on" 1 "$(grep -c 'go on with: equant sample --resume stopped' err)"
fi
expect_code 0 sample --resume stopped --json --threads 1
same_as whole.json "an interrupted run makes other draws"
# So does one whose time was over within its burn-in.
expect_error 1 "equant: the run ended at step *, before the first draw was kept" \
    "${endless[@]}" --budget 1e-6 --out short
expect_equal "how to go on with a short run" 1 \
    "$(grep -c 'go on with: equant sample --resume short --budget SECONDS' err)"
expect_equal "what a short run leaves" run.nc "$(ls short | xargs)"
expect_error 1 "*before the first draw was kept" sample --resume short --budget 1e-6 --threads 1
expect_code 0 sample --resume short --json --no-pictures --threads 1
same_as whole.json "a run that ended within its burn-in makes other draws"
expect_error 1 "*before the first draw was kept" "${endless[@]}" --budget 1e-6
expect_equal "nothing to go on with" 1 "$(grep -c 'without --out nothing is kept' err)"
"$EQUANT" "${endless[@]}" --out killed >out 2>err &
await killed/run.nc
for delay in 0.31 0.23 0.17 0.41 0.29; do
    sleep $delay
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    "$EQUANT" sample --resume killed --checkpoint 0.05 --no-pictures --threads 1 >out 2>err &
done
wait $!
expect_code 0 sample --resume killed --json --no-pictures --threads 1
same_as whole.json "a killed run makes other draws"
expect_code 0 sample --resume killed --max-steps $((n_endless + 100)) --json --no-pictures --threads 1
expect_equal "made longer" $((n_endless + 100)) "$(json 'it["n_steps"]')"
expect_equal "nothing else is left" "run.nc summary.ecsv" "$(ls killed | xargs)"

# --- What people get wrong -----------------------------------------------------------------------
expect_error 2 "equant: how many planets? Say it with --planets" sample star.csv
expect_error 2 "equant: no data: name a file, or use --demo" sample --planets 1
expect_error 2 "equant: --planets wants a whole number from 0 to 20, not 'auto'" \
    sample star.csv --planets auto
expect_error 2 "equant: result/run.nc is there already; go on with it by --resume result, or name *" \
    "${small[@]}" --out result
expect_error 2 "equant: --resume goes on as the run began; leave --seed out" \
    sample --resume result --seed 2
expect_error 2 "equant: --resume takes the data from its run; leave the files out" \
    sample star.csv --resume result
expect_error 1 "equant: nowhere/run.nc: *" sample --resume nowhere
expect_error 2 "equant: --walkers wants an even number, not 25" "${small[@]}" --walkers 25
expect_error 2 "equant: --max-rhat wants a number above 1, not 0.9" "${small[@]}" --max-rhat 0.9
expect_error 2 "equant: --trend is none, linear or quadratic, not 'auto'" \
    "${small[@]}" --trend auto
expect_error 2 "equant: --prior wants NAME=TEXT, such as eccentricity=fixed(0), not 'e'" \
    "${small[@]}" --prior e
expect_error 1 "equant: this model has no parameter \"mass\"" "${small[@]}" --prior mass=1
expect_error 1 "equant: there is no set of priors \"flat\": *" "${small[@]}" --prior-set flat
# A prior of what is no planet's, where planets have no letters.
expect_code 0 sample star.csv --planets 1 --walkers 24 --burn-in 100 --max-steps 120 --min-ess 1e9 \
    --set 'jitter=normal(2, 1)'
expect_error 1 "equant: the prior of jitter_m_s_1, \"normal(-5, 1)\", has its mean where *" \
    "${small[@]}" --prior 'jitter_m_s=normal(-5, 1)'
expect_error 1 "equant: 100 steps leave nothing to keep after a burn-in of 100" \
    "${small[@]}" --max-steps 100
expect_error 1 "equant: missing.yaml: *" "${small[@]}" --priors missing.yaml
head -c 5000 result/run.nc >cut.nc
mkdir cut && mv cut.nc cut/run.nc
expect_error 1 "equant: cut/run.nc: *" sample --resume cut
finish
