#!/usr/bin/env bash
# Star files: the way of a newcomer, init, fit, sample, report; and what is said about mistakes in them.
source "$(dirname "$0")/lib.sh"

"$EQUANT" simulate --orbits "$here/fixtures/search_planet.csv" --start 2455000 --n-obs 40 --cadence 4.3 \
    --noise 2 --seed 5 >"$work/velocities.csv"
cd "$work"

# ---- the way ---------------------------------------------------------------------

expect_code 0 init velocities.csv --planets 1 --star-mass 1.1 --out star.yaml
expect_error 2 "*star.yaml is there already*" init velocities.csv --out star.yaml
if "$EQUANT" fit star.yaml --json 2>&1 | grep -q 'built without'; then
    echo "this build reads no star files"
    finish
    exit
fi
expect_code 0 fit star.yaml --out fit
expect_text "planet b"
expect_text "m sin i"
expect_code 0 sample star.yaml --out posterior --max-steps 450 --walkers 40
expect_text "planet b"
expect_code 0 report fit --out page.html

# What is typed behind the file has the last word, and states count.
sed 's/b: {}/b: {eccentricity: 0, k_m_s: "0:100"}/' star.yaml >circle.yaml
expect_code 0 fit circle.yaml --json
expect_equal "a circle" 0.0 "$(json 'float(it["planets"][0]["eccentricity"])')"
expect_error 1 "*b.eccentricity was already said to be 0 (circle.yaml:*" fit circle.yaml --set b.eccentricity=0.1
expect_error 2 "*a star file names its data*" fit star.yaml velocities.csv

# A search takes one, too: what is known of the planet narrows it.
searched() { # WORD...: the highest peak
    expect_code 0 search "$@" --peaks 1 --json
    json '"%.8g %g" % (it["peaks"][0]["period_days"], it["peaks"][0]["eccentricity"])'
}
narrow=(--period 4:100)
expect_equal "search" "$(searched velocities.csv "${narrow[@]}" --set 'b.eccentricity=0' trend=none)" \
    "$(sed 's/, k_m_s: "0:100"//' circle.yaml >found.yaml; searched found.yaml "${narrow[@]}")"
expect_error 1 "*circle.yaml:*: b.k_m_s=0:100: a search tries every amplitude*" search circle.yaml "${narrow[@]}"
expect_error 2 "*a star file names its data*" search star.yaml velocities.csv

# What is read, and what an orbit is worth, likewise; nothing is said twice.
expect_code 0 data star.yaml --json
expect_equal "data" 40 "$(json 'it["n_obs"]')"
expect_error 2 "*a star file names its data*" data star.yaml velocities.csv
expect_code 0 evaluate star.yaml --orbits "$here/fixtures/search_planet.csv"
evaluated=$(cat out)
expect_code 0 evaluate velocities.csv --orbits "$here/fixtures/search_planet.csv" \
    --t-ref "$("$EQUANT" data velocities.csv --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["t_ref"])')"
expect_equal "evaluate" "$(cut -d, -f1 <<<"$evaluated")" "$(cut -d, -f1 out)"
expect_error 2 "*'star.yaml' is a star file, which \`equant init\` does not read*" init star.yaml
for command in compare priors montecarlo; do
    expect_error 2 "*is a star file, which \`equant $command\` does not read*" "$command" star.yaml
done

# A .sys says what its star is called and how heavy it is.
{ echo "Name 51 Peg"; echo "Mass 1.12"; echo "RV[] velocities.csv"; } >51peg.sys
expect_code 0 init 51peg.sys
expect_text "name: '51 Peg'"
expect_text "mass: 1.12 "
expect_code 0 init 51peg.sys --star-mass 1.1+-0.1
expect_text "mass: 1.1 +- 0.1"
echo "RV[] velocities.csv" >bare.sys
expect_code 0 init bare.sys
expect_text "name: 'bare'"

# ---- letters ----------------------------------------------------------------------

# Fits, runs and what is read back call a planet by the same letter.
expect_code 0 fit velocities.csv --set d.period_days=10:20 --letters d --out lettered --no-pictures
expect_text "planet d"
expect_equal "the letter" d "$(python3 -c 'import json; print(json.load(open("lettered/fit.json"))["planets"][0]["letter"])')"
expect_code 0 sample velocities.csv --set d.period_days=10:20 --letters d --max-steps 450 --walkers 40
expect_text "planet d"
expect_code 0 fit velocities.csv --planets 1 --json
expect_equal "no letters without states" False "$(json '"letter" in it["planets"][0]')"

# Pages and tables, too.
expect_code 0 table lettered
expect_text "Planet d"
expect_code 0 report lettered --out lettered.html
grep -q "<h3>Planet d " lettered.html || fail "a page without letters"

# ---- bases and masses ---------------------------------------------------------------

expect_code 0 fit velocities.csv --planets 1 --json
expect_equal "the same maximum in another basis" True \
    "$("$EQUANT" fit velocities.csv --planets 1 --basis 'per tc secosw sesinw logk' --json |
        python3 -c 'import json, sys
one, other = (json.load(file) for file in (open(sys.argv[1]), sys.stdin))
print(abs(one["lnl"] - other["lnl"]) < 1e-6)' "$work/out")"
expect_code 0 fit velocities.csv --planets 1 --basis 'per tc secosw sesinw logk'
expect_text "  planet  per "
expect_error 1 "*a basis has no word 'tcc'*" fit velocities.csv --basis tcc
expect_code 0 fit velocities.csv --star-mass 1.1 --set b.period_days=10:20 b.inclination_deg=30 --json
expect_equal "twice m sin i" True \
    "$(json '1 < it["planets"][0]["m_jupiter"] / (2 * it["planets"][0]["m_sin_i_jupiter"]) < 1.01')"
expect_error 1 "*up to 90 degrees*" fit velocities.csv --set b.inclination_deg=100

# ---- again ------------------------------------------------------------------------

# The folder of a run has a star file with which it is made again, to the byte, from anywhere; what
# was typed counts in it, and data are found wherever it lies.
mkdir again
expect_code 0 fit star.yaml --set 'b.k_m_s=0:100' 'b.eccentricity=beta(0.867, 3.03)' --no-jitter --no-pictures \
    --trend linear --out once
expect_code 0 fit once/repeat.yaml --out again/fit
for file in fit.json planets.ecsv parameters.ecsv covariance.ecsv residuals.ecsv curve.ecsv repeat.yaml; do
    cmp "once/$file" "again/fit/$file" || fail "a fit was not repeated: $file"
done
expect_code 0 sample star.yaml --max-steps 450 --walkers 40 --seed 7 --no-pictures --out drawn
(cd again && expect_code 0 sample ../drawn/repeat.yaml --out sample)
cmp drawn/summary.ecsv again/sample/summary.ecsv || fail "a run was not repeated"
# A file of somebody else is not replaced.
mkdir theirs && echo "star: {}" >theirs/repeat.yaml
expect_error 2 "*repeat.yaml*" fit star.yaml --out theirs
expect_equal "their file" "star: {}" "$(cat theirs/repeat.yaml)"

# ---- mistakes ---------------------------------------------------------------------

n=0
# The line, the sentence, and the file: one mistake each.
wrong() { # LINE SENTENCE, the file on standard input
    n=$((n + 1))
    cat >wrong.yaml
    expect_error 1 "*wrong.yaml:$1: *$2*" fit wrong.yaml
}
data=$'data:\n  files: [velocities.csv]\n' # two lines

wrong 3 "no section 'planet': did you mean 'planets'" <<<"${data}planet: {}"
wrong 3 "no section 'nonsense_word'" <<<"${data}nonsense_word: 1"
wrong 2 "data has no 'file': did you mean 'files'" <<<$'data:\n  file: velocities.csv'
wrong 3 "star has no 'mas': did you mean 'mass'" <<<"${data}star: {mas: 1}"
wrong 3 "mass should be a positive number" <<<"${data}star: {mass: heavy}"
wrong 3 "mass should be a positive number" <<<"${data}star: {mass: -1}"
wrong 3 "mass should be a positive number" <<<"${data}star: {mass: 1 +- 0}"
wrong 3 "did you mean 'b.period_days'" <<<"${data}planets: {b: {perod_days: 3}}"
wrong 3 "is no letter of a planet" <<<"${data}planets: {a: {period_days: 3}}"
wrong 3 "is no letter of a planet" <<<"${data}planets: {bc: {period_days: 3}}"
wrong 5 "'b' is already there in line 4" <<<"${data}planets:"$'\n  b: {period_days: 3}\n  b: {period_days: 4}'
wrong 6 "'k_m_s' is already there in line 5" <<<"${data}planets:"$'\n  b:\n    k_m_s: 3\n    k_m_s: 4'
wrong 3 "planets should be listed by letter" <<<"${data}planets: [b, c]"
wrong 3 "b should have its parameters below it" <<<"${data}planets: {b: 3}"
wrong 3 "above zero" <<<"${data}planets: {b: {period_days: 0}}"
wrong 3 "below one" <<<"${data}planets: {b: {eccentricity: 1.5}}"
wrong 3 "nothing lies between these bounds" <<<"${data}planets: {b: {k_m_s: '5:2'}}"
wrong 3 "is no prior: there are" <<<"${data}planets: {b: {k_m_s: 'gaussian(5, 2)'}}"
wrong 3 "should read normal(mean, sigma)" <<<"${data}planets: {b: {k_m_s: 'normal(5)'}}"
wrong 3 "is no density" <<<"${data}planets: {b: {k_m_s: 'normal(5, -2)'}}"
wrong 3 "has its mean where the parameter cannot be" <<<"${data}planets: {b: {k_m_s: 'normal(-5, 2)'}}"
wrong 3 "a circle has no pericentre" <<<"${data}planets: {b: {eccentricity: 0, t_peri: 3}}"
wrong 3 "both say where the planet is" <<<"${data}planets: {b: {t_conj: 3, m0_deg: 3}}"
wrong 3 "follows from the orbit" <<<"${data}planets: {b: {m_sin_i_jupiter: 3}}"
wrong 3 "a transit is a time with its error" <<<"${data}planets: {b: {transits: [2455000.5]}}"
wrong 3 "needs the mass of the star" <<<"${data}planets: {b: {m_sin_i_jupiter: 'normal(3, 1)'}}"
wrong 3 "instruments has no 'jiter': did you mean 'jitter'" <<<"${data}instruments: {HARPS: {jiter: 1}}"
wrong 3 "no instrument 'HARPS'" <<<"${data}instruments: {HARPS: {jitter: 1}}"
wrong 3 "trend is none, linear or quadratic" <<<"${data}trend: cubic"
wrong 4 "contradicts trend=none" <<<"${data}trend: none"$'\nstates: [trend_m_s_day=1]'
wrong 3 "a state reads NAME=VALUE" <<<"${data}states: [eccentricity]"
wrong 3 "there is no option --plnets" <<<"${data}fit: {plnets: 3}"
wrong 3 "--planets wants" <<<"${data}fit: {planets: many}"
wrong 4 "is no YAML" <<<"${data}fit: {seed: [1"
wrong 4 "no anchors and aliases" <<<"${data}trend: &t none"$'\nnoise: *t'
wrong 1 "begins with a section" <<<"- 1"
wrong 1 "is empty" </dev/null
wrong 3 "another begins here" <<<"${data}---"$'\ntrend: none'
expect_equal "kinds of mistakes" 38 "$n"
echo "trend: none" >wrong.yaml
expect_error 1 "*wrong.yaml: it names no data*" fit wrong.yaml
expect_error 1 "*nowhere.yaml: there is no such file; *" fit nowhere.yaml
finish
