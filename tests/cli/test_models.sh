#!/usr/bin/env bash
# equant models: the fit beside models that differ by one choice, as `equant fit` knows them.
source "$(dirname "$0")/lib.sh"

settings=(--demo --noise white --planets 2 --period 50:3000)
expect_code 0 models "${settings[@]}"
expect_text "401 observations; planets b of 75.723 days, c of 1198.5 days"
expect_text "  adopted                       2  16   -991.73  2079.37  2016.89     0.0  much worse"
expect_text "  planet c on a circle          2  14   -994.55  2073.01"
expect_text "  linear trend                  2  17   -991.15  2084.20"

# What the fit knows of its planets is what the models without them say.
expect_code 0 fit "${settings[@]}" --json
cp "$work/out" "$work/fit.json"
expect_code 0 models "${settings[@]}" --json
n_checks=$((n_checks + 1))
python3 - "$work/fit.json" "$work/out" <<'EOF' || fail "models without planets are not those of the fit"
import json, sys
fit, models = (json.load(open(path)) for path in sys.argv[1:])
rows = {own["name"]: own for own in models["models"]}
adopted = rows["adopted"]
for letter, planet in zip("bc", fit["planets"]):
    own = rows["without planet " + letter]
    assert abs(own["bic"] - adopted["bic"] - planet["delta_bic"]) < 1e-3, (own, planet)
    assert own["n_fitted"] == adopted["n_fitted"] - 5
EOF

# States are kept, but for the choice.
expect_code 0 models "${settings[@]}" --set b.eccentricity=0 'b.period_days=75:76.5' c.period_days=1100:1300
expect_text "planet b on an ellipse"
expect_text "planet c on a circle"
expect_error 1 "equant: --set: there is no parameter 'b.perod_days'*" models --demo --set b.perod_days=3
finish
