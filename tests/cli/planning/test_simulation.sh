#!/usr/bin/env bash
# equant plan --simulate: strategies against each other, on a few stars, in every form of output.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
small=(plan --simulate --stars 3 --k 2 --period-max 40 --most 6 --span 150 --ahead 6 --threads 1)
"$EQUANT" "${small[@]}" >out 2>err
if [ $? -eq 3 ]; then
    expect_equal "no ERFA" 1 "$(wc -l <err)"
    finish
    exit
fi
expect_code 0 "${small[@]}"
grep -q "How many observations do strategies need" out || fail "no question"
expect_equal "all strategies" 5 "$(grep -cE '^  (random|uniform|everything|modes|candidate) ' out)"
expect_code 0 "${small[@]}" --json
expect_json
expect_equal "strategies" "['random', 'uniform', 'everything', 'modes', 'candidate']" \
    "$(json '[s["strategy"] for s in it["strategies"]]')"
expect_equal "uniform saves nothing" 0.0 "$(json 'float(it["strategies"][1]["saving"])')"
wanted=$(cat out)
expect_code 0 "${small[@]}" --json --threads 2
expect_equal "on two threads" "$wanted" "$(cat out)"
expect_code 0 "${small[@]}" --question alias --out found
expect_ecsv found/trials.ecsv 15 star period days
expect_picture found/strategies.png
printf 'mine\n' >found/trials.ecsv
expect_code 2 "${small[@]}" --out found
expect_code 0 plan --simulate --help
expect_code 2 plan --simulate run
expect_code 2 plan --simulate --site nowhere
expect_code 2 plan --simulate --question why
expect_code 1 "${small[@]}" --period-min 50
expect_code 1 "${small[@]}" --dec -80
finish
