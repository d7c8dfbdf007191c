#!/usr/bin/env bash
# How options may be written: the rules of getopt_long, for every command alike.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
good=$here/fixtures/two_instruments.csv

# same_output WHAT ARGUMENTS...: these say what `data FILE --unit km/s --json` says.
"$EQUANT" data "$good" --unit km/s --json >wanted
same_output() {
    local what=$1
    shift
    expect_code 0 "$@"
    expect_equal "$what" "$(cat wanted)" "$(cat out)"
}
same_output "--name=value" data "$good" --unit=km/s --json
same_output "options before files" data --json --unit km/s "$good"
same_output "names cut short" data "$good" --un km/s --js
same_output "the last of two counts" data "$good" --unit m/s --json --unit km/s
same_output "files behind --" data --unit km/s --json -- "$good"

cp "$good" ./--json
expect_code 0 data -- --json
expect_text "observations"
expect_error 1 "equant: --help: there is no such file; *" data -- --help

expect_error 2 "equant: there is no option --s" solve --s fast </dev/null
expect_error 2 "equant: there is no option --p" fit --demo --p 3
expect_error 2 "equant: there is no option --hel" data --hel
expect_error 2 "equant: there is no option -j" data "$good" -j
expect_error 2 "equant: option --threads wants a value" solve --threads
expect_error 2 "equant: option --demo takes no value" fit --demo=yes
expect_error 2 "equant: --threads wants a whole number from 1 to 4096, not ''" solve --threads= </dev/null

# Help wins over whatever else is typed.
expect_code 0 fit --no-such-option --help
expect_text "Usage: equant fit"
expect_code 0 bench -h
expect_text "Usage: equant bench"
finish
