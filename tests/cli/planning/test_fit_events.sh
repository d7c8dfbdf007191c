#!/usr/bin/env bash
# equant fit --events: coming conjunctions on a line of the period, errors that grow with it.
source "$(dirname "$0")/../lib.sh"

cd "$work" || exit 1
printf '%s\n' period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1 8.3,6,0,0,140 >truth.csv
"$EQUANT" simulate --orbits truth.csv --start 2460000 --n-obs 50 --cadence 2.3 --noise 2 --seed 4 >star.csv
states=(--set b.eccentricity=0 'b.period_days=8:8.6' 'b.transit=normal(2460046.456, 0.002)')
expect_code 0 fit star.csv "${states[@]}" --events 3
cp out text
expect_code 0 fit star.csv "${states[@]}" --json
n_checks=$((n_checks + 1))
python3 - text out <<'EOF' || fail "events are not on the line of the period"
import json, re, sys
lines = open(sys.argv[1]).read().splitlines()
at = next(i for i, line in enumerate(lines) if "transit, if any" in line)
planet = json.load(open(sys.argv[2]))["planets"][0]
period, error = planet["period_days"], planet["period_days_err"]
last = 2460000 + 49 * 2.3
for i, line in enumerate(lines[at + 1 : at + 4]):
    transit, its_error, occultation, _ = map(float, re.findall(r"\d+\.\d+", line))
    turns = round((transit - 2460046.456) / period)
    assert 0 <= transit - last - i * period < period, line
    assert abs(transit - 2460046.456 - turns * period) < 0.02, line
    # The transit is known to 0.002 days: all else is the period.
    assert abs(its_error - turns * error) < 0.01, (line, turns * error)
    assert abs(abs(transit - occultation) - period / 2) < 0.02, line
EOF
# A conjunction that is given has no error, though the orbit around it is free.
expect_code 0 fit star.csv --noise white --set b.period_days=8.3 b.t_conj=2460046.456
n_checks=$((n_checks + 1))
grep -qE '^  conjunction  2460[0-9.]+ fixed$' out || fail "conjunction that is given: $(grep conjunction out)"

expect_code 2 fit star.csv --events -1
finish
