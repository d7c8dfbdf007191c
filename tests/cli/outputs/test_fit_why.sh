#!/usr/bin/env bash
# fit --why: for each planet, and for the candidate, the best model that says otherwise, in text, JSON
# and on the page.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

expect_code 0 fit --demo --max-planets 1 --noise white --period 500:2500 --max-eccentricity 0.3 --why \
    --out folder --no-pictures
cp out text
expect_text "The best model without the planet of "
expect_text "less probable by a factor of more than 10000."
expect_text "its planets, days"
expect_code 0 fit --demo --max-planets 1 --noise white --period 500:2500 --max-eccentricity 0.3 --json
expect_equal "it is always in fit.json" "True True" "$(json 'len(it["trace"]) >= 1') \
$(json 'abs(it["trace"][0]["period_days"] / it["planets"][0]["period_days"] - 1) < 0.01')"
expect_equal "the fit is better" "True True True" "$(json 'it["trace"][0]["delta_score"] < -30') \
$(json 'len(it["trace"][0]["noise"]) > 0') \
$(json 'all(abs(own / it["planets"][0]["period_days"] - 1) > 0.1 for own in it["trace"][0]["planets_days"])')"
expect_equal "the sentence is that of the text" True \
    "$(json '" ".join(it["trace"][0]["sentence"].split()) in " ".join(open("text").read().split())')"
expect_code 0 report folder --no-periodograms
n_checks=$((n_checks + 1))
grep -q 'id="why"' folder/report.html && grep -q "The best model without the planet of" folder/report.html ||
    fail "the page does not say why"

# What was not compared has none.
expect_code 0 fit --demo --planets 1 --noise white --period 500:2500 --max-eccentricity 0.3 --why
expect_text "No rival models were compared"
expect_code 0 fit --demo --planets 1 --noise white --period 500:2500 --max-eccentricity 0.3 --json
expect_equal "no trace" "[]" "$(json 'it["trace"]')"

printf 'star.csv\n' >list
expect_error 2 "*--why prints a table for one star*" fit --batch list --out many --why
finish
