#!/usr/bin/env bash
# benchmarks/check-noise-process counts what a command says: here one that claims a planet of its own
# where the name of the file has "bad", and finds the true one elsewhere, beside a candidate that is none.
# It goes on where it stopped.
set -u
if ! command -v python3 >/dev/null; then
    echo "SKIP: python3 is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/equant" <<'END'
#!/bin/sh
echo "$2" >>"$(dirname "$0")/calls"
planet() {
    printf '{"period_days": %s, "k_m_s": 3, "eccentricity": 0, "fap": 0, "delta_bic": 9, "is_candidate": %s}' "$@"
}
case $2 in
*bad*) claims=$(planet 20 false) ;;
*planet*) claims=$(planet 7 false),$(planet 33 true) ;;
*) claims= ;;
esac
echo "{\"planets\": [$claims], \"candidate\": null}"
END
chmod +x "$work/equant"
mkdir "$work/stars"
python3 - >"$work/stars/sets.json" <<'END'
import json
rotation = {"amplitude_m_s": 3, "period_days": 20, "decay_days": 40, "width": 0.5}
print(json.dumps({"seed": 1, "sets": [
    {"number": number, "source": "made/up.sys", "n_obs": 50, "n_bad_nights": 2, "span_days": 900,
     "rotation": rotation, "planet": {"period_days": 7.001}} for number in range(4)]}))
END

bad=0
check() { # CODE WANTED_CODE PATTERN...
    local wanted=$2 code=$1 pattern
    shift 2
    [ "$code" -eq "$wanted" ] || { echo "exit code $code, wanted $wanted"; bad=1; }
    for pattern in "$@"; do
        # shellcheck disable=SC2053  # the right side is meant as a pattern
        [[ $said == $pattern ]] || { echo "not said: $pattern"; bad=1; }
    done
    [ "$bad" -eq 0 ] || echo "$said"
}
judge() {
    "$EQUANT_SOURCE/benchmarks/check-noise-process" --equant "$work/equant" --jobs 2 "$@" 2>&1
}

said=$(judge --run "$work/stars" --kind noise --limit 2)
check $? 0 '2 of 2 fits*noise: stars with a false claim 0 of 2, 0.0 %*'
said=$(judge --run "$work/stars" --planet-limit 3)
check $? 1 '12 of 12 fits*' '*noise: *claim 0 of 4, *' \
    '*bad: *claim 4 of 4, 100.0 % (2 of 2 without an indicator, 2 of 2 with*' \
    '*P 20 d*the rotation; noise white*' \
    '*planet: *claim 0 of 3*candidate 3 of 3*the planet found in 3 of 3, 100.0 %*' \
    '*planet-bad: *claim 3 of 3*found in 0 of 3*' '*lost 100.0 points, allowed 5*'
said=$(judge --run "$work/stars" --planet-limit 3)
check $? 1 '0 of 0 fits*'
said=$(judge --report "$work/stars" --kind noise --indicator both)
check $? 1 '*noise: *claim 0 of 4*4 stars have not been fitted yet'
[ "$(sort -u "$work/calls" | wc -l)" -eq 14 ] || { echo "a star was fitted twice"; bad=1; }
exit $bad
