#!/usr/bin/env bash
# equant fit --batch: many stars, some of them bad, stopped and started again.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star a.csv search_planet.csv 1
make_star b.csv search_planet.csv 2
make_star c.csv search_planets.csv 3
printf 'time,mnvel,errvel\n1,2,1\n2,nan,1\n' >bad.csv
cat >list <<'END'
# name and files
a.csv
  two	b.csv	c.csv
broken bad.csv

nowhere missing.csv
c c.csv
END
batch=(fit --batch list --out stars "${quick[@]}" --planets 1)

# column NAME STAR: of the summary, by Python's own csv.
column() {
    python3 - "$1" "$2" <<'END'
import csv, sys
lines = [line for line in open("stars/summary.ecsv") if not line.startswith("#")]
print(*(row[sys.argv[1]] for row in csv.DictReader(lines) if row["name"] == sys.argv[2]))
END
}

# --- One run ---------------------------------------------------------------------
expect_code 1 "${batch[@]}"
expect_text "5 stars: 3 fitted, 2 failed; stars/summary.ecsv tells all"
expect_ecsv stars/summary.ecsv 5 name status attempts n_obs n_planets n_candidates period_days k_m_s eccentricity \
    probability period_days_bound at_limit rotation_days rms_m_s
expect_equal "no limits" "[null] " "$(column period_days_bound a) $(column at_limit a)"
expect_equal "folders" "a broken c nowhere summary.ecsv two" "$(ls stars | xargs)"
expect_equal "results" "stars/a/fit.json stars/c/fit.json stars/two/fit.json" "$(ls stars/*/fit.json | xargs)"
expect_equal "no pictures" "" "$(ls stars/*/*.png 2>/dev/null)"
expect_equal "status" "ok" "$(column status two)"
expect_equal "observations of two files" 120 "$(column n_obs two)"
expect_equal "status of a bad star" "failed" "$(column status broken)"
expect_equal "sentence of a bad star" 1 \
    "$(column message broken | grep -c "^bad.csv:3: the velocity is 'nan'; ")"
expect_equal "advice on a bad star" 1 "$(column message broken | grep -c -- '; --skip-bad-rows ')"
expect_equal "sentence of no star" 1 \
    "$(column message nowhere | grep -c '^missing.csv: there is no such file')"
expect_equal "period" 1 "$(column period_days a | grep -c '^\[13\.[67]')"
expect_equal "silence of bad stars" "" "$(cat "$work/err")"

# --- Started again -----------------------------------------------------------------
touch -d '2001-01-01' stars/a/fit.json
expect_code 1 "${batch[@]}"
expect_text "3 of 5 stars are done already."
expect_text "5 stars: 3 fitted in all, 2 failed"
expect_ecsv stars/summary.ecsv 5 name status
expect_equal "what is done stays" 2001 "$(date -r stars/a/fit.json +%Y)"

# A star that has been mended; a row cut short; a folder that is not complete.
cp a.csv bad.csv
cp b.csv missing.csv
rm stars/c/fit.json
head -c -20 stars/summary.ecsv >cut && cp cut stars/summary.ecsv
expect_code 0 "${batch[@]}"
expect_text "2 of 5 stars are done already."
expect_ecsv stars/summary.ecsv 5 name status
expect_equal "mended" ok "$(column status broken)"
expect_equal "done again" ok "$(column status c)"
expect_code 0 "${batch[@]}"
expect_text "5 of 5 stars are done already."

# A longer list goes on from there, a shorter one forgets nothing.
echo "d b.csv" >>list
expect_code 0 "${batch[@]}" --pictures
expect_text "5 of 6 stars are done already."
expect_picture stars/d/fit.png
echo "a.csv" >list
expect_code 0 "${batch[@]}"
expect_ecsv stars/summary.ecsv 6 name status

# Results of other options do not mix.
expect_error 1 "equant: stars/summary.ecsv: it was written with other options, *" \
    "${batch[@]}" --trend linear
expect_ecsv stars/summary.ecsv 6 name status

# --- Interrupted ----------------------------------------------------------------------
# Stars enough for a minute; one second is enough for the first.
for i in $(seq 400); do echo "star$i a.csv"; done >long
"$EQUANT" fit --batch long --out long-stars "${quick[@]}" >out 2>err &
pid=$!
for _ in $(seq 1200); do
    grep -qs '^"star2"' long-stars/summary.ecsv && break
    sleep 0.1
done
kill -TERM "$pid"
wait "$pid"
expect_equal "exit code" 130 $?
expect_equal "sentence" 1 \
    "$(grep -c '^equant: interrupted after [0-9]* of 400 stars; the same command goes on from there$' err)"
n_done=$(ls long-stars/*/fit.json | wc -l)
expect_equal "rows as many as results" "$n_done" "$(grep -c '"ok"' long-stars/summary.ecsv)"
head -n "$((n_done + 1))" long >shorter
expect_code 0 fit --batch shorter --out long-stars "${quick[@]}"
expect_text "$n_done of $((n_done + 1)) stars are done already."

# --- What people get wrong ----------------------------------------------------------------
expect_error 2 "equant: --batch wants a folder for its results; name it with --out" \
    fit --batch list
expect_error 2 "equant: --batch takes the files from its list; leave the others out" \
    fit --batch list --out x a.csv
expect_error 2 "equant: --batch takes the files from its list; *" fit --batch list --out x --demo
expect_error 2 "equant: --batch writes the results of every star to its folder; leave --json out" \
    fit --batch list --out x --json
expect_error 1 "equant: missing: cannot open: No such file or directory" \
    fit --batch missing --out x
: >empty
expect_error 1 "equant: empty: the list names no stars" fit --batch empty --out x
printf '# nothing\n\n' >empty
expect_error 1 "equant: empty: the list names no stars" fit --batch empty --out x
printf 'a a.csv\nb b.csv\na c.csv\n' >twice
expect_error 1 "equant: twice:3: the star a is there twice" fit --batch twice --out x
printf 'x/y a.csv\n' >slash
expect_error 1 "equant: slash:1: 'x/y' cannot be the name of a star's folder" \
    fit --batch slash --out x
printf '.. a.csv\n' >dots
expect_error 1 "equant: dots:1: '..' cannot be the name of a star's folder" fit --batch dots --out x
touch file
expect_error 1 "equant: file: cannot make this folder: Not a directory" \
    fit --batch list --out file
mkdir other && echo "something else" >other/summary.ecsv
expect_error 1 "equant: other/summary.ecsv: it was written with other options, or is no summary *" \
    fit --batch list --out other
expect_equal "left alone" "something else" "$(cat other/summary.ecsv)"
# --- What is said of a star alone is said of it among many ---------------------------------
printf '%s\n' period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1 13.7,1.1,0.1,120,45 >weak_orbit.csv
"$EQUANT" simulate --orbits weak_orbit.csv --start 2460000 --n-obs 60 --cadence 2 --jitter-times \
    --noise 2 --t-ref 2460060 --seed 1 --out weak.csv
echo weak.csv >weak_list
expect_code 0 fit weak.csv "${quick[@]}" --planets 1
expect_text "No planet found, but 1 candidate."
expect_code 0 fit --batch weak_list --out weak_stars "${quick[@]}" --planets 1
expect_text "60 observations  0 planets and 1 candidate"
expect_equal "its row" "1 1" "$(tail -n 1 weak_stars/summary.ecsv | cut -d, -f 5,6 | tr , ' ')"
finish
