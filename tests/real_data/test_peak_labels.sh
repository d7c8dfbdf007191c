#!/usr/bin/env bash
# The strongest peak that is left in K2-24 beside two planets is not the highest around: its period
# stands above those that are higher, with a line that leads to it.
source "$(dirname "$0")/../cli/lib.sh"
shared "" || exit 77
cd "$work" || exit 1
cat >known.csv <<'END'
period_days,k_m_s,eccentricity,omega_rad,m0_rad
1.02237,7.23,0.53,3.72,5.46
20.66,5.83,0.22,0.52,3.94
END
expect_code 0 search "$data/radvel/epic203771098.csv" --circular --peaks 12 --known known.csv --out drawn \
    --format svg
n_checks=$((n_checks + 1))
python3 - <<'END' || fail "the curve goes through the period of a peak"
import re
picture = open("drawn/periodogram.svg", encoding="utf-8").read()
(x, y), = re.findall(r'x="([\d.]+)" y="([\d.]+)">0\.6234 d<', picture)
x, y, half_width = float(x), float(y), 20.0
path = re.search(r'class="power" d="([^"]+)"', picture)[1]
points = [tuple(map(float, point.split())) for point in re.findall(r"[ML]([\d.]+ [\d.]+)", path)]
beneath = [height for place, height in points if abs(place - x) < half_width]
assert beneath and min(beneath) > y + 2.0, (y, min(beneath))
assert re.search(r'class="leader" d="M([\d.]+) [\d.]+L\1 ', picture), "no line leads to it"
END
finish
