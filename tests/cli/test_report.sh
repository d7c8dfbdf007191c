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
expect_page result/report.html "${both[@]}" figure-probabilities figure-periodograms
expect_in result/report.html "<h1>A star without a name</h1>"
# One name for a planet everywhere: its letter.
expect_equal "planets with numbers" "" "$(sed 's/<style>.*//' result/report.html | grep -oE '[Pp]lanets? [0-9]([^0-9.]|$)' | sort -u)"
expect_in result/report.html '<h3>Planet c <span>'
expect_in result/report.html "Two planets in 120 radial velocities"
expect_in result/report.html "equant fit star.csv other.csv <b>--t-ref</b> 2460060 <b>--period</b> 6:80"
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
expect_page "a page.html" "${both[@]}" figure-probabilities
expect_in "a page.html" '<h1>K2 &lt;24&gt; &amp; &quot;friends&quot;</h1>'
expect_in "a page.html" 'The data: A &amp; B 2020, ApJ 1, 2'
expect_in "a page.html" 'The data: C 2021'
expect_in "a page.html" "equant report result <b>--no-periodograms</b> <b>--star</b> 'K2 &lt;24&gt;"
# Means that are not drawn are not spoken of.
head -31 star.csv >few.csv
expect_code 0 fit few.csv "${quick[@]}" --planets 1 --no-pictures --out few
expect_code 0 report few --no-periodograms
expect_equal "no means" 0 "$(grep -c 'open circles' few/report.html)"
expect_equal "means" 1 "$(grep -c 'open circles' result/report.html)"
mkdir older && cp result/{fit.json,parameters.ecsv,covariance.ecsv,residuals.ecsv} older
expect_code 0 report older --no-periodograms
expect_page older/report.html "${both[@]}" figure-probabilities
# A fit that knows the mass of its star, and not how far out its planets are.
mkdir unknown && cp result/{origin.json,parameters.ecsv,covariance.ecsv,residuals.ecsv} unknown
python3 - <<'END'
import json
fit = json.load(open("result/fit.json"))
for planet in fit["planets"] + [fit["candidate"] or {}]:
    for key in ("a_au", "a_au_err", "m_sin_i_jupiter"):
        planet.pop(key, None)
json.dump(fit, open("unknown/fit.json", "w"), indent=2)
END
expect_code 0 report unknown --no-periodograms
expect_page unknown/report.html "${both[@]}" figure-probabilities
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
expect_page run/report.html "${both[@]}" figure-corner figure-next
expect_in run/report.html "The run has not converged"
expect_in run/report.html "</strong> Worst is planet "
expect_in run/report.html "Medians of the posterior"
expect_in run/report.html '<section id="next"><h2>What comes next</h2>'
expect_in run/report.html "<th>observe at</th>"
expect_in run/report.html "uniform(0, 2π)"
expect_in run/report.html "equant sample star.csv other.csv <b>--planets</b> 2"
expect_code 0 "${sample[@]}" --marginalise-offsets --trend linear --out result
expect_code 0 report result --no-periodograms
expect_page result/report.html "${both[@]}" figure-probabilities figure-corner figure-next
expect_in result/report.html '<th scope="col">fit</th><th scope="col">posterior</th>'
expect_code 0 report result/run.nc --no-periodograms --out marginal.html
expect_page marginal.html "${both[@]}" figure-corner figure-next
expect_in marginal.html "A trend of"
# That a companion is behind it is said of trends that are more than three times their error.
awk -F, -v OFS=, '/^[0-9]/ {$2 += 0.5 * ($1 - 2460060)} {print}' star.csv >steep.csv
for name in star steep; do
    expect_code 0 fit $name.csv --planets 0 --trend linear --no-pictures --out trend-$name
    expect_code 0 report trend-$name
done
expect_in trend-star/report.html "A trend of"
expect_equal "trend of noise" "0 1" "$(grep -c 'perhaps a companion' trend-star/report.html) $(
    grep -c 'perhaps a companion' trend-steep/report.html)"
# Which estimate a figure is of, and that two models are two.
expect_in result/report.html "The run below has medians of the posterior, another estimate"
expect_in result/report.html "The run has a linear trend, the fit no trend: they are different models"
expect_in result/report.html "Offsets, jitters and rms are those of the fit."
expect_in marginal.html "These are the residuals of the most probable draw."
expect_in marginal.html "Offsets and jitters are medians of the posterior; rms is that of the most"
"$EQUANT" "${sample[@]}" --marginalise-offsets --trend linear --json >medians.json
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "headings and trend are not those of the tables"
import json, re
page = open("marginal.html", encoding="utf-8").read()
median = {q["name"]: q["median"] for q in json.load(open("medians.json"))["quantities"]}
for number in (1, 2):
    assert f"<h3>Planet {' bc'[number]} <span>{median[f'period_days_{number}']:.2f} days" in page
trend = re.search(r"A trend of ([−0-9.]+)<span", page)[1].replace("−", "-")
assert abs(float(trend) - median["trend_m_s_day"]) < 0.01 * abs(median["trend_m_s_day"]) + 5e-4
END
# Integrated out, offsets were free all the same.
expect_in marginal.html "for 120 observations, 15 parameters"

# A period that is known to a factor of two is the same planet's in fit and run.
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1\n65,40,0,0,1\n' >long.csv
"$EQUANT" simulate --orbits long.csv --start 2460000 --n-obs 30 --cadence 2 --jitter-times --noise 8 \
    --t-ref 2460030 --seed 7 --out broad.csv
broad=(broad.csv --planets 1 --star-mass 1 --threads 1 --no-pictures --out broad)
expect_code 0 fit "${broad[@]}" --period 20:300 --max-eccentricity 0.3 --probabilities none --noise white --trend none
expect_code 0 sample "${broad[@]}" --start broad/fit.json --prior 'period_days_1=uniform(20,1000)' --walkers 40 \
    --max-steps 800 --burn-in 300 --min-ess 1e9 --json
cp out broad.json
expect_code 0 report broad --no-periodograms --next-start 2027-01-01
expect_in broad/report.html '<th scope="col">fit</th><th scope="col">posterior</th>'
expect_in broad/report.html 'class="band-95"'
expect_equal "planets that are missing" 0 "$(grep -c 'is not in the fit' broad/report.html)"
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "the two periods are no test, or an axis has no error"
import json, re
fit = json.load(open("broad/fit.json"))["planets"][0]["period_days"]
median = {q["name"]: q["median"] for q in json.load(open("broad.json"))["quantities"]}["period_days_1"]
assert abs(median / fit - 1) > 0.08, (fit, median)
page = open("broad/report.html", encoding="utf-8").read()
row = re.search(r'<table class="overview">.*?</tbody>', page, re.S)[0]
assert re.search(r"</td><td>0\.\d+ ± 0\.\d+</td><td>", row), row
END
# What comes next begins today, or when it is asked to.
expect_in broad/report.html "The two months from 2027-01-01 (2461406.50) on, "
expect_in broad/report.html "<th scope=\"row\">24614"
expect_code 0 report broad --no-periodograms --next-start 2461406.5 --out same.html
expect_equal "another page" "" "$(diff <(grep -v next-start broad/report.html) <(grep -v next-start same.html))"
expect_code 0 report broad --no-periodograms
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "it does not begin today"
import math, re, time
start = float(re.search(r"The two months from [-0-9]+ \(([.0-9]+)\) on", open("broad/report.html").read())[1])
assert 0 <= math.floor(2440587.5 + time.time() / 86400) - start <= 1, start
END
expect_error 2 "*neither a number of days nor a date*" report broad --next-start soon
# A run that has converged is quoted, the fit stands beside it.
expect_code 0 fit star.csv "${quick[@]}" --planets 1 --star-mass 1 --noise white --no-pictures --out quoting
expect_code 0 sample star.csv --t-ref 2460060 --planets 1 --start quoting/fit.json --star-mass 1 --walkers 40 \
    --min-ess 100 --threads 1 --no-pictures --json --out quoting
cp out quoting.json
expect_code 0 report quoting --no-periodograms
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "the page does not quote the run"
import json, re
run = json.load(open("quoting.json"))
page = open("quoting/report.html", encoding="utf-8").read()
row = re.search(r'<table class="overview">.*?</tbody>', page, re.S)[0]
if "The run has converged" in page:
    assert "Medians of the posterior, with intervals" in page and 'class="ends"' in row
    assert "stands beside them below" in page
else:
    assert "Maximum likelihood" in page
END

# Correlated noise of fixed parameters: the residuals of a constant velocity, by another way.
noise=(--planets 0 --prior "offset_m_s=uniform(-1e-6, 1e-6)" --prior jitter_m_s=0 --start prior --walkers 12
    --burn-in 20 --max-steps 60 --min-ess 1e9 --threads 1 --no-pictures)
"$EQUANT" sample star.csv "${noise[@]}" --noise 'qp(amplitude=12,period=25,width=0.5,decay=60)' \
    --out kernel >out 2>err
expect_code 0 report kernel --no-periodograms
expect_in kernel/report.html "The figures here are taken with it"
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "residuals are not judged with the kernel"
import csv, math, re
rows = list(csv.DictReader(open("star.csv")))
t, v, s = ([float(row[k]) for row in rows] for k in ("time", "mnvel", "errvel"))
n = len(t)
def kernel(dt):
    return 144 * math.exp(-0.5 * ((math.sin(math.pi * dt / 25) / 0.5) ** 2 + (dt / 60) ** 2))
a = [[kernel(t[i] - t[j]) + (s[i] ** 2 if i == j else 0) for j in range(n)] + [v[i]] for i in range(n)]
for i in range(n):  # Gauss-Jordan
    a[i] = [x / a[i][i] for x in a[i]]
    for j in range(n):
        if j != i:
            a[j] = [x - a[j][i] * y for x, y in zip(a[j], a[i])]
wanted = sum(v[i] * a[i][n] for i in range(n))
page = open("kernel/report.html", encoding="utf-8").read()
found = float(re.search(r"<dd>([0-9.]+) for 60 observations, 1 parameter", page)[1])
assert abs(found - wanted) < 0.06, (found, wanted)
END

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
expect_error 1 "equant: bare/fit.json: this is not what a fit leaves: *" report bare
cp result/{fit,origin}.json bare
expect_error 1 "equant: bare/parameters.ecsv: there is no such file; *" report bare
cp result/{parameters,covariance}.ecsv bare
expect_error 1 "equant: bare/residuals.ecsv: there is no such file; *" report bare
sed '$d' result/residuals.ecsv >bare/residuals.ecsv
expect_error 1 "equant: bare/residuals.ecsv: this and fit.json are not of one fit" report bare
cp result/residuals.ecsv bare
sed 's/"chi2": /&1/' result/fit.json >bare/fit.json
expect_error 1 "equant: bare: chi-square is *: the two are not of one fit" report bare
cp result/fit.json bare
cp empty/residuals.ecsv bare
expect_error 1 "equant: bare*: * not of one fit" report bare
cp empty/{fit.json,parameters.ecsv,covariance.ecsv,residuals.ecsv} run
expect_error 1 "equant: run: the fit and the run in it are of different data" report run
expect_error 2 "equant: --out would overwrite 'result/run.nc', which is to be read" \
    report result/run.nc --out result/../result/run.nc
expect_error 1 "equant: *no/such/page.html*" report result --no-periodograms --out no/such/page.html
# A quote in the name of an instrument comes through our own tables.
sed 's/simulated/"a""b"/' star.csv >quoted.csv
expect_code 0 fit quoted.csv --planets 1 "${quick[@]}" --out quoted
expect_code 0 report quoted --no-periodograms
finish
