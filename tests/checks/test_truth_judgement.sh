#!/usr/bin/env bash
# benchmarks/check-truth judges what a command says: here one that says what it is told.
set -u
if ! command -v python3 >/dev/null; then
    echo "SKIP: python3 is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/data/radvel" "$work/data/agatha"
printf 'time mnvel errvel tel\n2450000 1 1 k\n2457000 2 1 k\n' >"$work/data/radvel/164922_fixed.txt"
printf 'Time RV eRV\n50000 1 1\n53700 2 1\n' | tee "$work/data/agatha/HD41248_HARPS_TERRA.dat" \
    >"$work/data/agatha/HD001461_HARPS_TERRA.dat"
cat >"$work/equant" <<'END'
#!/bin/sh
cat "$(dirname "$0")/answer"
END
chmod +x "$work/equant"

bad=0
# judge STAR PERIODS EXTRA VERDICT: claims with these periods; EXTRA goes into the first of them.
judge() {
    python3 - "$2" "$3" >"$work/answer" <<'END'
import json, sys
planets = [{"period_days": float(period), "k_m_s": 1, "eccentricity": 0, "fap": 0, "delta_bic": 9}
           for period in sys.argv[1].split()]
if sys.argv[2]:
    planets[0].update(json.loads(sys.argv[2]))
print(json.dumps({"planets": planets, "n_obs": 2, "candidate": None, "noise": {
    "terms": [{"name": "rotation", "parameters": {"period": {"value": 25.7}}}]}}))
END
    said=$("$EQUANT_SOURCE/benchmarks/check-truth" --equant "$work/equant" --data "$work/data" \
        --star "$1")
    code=$?
    if [ $((code == 0)) -ne "$4" ] || [[ $said != *"rotation 25.7 d"* ]]; then
        echo "$1 with $2 ($3): exit code $code"
        echo "$said"
        bad=1
    fi
}

judge "HD 164922" "12.45 41.72 75.8 1201" "" 1
judge "HD 164922" "12.46 41.7 75.8" "" 0
judge "HD 164922" "41.72 12.45 75.8 1201 0.974" "" 0
judge "HD 164922" "0.97399 12.46 75.8 1200" "" 0
judge "HD 164922" "0.97399 12.46 75.8 1200" '{"aliases": [{"period_days": 41.7}]}' 1
judge "HD 41248" "" "" 1
judge "HD 41248" "25.6" "" 0
judge "HD 1461" "5.772 13.5" "" 1
judge "HD 1461" "5.772 5.7721" "" 0
judge "HD 1461" "5.772 13.5 3800" "" 0
exit $bad
