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
expect_code 2 predict
expect_code 2 predict run --times times.csv --days 3
expect_code 2 predict run --start 2460200 --end 2460100
expect_code 2 predict run --start yesterday
expect_code 2 predict run --instrument nobody
expect_code 1 predict nowhere
mkdir -p empty
expect_code 1 predict empty
grep -q "here is no run.nc" err || fail "no sentence"

# --- plan ---------------------------------------------------------------------------
expect_code 0 plan run --days 30 --n 3
grep -q "When would an observation teach most" out || fail "no question"
grep -q "After these 3 observations" out || fail "no total"
expect_code 0 plan run --days 30 --n 3 --gap 2 --json
expect_json
expect_equal "keys" "['target', 'groups', 'group_entropy', 'chosen', 'candidates']" "$(json 'list(it)')"
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
expect_ecsv coming/plan.ecsv 2 time gain value
expect_ecsv coming/gain.ecsv 81 time gain value
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
expect_code 0 plan run run --target models --days 5 --n 1
grep -q "run 1 (1 planet) (50 %)" out || fail "no models"

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
    expect_code 1 plan run --site "La Silla" --ra 12:00:00 --dec +85:00:00 --days 5
fi
finish
