#!/usr/bin/env bash
# Colours and the progress bar: on a terminal, and nowhere else.
source "$(dirname "$0")/../lib.sh"

# Names and headers may hold what a terminal obeys: it arrives as text. This sets the title of the
# window and rings the bell; the last byte is an escape of its own in old terminals, and so is the
# character of two bytes that names of instruments get.
cd "$work" || exit 1
evil=$'\033]0;mine\a\233'
shown='\x1b]0;mine\x07\x9b'
expect_plain() { # WHAT: the last output has nothing raw
    expect_equal "$1: raw control characters" 0 "$(cat out err | tr -d -c '\033\a\233' | wc -c)"
}
expect_shown() { # WHAT [TEXT]: nor does it hide what was there
    n_checks=$((n_checks + 1))
    cat out err | grep -qF -- "${2:-$shown}" || fail "$1: does not show ${2:-$shown}"
    expect_plain "$1"
}
"$EQUANT" simulate --orbits "$here/fixtures/search_planet.csv" --start 2460000 --n-obs 20 \
    --cadence 2 --noise 2 --t-ref 2460020 --seed 5 --out clean.csv
sed "2,\$s/simulated/$evil"$'\302\233'"/" clean.csv >tel.csv
cut -d, -f1-3 clean.csv >"$evil.csv"
sed "1s/errvel/$evil/" clean.csv >header.csv
run data "no $evil file"
expect_shown "a file that is not there"
run data "$evil.csv"
expect_plain "a name that becomes an instrument"
run data tel.csv
expect_shown "an instrument of a table" '\xc2\x9b'
run data header.csv
expect_plain "a header"
run fit tel.csv --planets 0
expect_shown "an instrument of a fit" '\xc2\x9b'
run fit tel.csv --planets 0 --leave-out HARPS
expect_shown "instruments to leave out" '\xc2\x9b'
run priors tel.csv --planets 1
expect_shown "an instrument with priors" '\xc2\x9b'
run "$evil"
expect_shown "a command"
run fit --planets "$evil" tel.csv
expect_shown "a value"
printf 'star missing%s.csv\n' "$evil" >list.txt
run fit --batch list.txt --out "batch $evil" --no-pictures
expect_shown "a star of a batch"
run fit tel.csv --planets 0 --no-pictures --out "folder $evil"
run report "folder $evil" --no-periodograms
expect_shown "a page"
# Letters of all kinds are none of these.
cut -d, -f1-3 clean.csv >"Größe 星.csv"
run data "Größe 星.csv"
expect_text "Größe 星"

if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    echo "SKIP: this machine gives no pseudo-terminals"
    exit 77
fi

# on_terminal ARGUMENTS...: the command with a terminal for both its outputs.
on_terminal() {
    TERM=xterm python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) != 0)' \
        "$EQUANT" "$@" >"$work/out" </dev/null
}

# Escape sequences that set a colour or weight, in the last output.
n_colours() {
    grep -o $'\033\\[[0-9]*m' "$work/out" | wc -l
}

on_terminal info
expect_equal "info on a terminal has colours" 1 "$([ "$(n_colours)" -gt 0 ] && echo 1)"
NO_COLOR=1 on_terminal info
expect_equal "info with NO_COLOR" 0 "$(n_colours)"
run info
expect_equal "info in a pipe" 0 "$(n_colours)"

# A search of about four seconds is long enough for the bar, and it is taken
# away in the end; a short one never shows it.
run montecarlo --demo --samples 200000 --json
samples=$(json 'int(4 * it["orbits_per_s"]) + 1')
on_terminal montecarlo --demo --samples "$samples"
expect_text "orbits/s  "
expect_text " s left"
expect_text $'\r\033[K'
on_terminal montecarlo --demo --samples 1000
expect_equal "no bar in a short search" 0 "$(grep -c " s left" "$work/out")"
finish
