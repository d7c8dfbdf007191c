#!/usr/bin/env bash
# Every command explains itself, with an example whose commands and options there are.
source "$(dirname "$0")/lib.sh"

expect_code 0 --help
expect_text "Usage: equant COMMAND"
commands=$(sed -n '/^Commands:/,/^$/ s/^  \([a-z]*\) .*/\1/p' "$work/out")
expect_equal "the first and the last command" "info bench" \
    "$(echo $commands | cut -d' ' -f1) $(echo $commands | rev | cut -d' ' -f1 | rev)"
for command in $commands; do
    expect_equal "equant $command in docs/commands.md" 1 \
        "$(grep -c "^## $command\$" "$here/../../docs/commands.md")"
    expect_equal "equant $command in the list of docs/commands.md" 1 \
        "$(grep -c "^| \[$command\](#$command) | " "$here/../../docs/commands.md")"
done
expect_code 0 help
expect_code 2
expect_text "Usage: equant COMMAND"
expect_code 0 --version
expect_equal "equant --version" "equant $("$EQUANT" info --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["version"])')" "$(cat "$work/out")"

for command in $commands; do
    expect_code 0 "$command" --help
    expect_text "Usage: equant $command"
    expect_text "Example:"
    expect_text "  --help "
    cp "$work/out" "$work/long"
    expect_code 0 help "$command"
    expect_equal "equant help $command" "$(cat "$work/long")" "$(cat "$work/out")"
    expect_equal "longest line of $command --help is under 90" 1 \
        "$(awk 'length > 90 { long = 1 } END { print 1 - long }' "$work/long")"
    # Each of its commands is understood up to an option that nobody has, and not run: options are
    # read in their order, with their values.
    n_examples=0
    while read -r line; do
        n_examples=$((n_examples + 1))
        line=${line#*equant }
        line=${line%%[>&#]*}
        eval "expect_error 2 'equant: there is no option --nobody-has-this' $line --nobody-has-this"
    done < <(sed -n '/^Example/,/^$/ { /^  /p }' "$work/long" | sed -e ':more' -e '/\\$/ { N; s/\\\n//; b more' -e '}')
    expect_equal "equant $command has an example" 1 "$((n_examples > 0))"
done

# Nothing but plain characters where nobody watches.
expect_equal "escape sequences in a pipe" 0 "$("$EQUANT" --help | grep -c $'\033')"
finish
