#!/usr/bin/env bash
# No command destroys what it reads, nor a file of a person: every command with --out, on each of its
# inputs, by its own name, by a link and by a hard link, with checksums before and after.
source "$(dirname "$0")/../lib.sh"
source "$here/star.sh"
cd "$work" || exit 1

# --- What commands read ------------------------------------------------------------------
mkdir in
make_star in/star.csv search_planet.csv 5
cp "$here/fixtures/search_planet.csv" in/orbits.csv
printf 'time\n2460200.5\n2460201.5\n' >in/times.csv
echo 'b 2460010.2 0.5' >in/transits.csv
printf 'night,site\n2026-06-17,Keck\n' >in/slots.csv
python3 "$here/fixtures/make_sky_sources.py" >in/sources.csv
printf '%s\n' source_id,solution_type,a_thiele_innes,b_thiele_innes,f_thiele_innes,g_thiele_innes,period,eccentricity,t_periastron \
    9007199254740993,Orbital,1,1,1,1,300,0.1,0 >in/published.csv
python3 - <<'END'
import math, random
random.seed(3)
with open("in/scans.csv", "w") as out:
    out.write("t,w,sigma,psi_deg,f\n")
    for _ in range(60):
        t, psi = random.uniform(-900, 900), random.uniform(0, 2 * math.pi)
        f = math.sin(psi + 6.2832 * t / 365.25)
        out.write(f"{2457936.875 + t:.6f},{10 * f + random.gauss(0, 0.1):.6f},0.1,{math.degrees(psi):.6f},{f:.6f}\n")
END
expect_code 0 init in/star.csv --planets 1 --out in/star.yaml
sed -i "s|^    - .*|    - star.csv|" in/star.yaml
expect_code 0 fit in/star.csv "${quick[@]}" --planets 1 --no-pictures --out in/fit
echo "S0 in/star.csv" >in/list
expect_code 0 fit --batch in/list "${quick[@]}" --planets 1 --out in/batch
small=(--planets 1 --walkers 24 --burn-in 20 --max-steps 40 --min-ess 1e9 --threads 1 --no-pictures)
"$EQUANT" sample in/star.csv "${small[@]}" --start in/orbits.csv --out in/run >out 2>err
has_runs=$([ $? -eq 3 ] || echo 1)
[ -z "$has_runs" ] || "$EQUANT" priors in/star.csv --planets 1 >in/priors.yaml

# --- Every command, once or more often -------------------------------------------------------
# given NAME FILE|FOLDER INPUT... -- ARGUMENTS...: a command that reads these inputs and writes --out.
names=()
declare -A kind inputs arguments
given() {
    local name=$1
    names+=("$name")
    kind[$name]=$2
    shift 2
    while [ "$1" != -- ]; do
        inputs[$name]+="$1 "
        shift
    done
    shift
    arguments[$name]=$(printf '%q ' "$@")
}
given init file in/star.csv -- init in/star.csv
given init-forced file in/star.csv -- init in/star.csv --force
given evaluate file in/orbits.csv in/star.csv -- evaluate --orbits in/orbits.csv in/star.csv
given simulate file in/orbits.csv in/times.csv -- simulate --orbits in/orbits.csv --times in/times.csv
given simulate-sky file in/sources.csv -- simulate --gaia in/sources.csv --source 9007199254740993 --magnitude 12
given montecarlo file in/star.csv -- montecarlo in/star.csv --samples 100
given bench file -- bench --paper --quick
given catalogue file in/sources.csv -- catalogue in/sources.csv
given check file in/published.csv in/sources.csv -- check in/published.csv in/sources.csv
given catalogue-resumed file in/sources.csv -- catalogue in/sources.csv --resume
given report file in/fit/fit.json in/fit/origin.json in/fit/residuals.ecsv -- report in/fit --no-periodograms
printf '<!DOCTYPE html>\n<!-- files -->\n' >in/page.html
given view file in/page.html in/star.csv -- view in/star.csv --page in/page.html
given view-fit file in/page.html in/fit/fit.json in/fit/residuals.ecsv -- view in/fit --page in/page.html
for style in parameters:plain velocities:ecsv models:aastex bibtex:plain velocities:mrt parameters:votable models:aa; do
    given "table-$style" file in/fit/fit.json in/fit/residuals.ecsv -- table in/fit \
        --what "${style%:*}" --style "${style#*:}"
done
given merge file in/batch/S0/star.ecsv in/batch/S0/fit.json in/batch/S0/planets.ecsv in/list \
    -- merge in/batch --batch in/list
given search folder in/star.csv in/orbits.csv -- search in/star.csv --known in/orbits.csv "${quick[@]}" --format svg
given fit folder in/star.csv in/orbits.csv -- fit in/star.csv --start in/orbits.csv "${quick[@]}" --planets 1 --format svg
given fit-transits folder in/transits.csv -- fit in/star.csv --transits in/transits.csv "${quick[@]}" --planets 1 --no-pictures
given fit-fixed folder in/orbits.csv -- fit in/star.csv --fixed in/orbits.csv "${quick[@]}" --max-planets 1 --no-pictures
given fit-star-file folder in/star.yaml in/star.csv -- fit in/star.yaml "${quick[@]}" --no-pictures
given fit-forced folder in/star.csv -- fit in/star.csv "${quick[@]}" --planets 1 --force --no-pictures
given fit-sky folder in/scans.csv -- fit in/scans.csv --no-pictures
given search-sky folder in/scans.csv -- search in/scans.csv --no-pictures
given inject folder in/scans.csv -- inject in/scans.csv --cells 2 --sizes 2 --draws 2 --format svg
given inject-planets folder in/star.csv -- inject in/star.csv --noise white --cells 2 --sizes 2 --draws 2 --format svg
given compare folder in/star.csv -- compare in/star.csv "${quick[@]}" --sweeps 100 --chains 2 --no-pictures
given nights folder in/slots.csv -- nights --site Keck --ra 18:02:30 --dec +26:18:46 --start 2026-06-01 \
    --end 2026-06-30 --slots in/slots.csv --format svg
if [ -n "$has_runs" ]; then
    given report-run file in/run/run.nc -- report in/run --no-periodograms
    given table-run file in/run/run.nc in/run/summary.ecsv -- table in/run --what priors
    given sample folder in/star.csv in/orbits.csv in/priors.yaml -- sample in/star.csv "${small[@]}" \
        --start in/orbits.csv --priors in/priors.yaml
    given sample-forced folder in/star.csv -- sample in/star.csv "${small[@]}" --start in/orbits.csv --force
    given predict folder in/run/run.nc in/times.csv -- predict in/run --times in/times.csv --format svg
    given plan folder in/run/run.nc in/times.csv -- plan in/run --times in/times.csv --n 2 --format svg
    printf 'name,run\nS0,in/run\n' >in/schedule.csv
    given plan-schedule folder in/run/run.nc in/schedule.csv -- plan --schedule in/schedule.csv --days 2 --step 0.5 \
        --exposure 45 --n 2
fi

# A command that is new, and writes --out, is missed here.
all=$("$EQUANT" help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $all; do
    "$EQUANT" help "$command" | grep -q -- '^  --out ' || continue
    case "$command" in
    sample | predict) [ -n "$has_runs" ] || continue ;;
    esac
    n_checks=$((n_checks + 1))
    [[ " ${arguments[*]}" == *" $command "* || " ${names[*]} " == *" $command "* ]] || fail "no case for equant $command --out"
done

# --- The trial --------------------------------------------------------------------------------
sums() { find -L in -type f ! -name '.equant*' -print0 | sort -z | xargs -0 cksum; }

# expect_inputs_kept NAME OUT: whatever the command says, all inputs are as they were.
expect_inputs_kept() {
    local words
    eval "words=(${arguments[$1]})"
    n_checks=$((n_checks + 1))
    "$EQUANT" "${words[@]}" --out "$2" >out 2>err
    if [ "$(sums)" != "$before" ]; then
        fail "equant ${words[*]} --out $2: an input has changed"
        diff <(echo "$before") <(sums)
        rm -rf in && cp -a kept in
    fi
}

# What a command writes into a folder, from a trial of it.
declare -A members
for name in "${names[@]}"; do
    [ "$name" != bench ] || continue # takes seconds, reads nothing, and writes one file
    eval "words=(${arguments[$name]})"
    rm -rf target
    "$EQUANT" "${words[@]}" --out target >out 2>err
    n_checks=$((n_checks + 1))
    [ -e target ] || fail "equant ${words[*]} --out target: $(head -n 1 err)"
    [ "${kind[$name]}" = file ] || members[$name]=$(ls target)
done
rm -f in/star.csv.options
cp -a in kept
before=$(sums)

for name in "${names[@]}"; do
    for input in ${inputs[$name]:-}; do
        if [ "${kind[$name]}" = file ]; then
            expect_inputs_kept "$name" "$input"
            ln -sf "$PWD/$input" link
            expect_inputs_kept "$name" link
            ln -f "$input" hard
            expect_inputs_kept "$name" hard
            rm -f link hard link.options hard.options
        else
            for member in ${members[$name]}; do
                rm -rf target && mkdir target
                ln "$input" "target/$member"
                expect_inputs_kept "$name" target
                n_checks=$((n_checks + 1))
                [ "$input" -ef "target/$member" ] || fail "equant $name: target/$member, a hard link of $input, was replaced"
            done
            rm -rf target && mkdir target
            for member in ${members[$name]}; do
                ln -s "$PWD/$input" "target/$member"
            done
            expect_inputs_kept "$name" target
        fi
    done
done

# A file of a person that is in the way stays as well.
for name in "${names[@]}"; do
    case "$name" in *-forced) continue ;; esac
    eval "words=(${arguments[$name]})"
    rm -rf target target.options
    [ "${kind[$name]}" = file ] || mkdir target
    for member in ${members[$name]:-.}; do
        file=target/$member
        [ "${kind[$name]}" = folder ] || file=target
        echo precious >"$file"
        "$EQUANT" "${words[@]}" --out target >out 2>err
        expect_equal "equant $name: exit code with $file in the way" 1 $(($? == 1 || $? == 2))
        expect_equal "equant $name: $file" precious "$(cat "$file")"
        n_checks=$((n_checks + 1))
        grep -q "$file" err || fail "equant $name: no sentence about $file: $(head -n 1 err)"
        rm -rf "${file:?}"
    done
done
expect_equal "nothing is left over" "" "$(find . -name '.equant-*')"
finish
