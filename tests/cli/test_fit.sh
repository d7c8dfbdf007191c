#!/usr/bin/env bash
# equant fit: the planets of a simulated star, in every form of output.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planets.csv 5
make_star other.csv search_planets.csv 6 --offset 30 --instrument other
fit=(fit star.csv other.csv --noise white "${quick[@]}")

# --- What it finds -----------------------------------------------------------
expect_code 0 "${fit[@]}" --star-mass 1 --json --out result
expect_json
cp "$work/out" first.json
expect_equal "keys" "['planets', 'threshold', 'probabilities', 'n_planets', 'models', 'trace', 'instruments', 'trend', 'noise', 'outliers', 'end', 'n_obs', 'n_parameters', 'n_fitted', 'chi2', 'lnl', 'bic', 'rms_m_s', 'lnl_without_planets', 'bic_without_planets', 't_ref', 'period_min_days', 'period_max_days', 'candidate', 'warnings', 'hints']" \
    "$(json 'list(it)')"
expect_equal "keys of a planet" True "$(json 'all(
    k in p and k + "_err" in p for p in it["planets"] for k in ("period_days", "k_m_s",
    "eccentricity", "omega_deg", "m0_deg", "t_peri", "t_conj", "m_sin_i_jupiter", "a_au"))
    and all("fap" in p and "delta_bic" in p for p in it["planets"])')"
expect_equal "keys of an instrument" True "$(json 'all(
    k in i for i in it["instruments"] for k in ("name", "n_obs", "offset_m_s", "jitter_m_s"))')"
expect_equal "planets" 2 "$(json 'len(it["planets"])')"
expect_equal "periods" True "$(json 'abs(it["planets"][0]["period_days"] - 13.7) < 0.05
    and abs(it["planets"][1]["period_days"] - 47) < 0.5')"
expect_equal "within five sigma" True "$(json 'all(abs(p[k] - v) < 5 * p[k + "_err"]
    for p, e in zip(it["planets"], ({"k_m_s": 20, "eccentricity": 0.3}, {"k_m_s": 9,
    "eccentricity": 0.1})) for k, v in e.items())')"
expect_equal "semi-major axis" True "$(json 'abs(it["planets"][0]["a_au"] - 0.112) < 0.001')"
expect_equal "instruments" "['simulated', 'other']" "$(json '[i["name"] for i in it["instruments"]]')"
expect_equal "offset" True "$(json 'abs(it["instruments"][1]["offset_m_s"] - 30) < 2')"
expect_equal "observations" "120 60" "$(json 'it["n_obs"], it["instruments"][0]["n_obs"]' | tr -d '(),')"
expect_equal "reference time" 2460060 "$(json 'it["t_ref"]')"
expect_code 0 "${fit[@]}" --star-mass 1 --json --threads 1
n_checks=$((n_checks + 1))
cmp -s "$work/out" first.json || fail "the fit depends on --threads"

expect_code 0 "${fit[@]}" --planets 2 --method de --json
expect_equal "differential evolution" True "$(json 'abs(it["lnl"] -
    json.load(open("first.json"))["lnl"]) < 0.01')"

# --- Text ------------------------------------------------------------------------
expect_code 0 "${fit[@]}"
expect_text "2 planets found."
expect_text "period days  13."
expect_text " ± "
expect_text "delta BIC"
expect_equal "mass of an unknown star" 0 "$(grep -c 'm sin i' "$work/out")"
expect_equal "lines with nan" 0 "$(grep -c nan "$work/out")"

# --- The folder --------------------------------------------------------------------
cmp -s result/fit.json first.json || fail "fit.json is not what --json prints"
expect_ecsv result/planets.ecsv 2 period_days period_days_err k_m_s
expect_ecsv result/parameters.ecsv 14 name value uncertainty unit
expect_ecsv result/covariance.ecsv 14 name period_days_1
expect_ecsv result/residuals.ecsv 120 time velocity uncertainty instrument model residual
expect_ecsv result/curve.ecsv -1 time velocity planet_1 planet_2
expect_picture result/fit.png
n_checks=$((n_checks + 1))
python3 - result <<'END' || fail "the tables do not agree"
import csv, json, math, sys
def read(name):
    lines = [line for line in open(f"{sys.argv[1]}/{name}.ecsv") if not line.startswith("#")]
    return list(csv.DictReader(lines))
fit = json.load(open(sys.argv[1] + "/fit.json"))
residuals = read("residuals")
assert all(abs(float(r["velocity"]) - float(r["model"]) - float(r["residual"])) < 1e-9
           for r in residuals)
rms = math.sqrt(sum(float(r["residual"]) ** 2 for r in residuals) / len(residuals))
assert abs(rms - fit["rms_m_s"]) < 1e-6 * rms, (rms, fit["rms_m_s"])
for planet, row in zip(fit["planets"], read("planets")):
    assert all(float(row[k]) == v for k, v in planet.items()
               if v is not None and k not in ("aliases", "is_candidate"))
    assert planet["is_candidate"] == (float(row["probability"]) < fit["threshold"])
covariance = read("covariance")
for i, row in enumerate(read("parameters")):
    variance = float(covariance[i][row["name"]])
    assert abs(float(row["uncertainty"]) ** 2 - variance) <= 1e-9 * variance
for row in read("curve"):
    total = float(row["planet_1"]) + float(row["planet_2"])
    assert abs(total - float(row["velocity"])) < 1e-9 or fit["trend"]
END
# Indicators are written with the data, also of instruments that stay when another is left out.
sed '1s/$/,s_index,s_index_err/; 2,$s/$/,0.17,0.01/' star.csv >active.csv
expect_code 0 fit active.csv other.csv --period 10:20 --planets 1 --leave-out other --out active
expect_code 0 data active/residuals.ecsv --json
expect_equal "indicators" "[('s_index', True, True)]" \
    "$(json '[(i["name"], i["n_values"] == it["n_obs"], i["n_uncertainties"] == it["n_obs"]) for i in it["indicators"]]')"
expect_code 0 report active --out active.html
# So is what the times are called, in the table and on the axes made from it.
sed '1s/time/BJD_TDB/' star.csv >named.csv
expect_code 0 fit named.csv --period 10:20 --planets 1 --out named --format svg
grep -q '^# - {name: time, unit: d, .*description: .BJD.}' named/residuals.ecsv ||
    fail "residuals.ecsv does not say what its times are"
expect_code 0 data named/residuals.ecsv --json
expect_equal "times" BJD "$(json 'it["time_name"]')"
grep -q 'BJD − 2460000 (days)' named/fit.svg || fail "the picture does not name BJD"
expect_code 0 report named --out named.html
grep -q 'BJD − 2460000 (days)' named.html || fail "the page does not name BJD"
sed '1s/BJD_TDB/mjd/; 2,$s/^24/0/' named.csv >modified.csv
expect_code 0 fit modified.csv named.csv --period 10:20 --planets 0 --out both --format svg
expect_code 0 fit modified.csv --period 10:20 --planets 0 --out modified --format svg
grep -q '>MJD − 60000 (days)<' modified/fit.svg || fail "the picture does not name MJD"

expect_code 0 data result/residuals.ecsv --json
expect_equal "residuals.ecsv as data" "['simulated', 'other']" \
    "$(json '[i["name"] for i in it["instruments"]]')"
expect_code 0 "${fit[@]}" --planets 1 --out bare --no-pictures
expect_equal "files" "covariance.ecsv curve.ecsv fit.json origin.json parameters.ecsv planets.ecsv residuals.ecsv" \
    "$(ls bare | xargs)"

# --- Planets given -----------------------------------------------------------------
for start in first.json result/planets.ecsv "$here/fixtures/search_planets.csv"; do
    expect_code 0 "${fit[@]}" --planets 2 --start "$start" --json
    expect_equal "warm start from $start" True "$(json 'abs(it["lnl"] -
        json.load(open("first.json"))["lnl"]) < 1e-3')"
done
# Another reference time than that of the earlier fit.
expect_code 0 fit star.csv other.csv --t-ref 2460011.5 --period 6:80 --max-eccentricity 0.5 \
    --planets 2 --start first.json --json
expect_equal "other reference time" True "$(json 'abs(it["lnl"] -
    json.load(open("first.json"))["lnl"]) < 1e-3')"
expect_code 0 "${fit[@]}" --planets 2 --fixed "$here/fixtures/search_planet.csv" --json
expect_equal "fixed planet" "13.7 0 20 0" "$(json \
    '"%g %g %g %g" % tuple(it["planets"][0][k] for k in ("period_days", "period_days_err", "k_m_s", "k_m_s_err"))')"
# A name with blanks or commas is one cell of its row.
printf 'name,period_days,k_m_s,eccentricity,omega_deg,m0_deg\nHD 1 b,13.7,20,0.3,120,45\n"HD 1, b",13.7,20,0.3,120,45\n' >named.csv
for row in 2 3; do
    sed -n "1p;${row}p" named.csv >fixed.csv
    expect_code 0 "${fit[@]}" --planets 1 --fixed fixed.csv --json
    expect_equal "a fixed planet with a name" "[13.7]" "$(json '[p["period_days"] for p in it["planets"]]')"
done
expect_code 0 "${fit[@]}" --planets 0
expect_text "No planet found."
expect_code 0 "${fit[@]}" --planets 0 --out none
expect_ecsv none/planets.ecsv 0 period_days
expect_picture none/fit.png

# --- Instruments and noise -----------------------------------------------------------
expect_code 0 "${fit[@]}" --planets 1 --leave-out other --json
expect_equal "left out" "60 ['simulated']" \
    "$(json 'it["n_obs"], [i["name"] for i in it["instruments"]]' | sed 's/[(),]//g')"
expect_code 0 "${fit[@]}" --planets 1 --no-jitter --trend linear --json
expect_equal "no jitter" "0 0" "$(json '"%g %g" % tuple(i["jitter_m_s"] for i in it["instruments"])')"
expect_equal "trend" "['linear_m_s_day', 'linear_m_s_day_err', 'quadratic_m_s_day2', 'quadratic_m_s_day2_err']" \
    "$(json 'list(it["trend"])')"
expect_code 0 "${fit[@]}" --planets 1 --trend none --json
expect_equal "no trend" None "$(json 'it["trend"]')"

# --- What people get wrong -------------------------------------------------------------
expect_error 2 "equant: no data: name a file, or use --demo" fit
expect_error 1 "equant: missing.csv: there is no such file; *" fit missing.csv --out never
expect_equal "no folder for nothing" "" "$(ls -d never 2>/dev/null)"
expect_error 2 "equant: --planets wants a whole number from 0 to 20, not '-3'" \
    fit star.csv --planets -3
expect_error 2 "equant: --planets wants a whole number from 0 to 20, not 'many'" \
    fit star.csv --planets many
expect_error 2 "equant: --max-planets wants a whole number from 1 to 20, not '0'" \
    fit star.csv --max-planets 0
expect_error 2 "equant: --planets 0 leaves no room for --start and --fixed" \
    fit star.csv --planets 0 --start first.json
expect_error 2 "equant: --fap wants a probability between 0 and 1, not '1'" fit star.csv --fap 1
expect_error 2 "equant: --fap wants a number above zero, not '0'" fit star.csv --fap 0
expect_error 2 "equant: --probability wants a number between 0 and 1, not '95'" fit star.csv --probability 95
expect_error 2 "equant: --star-mass wants a number above zero, not '-1'" \
    fit star.csv --star-mass -1
expect_error 2 "equant: --method is scan or de, not 'mcmc'" fit star.csv --method mcmc
expect_error 2 "equant: the shortest period must be below the longest, not 5 and 2 days" \
    fit star.csv --period 5:2
expect_error 2 "equant: --format is png, svg or pdf, not 'jpg'" fit star.csv --format jpg
expect_error 1 "equant: there is no instrument 'HARPS' to leave out; the data have simulated, other" \
    "${fit[@]}" --leave-out HARPS
expect_error 1 "equant: no observations are left when these instruments are left out" \
    "${fit[@]}" --leave-out simulated --leave-out other
expect_error 1 "equant: missing.json: cannot open: No such file or directory" \
    "${fit[@]}" --start missing.json
expect_error 2 "equant: --ccd is for astrometry; leave it out with velocities alone" "${fit[@]}" --ccd
expect_error 2 "equant: --star-mass-err: the error of a star's mass, 0.1, needs the mass itself" \
    "${fit[@]}" --star-mass-err 0.1
expect_code 0 "${fit[@]}" --planets 1 --star-mass 1 --star-mass-err 0.1 --json
cp "$work/out" apart.json
expect_code 0 "${fit[@]}" --planets 1 --star-mass 1+-0.1 --json
n_checks=$((n_checks + 1))
cmp -s "$work/out" apart.json || fail "--star-mass-err is not the error of the mass"
touch file
expect_error 1 "equant: file: cannot make this folder: Not a directory" "${fit[@]}" --out file
(
    trap '' XFSZ
    ulimit -f 2
    "$EQUANT" "${fit[@]}" --planets 1 --out full >out 2>err
)
expect_equal "exit code on a full disk" 1 $?
expect_equal "nothing that looks complete" "" "$(ls full | grep -e fit.json -e part)"
printf 'time,mnvel,errvel\n1,2,1\n' >one.csv
expect_error 1 "equant: *" fit one.csv
finish
