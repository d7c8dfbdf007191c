#!/usr/bin/env bash
# equant compare: the number of planets of a simulated star, in every form of output.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planet.csv 5
compare=(compare star.csv "${quick[@]}" --noise white --max-planets 2 --chains 3 --sweeps 60)
stable='{k: v for k, v in it.items() if k != "seconds"}'

# --- What it finds -----------------------------------------------------------
expect_code 0 "${compare[@]}" --json --threads 2
expect_json
wanted=$(json "$stable")
expect_equal "keys" "['chains_agree', 'n_planets', 'planets', 'candidates', 'threshold', 'priors', 'remarks', 'n_obs', 'seconds']" \
    "$(json 'list(it)')"
expect_equal "keys of a planet" "['period_days', 'period_days_err', 'probability', 'probability_err', 'fip', 'aliases']" \
    "$(json 'list(it["planets"][0])')"
expect_equal "keys of an alias" "['period_days', 'probability', 'delta_lnl']" \
    "$(json 'list(it["planets"][0]["aliases"][0])')"
expect_equal "period" True "$(json 'abs(it["planets"][0]["period_days"] - 13.7) < 0.1')"
expect_equal "a sure planet" True \
    "$(json 'it["planets"][0]["probability"] > 0.999 and it["planets"][0]["fip"] < 1e-6')"
expect_equal "numbers" "[0, 1, 2]" "$(json '[row["n"] for row in it["n_planets"]]')"
expect_equal "sum" True "$(json 'abs(sum(row["probability"] for row in it["n_planets"]) - 1) < 1e-9')"
expect_equal "one planet" True "$(json 'it["n_planets"][1]["probability"] > 0.5')"
expect_equal "evidences" True "$(json 'it["n_planets"][1]["delta_lnz"] == 0 and it["n_planets"][2]["delta_lnz"] < 0')"
if in_full; then
    expect_code 0 "${compare[@]}" --json --threads 1
    expect_equal "on one thread" "$wanted" "$(json "$stable")"
    expect_code 0 "${compare[@]}" --json --seed 9
    expect_equal "another seed is another run" True "$(json "$stable" | grep -qvxF "$wanted" && echo True)"
fi

# --- Its forms ---------------------------------------------------------------
expect_code 0 "${compare[@]}" --circular --prior-n 1/3 --amplitudes 1:32 --out found
grep -q "How many planets" out || fail "no question"
grep -q "each more 0.3333 times as likely" out || fail "no prior of n"
grep -q "Orbits are circles" out || fail "no prior of orbits"
expect_ecsv found/fip.ecsv -1 frequency period fip
expect_picture found/fip.png
expect_picture found/n_planets.png
expect_picture found/aliases.png
python3 -c 'import json; assert json.load(open("found/compare.json"))["planets"]' || fail compare.json
if in_full; then
    expect_code 0 "${compare[@]}" --threshold 0.9
    grep -q "Most probable: one planet, of which one can be named" out || fail "no number"
fi

# --- As part of a fit ---------------------------------------------------------
fit=(fit star.csv "${quick[@]}" --noise white --probabilities full --sweeps 12)
expect_code 0 "${fit[@]}" --json
expect_equal "planet of a fit" True \
    "$(json 'it["planets"][0]["probability"] > 0.999 and it["planets"][0]["fip"] < 1e-3')"
expect_equal "numbers of a fit" "[0, 1, 2, 3, 4, 5, 6]" "$(json '[row["n"] for row in it["n_planets"]]')"
expect_code 0 "${fit[@]}"
grep -q "Before the data" out || fail "no probabilities behind a fit"
expect_error 2 "*it is for one star*" fit --batch list --out stars --probabilities full

# --- What it refuses ---------------------------------------------------------
expect_error 2 "*--prior-n wants*" compare star.csv --prior-n 2
expect_error 2 "*--prior-n wants*" compare star.csv --prior-n 1/
expect_error 2 "*--amplitudes wants*" compare star.csv --amplitudes 3
expect_error 2 "*--threshold*below 1*" compare star.csv --threshold 1
expect_error 2 "*" compare star.csv --max-planets 21
# Priors that are none, before anything is fitted: no folder is made, and no fit could be.
refused() { expect_error 1 "$@" --out refused && [ ! -e refused ] || fail "$2: not at once"; }
refused "*prior of eccentricities*is no prior*" compare star.csv --prior-e 'foo(1)'
refused "*prior of eccentricities*circles*" compare star.csv --prior-e 'uniform(0.1, 0.5)'
refused "*prior of jitter*is no prior*" compare star.csv --prior-jitter x
refused "*prior of jitter*has its mean where the parameter cannot be;*" \
    compare star.csv --prior-jitter 'normal(-5, 1)'
refused "*prior of eccentricities*has its mean where*" compare star.csv --prior-e 'normal(2, 0.1)'
refused "*a period of 2e-05 days repeats too often in * days of data: search from 3e-05 days on" \
    compare star.csv --period 2e-5:80

# --- Chains that disagree go on ------------------------------------------------
disagreeing=(compare star.csv "${quick[@]}" --noise white --max-planets 3 --chains 2 --seed 4)
expect_code 0 "${disagreeing[@]}" --sweeps 8 --out short --format svg
expect_text "  Go on with these chains, four times as long in all:"
expect_equal "the pictures say so" 3 "$(grep -l "The chains disagree" short/*.svg | wc -l)"
longer=$(sed -n 's/^    equant //p' out)
expect_equal "the command" "--sweeps 32" "${longer##*svg }"
expect_error 1 "*other comparison*" "${disagreeing[@]}" --sweeps 16 --out short
read -ra longer <<<"$longer"
expect_code 0 "${longer[@]}" --json
expect_equal "they agree in the end" True "$(json 'it["chains_agree"] and "go_on" not in it')"
wanted=$(json "$stable")
expect_equal "and are removed" 0 "$(find short -name chains.bin | wc -l)"
expect_code 0 "${disagreeing[@]}" --sweeps 32 --json
expect_equal "as if they had been as long from the beginning" "$wanted" "$(json "$stable")"

finish
