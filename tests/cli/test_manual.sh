#!/usr/bin/env bash
# The manual page and the completions of shells: whole, well formed, and with every option that help has.
source "$(dirname "$0")/lib.sh"
cd "$work"

for form in man bash zsh fish; do
    expect_code 0 help "--$form"
    cp out "$form"
done
expect_error 2 "equant: there is no form 'tcsh'*" help --tcsh

commands=$("$EQUANT" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^equant$')
[ "$(wc -l <<<"$commands")" -ge 20 ] || fail "commands are not listed: $commands"
for command in $commands; do
    for option in $("$EQUANT" "$command" --help | sed -n 's/^  --\([a-z0-9-]*\).*/\1/p'); do
        grep -qF -- "$(sed 's/-/\\-/g' <<<"--$option")" man || fail "the manual page lacks --$option"
        grep -qE -- "^ +$command\) .* ?'?--$option[ ']|^ +$command\) options='--$option" bash || fail "bash: $command --$option"
        [ "$option" = help ] || grep -q "subcommand_from $command' -l $option " fish || fail "fish: $command --$option"
        sed -n "/^    $command)/,/;;/p" zsh | grep -q -- "--$option\[" || fail "zsh: $command --$option"
    done
done
grep -q -- "--least" bash || fail "an option of another table of a command is lacking"

bash -n bash || fail "bash cannot read it"
completed() { # WORD...: what bash offers for the last
    bash -c 'source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _equant; echo "${COMPREPLY[*]}"' bash "$@"
}
expect_equal "commands" "search sample" "$(completed equant s | tr ' ' '\n' | grep -E '^(sample|search)$' | xargs)"
expect_equal "options" "--leave-out --leave-out-times --leave-out-transits" "$(completed equant fit --leave)"
touch night.dat
expect_equal "files" "night.dat" "$(completed equant data nigh)"

if command -v groff >/dev/null; then
    groff -man -ww -z -Tutf8 -Kutf8 man 2>err
    expect_equal "complaints of groff" "" "$(grep -v 'cannot\|adjust' err)"
fi
command -v mandoc >/dev/null && ! mandoc -Tlint -Werror man >err && fail "mandoc: $(head -3 err)"
if command -v zsh >/dev/null; then zsh -n zsh || fail "zsh cannot read it"; else echo "zsh is not installed: not read by it"; fi
if command -v fish >/dev/null; then fish -n fish || fail "fish cannot read it"; else echo "fish is not installed: not read by it"; fi
finish
