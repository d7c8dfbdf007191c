#!/usr/bin/env bash
# equant report: pages of fits, of runs and of both; what is in them, and what people get wrong.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planets.csv 5
make_star other.csv search_planets.csv 6 --offset 30 --instrument other
planets=$here/fixtures/search_planets.csv
both=(figure-velocities figure-phase-1 figure-phase-2 figure-residuals)

# expect_page FILE FIGURE...: well-formed, sufficient to itself, with these figures.
expect_page() {
    n_checks=$((n_checks + 1))
    python3 "$here/page.py" "$@" || fail "$1"
}

# expect_in FILE TEXT
expect_in() {
    n_checks=$((n_checks + 1))
    grep -qF -- "$2" "$1" || fail "$1 lacks: $2"
}

# --- A fit ---------------------------------------------------------------------
expect_code 0 fit star.csv other.csv "${quick[@]}" --star-mass 1 --no-pictures --out result
expect_code 0 report result
expect_equal "where it is" result/report.html "$(cat out)"
expect_page result/report.html "${both[@]}" figure-periodograms
expect_in result/report.html "<h1>A star without a name</h1>"
expect_in result/report.html "Two planets in 120 radial velocities"
expect_in result/report.html "equant fit star.csv other.csv --t-ref 2460060 --period 6:80"
expect_in result/report.html "equant $("$EQUANT" --version | cut -d' ' -f2)"
expect_in result/report.html "arXiv:0812.2976"
expect_in result/report.html "$(sed -n 's/^title: "\(.*\)"/\1/p' "$here/../../CITATION.cff")"
expect_in result/report.html "<th scope=\"row\">other</th><td>60</td>"
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "the page does not have the numbers of fit.json"
import json, math
page = open("result/report.html", encoding="utf-8").read()
for planet in json.load(open("result/fit.json"))["planets"]:
    error = planet["period_days_err"]
    decimals = 1 - math.floor(math.log10(error))
    assert f"{planet['period_days']:.{decimals}f} ± {error:.{decimals}f}" in page
END
cp result/report.html first.html
expect_code 0 report result
n_checks=$((n_checks + 1))
cmp -s first.html result/report.html || fail "the same folder makes another page"

# --- Names from anywhere, and where the page goes ---------------------------------
expect_code 0 report result --no-periodograms --star 'K2 <24> & "friends"' \
    --reference 'A & B 2020, ApJ 1, 2' --reference 'C 2021' --out "a page.html"
expect_equal "where it is" "a page.html" "$(cat out)"
expect_page "a page.html" "${both[@]}"
expect_in "a page.html" '<h1>K2 &lt;24&gt; &amp; &quot;friends&quot;</h1>'
expect_in "a page.html" 'The data: A &amp; B 2020, ApJ 1, 2'
expect_in "a page.html" 'The data: C 2021'
expect_in "a page.html" "equant report result --no-periodograms --star 'K2 &lt;24&gt;"
mkdir older && cp result/fit.json result/residuals.ecsv older
expect_code 0 report older --no-periodograms
expect_page older/report.html "${both[@]}"
# A fit that knows the mass of its star, and not how far out its planets are.
mkdir unknown && cp result/{origin.json,residuals.ecsv} unknown
python3 - <<'END'
import json
fit = json.load(open("result/fit.json"))
for planet in fit["planets"] + [fit["candidate"] or {}]:
    for key in ("a_au", "a_au_err", "m_sin_i_jupiter"):
        planet.pop(key, None)
json.dump(fit, open("unknown/fit.json", "w"), indent=2)
END
expect_code 0 report unknown --no-periodograms
expect_page unknown/report.html "${both[@]}"
expect_in unknown/report.html '<td>–</td><td>–</td>'
expect_equal "numbers that are none" 0 "$(grep -c '>-\?nan<' unknown/report.html)"
expect_code 0 fit star.csv --planets 0 --no-pictures --out empty
expect_code 0 report empty
expect_page empty/report.html figure-velocities figure-residuals figure-periodograms
expect_in empty/report.html "<h1>star</h1>"
expect_in empty/report.html "No planets in 60 radial velocities"

head -n 4 star.csv >few.csv
expect_code 0 fit few.csv --planets 0 --no-pictures --out few
expect_code 0 report few
expect_in few/report.html "<h1>few</h1>"

# --- A run, and both ---------------------------------------------------------------
sample=(sample star.csv other.csv --planets 2 --start "$planets" --walkers 40 --burn-in 60
    --max-steps 200 --min-ess 1e9 --threads 1 --no-pictures)
"$EQUANT" "${sample[@]}" --out run >out 2>err
if [ $? -eq 3 ]; then
    expect_equal "no NetCDF" 1 "$(grep -c 'built without NetCDF' err)"
    finish
    exit
fi
expect_code 0 report run/run.nc --no-periodograms
expect_equal "where it is" run/report.html "$(cat out)"
expect_page run/report.html "${both[@]}" figure-corner
expect_in run/report.html "The run has not converged"
expect_in run/report.html "Medians of the posterior"
expect_in run/report.html "uniform(0, 2π)"
expect_in run/report.html "equant sample star.csv other.csv --planets 2"
expect_code 0 "${sample[@]}" --marginalise-offsets --trend linear --out result
expect_code 0 report result --no-periodograms
expect_page result/report.html "${both[@]}" figure-corner
expect_in result/report.html '<th scope="col">fit</th><th scope="col">posterior</th>'
expect_code 0 report result/run.nc --no-periodograms --out marginal.html
expect_page marginal.html "${both[@]}" figure-corner
expect_in marginal.html "A trend of"

# --- What people get wrong ------------------------------------------------------------
expect_error 2 "equant: a report of what? Name the folder of a fit or a run, *" report
expect_error 2 "equant: a report is of one folder or one file" report result run
expect_error 2 "equant: there is no option --stars" report result --stars 5
expect_error 1 "equant: *nowhere*" report nowhere
mkdir bare
expect_error 1 "equant: bare: here is neither fit.json nor run.nc; *" report bare
expect_error 1 "equant: star.csv: *" report star.csv
echo '{"planets": [' >bare/fit.json
expect_error 1 "equant: bare/fit.json:2: this is no JSON" report bare
echo '{"planets": []}' >bare/fit.json
expect_error 1 "equant: bare/fit.json: this is not what \`equant fit\` writes" report bare
cp result/fit.json bare
expect_error 1 "equant: *bare/residuals.ecsv*" report bare
sed '$d' result/residuals.ecsv >bare/residuals.ecsv
expect_error 1 "equant: bare/residuals.ecsv: chi-square is *: the two are not of one fit" report bare
cp empty/residuals.ecsv bare
expect_error 1 "equant: bare/residuals.ecsv: *: the two are not of one fit" report bare
cp empty/{fit.json,residuals.ecsv} run
expect_error 1 "equant: run: the fit and the run in it are of different data" report run
expect_error 2 "equant: --out would overwrite 'result/run.nc', which is to be read" \
    report result/run.nc --out result/../result/run.nc
expect_error 1 "equant: *no/such/page.html*" report result --no-periodograms --out no/such/page.html
# A quote in the name of an instrument comes through our own tables.
sed 's/simulated/"a""b"/' star.csv >quoted.csv
expect_code 0 fit quoted.csv --planets 1 "${quick[@]}" --out quoted
expect_code 0 report quoted --no-periodograms
finish
