# shellcheck shell=bash
# Shared by the tests of the command: run it, compare what it says, count what
# fails. Sourced by test_*.sh; EQUANT is the command under test.
#
#   UPDATE_GOLDEN=1 bash tests/cli/test_data.sh     writes the goldens anew

set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${EQUANT:?is the path of the equant command under test}"
export LC_ALL=C
unset NO_COLOR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_checks=0
n_failures=0

# Without python3 nothing can judge JSON or compare numbers. It is asked hundreds of times: by its own
# path, where the one in PATH is a script that looks for it, and without packages, which nobody needs.
if ! python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null); then
    echo "SKIP: python3 is not installed"
    exit 77
fi
python3() { "$python" -IS "$@"; }

# in_full: whether everything is wanted. Under sanitizers (EQUANT_QUICK=1) a test leaves out what takes
# long and goes through the same lines of the program as its other commands; without them it is there.
in_full() { [ -z "${EQUANT_QUICK:-}" ]; }

# shared NAME...: whether these files of real data are here; $data is their folder. Where they are
# absent a test leaves out what needs them, and says so; EQUANT_REQUIRE_DATA=1 makes it fail.
data=${EQUANT_SHARED_DATA:-$here/../../../shared/data}
shared() {
    local name
    for name in "$@"; do
        [ ! -e "$data/$name" ] || continue
        if [ -n "${EQUANT_REQUIRE_DATA:-}" ]; then
            echo "FAIL: $data/$name is missing, and EQUANT_REQUIRE_DATA is set"
            exit 1
        fi
        echo "SKIP: $data/$name is missing"
        return 1
    done
}

fail() {
    n_failures=$((n_failures + 1))
    echo "FAIL: $*"
}

# run ARGUMENTS...: the command, its words in $work/out and $work/err.
run() {
    "$EQUANT" "$@" >"$work/out" 2>"$work/err"
    code=$?
}

# expect_code CODE ARGUMENTS...
expect_code() {
    local wanted=$1
    shift
    n_checks=$((n_checks + 1))
    run "$@"
    if [ "$code" -ne "$wanted" ]; then
        fail "equant $*: exit code $code, wanted $wanted"
        sed 's/^/    /' "$work/err"
    fi
}

# expect_error CODE PATTERN ARGUMENTS...: the first line on standard error must
# match the whole pattern (a shell pattern: * and ? are wild).
expect_error() {
    local wanted=$1 pattern=$2 sentence
    shift 2
    expect_code "$wanted" "$@"
    sentence=$(head -n 1 "$work/err")
    # shellcheck disable=SC2053  # the right side is meant as a pattern
    if [[ $sentence != $pattern ]]; then
        fail "equant $*"
        echo "    said:   $sentence"
        echo "    wanted: $pattern"
    fi
}

# expect_golden NAME: $work/out is golden/NAME to the letter.
expect_golden() {
    expect_golden_within 0 "$1"
}

# expect_golden_within TOLERANCE NAME: the same, except that numbers may differ
# by that fraction.
expect_golden_within() {
    n_checks=$((n_checks + 1))
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        cp "$work/out" "$here/golden/$2"
    fi
    python3 "$here/compare.py" "$1" "$here/golden/$2" "$work/out" || fail "output is not golden/$2"
}

# expect_text TEXT: standard output contains it.
expect_text() {
    n_checks=$((n_checks + 1))
    grep -qF -- "$1" "$work/out" || fail "standard output lacks: $1"
}

# expect_json: standard output is one JSON value.
expect_json() {
    n_checks=$((n_checks + 1))
    python3 -m json.tool "$work/out" >/dev/null || fail "standard output is not JSON"
}

# json EXPRESSION: a Python expression about `it`, the JSON on standard output.
json() {
    python3 -c "import json; it = json.load(open('$work/out')); print($1)"
}

# expect_equal WHAT WANTED FOUND
expect_equal() {
    n_checks=$((n_checks + 1))
    [ "$2" = "$3" ] || fail "$1: wanted $2, found $3"
}

finish() {
    echo "$n_checks checks, $n_failures failed"
    [ "$n_failures" -eq 0 ]
}
