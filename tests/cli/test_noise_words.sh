#!/usr/bin/env bash
# What a fit says of noise beside jitters, in text, JSON, tables and on the page, and that it says
# nothing new of white noise.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/star.sh"
cd "$work" || exit 1

# A star that turns in 25 days, with a planet of 8.3 days; and the same with an indicator that its
# velocities follow.
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1\n8.3,4,0.1,120,45\n' >orbit.csv
"$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 80 --cadence 2 --jitter-times \
    --noise 'mep(amplitude=4,period=25,decay=50,width=0.5)' --white 1 --seed 3 --out active.csv ||
    fail "equant simulate"
"$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 80 --cadence 2 --jitter-times \
    --noise 1 --seed 4 --out still.csv || fail "equant simulate"
python3 - still.csv follows.csv <<'PYTHON' || fail "an indicator"
import csv, random, sys
rows = list(csv.DictReader(open(sys.argv[1])))
random.seed(1)
with open(sys.argv[2], "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["time", "mnvel", "errvel", "tel", "fwhm", "fwhm_err"])
    for row in rows:
        x = random.gauss(0, 1)
        out.writerow([row["time"], float(row["mnvel"]) + 3 * x, 1, row["tel"], 7000 + 20 * x, 2])
PYTHON
quickly=(--period 6:80 --max-eccentricity 0.3 --max-planets 2 --threads 1)
expect_no_text() { # TEXT: not in what was printed
    n_checks=$((n_checks + 1))
    ! grep -qF -- "$1" out || fail "this should not be there: $1"
}

# --- Text ----------------------------------------------------------------------
expect_code 0 fit active.csv "${quickly[@]}" --noise auto --out active --no-pictures
expect_text "1 planet found; correlated noise with a memory of 33 days."
expect_text "rotation (esp3)  amplitude m/s  3.1"
expect_text "period days    23.5"
expect_text "  noise term       status    delta BIC  delta lnL"
expect_text "  rotation         rejected       -2.3 "
expect_text "  rotation (esp3)  included "
expect_text "after the noise"
expect_equal "lines that are too long" 0 "$(grep -c '.\{100\}' out)"
cp out chosen

expect_code 0 fit follows.csv "${quickly[@]}" --noise auto --out follows --no-pictures
expect_text "1 planet found."
expect_text "the velocities follow fwhm: 2.98 ± "
expect_text "  rotation    rejected"
expect_no_text "after the noise"

if in_full; then
    expect_code 0 fit active.csv "${quickly[@]}"
    expect_equal "it is chosen by default" "$(cat chosen)" "$(cat out)"
fi
expect_code 0 fit active.csv "${quickly[@]}" --noise white
cp out white
expect_code 0 fit active.csv "${quickly[@]}" --planets 1
expect_no_text "turns"
cp white out
expect_no_text "noise"
expect_no_text "turns"

# --- JSON, tables and the page ---------------------------------------------------
cp active/fit.json out
expect_equal "the term" "esp3 amplitude,period,decay,width m/s,d,d," "$(json '"%s %s %s" % (
    it["noise"]["terms"][0]["name"], ",".join(it["noise"]["terms"][0]["parameters"]),
    ",".join(p["unit"] for p in it["noise"]["terms"][0]["parameters"].values()))')"
# Noise without a period explains it with nearly a tenth of the probability.
expect_equal "rotation" True "$(json 'it["noise"]["rotation_days"] is None and
    0.8 < it["noise"]["rotation_probability"] < 0.95 and 30 < it["noise"]["memory_days"] < 37')"
expect_equal "what was tried" "[('mep', False), ('esp3', True), ('mep4', False), ('matern32', False)]" \
    "$(json '[(t["name"], t["chosen"]) for t in it["noise"]["tried"]]')"
expect_equal "rms" True "$(json 'it["noise"]["rms_after_m_s"] < 1.2 < 3 < it["rms_m_s"]')"
expect_ecsv active/residuals.ecsv 80 time velocity uncertainty instrument model residual noise_m_s
expect_code 0 report active
on_page() { # TEXT
    n_checks=$((n_checks + 1))
    grep -qF -- "$1" "$2" || fail "$2 lacks: $1"
}
on_page "The model has noise beside jitters: rotation (esp3) (amplitude 3.1" active/report.html
on_page "; 0.810 m/s after the noise" active/report.html
on_page "periodograms take the noise as white; folded velocities are less it." active/report.html
on_page "Its memory is 33&nbsp;days." active/report.html
on_page "; drawn over the residuals, with a band of one standard deviation, and taken off" active/report.html
on_page "rest (m/s)" active/report.html
on_page 'class="band-68"' active/report.html
on_page "if the noise were white; that of the fit makes such peaks itself" active/report.html

cp follows/fit.json out
expect_equal "the indicator" "fwhm simulated True" "$(json '"%s %s %s" % (
    it["noise"]["indicators"][0]["name"], it["noise"]["indicators"][0]["instrument"],
    abs(it["noise"]["indicators"][0]["slope_m_s"] - 3) < 0.3)')"
expect_equal "no term" "[] [('mep', False)] None" "$(json '"%s %s %s" % (it["noise"]["terms"],
    [(t["name"], t["chosen"]) for t in it["noise"]["tried"]], it["noise"]["rotation_days"])')"
expect_code 0 report follows --no-periodograms
on_page "the velocities follow fwhm: 2.98 ±" follows/report.html

# A star whose velocities follow a magnetic cycle.
python3 - >cycle.csv <<'PYTHON' || fail "a cycle"
import math, random
random.seed(2)
print("time,mnvel,errvel,fwhm,fwhm_err")
for k in range(90):
    t = 2460000 + 8 * k + 4 * random.random()
    cycle = math.sin(2 * math.pi * t / 700)
    print(f"{t},{4 * cycle + random.gauss(0, 1)},1,{7000 + 20 * cycle + random.gauss(0, 20)},3")
PYTHON
expect_code 0 fit cycle.csv "${quickly[@]}" --trend none --noise auto --json --out cycle --no-pictures
expect_equal "averaged" "[100]" "$(json '[i["smoothing_days"] for i in it["noise"]["indicators"]]')"
expect_code 0 report cycle --no-periodograms
on_page "the velocities follow fwhm averaged over 100 days: " cycle/report.html

# Terms that are asked for are there in any case, with what was said of them.
expect_code 0 fit active.csv "${quickly[@]}" --max-planets 1 --noise 'rotation(period=20:30,decay=60)'
expect_text "; stellar rotation period 2"
expect_text "decay days     60.0, fixed"
expect_text "  rotation    requested "
expect_text " with 10 parameters, "
expect_code 0 fit still.csv "${quickly[@]}" --max-planets 1 --noise 'sho(amplitude=0.2,period=2:9)' --json
expect_equal "given" "[('sho', True, True)] True False False" "$(json '"%s %s" % ([(t["name"],
    t["chosen"], t["given"]) for t in it["noise"]["tried"]],
    " ".join(str(p["fixed"]) for p in it["noise"]["terms"][0]["parameters"].values()))')"

# The quasi-periodic process itself, by whole matrices.
qp='qp(amplitude=4,period=25,decay=50,width=0.5)'
expect_code 0 fit active.csv "${quickly[@]}" --max-planets 1 --noise "$qp"
expect_text "1 planet found; stellar rotation period 25.0 days."
expect_text "amplitude m/s  4.00, fixed"
expect_code 0 simulate --orbits orbit.csv --start 2460000 --n-obs 30 --cadence 1 --noise "$qp" --out drawn.csv
for term in qp esp3; do # esp3 is near it, and has another likelihood
    expect_code 0 sample drawn.csv --planets 0 --noise "$term(period=25,width=0.5)" --populations 2 \
        --walkers 24 --max-steps 800 --json
    json '[q["median"] for q in it["quantities"] if q["name"] == "'$term'_amplitude_m_s"][0]' >$term
done
expect_equal "sampled" True "$(python3 -c 'import sys; print(abs(float(sys.argv[1]) / float(sys.argv[2]) - 1) < 0.15)' \
    "$(cat qp)" "$(cat esp3)")"

# The files of two fits in one folder.
cp active/residuals.ecsv follows/residuals.ecsv
expect_error 1 "equant: follows/fit.json: there is no indicator 'fwhm' here" \
    report follows

expect_code 0 fit active.csv "${quickly[@]}" --noise white --json
expect_equal "white" None "$(json 'it["noise"]')"

# --- Indicators -----------------------------------------------------------------
python3 - follows.csv gaps.csv <<'PYTHON' || fail "gaps"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
with open(sys.argv[2], "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["time", "mnvel", "errvel", "tel", "fwhm", "bis", "s_index"])
    for i, row in enumerate(rows):
        one = i < 60
        out.writerow([row["time"], row["mnvel"], 1, "one" if one else "two",
                      row["fwhm"] if one and i > 4 else "nan", "12", 1.0 + i * 37 % 80])
PYTHON
expect_code 0 fit gaps.csv "${quickly[@]}" --planets 0 --noise auto
expect_text "the velocities of one follow fwhm: "
expect_text "  fwhm of one "
expect_equal "rejected indicators" 2 "$(grep -cE '^  s_index of (one|two) +rejected ' out)"
expect_text "  The indicator bis has the same value in all rows of one: it is left out."
expect_text "  The indicator fwhm is missing in 5 of 60 rows of one: there it counts as at"
expect_text "  The indicator fwhm is not of two, whose velocities do not follow it."
expect_code 0 fit gaps.csv "${quickly[@]}" --planets 0 --noise auto --indicators none
expect_no_text "ndicator"
expect_code 0 fit gaps.csv "${quickly[@]}" --planets 0 --indicators fwhm,s_index --json
expect_equal "named" "[('fwhm', 'one', True, True), ('s_index', 'one', True, True), ('s_index', 'two', True, True)]" \
    "$(json '[(t["name"], t["instrument"], t["chosen"], t["given"])
        for t in it["noise"]["indicators_tried"]]')"
expect_equal "worth" "True True" "$(json '"%s %s" % (it["noise"]["indicators_tried"][0]["delta_bic"] > 30,
    it["noise"]["indicators_tried"][1]["delta_lnl"] < 3)')"

# Terms of one instrument, and of another beside it.
expect_code 0 fit gaps.csv "${quickly[@]}" --planets 0 --indicators none \
    --noise 'matern32@one(amplitude=2,decay=3:30), matern32@two(amplitude=3,decay=3:30), rotation' --json
expect_equal "whose" "[('matern32', 'one'), ('matern32', 'two'), ('mep', None)]" \
    "$(json '[(t["name"], t["instrument"]) for t in it["noise"]["terms"]]')"
expect_equal "one each" "[2, 3]" "$(json '[round(t["parameters"]["amplitude"]["value"])
    for t in it["noise"]["terms"][:2]]')"
expect_code 0 fit gaps.csv "${quickly[@]}" --planets 0 --indicators none --noise 'rotation@one' \
    --out owned --no-pictures
expect_text "  rotation@one  amplitude m/s  "
expect_text "  rotation@one  requested "
expect_code 0 report owned --no-periodograms
on_page "rotation@one" owned/report.html
expect_code 0 search gaps.csv --period 6:80 --circular --peaks 1 --indicators none --noise 'rotation@one'
expect_text "  noise    mep@one(amplitude="
expect_error 1 "equant: noise 'rotation@three': the data have no instrument of this name; they have one, two" \
    fit gaps.csv --noise 'rotation@three(quality=1)'
expect_error 1 "equant: noise 'mep@three': the data have no instrument of this name; they have one, two" \
    sample gaps.csv --planets 0 --noise 'rotation@three'
expect_error 1 "equant: noise 'night@three(amplitude=1)': the data have no instrument 'three'; they have one, two" \
    evaluate gaps.csv --orbits orbit.csv --noise 'night@three(amplitude=1)'
expect_error 1 "equant: noise 'night@three(amplitude=1)': the data have no instrument 'three'; they have simulated" \
    simulate --orbits orbit.csv --start 2460000 --n-obs 3 --cadence 1 --noise 'night@three(amplitude=1)'
expect_code 0 priors gaps.csv --planets 0 --noise 'rotation, exponential@two(decay=3)'
expect_text "  - parameter: exponential_decay_days_2"
expect_text "    prior: fixed(3)"
expect_text "  - parameter: mep_decay_days"
# A term of an instrument has the likelihood of one of all where there is no other instrument.
expect_code 0 evaluate active.csv --orbits orbit.csv --noise 'exponential(amplitude=2,decay=3)'
cp out of_all
expect_code 0 evaluate active.csv --orbits orbit.csv --noise 'exponential@simulated(amplitude=2,decay=3)'
cmp -s out of_all || fail "a term of the only instrument"

# Indicators as series of one process with the velocities: spots.
"$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 120 --cadence 2 --jitter-times \
    --noise 'mep(amplitude=4,period=23,decay=50,width=0.5)' --seed 5 --out with_spots.csv &&
    "$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 120 --cadence 2 --jitter-times \
        --seed 5 --out without_spots.csv || fail "equant simulate"
python3 - with_spots.csv without_spots.csv spotted.csv <<'PYTHON' || fail "spots"
import csv, random, sys
random.seed(6)
pairs = zip(*[list(csv.DictReader(open(path))) for path in sys.argv[1:3]])
with open(sys.argv[3], "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["time", "mnvel", "errvel", "tel", "fwhm", "fwhm_err", "crx"])
    for with_spots, without in pairs:
        spots = float(with_spots["mnvel"]) - float(without["mnvel"])
        out.writerow([with_spots["time"], float(with_spots["mnvel"]) + random.gauss(0, 1), 1,
                      with_spots["tel"], 7000 + 5 * spots + random.gauss(0, 3), 3, random.gauss(0, 1)])
PYTHON
expect_code 0 fit spotted.csv "${quickly[@]}" --noise white --indicators fwhm --indicators-as series \
    --out spotted --no-pictures
expect_text "  velocities and fwhm are series of one process, which velocities are"
expect_text "  rotation    requested "
expect_equal "as JSON" "fwhm True True" "$(python3 - spotted/fit.json <<'PYTHON'
import json, sys
noise = json.load(open(sys.argv[1]))["noise"]
own = noise["series"][0]
print(own["name"], abs(own["scale"] - 20) < 8, abs(noise["lead_days"]) < 4 * noise["lead_days_err"] + 0.2)
PYTHON
)"
awk -F, -v OFS=, '{ print $1, $2, $3, $4, $5 }' spotted.csv >bare.csv
expect_code 0 search bare.csv --period 6:80 --circular --peaks 1 --indicators-as series
expect_equal "without uncertainties" 1 "$(grep -c '120 values of indicators, 120 of them without uncertainty' err)"
expect_code 0 report spotted --no-periodograms
on_page "are series of one process, which velocities are" spotted/report.html
expect_code 0 search spotted.csv --period 6:80 --circular --peaks 1 --indicators fwhm --indicators-as series --json
expect_equal "the planet" True "$(json 'abs(it["peaks"][0]["period_days"] - 8.3) < 0.1')"
expect_error 1 "equant: the indicators show no rotation of the star: white noise explains them as well, and there are no spots to follow" \
    fit spotted.csv --indicators crx --indicators-as series
expect_error 1 "equant: no indicator has 20 values of an instrument that are not all the same: there are no series to learn from" \
    fit active.csv --indicators-as series
expect_error 2 "equant: --indicators none leaves no series; leave --indicators-as out" \
    search active.csv --indicators none --indicators-as series

# --- Searches -------------------------------------------------------------------
expect_code 0 search active.csv --period 6:80 --circular --peaks 2
expect_no_text "noise "
expect_code 0 search active.csv --period 6:80 --circular --peaks 2 --noise 'rotation(period=20:30)'
expect_text "  noise    mep(amplitude="
expect_text "           fitted without the planets looked for, and again with each peak"
expect_code 0 search gaps.csv --period 6:80 --circular --peaks 2 --indicators fwhm --json
expect_equal "followed" "None fwhm of one 2" "$(json '"%s %s %d" % (it["noise"], it["indicators"],
    sum("fwhm" in w for w in it["warnings"]))')"
expect_error 2 "equant: --noise: noise 'nonsense': there is no term 'nonsense'; there are night, *" \
    search active.csv --noise nonsense
expect_error 1 "equant: the data have no indicator 'crx'; they have s_index, fwhm, bis" \
    search gaps.csv --indicators crx

# --- Bad input ------------------------------------------------------------------
expect_error 2 "equant: --noise: noise 'nonsense': there is no term 'nonsense'; there are night, *" \
    fit active.csv --noise nonsense
expect_error 2 "equant: --noise: noise 'night(period=3)': 'night' has no parameter 'period'; it has amplitude" \
    fit active.csv --noise 'night(period=3)'
expect_error 2 "equant: --noise: noise 'mep(period=30:20)': period of 'mep' runs from 30 to 20; the lower end comes first" \
    fit active.csv --noise 'mep(period=30:20)'
expect_error 2 "equant: --noise: noise 'night,night': 'night' is there twice; a fit takes each term once" \
    fit active.csv --noise night,night
expect_error 2 "equant: --noise: noise 'mep(amplitude=1:2,*)': amplitude of 'mep' is a range; only a fit chooses from one, here it needs a value" \
    simulate --start 0 --n-obs 9 --cadence 1 --noise 'mep(amplitude=1:2,period=9,decay=9,width=1)'
expect_error 1 "equant: noise 'mep': a rotation of 900 days is longer than the data, 156.971 days" \
    fit active.csv --noise 'rotation(period=20:900)'
"$EQUANT" simulate --orbits orbit.csv --start 2460000 --n-obs 20 --cadence 2 --noise 1 --seed 4 \
    --out regular.csv || fail "equant simulate"
expect_error 1 "equant: noise 'night': no night has two observations of one instrument, so that nights are no other noise than jitter" \
    fit regular.csv --noise night
expect_error 1 "equant: noise 'night@simulated': no night has two observations of simulated, so that its nights are no other noise than its jitter" \
    fit regular.csv --noise 'night@simulated'
expect_error 1 "equant: the data have no indicator 'crx'; they have s_index, fwhm, bis" \
    fit gaps.csv --indicators crx
expect_error 1 "equant: the data have no indicator 'crx', nor any other" fit active.csv --indicators crx
expect_error 1 "equant: the indicator 'fwhm' is named twice" fit gaps.csv --indicators fwhm,fwhm
expect_error 1 "equant: the indicator 'bis' has the same value in all rows of an instrument: nothing can follow it" \
    fit gaps.csv --indicators bis
awk -F, 'NR > 20 { $5 = "nan" } 1' OFS=, gaps.csv >sparse.csv
expect_error 1 "equant: the indicator 'fwhm' has at most 14 values in the rows of an instrument: 20 are the least that velocities can follow" \
    search sparse.csv --indicators fwhm
head -n 9 active.csv > few.csv
expect_error 1 "equant: * observations do not carry a noise of 6 free parameters beside 2 of their instruments: *" \
    fit few.csv --noise rotation,exponential
expect_error 2 "equant: --noise: noise 'mep(decy=9)': 'mep' has no parameter 'decy'; it has amplitude, period, decay, width" \
    search active.csv --noise 'mep(decy=9)'
expect_error 2 "equant: --noise: noise 'rotation(quality=3:1)': quality of 'rotation' runs from 3 to 1; the lower end comes first" \
    sample active.csv --planets 1 --noise 'rotation(quality=3:1)'
expect_error 2 "equant: --noise auto chooses noise beside jitters; leave --no-jitter out" \
    fit active.csv --noise auto --no-jitter

finish
