#!/usr/bin/env bash
# A project can have equant among its sources: the example configures, has its targets, and builds no
# tests of equant. Nothing is compiled, which takes minutes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S "$EQUANT_SOURCE/examples/fetch_content" -B "$work" -G Ninja -DEQUANT_CUDA=OFF >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
targets=$(ninja -C "$work" -t targets all)
for target in solve_one: libequant.a:; do
    grep -q "$target" <<<"$targets" || {
        echo "the project has no $target"
        exit 1
    }
done
if grep -q 'test_' <<<"$targets"; then
    echo "the project builds tests of equant"
    exit 1
fi
ninja -C "$work" -n solve_one >/dev/null
