#!/usr/bin/env bash
# Archives: shards and their table, stars that crash, hang or find the disk full; fits and posteriors.
source "$(dirname "$0")/lib.sh"
source "$here/star.sh"
cd "$work" || exit 1
make_star a.csv search_planet.csv 1
make_star b.csv search_planet.csv 2
for i in $(seq 10); do echo "star$i a.csv"; done >list
fit=(fit "${quick[@]}" --planets 1)

# column TABLE NAME STAR: by Python's own csv.
column() {
    python3 - "$@" <<'END'
import csv, sys
lines = [line for line in open(sys.argv[1]) if not line.startswith("#")]
print(*(row[sys.argv[2]] for row in csv.DictReader(lines) if row["name"] == sys.argv[3]))
END
}

# without_seconds TABLE: what must not depend on who computed it.
without_seconds() {
    python3 - "$1" <<'END'
import csv, sys
rows = csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith("#"))
for row in rows:
    print({name: cell for name, cell in row.items() if name != "seconds"})
END
}

# --- Shards ---------------------------------------------------------------------------
expect_code 0 "${fit[@]}" --batch list --out whole --workers 2
expect_text "10 stars: 10 fitted, 0 failed; whole/summary.ecsv tells all"
expect_code 0 "${fit[@]}" --batch list --out parts --shard 1/3
expect_text '4 stars: 4 fitted, 0 failed; `equant merge parts` makes the table of all'
expect_equal "no table of a part" "" "$(ls parts/summary.ecsv 2>/dev/null)"
expect_code 1 merge parts --batch list
expect_text "4 stars: 4 fitted, 0 not; 6 of the list missing; parts/summary.ecsv tells all"
expect_equal "what is missing" "equant: list: star2 has no fit yet" "$(head -n 1 err)"
expect_code 0 "${fit[@]}" --batch list --out parts --shard 2/3 --threads 1
expect_code 0 "${fit[@]}" --batch list --out elsewhere --shard 3/3
expect_code 0 "${fit[@]}" --batch list --out elsewhere --shard 3/3
expect_text "3 of 3 stars are done already."
expect_error 2 "equant: several folders want a table of their own; name it with --out" \
    merge parts elsewhere
expect_code 0 merge parts elsewhere --out all.ecsv --batch list
expect_text "10 stars: 10 fitted, 0 not; 0 of the list missing; all.ecsv tells all"
expect_equal "as if one had done it" "$(without_seconds whole/summary.ecsv)" "$(without_seconds all.ecsv)"
expect_equal "no lock is left" "" "$(find . -name '.equant*.lock')"

# More parts than stars, and what people get wrong.
expect_code 0 "${fit[@]}" --batch list --out parts --shard 11/11
expect_text '0 stars: 0 fitted, 0 failed; `equant merge parts` makes the table of all'
expect_error 2 "equant: --shard wants I/N, part I of N, such as 3/8; it has '0/3'" \
    "${fit[@]}" --batch list --out x --shard 0/3
expect_error 2 "equant: --shard wants I/N, *" "${fit[@]}" --batch list --out x --shard 4/3
expect_error 2 "equant: --shard wants I/N, *" "${fit[@]}" --batch list --out x --shard 3
expect_error 2 "equant: --workers, --devices, --shard and --worker are about many stars: *" \
    "${fit[@]}" a.csv --shard 1/2
expect_error 2 "equant: which folder? *" merge
expect_error 1 "equant: nowhere: cannot read: No such file or directory" merge nowhere
mkdir empty
expect_error 1 "equant: empty: no star of \`equant fit --batch\` is in there" merge empty
echo "mine" >notes.txt
expect_code 2 merge parts --out notes.txt
expect_equal "left alone" mine "$(cat notes.txt)"
expect_code 0 "${fit[@]}" --batch list --out other --shard 1/10 --trend linear
expect_error 1 "equant: other/star1: it was written with other options, *" \
    merge parts other --out x.ecsv
expect_error 1 "equant: parts/summary.ecsv: it was written with other options, *" \
    "${fit[@]}" --batch list --out parts --shard 1/3 --trend linear

# --- A star whose process crashes, and one that hangs -----------------------------------
# As a program that waits for a file that never comes: a pipe that nobody writes to.
mkfifo never
limit=${EQUANT_QUICK:+30}
limit=${limit:-15}
printf 'first a.csv\nhangs never\nlast b.csv\n' >hanging
expect_code 1 "${fit[@]}" --batch hanging --out hung --time-limit "$limit" --workers 1 --attempts 2
expect_text "lost: it took more than $limit s, the time limit of a star"
expect_text "3 stars: 2 fitted, 1 failed; hung/summary.ecsv tells all"
expect_equal "status" lost "$(column hung/summary.ecsv status hangs)"
expect_equal "message" "it took more than $limit s, the time limit of a star" \
    "$(column hung/summary.ecsv message hangs)"
"$EQUANT" "${fit[@]}" --batch hanging --out hung --attempts 2 --devices 7,8 >out 2>err &
pid=$!
for _ in $(seq 300); do
    worker=$(pgrep -P "$pid" | head -n 1)
    grep -qs '"hangs","running",2' hung/hangs/star.ecsv && break
    sleep 0.1
done
expect_equal "the GPU that it sees" 7 \
    "$(tr '\0' '\n' <"/proc/$worker/environ" | sed -n 's/^CUDA_VISIBLE_DEVICES=//p')"
kill -KILL "$worker"
wait "$pid"
expect_equal "exit code" 1 $?
expect_equal "sentence" 1 "$(grep -c 'lost: its process was ended by signal 9' out)"
expect_equal "attempts" 2 "$(column hung/summary.ecsv attempts hangs)"
expect_code 1 "${fit[@]}" --batch hanging --out hung --attempts 2
expect_text "1 star crashed or took too long 2 times, and is left alone; a larger --attempts tries again."
rm never

# GPUs are dealt out to workers in turn: two stars that hang have one each.
mkfifo never nowhere
printf 'x never\ny nowhere\n' >both
"$EQUANT" "${fit[@]}" --batch both --out gpus --workers 2 --devices 0,1 >out 2>err &
pid=$!
for _ in $(seq 300); do
    [ "$(ls gpus/x/star.ecsv gpus/y/star.ecsv 2>/dev/null | wc -l)" = 2 ] && break
    sleep 0.1
done
gpus=$(for worker in $(pgrep -P "$pid"); do
    tr '\0' '\n' <"/proc/$worker/environ" | sed -n 's/^CUDA_VISIBLE_DEVICES=//p'
done | sort | paste -sd ' ')
kill -KILL $(pgrep -P "$pid")
wait "$pid"
expect_equal "a GPU each" "0 1" "$gpus"
expect_error 2 "equant: --devices wants GPUs *" "${fit[@]}" --batch both --out gpus --devices ,1
rm never nowhere

cp b.csv never
expect_code 0 "${fit[@]}" --batch hanging --out hung --attempts 3
expect_equal "at last" ok "$(column hung/summary.ecsv status hangs)"

# --- A full disk ------------------------------------------------------------------------
mkdir full
if mount -t tmpfs -o size=200k tmpfs full 2>/dev/null; then
    expect_code 1 "${fit[@]}" --batch list --out full/stars --workers 1
    n_done=$(ls full/stars/*/fit.json | wc -l)
    expect_equal "some were done" 1 "$((n_done > 0 && n_done < 10))"
    mount -o remount,size=20m full
    expect_code 0 "${fit[@]}" --batch list --out full/stars
    expect_text "$n_done of 10 stars are done already."
    expect_equal "as on another disk" "$(without_seconds whole/summary.ecsv | sed "s/'attempts': '.'//")" \
        "$(without_seconds full/stars/summary.ecsv | sed "s/'attempts': '.'//")"
    umount full
else
    echo "no file system could be mounted: a full disk was not tried"
fi

# --- A long list ------------------------------------------------------------------------
seq -f 'star%.0f a.csv' 100000 >long
echo 'star77 b.csv' >>long
expect_error 1 "equant: long:100001: the star star77 is there twice" \
    "${fit[@]}" --batch long --out x --shard 1/100000
TIMEFORMAT=%U
# A tenth of a second where each name is looked up: a busy machine stays far from the limit, and five
# thousand million comparisons of names, all with all, do not.
limit=${EQUANT_QUICK:+60}
limit=${limit:-10}
seconds=$({ time "$EQUANT" "${fit[@]}" --batch long --out x --shard 1/100000 2>/dev/null; } 2>&1)
expect_equal "100,000 names in less than $limit seconds of the processor, not $seconds" 1 \
    "$(python3 -c "print(int($seconds < $limit))")"

# --- Posteriors, in the same records ------------------------------------------------------
mkdir posteriors
cp a.csv b.csv posteriors
cd posteriors || exit 1
printf 'first a.csv\nsecond b.csv\nmissing nowhere.csv\n' >list
printf 'first a.csv\nsecond b.csv\n' >good
sample=(sample --planets 1 --prior 'period_days_1=uniform(9, 11)' --populations 2 --walkers 40
    --burn-in 200 --max-steps 400 --seed 3)

# median FOLDER: of the period, of a run.
median() { awk -F , '$1 ~ /period_days/ {print $4}' "$1/summary.ecsv"; }

expect_code 1 "${sample[@]}" --batch list --out stars --workers 2
expect_text "3 stars: 2 sampled, 1 failed; stars/summary.ecsv tells all"
expect_equal "status" "ok failed" "$(column stars/summary.ecsv status first) $(column stars/summary.ecsv status missing)"
expect_equal "a run each" 2 "$(ls stars/*/run.nc | wc -l)"
expect_equal "the row has the median" 1 \
    "$(python3 -c "print(int(abs($(column stars/summary.ecsv period_days first)[0] - $(median stars/first)) < 1e-9))")"
expect_equal "a run that stopped before its goals says so" 1 \
    "$(column stars/summary.ecsv message first | grep -c '^not converged; ')"

# Draws are those of the star alone.
expect_code 0 "${sample[@]}" a.csv --out alone --no-pictures
expect_equal "as alone" "$(grep -v '^#' alone/summary.ecsv)" "$(grep -v '^#' stars/first/summary.ecsv)"

# Started again it does what is missing; other options are refused.
cp b.csv nowhere.csv
expect_code 0 "${sample[@]}" --batch list --out stars
expect_text "2 of 3 stars are done already."
expect_text "3 stars: 3 sampled in all, 0 failed"
expect_error 1 "equant: stars/summary.ecsv: it was written with other options, *" \
    "${sample[@]}" --batch list --out stars --thinning 2
expect_error 1 "equant: stars/summary.ecsv: it was written with other options, *" \
    fit --batch list --out stars

# A run that was cut off goes on from its checkpoint.
rm stars/second/summary.ecsv
expect_code 0 "${sample[@]}" --batch list --out stars
expect_text "2 of 3 stars are done already."
expect_code 0 "${sample[@]}" b.csv --out alone-b --no-pictures
expect_equal "as if nothing had happened" "$(grep -v '^#' alone-b/summary.ecsv)" \
    "$(grep -v '^#' stars/second/summary.ecsv)"

# Shards, and the table of all.
expect_code 0 "${sample[@]}" --batch good --out parts --shard 1/2
expect_code 0 "${sample[@]}" --batch good --out parts --shard 2/2
expect_code 0 merge parts --batch good
expect_text "0 of the list missing"
expect_equal "the same median" "$(column stars/summary.ecsv period_days second)" \
    "$(column parts/summary.ecsv period_days second)"

expect_error 2 "equant: --batch wants a folder *" "${sample[@]}" --batch good
expect_error 2 "equant: --batch takes the files *" "${sample[@]}" a.csv --batch good --out x
expect_error 2 "equant: --resume goes on as the run began; leave --batch out" \
    sample --batch good --resume stars
finish
