#!/usr/bin/env bash
# What a fit says of planets that it refused and of periods at the end of the range, in text, JSON,
# tables and on the page.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# simulate FILE ORBIT SEED N_OBS CADENCE: a star with one planet, P,K,e,omega,M0.
simulate() {
    printf 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1\n%s\n' "$2" >orbit.csv
    "$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs "$4" --cadence "$5" --jitter-times \
        --noise 2 --t-ref 2460060 --seed "$3" --out "$1" || fail "equant simulate"
}
refused() { json 'it["candidate"]["refused_because"]["condition"]'; }
sentence() { json 'it["candidate"]["refused_because"]["sentence"]'; }
expect_same_sentence() { # on the page as in the JSON
    local text
    text=$(sentence)
    expect_code 0 report folder --no-periodograms
    n_checks=$((n_checks + 1))
    grep -qF "was refused: $text." folder/report.html || fail "the page lacks: $text"
}

# --- Why a candidate was refused ---------------------------------------------
simulate noise.csv 13.7,20,0.3,120,45 5 60 2
expect_code 0 fit noise.csv --noise white --period 6:80 --max-eccentricity 0.5 --json --out folder --no-pictures
expect_equal "noise" false_alarm "$(refused)"
expect_equal "figures" True "$(json '"its false-alarm probability, %.2g, is above 0.001" %
    it["candidate"]["fap"] == it["candidate"]["refused_because"]["sentence"]')"
expect_same_sentence

simulate drift.csv 350,60,0.3,40,120 5 60 2
expect_code 0 fit drift.csv --noise white --max-eccentricity 0.5 --json --out folder --no-pictures
expect_equal "a parabola does as well" "bic True True" "$(refused) $(json 'it["candidate"]["fap"] < 1e-9')\
 $(json 'it["candidate"]["delta_bic"] < 0')"
expect_equal "the figure of the rule" True "$(json '"the BIC is lower by %.1f" %
    -it["candidate"]["delta_bic"] in it["candidate"]["refused_because"]["sentence"]')"
expect_equal "its period is at the end" longest "$(json 'it["candidate"]["at_limit"]')"
expect_same_sentence
expect_code 0 fit drift.csv --noise white --max-eccentricity 0.5
expect_text "days (the end of the range), K"
expect_text "because the trend whose place it would take does as well with fewer parameters"

# A planet that few observations show is probable, and has intervals.
simulate eccentric.csv 61,60,0.9,40,20 4 30 4
expect_code 0 fit eccentric.csv --noise white --period 6:80 --json --out folder --no-pictures
cp out eccentric.json
expect_equal "its period" True "$(json 'abs(it["planets"][0]["period_days"] - 61) < 1')"
expect_equal "its probability" True "$(json 'it["planets"][0]["probability"] > 0.95')"
expect_equal "its amplitude" True "$(json 'it["planets"][0]["k_m_s_low"] < 60 < it["planets"][0]["k_m_s_high"]')"
expect_equal "its eccentricity" True \
    "$(json '0.8 < it["planets"][0]["eccentricity_low"] < it["planets"][0]["eccentricity_high"] <= 1')"
expect_code 0 report folder --no-periodograms
grep -q " to [0-9.]*</" folder/report.html || fail "the page has no interval"
expect_code 0 fit eccentric.csv --noise white --period 6:80
cp out eccentric.txt
grep -q "K m/s *[0-9.]* to [0-9.]*$" out || fail "the text has no interval"

# Two observations that are wrong are none.
simulate spike.csv 61,0.001,0.9,40,20 4 36 4
python3 - <<'END'
rows = open("spike.csv").read().splitlines()
column = rows[0].split(",").index("mnvel") if "mnvel" in rows[0] else 1
for i in (15, 16):
    cells = rows[i].split(",")
    cells[column] = str(float(cells[column]) + 30)
    rows[i] = ",".join(cells)
open("spike.csv", "w").write("\n".join(rows) + "\n")
END
expect_code 0 fit spike.csv --noise white --period 10:120 --trend none --json --out folder --no-pictures
expect_equal "few observations" "0 few_observations" "$(json 'len(it["planets"])') $(refused)"
expect_same_sentence
expect_code 0 fit spike.csv --noise white --period 10:120 --trend none
expect_text "because too few observations share in its signal: those near pericentre count"
expect_text "beside their being wrong it has a probability of"
expect_equal "lines that are too long" 0 "$(grep -c '.\{83\}' "$work/out")"

# --- How many planets, and what was compared -----------------------------------
cp eccentric.json out
expect_equal "which probabilities" quick "$(json 'it["probabilities"]')"
expect_equal "the numbers" True "$(json 'abs(sum(row["probability"] for row in it["n_planets"]) - 1) < 1e-12
    and [row["n"] for row in it["n_planets"]] == list(range(len(it["n_planets"])))')"
expect_equal "the likeliest" 1 "$(json 'max(it["n_planets"], key=lambda row: row["probability"])["n"]')"
expect_equal "the models" True "$(json '[m["n_planets"] for m in it["models"]][:2] == [0, 1] and
    it["models"][1]["lnl"] == it["lnl"] and it["models"][1]["delta_lnz"] == 0 and
    it["models"][0]["lnl"] == it["lnl_without_planets"] and it["models"][0]["delta_lnz"] < -20')"
cp eccentric.txt out
expect_text "Planets that these data show: 1 ("
expect_text "too weak to show are not counted"
grep -q "model *planets *lnL *BIC *ln Z" out || fail "no table of models"

# --- Planets that are candidates -------------------------------------------------
simulate weak.csv 13.7,1.9,0.1,120,45 5 60 2
weak=(fit weak.csv --noise white --period 6:80 --fap 0.5)
expect_code 0 "${weak[@]}" --json --out folder --no-pictures
expect_equal "a candidate" "True 0.95" "$(json '"%s %g" % (it["planets"][0]["is_candidate"], it["threshold"])')"
expect_code 0 report folder --no-periodograms
grep -q "planet b is a candidate, of a probability below 0.95" folder/report.html || fail "the page has no candidate"
expect_code 0 "${weak[@]}"
expect_text "No planet found, but 1 candidate."
expect_text "Candidates, of a probability below 0.95:"
expect_code 0 "${weak[@]}" --threshold 0.5
expect_text "1 planet found."
! grep -q "Candidates" out || fail "a claim is listed as a candidate"
expect_code 2 fit weak.csv --threshold 1.5

# --- A period at the end of the range ------------------------------------------
simulate long.csv 70,20,0.1,40,20 5 60 2
expect_code 0 fit long.csv --noise white --period 6:60 --max-eccentricity 0.5 --star-mass 1 --json --out folder \
    --no-pictures
expect_equal "at the limit" "longest None None" "$(json '"%s %s %s" % tuple(it["planets"][0][k]
    for k in ("at_limit", "period_days_err", "a_au_err"))')"
expect_equal "one-sided" True "$(json '40 < it["planets"][0]["period_days_bound"] < 60')"
expect_equal "the range" "6 60" "$(json '"%g %g" % (it["period_min_days"], it["period_max_days"])')"
expect_equal "in the table of planets" '"longest"' \
    "$(sed '/^#/d' folder/planets.ecsv | python3 -c 'import csv, sys
print("\"%s\"" % next(csv.DictReader(sys.stdin))["at_limit"])')"
expect_equal "in that of parameters" nan "$(sed '/^#/d' folder/parameters.ecsv |
    python3 -c 'import csv, sys; print(float(next(csv.DictReader(sys.stdin))["uncertainty"]))')"
bound=$(json '"%.1f" % it["planets"][0]["period_days_bound"]')
expect_code 0 report folder --no-periodograms
expect_equal "on the page" 4 "$(grep -o "at least $bound" folder/report.html | wc -l)"
expect_code 0 fit long.csv --noise white --period 6:60 --max-eccentricity 0.5
expect_text "period days  at least $bound"
expect_text "The period of planet b lies at the end of the range that was searched"
echo long.csv >list
expect_code 0 fit --batch list --noise white --period 6:60 --max-eccentricity 0.5 --out many
expect_text "1 planet   at least $bound days"
expect_equal "in the summary of many" "longest [$bound]" "$(sed '/^#/d' many/summary.ecsv |
    python3 -c 'import csv, json, sys
row = next(csv.DictReader(sys.stdin))
print(row["at_limit"], "[%.1f]" % json.loads(row["period_days_bound"])[0])')"
expect_code 0 fit long.csv --noise white --period 6:60 --max-eccentricity 0.5 --out drawn --format svg
grep -q ">b: P at least $bound d, K " drawn/fit.svg || fail "the picture gives the period a value"
expect_code 0 fit long.csv --noise white --planets 1 --period 80:200 --max-eccentricity 0.5 --json
expect_equal "the other end" shortest "$(json 'it["planets"][0]["at_limit"]')"

# Left open, the range is widened where that leads to a maximum, and this is said.
simulate wide.csv 250,40,0.1,40,20 5 60 2
expect_code 0 fit wide.csv --noise white --max-eccentricity 0.5 --json
expect_equal "followed beyond twice the span" "True None" "$(json '
    abs(it["planets"][0]["period_days"] - 250) < 3 * it["planets"][0]["period_days_err"]')\
 $(json 'it["planets"][0]["at_limit"]')"
expect_equal "said" True "$(json 'any("it was widened to 472" in h for h in it["hints"])')"
expect_code 0 fit wide.csv --noise white --max-eccentricity 0.5 --period 0.5:236 --json
expect_equal "not where the user gave it" longest "$(json 'it["planets"][0]["at_limit"]')"
finish
