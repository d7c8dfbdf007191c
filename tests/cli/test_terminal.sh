#!/usr/bin/env bash
# Colours and the progress bar: on a terminal, and nowhere else.
source "$(dirname "$0")/lib.sh"

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
