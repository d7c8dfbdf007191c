#!/usr/bin/env bash
# Pictures of fit, search and sample: what they say, in every format; names from anywhere; disks that
# are full; builds that can only make SVG.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
strange="a_1^2{b}<i>&amp;\"c'"
make_star star.csv search_planets.csv 5
make_star other.csv search_planets.csv 6 --offset 30 --instrument other
sed "s/,other$/,\"$(sed 's/[&\\]/\\&/g; s/"/""/g' <<<"$strange")\"/" other.csv >strange.csv
fit=(fit star.csv strange.csv "${quick[@]}" --planets 2)

# expect_texts FILE: a picture that is as it should be; its texts go to `texts`.
expect_texts() {
    n_checks=$((n_checks + 1))
    python3 "$here/picture.py" "$1" >texts || fail "$1"
}

# expect_said TEXT: one of the texts is that, or with lines joined they have it.
expect_said() {
    n_checks=$((n_checks + 1))
    grep -qxF -- "$1" texts || tr '\n' ' ' <texts | grep -qF -- "$1" || fail "not said: $1"
}

# --- What they say -------------------------------------------------------------------
expect_code 0 "${fit[@]}" --format svg --out plain
expect_texts plain/fit.svg
expect_said "$strange"
expect_said "simulated"
expect_said "JD − 2460000 (days)"
expect_said "model"
expect_said "phase since conjunction"
expect_said "Model: two planets"
expect_said "Noise: white."
expect_said "pale bars: with jitter ("
expect_said "b: P "
# Captions are beside the picture, or in it where that is asked for.
expect_equal "in the picture" 0 "$(grep -c 'Noise: white' plain/fit.svg)"
expect_equal "beside it" 1 "$(grep -c '^Caption: .*Noise: white' plain/fit.caption.txt)"
expect_code 0 "${fit[@]}" --format svg --out plain --captions
expect_texts plain/fit.svg
expect_said "Noise: white."
expect_equal "beside it" "" "$(ls plain | grep caption)"
expect_code 0 "${fit[@]}" --format svg --out plain
expect_code 0 fit star.csv "${quick[@]}" --planets 0 --trend linear --no-jitter --format svg --out line
expect_texts line/fit.svg
expect_said "Model: a constant and a trend of "
expect_said "Bars: stated uncertainties; no jitter."
# UTF-8 that XML does not have.
sed $'s/simulated/x\xEF\xBF\xBFy/' star.csv >nothing.csv
expect_code 0 fit nothing.csv "${quick[@]}" --planets 0 --format svg --out nothing
expect_texts nothing/fit.svg
# Turns that would be a band are not drawn, and the picture says which.
"$EQUANT" simulate --orbits "$here/fixtures/search_planet.csv" --start 50000 --n-obs 60 \
    --cadence 30 --jitter-times --noise 2 --seed 5 --out long.csv
expect_code 0 fit long.csv --start "$here/fixtures/search_planet.csv" --planets 1 --period 10:20 \
    --max-eccentricity 0.3 --format svg --out long
expect_texts long/fit.svg
expect_said "Not drawn over time: "
expect_said "time − 50000 (days)"

# A long planet beside a hot Jupiter has a panel over time of its own.
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1,period_days_2,k_m_s_2,eccentricity_2,omega_rad_2,m0_rad_2\n3.1,150,0,0,1,900,40,0.3,1,2\n' >hot.csv
"$EQUANT" simulate --orbits hot.csv --start 2450000 --n-obs 80 --cadence 25 --jitter-times --noise 2 --seed 5 --out hot_star.csv
expect_code 0 fit hot_star.csv --start hot.csv --planets 2 --period 3:3.2 --max-eccentricity 0.5 --noise white \
    --probabilities none --format svg --out hot
expect_texts hot/fit.svg
expect_said "planet c (m/s)"
expect_said "Panel of planet c: velocities less all else."
expect_equal "and no short one" 0 "$(grep -c 'planet b (m/s)' texts)"

expect_code 0 search star.csv "${quick[@]}" --format svg --out plain
expect_texts plain/periodogram.svg
for said in FAP "10 %" "1 %" "0.1 %" "period (days)" "circular orbits" "eccentric orbits"; do
    expect_said "$said"
done
# Searches and fits share a folder, whichever comes first.
expect_code 0 search star.csv "${quick[@]}" --no-pictures --out shared_folder
expect_code 0 "${fit[@]}" --no-pictures --out shared_folder
expect_equal "the periodogram stays" 1 "$(ls shared_folder | grep -c periodogram.ecsv)"
expect_equal "the period of the highest peak" 1 "$(grep -cE '^13\.[67][0-9]* d$' texts)"

"$EQUANT" sample star.csv strange.csv --planets 1 --start "$here/fixtures/search_planet.csv" \
    --walkers 40 --burn-in 60 --max-steps 200 --min-ess 1e9 --threads 1 --out run --format svg \
    >out 2>err
if [ $? -ne 3 ]; then
    expect_texts run/corner.svg
    expect_said "Kb (m/s)"
    expect_said "a_1^2{b}"
    expect_said "Contours hold 68 % and 95 % of the draws."
    expect_texts run/trace.svg
    expect_said "step"
    expect_said "population 1"
    # What is taken from the numbers of an axis is said in full.
    "$EQUANT" simulate --orbits "$here/fixtures/search_planet.csv" --start 50000 --n-obs 60 \
        --cadence 100 --jitter-times --noise 0.5 --seed 5 --out sharp.csv
    "$EQUANT" sample sharp.csv --planets 1 --start "$here/fixtures/search_planet.csv" --walkers 40 \
        --burn-in 60 --max-steps 200 --min-ess 1e9 --threads 1 --out sharp --format svg >out 2>err
    expect_texts sharp/trace.svg
    expect_said "Pb (10⁻⁴ d)"
    expect_said "− 13.700"
fi

# --- The same, the same bytes ------------------------------------------------------------
expect_code 0 "${fit[@]}" --format svg --out again
n_checks=$((n_checks + 1))
cmp -s plain/fit.svg again/fit.svg || fail "the same fit makes another picture"

# --- Builds with librsvg, and without it ----------------------------------------------------
if has_rendering; then
    for format in png pdf; do
        expect_code 0 "${fit[@]}" --out $format --format $format
        expect_picture $format/fit.$format
    done
    expect_code 0 "${fit[@]}" --out default
    expect_picture default/fit.png
    expect_equal "nothing said" "" "$(cat err)"
else
    for format in png pdf; do
        expect_error 3 "equant: --format $format: this equant was built without librsvg (on Debian: apt-get install librsvg2-dev, and build again); --format svg works" \
            "${fit[@]}" --out $format --format $format
        expect_equal "nothing done" "" "$(ls $format 2>/dev/null)"
    done
    expect_error 0 "equant: warning: pictures are SVG, not PNG: this equant was built without librsvg *" \
        "${fit[@]}" --out default
    expect_texts default/fit.svg
fi

# --- Full disks ----------------------------------------------------------------------------
draw=(search star.csv --period 8:9 --circular)

# expect_refused FOLDER FORMAT REASON: the picture could not be written, which was said; the earlier
# one is as it was, and nothing is half written.
expect_refused() {
    expect_equal "exit code" 1 "$code"
    expect_equal "sentence" "equant: $1/periodogram.$2: cannot write: $3" "$(cat err)"
    expect_text "period days"
    n_checks=$((n_checks + 1))
    cmp -s "earlier.$2" "$1/periodogram.$2" || fail "the earlier $2 is not what it was"
    expect_equal "nothing half written" "" "$(find "$1" -name '.equant-*')"
}

# A limit on the size of files, below that of the picture and above that of the tables.
for format in svg png pdf; do
    [ $format = svg ] || has_rendering || continue
    expect_code 0 "${draw[@]}" --out full --format $format
    cp full/periodogram.$format earlier.$format
    (
        trap '' XFSZ
        ulimit -f $((($(stat -c %s earlier.$format) - 1) / 1024))
        "$EQUANT" "${draw[@]}" --out full --format $format >out 2>err
    )
    code=$?
    expect_refused full $format "File too large"
done

# A disk with one free page, where this user may mount one: enough for a table, not for a picture.
mkdir disk
if mount -t tmpfs -o size=400k none disk 2>/dev/null; then
    for format in svg png pdf; do
        [ -e earlier.$format ] && expect_code 0 "${draw[@]}" --out disk/out --format $format
        [ -e earlier.$format ] && cp disk/out/periodogram.$format earlier.$format
    done
    cat /dev/zero >disk/stone 2>/dev/null
    truncate -s -4096 disk/stone
    for format in svg png pdf; do
        [ -e earlier.$format ] || continue
        run "${draw[@]}" --out disk/out --format $format
        expect_refused disk/out $format "No space left on device"
    done
    umount disk
fi
finish
