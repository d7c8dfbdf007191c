#!/usr/bin/env bash
# The page that `make web` has made, in a real browser: bad files, names with markup, a fit, its
# results opened again, no request; then a page of `equant view`. The fit is that of the command here.
set -euo pipefail
: "${EQUANT:?}" "${EQUANT_SOURCE:?}" "${EQUANT_BUILD:?}"
page=${EQUANT_WEB_BUILD:-$EQUANT_SOURCE/build-wasm}/equant.html
pictures=$EQUANT_BUILD/web-screenshots
skip() { echo "SKIP: $1"; exit 77; }
command -v python3 >/dev/null || skip "python3 is not installed"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "there is no Chromium here"
[ -e "$page" ] || skip "there is no page ('make web' makes it)"
mkdir -p "$pictures"
cd "$pictures"
"$EQUANT" simulate --orbits "$EQUANT_SOURCE/tests/cli/fixtures/search_planets.csv" --start 2460000 --n-obs 60 \
  --cadence 2 --jitter-times --noise 2 --t-ref 2460060 --seed 5 --instrument tower --out star.csv
"$EQUANT" fit star.csv --noise white --no-pictures --threads 1 --out here >/dev/null
"$EQUANT" view here --page "$page" >/dev/null
python3 "$EQUANT_SOURCE/tests/checks/web_check.py" "$browser" "$page" "$pictures" star.csv here/view.html
python3 - <<'PYTHON'
import json
here, page = (json.load(open(f"{name}fit.json")) for name in ("here/", ""))
assert len(here["planets"]) == len(page["planets"]) == 2
for one, other in zip(here["planets"], page["planets"]):
    for name in ("period_days", "k_m_s", "eccentricity", "t_conj"):
        off = abs(one[name] - other[name]) / abs(one[f"{name}_err"])
        assert off < 1e-6, f"{name}: {one[name]} here, {other[name]} in the browser"
PYTHON
