#!/usr/bin/env bash
# The module that `make web` has built, in Node as in a page: hashes of results are those of this
# machine, a fit is that of this machine but for the last digits of the C library's functions, and
# bad files are answered with a sentence.
set -euo pipefail
source_dir=${EQUANT_SOURCE:?} build=${EQUANT_BUILD:?}/check-wasm
wasm=${EQUANT_WASM_BUILD:-$source_dir/build-wasm}
skip() { echo "SKIP: $1"; exit 77; }
command -v node >/dev/null || skip "node is not installed (Debian: nodejs)"
[ -e "$wasm/equant.wasm" ] || skip "there is no module ('make web' builds it)"
mkdir -p "$build"
cd "$build"
relaxed=--experimental-wasm-relaxed-simd # Node 20 asks for it, later ones need not know it
node $relaxed -e 0 2>/dev/null || relaxed=
run() { node $relaxed "$source_dir/web/run-node.js" "$@"; }

"$wasm/toolchain/bin/wasm-cc" -target wasm32-wasi -mcpu=generic+simd128 -std=gnu11 -O1 -ffp-contract=off \
  -I"$source_dir/include" -I"$source_dir/tests" "$source_dir/tests/checks/neon_check.c" \
  "$source_dir/tests/oracle/random_system.c" "$wasm/libequant.a" -Wl,-z,stack-size=8388608 -o check.wasm
"${CC:-cc}" -std=gnu11 -O1 -ffp-contract=off -pthread -I"$source_dir/include" -I"$source_dir/tests" \
  "$source_dir/tests/checks/neon_check.c" "$source_dir/tests/oracle/random_system.c" \
  "$EQUANT_BUILD/libequant.so" -Wl,-rpath,"$EQUANT_BUILD" -lm -o check-here
./check-here >here.txt 2>here.backends
run check.wasm >wasm.txt 2>wasm.backends
echo "here: $(cat here.backends); in WebAssembly: $(cat wasm.backends)"
grep -q cpu/wasm wasm.backends || { echo "cpu/wasm did not run" >&2; exit 1; }
diff here.txt wasm.txt >&2 || { echo "results differ" >&2; exit 1; }
cat wasm.txt

fit=(fit --demo --planets 1 --period 50:100 --max-eccentricity 0.2 --noise white --probabilities none --json)
run "$wasm/equant.wasm" "${fit[@]}" >fit-wasm.json
relaxed= run "$wasm/plain.wasm" "${fit[@]}" >fit-plain.json
cmp fit-wasm.json fit-plain.json >&2 || { echo "without relaxed SIMD, the fit is another" >&2; exit 1; }
"$EQUANT" "${fit[@]}" --threads 1 >fit-here.json
python3 - <<'PYTHON'
import json, math, sys
here, there = (json.load(open(f"fit-{name}.json")) for name in ("here", "wasm"))
worst = 0.0
def compare(a, b, place):
    global worst
    if isinstance(a, dict):
        assert a.keys() == b.keys(), place
        for key in a:
            compare(a[key], b[key], f"{place}.{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), place
        for i, pair in enumerate(zip(a, b)):
            compare(*pair, f"{place}[{i}]")
    elif isinstance(a, float) and isinstance(b, (int, float)):
        off = abs(a - b) / max(abs(a), 1e-3)
        worst = max(worst, off)
        assert off < 1e-6, f"{place}: {a} here, {b} in WebAssembly"
    elif "backend" not in place and "thread" not in place and "seconds" not in place:
        assert a == b, f"{place}: {a} here, {b} in WebAssembly"
compare(here, there, "fit")
print(f"a fit differs by at most {worst:.1g} of a number")
PYTHON

printf 'time,rv,err\n1,2,3\n2,x,3\n' >bad.csv
printf '\377\330\377\340\000\020JFIF\000\001' >picture.csv
: >empty.csv
for file in bad picture empty; do
  if run "$wasm/equant.wasm" data $file.csv >out 2>err; then
    echo "$file.csv was read" >&2
    exit 1
  fi
  "$EQUANT" data $file.csv 2>expected >/dev/null || true
  diff expected err >&2 || { echo "$file.csv: another sentence" >&2; exit 1; }
done
if run "$wasm/equant.wasm" sample --demo --planets 1 --out run 2>err; then exit 1; fi
grep -q NetCDF err || { cat err; exit 1; }
