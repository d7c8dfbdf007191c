#!/usr/bin/env bash
# equant info: the machine differs, the form does not.
source "$(dirname "$0")/lib.sh"

expect_code 0 info
for word in "equant " "  system " "  processor " "  threads " "  compiler " "chosen" "--backend"; do
    expect_text "$word"
done
expect_text "cpu/scalar"

expect_code 0 info --json
expect_json
expect_equal "keys" "['version', 'compiler', 'system', 'processor', 'threads', 'backends']" \
    "$(json 'list(it)')"
expect_equal "backend keys" "['name', 'description', 'available', 'is_default']" \
    "$(json 'list(it["backends"][0])')"
expect_equal "one default" 1 "$(json 'sum(b["is_default"] for b in it["backends"])')"
expect_equal "the default is available" True \
    "$(json 'all(b["available"] for b in it["backends"] if b["is_default"])')"
expect_equal "scalar is always available" True \
    "$(json '[b["available"] for b in it["backends"] if b["name"] == "cpu/scalar"][0]')"

# Every backend that is available can be forced, and solves the same.
echo "1.5 0.3" >"$work/pair"
for backend in $(json '" ".join(b["name"] for b in it["backends"] if b["available"])'); do
    n_checks=$((n_checks + 1))
    "$EQUANT" solve --backend "$backend" <"$work/pair" >"$work/$n_checks" || fail "$backend"
    expect_equal "$backend" 1.7926475365684 "$(cut -c 1-15 "$work/$n_checks")"
done
finish
