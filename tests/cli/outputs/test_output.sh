#!/usr/bin/env bash
# Where results go: names of any length, nothing of anybody else's overwritten.
source "$(dirname "$0")/../lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star star.csv search_planet.csv 5
fit=(fit star.csv "${quick[@]}" --planets 1 --no-pictures)
expect_code 0 "${fit[@]}" --out result

# name N: a name of N bytes.
name() { printf "%0$1d" 1; }

# --- Names of any length, and what stands beside them --------------------------------
short=$(name 127)
long=$short$(name 14)
echo precious >"$short"
expect_code 0 report result --no-periodograms --out "$long"
expect_equal "a file whose name begins the same" precious "$(cat "$short")"
expect_equal "a page" 1 "$(grep -ci '^<!doctype html>' "$long")"
expect_code 0 report result --no-periodograms --out "$(name 255)"
expect_error 1 "equant: *: File name too long" report result --no-periodograms --out "$(name 256)"

echo precious >victim
mkdir planted
for file in fit.json origin.json residuals.ecsv; do
    ln -s ../victim "planted/$file.part"
done
expect_code 0 "${fit[@]}" --out planted
expect_equal "what a planted link leads to" precious "$(cat victim)"
expect_equal "a planted link" ../victim "$(readlink planted/fit.json.part)"
mv planted/curve.ecsv table && cp table before && ln -sf ../table planted/curve.ecsv
expect_code 0 "${fit[@]}" --out planted
expect_equal "what a link in the folder leads to" "$(cat before)" "$(cat table)"
expect_equal "nothing is left over" "" "$(find . -name '.equant-*')"

# --- No file that is read, and none of another kind -------------------------------------
# expect_kept FILE CODE PATTERN ARGUMENTS...: refused, and the file is as it was.
expect_kept() {
    local file=$1
    shift
    cp "$file" before
    expect_error "$@"
    n_checks=$((n_checks + 1))
    cmp -s "$file" before || fail "equant ${*:3}: $file has changed"
}
ln -f result/fit.json linked.json
orbits=$here/fixtures/search_planet.csv
echo "the file of a run" >result/run.nc
for file in fit.json origin.json residuals.ecsv run.nc; do
    expect_kept "result/$file" 2 "equant: --out would overwrite 'result/$file', which is to be read" \
        report result --no-periodograms --out "result/$file"
done
expect_kept result/fit.json 2 "equant: --out would overwrite 'result/fit.json', which is to be read" \
    report result --no-periodograms --out linked.json
rm linked.json result/run.nc
expect_kept result/curve.ecsv 2 "equant: --out would overwrite 'result/curve.ecsv', which is not a page of *" \
    report result --no-periodograms --out result/curve.ecsv
expect_kept result/fit.json 2 "equant: --out would overwrite 'result/fit.json', which is not JSON of *" \
    bench --quick --out result/fit.json
expect_kept star.csv 2 "equant: --out would overwrite 'star.csv', which is not a table of *" \
    evaluate --orbits "$orbits" --demo --out star.csv
expect_kept star.csv 2 "equant: --out would overwrite 'star.csv', which is not a table of *" \
    montecarlo --demo --samples 100 --out star.csv
expect_kept result/fit.json 2 "equant: --out would overwrite 'result/fit.json', which is not data of *" \
    simulate --orbits "$orbits" --start 0 --n-obs 3 --cadence 1 --out result/fit.json
cp "$orbits" orbits.csv
cp orbits.csv before
"$EQUANT" evaluate --orbits - --demo --out orbits.csv <orbits.csv >out 2>err
expect_equal "standard input is read, too" 2 $?
expect_equal "sentence" "equant: --out would overwrite 'orbits.csv', which is to be read" "$(head -n 1 err)"
mkdir own && cp star.csv own/residuals.ecsv
expect_kept own/residuals.ecsv 2 "equant: --out would overwrite 'own/residuals.ecsv', which is to be read" \
    fit own/residuals.ecsv "${quick[@]}" --planets 1 --out own
expect_kept own/residuals.ecsv 2 "equant: --out would overwrite 'own/residuals.ecsv', which is not an ECSV *" \
    "${fit[@]}" --out own
echo "own star.csv" >list
expect_code 1 fit --batch list --out . "${quick[@]}" --planets 1
expect_text "failed: --out would overwrite './own/residuals.ecsv', which is not an ECSV table"
expect_kept summary.ecsv 2 "equant: --out would overwrite './summary.ecsv', which is not the summary of a run; *" \
    sample star.csv --planets 1 --out .
cp star.csv own/peaks.ecsv
expect_kept own/peaks.ecsv 2 "equant: --out would overwrite 'own/peaks.ecsv', which is not an ECSV table that equant wrote; *" \
    search star.csv "${quick[@]}" --out own

# What is of the kind, or empty, is replaced; a link stays, and pipes and devices are written to.
: >page.html
ln -s page.html link.html
expect_code 0 report result --no-periodograms --star one --out link.html
expect_code 0 report result --no-periodograms --star another --out link.html
expect_equal "the page that a link leads to" 1 "$(grep -c '<h1>another</h1>' page.html)"
expect_equal "the link" page.html "$(readlink link.html)"
expect_code 0 montecarlo --demo --samples 100 --out best.csv
expect_code 0 montecarlo --demo --samples 200 --out best.csv
expect_code 0 evaluate --orbits best.csv --demo --out values.csv
expect_code 0 evaluate --orbits best.csv --demo --out values.csv
expect_code 0 montecarlo --demo --samples 100 --out /dev/null
n_checks=$((n_checks + 1))
"$EQUANT" simulate --orbits "$orbits" --start 0 --n-obs 3 --cadence 1 --out /dev/stdout | cat >out
expect_equal "lines through a pipe" 4 "$(wc -l <out)"

# --- Nothing is opened before everything is checked ----------------------------------------
echo '{"machine": "older"}' >results.json
expect_kept results.json 2 'equant: --paper takes a GPU; "cpu/scalar" is none' \
    bench --paper --backend cpu/scalar --out results.json
expect_error 2 'equant: --paper takes a GPU; *' bench --paper --backend cpu/scalar --out r.json
expect_equal "no file" "" "$(ls r.json 2>/dev/null)"
head -n 1 best.csv >header.csv
expect_kept values.csv 1 "equant: header.csv: the table has a header but no rows" \
    evaluate --orbits header.csv --demo --out values.csv
echo text >file
expect_error 1 "equant: file: cannot make this folder: Not a directory" "${fit[@]}" --out file
expect_equal "no fit was made" "" "$(cat out)"
mkdir -p blocked/fit.json
expect_error 1 "equant: blocked/fit.json: cannot write: Is a directory" "${fit[@]}" --out blocked
expect_equal "no fit was made" "" "$(cat out)"
expect_equal "and nothing written" fit.json "$(ls blocked)"
# What goes wrong later does not take the result with it.
mkdir -p late/fit.svg/x
expect_error 1 "equant: late/fit.svg: cannot write: *" fit star.csv "${quick[@]}" --planets 1 \
    --format svg --out late
expect_text "13.69"
expect_equal "nothing is left over" "" "$(find . -name '.equant-*')"
finish
