#!/usr/bin/env bash
# equant nights: when a star can be observed. Numbers are those of astropy and astroplan, as
# tests/fixtures/observing has them, or of an almanac.
source "$(dirname "$0")/../lib.sh"

star=(--ra 18:02:30.86 --dec +26:18:46.8)
june=(--start 2026-06-16 --end 2026-06-19)
run nights --site Keck "${star[@]}" "${june[@]}"
if [ "$code" -eq 3 ]; then
    grep -q ERFA "$work/err" || fail "a build without ERFA does not say so"
    echo "SKIP: this build has no ERFA"
    exit 77
fi
expect_equal "exit code" 0 "$code"
expect_text "Mauna Kea"
expect_text "2026-06-16"
expect_text "2026-06-19"
expect_text "in 4 of 4 nights"
expect_equal "nights before the first" 0 "$(grep -c '^  2026-06-15' "$work/out")"

# Full moon on 2026-06-29 at 23:57 UTC; the solstice's night at La Palma is ten hours long from
# sunset to sunrise.
expect_code 0 nights --site 'La Palma' "${star[@]}" --start 2026-06-14 --end 2026-06-29 --json
expect_json
expect_equal "nights" 16 "$(json 'len(it["nights"])')"
expect_equal "full moon" True "$(json 'it["nights"][-1]["moon_illumination"] > 0.995')"
expect_equal "length of the night" True \
    "$(json 'abs(24 * (it["nights"][7]["sunrise_jd_utc"] - it["nights"][7]["sunset_jd_utc"]) - 9.97) < 0.1')"
# The star passes 2.4 degrees from the zenith.
expect_equal "altitude" True "$(json 'abs(it["nights"][2]["best_altitude_deg"] - (90 - 28.7583 + 26.3130)) < 0.1')"
expect_equal "hours are those of the windows" True \
    "$(json 'abs(sum(n["hours"] for n in it["nights"]) - 24 * sum(w["end_jd_utc"] - w["start_jd_utc"] for w in it["windows"])) < 1e-6')"

# Limits do what they say.
expect_code 0 nights --site Keck "${star[@]}" "${june[@]}" --airmass 1.2 --json
expect_equal "airmass" True "$(json 'all(n["hours"] < 5.2 for n in it["nights"])')"
expect_code 0 nights --site Keck "${star[@]}" "${june[@]}" --sun -18 --json
expect_equal "dusk is when it is dark" True \
    "$(json 'all(abs(n["dusk_jd_utc"] - n["dark_start_jd_utc"]) < 1e-6 for n in it["nights"])')"
expect_code 0 nights --site Keck "${star[@]}" "${june[@]}" --sun 0 --altitude 0 --moon 0
expect_text "sun below 0°, star above 0°"

# Sites by name, by instrument and by coordinates are the same place.
for site in 'La Silla' HARPS -70.73,-29.256666666666668,2347; do
    expect_code 0 nights --site "$site" --ra 79.2 --dec -12.5 --start 2026-11-16 --end 2026-11-18 --json
    json '[n["best_jd_utc"] for n in it["nights"]]' >>"$work/best"
done
expect_equal "three names of a site" 1 "$(sort -u "$work/best" | wc -l)"
expect_code 0 nights --sites
expect_text "Siding Spring"

# Slots, a folder, and the calendar read back as slots.
printf 'night,site\n2026-06-17,Keck\n2026-06-18,La Palma\n' >"$work/slots.csv"
expect_code 0 nights --site Keck --site 'La Palma' "${star[@]}" "${june[@]}" --slots "$work/slots.csv" \
    --out "$work/run" --star 'HD 164922' --format svg --json
expect_equal "windows" "['Mauna Kea', 'La Palma']" "$(json '[w["site"] for w in it["windows"]]')"
expect_equal "their dates" "['2026-06-17', '2026-06-18']" "$(json '[w["date"] for w in it["windows"]]')"
for name in nights.ecsv windows.ecsv nights.ics nights.svg; do
    [ -s "$work/run/$name" ] || fail "$name is missing"
done
python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$work/run/nights.svg" || fail "no XML"
expect_equal "events" 2 "$(grep -c '^SUMMARY:HD 164922 can be observed' "$work/run/nights.ics")"
json '[w["start_utc"] for w in it["windows"]]' >"$work/before"
expect_code 0 nights --site Keck --site 'La Palma' "${star[@]}" "${june[@]}" --slots "$work/run/nights.ics" --json
expect_equal "the calendar as slots" "$(cat "$work/before")" "$(json '[w["start_utc"] for w in it["windows"]]')"
expect_error 2 "*" nights --site Keck "${star[@]}" "${june[@]}" --slots "$work/run/nights.ics" --out "$work/run"

# A polar night, and refusals.
expect_code 0 nights --site 0,-89,2800 --ra 10 --dec -80 --start 2026-06-16 --end 2026-06-17
expect_text "dark all day"
expect_error 1 "equant: nothing can be observed at longitude 0, latitude -89 * the sun does not sink below -12 degrees" \
    nights --site 0,-89,2800 --ra 10 --dec -80 --start 2026-12-01 --end 2026-12-20
expect_error 1 "equant: a star at declination -80.00 degrees never rises at Mauna Kea" nights --site Keck --ra 10 --dec -80
expect_error 1 "equant: there is no site 'Lapalmer'; did you mean 'La Palma'?" nights --site Lapalmer "${star[@]}"
expect_error 1 "equant: these nights are past: --end 2020-01-01; *" nights --site Keck "${star[@]}" --end 2020-01-01
printf '2020-01-01\n' >"$work/past.csv"
expect_error 1 "equant: these nights are past: all slots of *" nights --site Keck "${star[@]}" --slots "$work/past.csv"
expect_code 0 nights --site Keck "${star[@]}" --start 2020-06-01 --end 2020-06-02
expect_error 1 "equant: these are no nights: *" nights --site Keck "${star[@]}" --start 2027-01-02 --end 2027-01-01
expect_error 1 "equant: 'x' is no right ascension; *" nights --site Keck --ra x --dec 2
expect_error 1 "equant: '2026-02-31' is no time; *" nights --site Keck "${star[@]}" --start 2026-02-31
expect_error 1 "*" nights --site Keck "${star[@]}" --slots "$work/none.csv"
expect_error 2 "equant: from where? *" nights "${star[@]}"
expect_error 2 "equant: which star? --dec *" nights --site Keck --ra 1
expect_error 2 "equant: 'star.csv' is not understood; *" nights star.csv
finish
