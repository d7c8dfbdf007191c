#!/usr/bin/env bash
# equant search: the period of a simulated planet, in every form of output.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planet.csv 5
search=(search star.csv "${quick[@]}")
stable='{k: v for k, v in it.items() if k not in ("seconds", "nodes_per_s")}'

# --- What it finds -----------------------------------------------------------
expect_code 0 "${search[@]}" --json
expect_json
wanted=$(json "$stable")
expect_equal "keys" "['peaks', 'levels', 'n_obs', 't_ref', 'n_known', 'circular', 'n_draws', 'noise', 'indicators', 'n_frequencies', 'period_min_days', 'period_max_days', 'n_nodes', 'seconds', 'nodes_per_s', 'warnings']" \
    "$(json 'list(it)')"
expect_equal "keys of a peak" "['period_days', 'k_m_s', 'eccentricity', 'omega_deg', 'm0_deg', 'power', 'delta_lnl', 'fap', 'fap_drawn', 'remark']" \
    "$(json 'list(it["peaks"][0])')"
expect_equal "period" True "$(json 'abs(it["peaks"][0]["period_days"] - 13.7) < 0.1')"
expect_equal "amplitude" True "$(json 'abs(it["peaks"][0]["k_m_s"] - 20) < 2')"
expect_equal "eccentricity" True "$(json 'abs(it["peaks"][0]["eccentricity"] - 0.3) < 0.1')"
expect_equal "false alarm" True "$(json '0 <= it["peaks"][0]["fap"] < 1e-20')"
expect_equal "no draws" None "$(json 'it["peaks"][0]["fap_drawn"]')"
expect_equal "range" True \
    "$(json 'abs(it["period_min_days"] - 6) < 0.1 and it["period_max_days"] > 70')"
expect_equal "levels rise" True "$(json 'it["levels"][0]["power"] < it["levels"][2]["power"]')"
for options in "--threads 1" "--threads 2" "--backend cpu/scalar"; do
    # shellcheck disable=SC2086  # options are words
    expect_code 0 "${search[@]}" --json $options
    expect_equal "search with $options" "$wanted" "$(json "$stable")"
done

expect_code 0 "${search[@]}" --circular --peaks 3 --draws 20 --seed 4 --json
expect_equal "circular" True "$(json 'it["circular"]')"
expect_equal "period among circular orbits" True \
    "$(json 'abs(it["peaks"][0]["period_days"] - 13.7) < 0.1')"
expect_equal "number of peaks" True "$(json 'len(it["peaks"]) <= 3')"
expect_equal "false alarm drawn" True "$(json '0 <= it["peaks"][0]["fap_drawn"] <= 1')"

# A planet that is known is found no more.
expect_code 0 "${search[@]}" --known "$here/fixtures/search_planet.csv" --json
expect_equal "known planet" 1 "$(json 'it["n_known"]')"
expect_equal "nothing else" True "$(json 'it["peaks"] == [] or it["peaks"][0]["fap"] > 0.01')"

# --- Text and folder ------------------------------------------------------------
expect_code 0 "${search[@]}" --peaks 2 --out "a folder/it's \"quoted\""
expect_text "Which periods do these velocities have?"
expect_text "period days"
expect_text "orbits/s"
out="a folder/it's \"quoted\""
expect_ecsv "$out/periodogram.ecsv" -1 frequency period power power_circular eccentricity window
expect_ecsv "$out/peaks.ecsv" 2 period_days k_m_s eccentricity omega_deg m0_deg power delta_lnl
expect_picture "$out/periodogram.png"
expect_code 0 "${search[@]}" --out other --format svg
expect_picture other/periodogram.svg
expect_code 0 "${search[@]}" --out bare --no-pictures
expect_equal "files" "peaks.ecsv periodogram.ecsv" "$(ls bare | xargs)"

# --- What people get wrong ---------------------------------------------------------
expect_error 2 "equant: no data: name a file, or use --demo" search
expect_error 1 "equant: missing.csv: there is no such file; *" search missing.csv
expect_error 2 "equant: the shortest period must be below the longest, not 5 and 2 days" \
    search star.csv --period 5:2
# The advice can be followed: rounded down it would be refused again.
expect_error 1 "equant: a period of 1e-05 days repeats too often in * days of data: search from 2e-05 days on" \
    search star.csv --period 1e-5:1
expect_error 2 "equant: the shortest period must be below the longest, not 7 and 7 days" \
    search star.csv --period-min 7 --period-max 7
for period in 5 : -1:3 a:b 1:b 0:5; do
    expect_error 2 "equant: --period wants *" search star.csv --period "$period"
done
expect_error 2 "equant: --max-eccentricity must be at most 0.95, not 1.5" \
    search star.csv --max-eccentricity 1.5
expect_error 2 "equant: --max-eccentricity wants a number above zero, not '0'" \
    search star.csv --max-eccentricity 0
expect_error 2 "equant: --trend is none, linear, quadratic or auto, not 'cubic'" \
    search star.csv --trend cubic
expect_error 2 "equant: --peaks wants a whole number from 1 to 1000, not '0'" \
    search star.csv --peaks 0
expect_error 2 "equant: --draws wants a whole number from 1 to 1000000, not '-5'" \
    search star.csv --draws -5
expect_error 2 "equant: --format is png, svg or pdf, not 'gif'" search star.csv --format gif
expect_error 3 "equant: this build has no backend 'abacus' *" search star.csv --backend abacus
expect_error 1 "equant: missing.csv: cannot open: No such file or directory" \
    "${search[@]}" --known missing.csv
expect_error 1 "equant: star.csv:1: column 'time' means nothing here; *" \
    "${search[@]}" --known star.csv
echo '{"planets": [{"period_days": 3}]}' >half.json
expect_error 1 "equant: half.json: planet 1 has no k_m_s" "${search[@]}" --known half.json
printf '{"planets": [\n{"period_days": }]}' >broken.json
expect_error 1 "equant: broken.json:2: this is no JSON" "${search[@]}" --known broken.json
printf 'period_days,k_m_s,eccentricity,omega_deg,m0_deg\n10,5,1.2,0,0\n' >hyperbola.csv
expect_error 1 "equant: hyperbola.csv: planet 1 is no orbit: *" "${search[@]}" --known hyperbola.csv
touch file
expect_error 1 "equant: file: cannot make this folder: Not a directory" "${search[@]}" --out file
expect_error 1 "equant: file: cannot make this folder: Not a directory" "${search[@]}" --out file/x
(
    trap '' XFSZ
    ulimit -f 1
    "$EQUANT" "${search[@]}" --out full >out 2>err
)
expect_equal "exit code on a full disk" 1 $?
expect_equal "sentence" "equant: full/periodogram.ecsv: cannot write: File too large" "$(cat err)"
expect_equal "nothing half written" "" "$(ls full)"
# --- What is known of planets (tests/python/test_states.py has the powers) ------
expect_code 0 "${search[@]}" --json --set b.period_days=13.7 jitter=2 trend=none
expect_equal "a planet whose period is known" 1 "$(json 'it["n_known"]')"
expect_equal "is found no more" True "$(json 'all(abs(p["period_days"] - 13.7) > 0.1 for p in it["peaks"])')"
expect_code 0 "${search[@]}" --json --set b.period_days=10:20 b.eccentricity=0
expect_equal "bounds of a planet" True "$(json 'it["circular"] and it["period_max_days"] < 21')"
expect_equal "circles" True "$(json 'all(p["eccentricity"] == 0 for p in it["peaks"])')"
expect_error 1 "equant: --set: b.t_conj=2460003: a search tries every amplitude and phase of the planet that it looks for, and takes its period and its eccentricity alone; \`equant fit\` takes the rest" \
    "${search[@]}" --set b.t_conj=2460003
expect_error 1 "equant: --set: a search looks for one planet at a time, and neither b nor c has a period that is known: give one of them, as in b.period_days=20.8851" \
    "${search[@]}" --set c.eccentricity=0 b.eccentricity=0
finish
