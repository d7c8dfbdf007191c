#!/usr/bin/env bash
# equant predict and equant plan: what a small run says of times to come, in every form of output.
source "$(dirname "$0")/../lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planet.csv 5
planet=$here/fixtures/search_planet.csv
small=(sample star.csv --planets 1 --start "$planet" --walkers 24 --burn-in 100 --max-steps 400
    --min-ess 1e9 --threads 1 --no-pictures)
"$EQUANT" "${small[@]}" --out run >out 2>err
if [ $? -eq 3 ]; then
    expect_equal "no NetCDF" 1 "$(grep -c 'built without NetCDF' err)"
    finish
    exit
fi

# --- predict -------------------------------------------------------------------------
expect_code 0 predict run --days 30 --step 3
grep -q "What will be seen" out || fail "no question"
grep -q "Conjunctions" out || fail "no conjunctions"
expect_code 0 predict run --days 30 --step 3 --json
expect_json
expect_equal "keys" "['predicted', 'instrument', 'uncertainty_m_s', 'n_draws', 'times', 'conjunctions']" \
    "$(json 'list(it)')"
expect_equal "times" "11 3.0" \
    "$(json '"%d %.1f" % (len(it["times"]), it["times"][1]["time_days"] - it["times"][0]["time_days"])')"
expect_equal "order" True "$(json 'all(t["low_95_m_s"] < t["low_68_m_s"] < t["median_m_s"] <
    t["high_68_m_s"] < t["high_95_m_s"] for t in it["times"])')"
expect_equal "a conjunction every 13.7 days" True \
    "$(json '2 <= len(it["conjunctions"]) <= 3 and 13 < it["conjunctions"][1]["median_days"] - it["conjunctions"][0]["median_days"] < 14.4')"
wanted=$(cat out)
expect_code 0 predict run/run.nc --days 30 --step 3 --json --threads 2
expect_equal "on two threads" "$wanted" "$(cat out)"
expect_code 0 predict run --velocity --days 5 --out coming
expect_ecsv coming/prediction.ecsv 501 time mean sd
expect_ecsv coming/conjunctions.ecsv -1 planet median low high
expect_picture coming/prediction.png
printf 'time\n2460200.5\n2460201.5\n' >times.csv
expect_code 0 predict run --times times.csv --json
expect_equal "times of a file" "[2460200.5, 2460201.5]" "$(json '[t["time_days"] for t in it["times"]]')"
# What has no meaning is refused with a sentence, and what is long is bounded.
expect_code 1 predict run --days 1e18
grep -q "270,000 years" err || fail "days without end"
for error in 1e200 1e-300 1e9; do
    expect_code 1 predict run --error $error
    grep -q "speed of light" err || fail "an error of $error m/s"
done
expect_code 0 predict run --start 2460200 --days 500000 --step 250000
grep -q "conjunctions are left out" err || fail "conjunctions without end"
expect_code 0 predict run --days 30
grep -q "planet b  2" out || fail "no letter of the planet"
"$EQUANT" sample star.csv --planets 1 --walkers 24 --burn-in 100 --max-steps 400 --min-ess 1e9 --threads 1 \
    --no-pictures --letters d --out lettered >out 2>err || cat err
expect_code 0 predict lettered --days 30
grep -q "planet d  2" out || fail "no letter in conjunctions"
expect_code 0 plan lettered --days 30 --n 2
grep -qE "of planet d \(correlation" out || fail "no letter in the reason"
grep -qE "planet d +conjunction" out || fail "no words of what is expected"
expect_equal "raw names" 0 "$(grep -c t_conj out)"
expect_code 2 predict
expect_code 2 predict run --times times.csv --days 3
expect_code 2 predict run --start 2460200 --end 2460100
expect_code 2 predict run --start yesterday
expect_code 2 predict run --instrument nobody
expect_code 1 predict nowhere
mkdir -p empty
expect_code 1 predict empty
grep -q "here is no run.nc" err || fail "no sentence"

# A run that was stopped before it kept a draw.
"$EQUANT" sample star.csv --planets 1 --start "$planet" --walkers 24 --burn-in 1000000 --max-steps 2000000 \
    --checkpoint 0.1 --threads 1 --no-pictures --out begun >out 2>err &
sampling=$!
for _ in $(seq 600); do
    [ -e begun/run.nc ] && break
    sleep 0.1
done
kill -INT $sampling
wait $sampling
for command in predict plan; do
    # What its observations refuse is refused before its draws are looked for.
    expect_error 2 "equant: the run has no instrument 'nobody'*" $command begun --instrument nobody
    "$EQUANT" $command begun >out 2>err && fail "$command of no draws"
    expect_equal "$command of no draws" 1 "$(grep -c 'this run has kept no draws yet' err)"
done

# --- plan ---------------------------------------------------------------------------
expect_code 0 plan run --days 30 --n 3
grep -q "When would an observation teach most" out || fail "no question"
grep -q "After these observations" out || fail "no total"
expect_code 0 plan run --days 30 --n 3 --gap 2 --json
expect_json
expect_equal "keys" "['target', 'groups', 'group_entropy', 'expected', 'chosen', 'candidates']" "$(json 'list(it)')"
expect_equal "gains fall" True "$(json 'it["chosen"][0]["gain"] >= it["chosen"][1]["gain"] > 0')"
expect_equal "the best is first" True \
    "$(json 'it["chosen"][0]["gain"] == max(c["gain"] for c in it["candidates"])')"
expect_equal "gaps" True "$(json 'all(abs(a["time_days"] - b["time_days"]) >= 2 for a in it["chosen"]
    for b in it["chosen"] if a is not b)')"
wanted=$(cat out)
expect_code 0 plan run --days 30 --n 3 --gap 2 --json --threads 2
expect_equal "on two threads" "$wanted" "$(cat out)"
printf 'time,cost,weight\n2460200.5,100,1\n2460201.5,1,1\n2460202.5,1,0\n' >slots.csv
expect_code 0 plan run --times slots.csv --n 1 --json
expect_equal "cost and weight" "[2460201.5]" "$(json '[c["time_days"] for c in it["chosen"]]')"
expect_code 0 plan run --target k_m_s_1 --days 20 --n 2 --out coming
expect_ecsv coming/plan.ecsv 2 time instrument uncertainty gain value
expect_ecsv coming/gain.ecsv 81 time instrument uncertainty gain value
expect_picture coming/plan.png
expect_equal "a calendar" 2 "$(grep -c BEGIN:VEVENT coming/plan.ics)"
expect_code 1 plan run --target modes
grep -q "all draws have the same periods" err || fail "no sentence about modes"
expect_code 1 plan run --target nothing
expect_code 1 plan run --start 2450000
grep -q "plans are of times to come" err || fail "no sentence about the past"
expect_code 2 plan run --site "La Silla"
expect_code 2 plan run --ra 10 --dec 10
expect_code 2 plan
head -c 2000 run/run.nc >cut.nc
expect_error 1 "equant: cut.nc: *" plan cut.nc
make_star other.csv search_planet.csv 6
"$EQUANT" sample other.csv "${small[@]:2}" --out other >out 2>err
expect_error 1 "equant: the runs are of different observations: rival models have the same" \
    plan run other --target models
expect_equal "less is unknown then" True "$("$EQUANT" plan run --days 30 --n 3 --json >out; json 'all(
    q["sd_after"] <= q["sd_now"] * 1.001 for q in it["expected"]) and it["expected"][1]["name"] == "k_m_s_1"')"
# An exposure of two hours around each time leaves none of those beside it.
expect_code 0 plan run --days 10 --step 0.05 --n 5 --exposure 120 --overhead 30 --json
expect_equal "one after the other" True "$(json 'min(abs(a["time_days"] - b["time_days"])
    for a in it["chosen"] for b in it["chosen"] if a is not b) >= 149.9 / 1440')"
expect_equal "by the hour" True "$(json 'abs(it["chosen"][0]["value"] * 2.5 / it["chosen"][0]["gain"] - 1) < 1e-9')"
expect_code 0 plan run --days 20 --n 1 --error 1 --error 5 --json
expect_equal "the better instrument" 1 "$(json 'it["chosen"][0]["uncertainty_m_s"]')"
expect_code 0 plan run --days 20 --n 1 --within 10 --json
expect_equal "in time" True "$(json 'it["chosen"][0]["time_days"] - it["candidates"][0]["time_days"] < 10')"
expect_code 2 plan run --error 1 --error 2 --exposure 1 --exposure 2 --exposure 3
expect_code 2 plan run --error none
expect_code 2 predict run --error 1 --error 2
expect_code 0 plan run run --target models --days 5 --n 1
grep -q "run 1 (1 planet) (50 %)" out || fail "no models"

# --- many stars ------------------------------------------------------------------------
printf 'run,name,instrument\nrun,First,\nbegun,Second,nobody\n' >wrong.csv
expect_error 2 "equant: the run has no instrument 'nobody'*" plan --schedule wrong.csv --days 4 --exposure 5
printf 'run,name,weight,exposure\nrun,First,1,60\nother,"Second star",3,30\n' >stars.csv
schedule=(plan --schedule stars.csv --days 4 --step 0.05 --exposure 45 --overhead 5)
expect_code 0 "${schedule[@]}" --most 4 --json
expect_json
expect_equal "no telescope twice" True "$(json 'all(a["end_days"] <= b["start_days"] + 1e-6
    for a, b in zip(it["schedule"], it["schedule"][1:]))')"
expect_equal "of each star" "[('First', 4), ('Second star', 4)]" "$(json '[(s["name"], s["n"]) for s in it["stars"]]')"
expect_equal "how long each takes" "[35, 65]" \
    "$(json 'sorted({round(1440 * (s["end_days"] - s["start_days"])) for s in it["schedule"]})')"
wanted=$(cat out)
expect_code 0 "${schedule[@]}" --most 4 --json --threads 2
expect_equal "on two threads" "$wanted" "$(cat out)"
expect_code 0 "${schedule[@]}" --n 5 --out week
grep -q "Which star, when" out || fail "no question"
expect_ecsv week/schedule.ecsv 5 star start_utc minutes site
expect_equal "a calendar of all" 5 "$(grep -c BEGIN:VEVENT week/schedule.ics)"
printf 'run\n' >nobody.csv
expect_error 1 "equant: nobody.csv: there are no stars in it" plan --schedule nobody.csv --exposure 5
printf 'name\nrun\n' >unnamed.csv
expect_error 1 "equant: unnamed.csv:1: there is no column 'run'*" plan --schedule unnamed.csv --exposure 5
printf 'run,nmae\nrun,A\n' >misspelt.csv
expect_error 1 "equant: misspelt.csv:1: there is no column 'nmae'; did you mean 'name'?" \
    plan --schedule misspelt.csv --exposure 5
printf 'run,seeing\nrun,1\n' >unknown.csv
expect_error 1 "equant: unknown.csv:1: there is no column 'seeing'; columns are run, name, *" \
    plan --schedule unknown.csv --exposure 5
printf 'run,weight,weight\nrun,1,2\n' >twice.csv
expect_error 1 "equant: twice.csv:1: column 'weight' is there twice" plan --schedule twice.csv --exposure 5
printf 'run,name,weight\nrun,A, B,2\n' >unquoted.csv
expect_error 1 "equant: unquoted.csv:2: this row has 4 columns, the header has 3; *" \
    plan --schedule unquoted.csv --exposure 5
printf 'run,most\nrun,-1\n' >negative.csv
expect_error 1 "equant: negative.csv:2: 'most' cannot be -1" plan --schedule negative.csv --exposure 5
# Exposures of the table need no option; a star without one is named.
printf 'run,name,exposure\nrun,First,60\nother,"Second, star",30\n' >own.csv
expect_code 0 plan --schedule own.csv --days 4 --step 0.05 --most 2 --json
expect_equal "exposures of the table" "[30, 60]" \
    "$(json 'sorted({round(1440 * (s["end_days"] - s["start_days"])) for s in it["schedule"]})')"
expect_equal "a name with a comma" "['First', 'Second, star']" "$(json '[s["name"] for s in it["stars"]]')"
printf 'run;name;exposure\nrun;First;60\nother;"Second; star";\n' >some.csv
expect_error 2 "equant: some.csv:3: how long does an observation of Second; star take? *" \
    plan --schedule some.csv --days 4
printf 'run,weight\nrun,much\n' >much.csv
printf 'run,weight\nrun,1\n' >unsaid.csv
expect_error 1 "equant: much.csv:2: 'much' is no number*" plan --schedule much.csv --exposure 5
expect_error 2 "equant: unsaid.csv:2: how long does an observation of run take? *" plan --schedule unsaid.csv
expect_error 1 "*" plan --schedule none.csv --exposure 5

# --- nights, where this build has them -------------------------------------------------
nights=(plan run --site "La Silla" --ra 12:00:00 --dec -30:00:00 --start 2024-03-01 --days 5 --n 1)
"$EQUANT" "${nights[@]}" >out 2>err
if [ $? -ne 3 ]; then
    expect_code 0 "${nights[@]}" --out nights
    grep -q "La Silla .*away" out || fail "no site and no moon beside a time"
    expect_picture nights/plan.png
    expect_equal "where the calendar goes" 1 "$(grep -c '^LOCATION:La Silla' nights/plan.ics)"
    expect_code 0 "${nights[@]}" --json
    wanted=$(json 'round(86400 * it["chosen"][0]["jd_utc"])')
    found=$(python3 -c "import datetime, re
at = re.search(r'DTSTART:(\d+T\d+)Z', open('nights/plan.ics').read())[1]
at = datetime.datetime.strptime(at + '+0000', '%Y%m%dT%H%M%S%z').timestamp() + 900
print(abs(round(2440587.5 * 86400 + at) - $wanted) <= 1)")
    expect_equal "the calendar is in UTC" True "$found"
    expect_equal "the sky of candidates" True "$(json 'all(1 <= c["airmass"] < 2.01 for c in it["candidates"])')"
    expect_equal "hours of nights" True \
        "$(json 'all(0.4 < c["time_days"] % 1 < 0.98 for c in it["candidates"])')"
    expect_ecsv nights/plan.ecsv 1 time utc jd_utc site airmass
    expect_code 0 "${nights[@]}" --site Keck --error 2 --error 1 --moon-lit 0.99 --window 30 --pm-ra 100 --json
    expect_equal "an error for each site" "[('Keck', 1), ('La Silla', 2)]" \
        "$(json 'sorted({(c["site"], c["uncertainty_m_s"]) for c in it["candidates"]})')"
    expect_code 2 "${nights[@]}" --site Keck --error 2 --error 1 --error 3
    expect_code 0 "${nights[@]}" --exposure 60 --overhead 10 --json
    expect_equal "exposures begin and end at night" True \
        "$(json 'all(0.42 < c["time_days"] % 1 < 0.96 for c in it["candidates"])')"

    printf 'run,ra,dec\nrun,12:00:00,-30:00:00\nother,12:00:00,+85:00:00\n' >sky.csv
    expect_code 0 plan --schedule sky.csv --site "La Silla" --start 2024-03-01 --end 2024-03-01 --exposure 60 --n 3 --json
    grep -q "other is left out: a star at declination 85.00 degrees never rises" err || fail "no word of a star left out"
    # A comma between quotes moves no coordinate into another column.
    printf 'run,name,ra,dec\nrun,"Upsilon, b",12:00:00,-30:00:00\n' >quoted.csv
    printf 'run,name,ra,dec\nrun,Upsilon b,12:00:00,-30:00:00\n' >plain.csv
    for table in quoted plain; do
        expect_code 0 plan --schedule "$table.csv" --site "La Silla" --start 2024-03-01 --end 2024-03-01 --exposure 60 --n 3 --json
        sed 's/Upsilon, b/Upsilon b/' out >"$table.json"
    done
    cmp -s quoted.json plain.json || fail "a quoted comma plans another place"
    expect_code 0 plan --schedule sky.csv --site "La Silla" --start 2024-03-01 --end 2024-03-01 --exposure 60 --n 3 --json
    expect_equal "at the site" "['La Silla']" "$(json 'sorted({s["site"] for s in it["schedule"]})')"

    # What has no answer is one sentence.
    expect_error 2 "equant: --error: '0' is no number above zero" plan run --days 5 --error 0
    expect_error 2 "equant: --overhead: '-1' is no number of zero or more" plan run --days 5 --overhead -1
    expect_error 1 "equant: a star at declination 85.00 degrees never rises at La Silla" \
        plan run --site "La Silla" --ra 12:00:00 --dec +85:00:00 --days 5
    expect_error 1 "equant: these nights are past: --end 2020-01-01; *" \
        plan run --site "La Silla" --ra 12:00:00 --dec -30 --end 2020-01-01
    expect_error 1 "equant: nothing can be observed at longitude 0, latitude -89 * the sun does not sink below -12 degrees" \
        plan run --site 0,-89,2800 --ra 10 --dec -80 --start 2026-12-01 --end 2026-12-20
    expect_code 0 plan run --site 0,-89,2800 --ra 10 --dec -80 --start 2026-06-01 --end 2026-06-02 --n 1
fi
finish
