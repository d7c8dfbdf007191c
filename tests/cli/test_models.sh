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
# Beside correlated noise: what `fit` says of the noise that was taken is the model of white noise,
# and its terms are choices, too.
if in_full; then
    printf '%s\n' period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1 8.3,4,0.1,120,45 >"$work/orbit.csv"
    "$EQUANT" simulate --orbits "$work/orbit.csv" --start 2460000 --n-obs 100 --cadence 2 --jitter-times \
        --noise 'mep(amplitude=4,period=25,decay=50,width=0.4)' --white 1 --seed 3 >"$work/spots.csv"
    expect_code 0 fit "$work/spots.csv" --period 2:150 --noise auto
    expect_text "  rotation         included       95.4       56.9"
    expect_code 0 models "$work/spots.csv" --period 2:150 --noise auto
    expect_text "  adopted                          1  11  -200.21  451.08"
    expect_text "  without planets                  0   6  -231.57  490.77"
    expect_text "  white noise                      1   7  -257.13  546.50"
    # Each is what `fit` says of the same model.
    expect_code 0 models "$work/spots.csv" --period 2:150 --noise 'rotation(period=20:30),night' --planets 1 --json
    cp "$work/out" "$work/models.json"
    for model in 'without night/rotation(period=20:30)' 'with slow/rotation(period=20:30),night,slow'; do
        expect_code 0 fit "$work/spots.csv" --period 2:150 --noise "${model#*/}" --planets 1 --json
        n_checks=$((n_checks + 1))
        python3 -c '
import json, sys
models, fit = (json.load(open(path)) for path in sys.argv[1:3])
own = next(row for row in models["models"] if row["name"] == sys.argv[3])
assert abs(own["log_likelihood"] - fit["lnl"]) < 2e-3, (own, fit["lnl"])
assert own["n_fitted"] == fit["n_fitted"]' "$work/models.json" "$work/out" "${model%/*}" || fail "$model"
    done
fi

expect_error 1 "equant: --set: there is no parameter 'b.perod_days'*" models --demo --set b.perod_days=3

# A fit of which something is known: the noise is that of a fit without, and what the fit says of its
# models is what `equant models` says of them.
printf '%s\n' period_days_1,k_m_s_1,eccentricity_1,omega_deg_1,m0_deg_1 8.3,4,0.1,120,45 >"$work/orbit.csv"
"$EQUANT" simulate --orbits "$work/orbit.csv" --start 2460000 --n-obs 60 --cadence 2 --jitter-times \
    --noise 'mep(amplitude=4,period=25,decay=50,width=0.4)' --white 1 --seed 3 >"$work/spots.csv"
known=("$work/spots.csv" --set b.period_days=8.3 --set b.eccentricity=0)

# The default of the noise is the same with and without.
expect_code 0 fit "${known[@]}" --json
cp "$work/out" "$work/default.json"
expect_equal "noise that was offered" True "$(json 'len(it["noise"]["tried"]) > 0')"
expect_code 0 fit "${known[@]}" --noise auto --json
cp "$work/out" "$work/auto.json"
expect_equal "the default is auto" "" "$(cmp "$work/default.json" "$work/auto.json" 2>&1)"
expect_code 0 fit "${known[@]}" --planets 1 --json
expect_equal "of a given number it is white" None "$(json 'it["noise"]')"

# Of one number of planets nothing is said.
expect_code 0 fit "${known[@]}" --planets 1
expect_equal "no number of planets" 0 "$(grep -c 'Planets that these data' "$work/out")"
expect_code 0 fit "${known[@]}"
expect_equal "no number of planets" 0 "$(grep -c 'Planets that these data' "$work/out")"
expect_code 0 fit "$work/spots.csv" --planets 1
expect_text "Planets that these data show: 1 ("

# Models without a planet are those of `equant models`.
expect_code 0 models "${known[@]}" --json
n_checks=$((n_checks + 1))
python3 - "$work/default.json" "$work/out" <<'EOF' || fail "models without planets are not those of the fit"
import json, sys
fit, models = (json.load(open(path)) for path in sys.argv[1:])
rows = {own["name"]: own for own in models["models"]}
lost, adopted = rows["without planets"], rows["adopted"]
assert lost["log_likelihood"] == fit["lnl_without_planets"], (lost, fit["lnl_without_planets"])
assert lost["bic"] == fit["bic_without_planets"]
assert lost["log_likelihood"] <= fit["lnl"] == adopted["log_likelihood"]
# What is held is a column of a parameter set that was not fitted.
assert fit["n_parameters"] - fit["n_fitted"] == 3, (fit["n_parameters"], fit["n_fitted"])
assert adopted["n_fitted"] == fit["n_fitted"]
EOF
finish
