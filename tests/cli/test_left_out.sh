#!/usr/bin/env bash
# Observations left out by their times: a hot Jupiter with two long nights of transits, on which the
# Rossiter-McLaughlin effect is larger than the orbit, and all commands that read data.
source "$(dirname "$0")/lib.sh"
cd "$work"

python3 - >star.dat <<'PYTHON'
import math, random
period, conjunction, amplitude, hours = 3.2, 2459000.37, 90.0, 3.6
random.seed(1)
times = [conjunction - 60 + random.uniform(0, 120) for _ in range(14)]
for night in (-11, 7):
    middle = conjunction + night * period
    times += [middle + (0.9 * hours / 24) * (2 * i / 79 - 1) for i in range(80)]
for time in sorted(times):
    velocity = -amplitude * math.sin(2 * math.pi * (time - conjunction) / period) + random.gauss(0, 2)
    in_transit = ((time - conjunction + period / 2) % period - period / 2) * 48 / hours
    if abs(in_transit) < 1:
        velocity -= 150 * math.sin(math.pi * in_transit)
    print(f"{time:.6f} {velocity:.3f} 2.00")
PYTHON
one=(--unit m/s --noise white --planets 1 --probabilities none)
transits=(--leave-out-transits 3.2,2459000.37,3.7)
said="observations left out: 92 of 174, transits of 3.7 hours, every 3.2 days, one at 2459000.37"

expect_code 0 fit star.dat "${one[@]}" --json
expect_equal "with the nights another period" True "$(json 'abs(it["planets"][0]["period_days"] - 3.2) > 1')"
expect_code 0 fit star.dat "${one[@]}" "${transits[@]}" --json
expect_equal "without them that of the planet" True "$(json 'abs(it["planets"][0]["period_days"] - 3.2) < 0.001 and
    abs(it["planets"][0]["k_m_s"] - 90) < 3 and it["n_obs"] == 82')"
expect_equal "counted in the results" True "$(json "'$said' in it['warnings']")"
grep -qF "equant: warning: $said" err || fail "nobody is told"
velocities=$(json 'it["lnl"]')

# The planet's own ephemeris, times by themselves, and a star file say the same.
known=(--set 'b.period_days=normal(3.2, 0.01)' 'b.t_conj=normal(2459000.37, 0.01)')
expect_code 0 fit star.dat "${one[@]}" --leave-out-transits b,3.7 "${known[@]}" --json
expect_equal "of a planet" "82 True" "$(json 'it["n_obs"], abs(it["planets"][0]["period_days"] - 3.2) < 0.001' | tr -d '(),')"
if "$EQUANT" info | grep -qi yaml || ! "$EQUANT" init star.dat 2>&1 | grep -q 'built without'; then
    cat >star.yaml <<'YAML'
data:
  files: [star.dat]
  unit: m/s
  leave-out-transits: ['3.2,2459000.37,3.7']
YAML
    expect_code 0 fit star.yaml --noise white --planets 1 --probabilities none --json
    expect_equal "of a star file" "$velocities" "$(json 'it["lnl"]')"
    expect_code 0 data star.yaml --json
    expect_equal "data of a star file" "82 92" "$(json 'it["n_obs"], it["n_left_out"]' | tr -d '(),')"
    cat >planet.yaml <<'YAML'
data:
  files: [star.dat]
  unit: m/s
  leave-out-transits: ['b,3.7']
planets:
  b: {period_days: 'normal(3.2, 0.01)', transits: [2459000.37 +- 0.01]}
YAML
    expect_code 0 data planet.yaml
    expect_text "warning: $said"
fi
nights=(--leave-out-times 2458965:2458966 --leave-out-times 2459022:2459023)
expect_code 0 fit star.dat "${one[@]}" "${nights[@]}" --json
expect_equal "of nights" 14 "$(json 'it["n_obs"]')"

# Results know of it, and what is made from them.
expect_code 0 fit star.dat "${one[@]}" "${transits[@]}" --out fit --no-pictures
expect_code 0 report fit --out page.html
grep -qF "$said" page.html || fail "the page does not say it"
expect_code 0 sample star.dat --planets 1 --unit m/s "${transits[@]}" --walkers 40 --max-steps 450 --out run --no-pictures
grep -q -- "--leave-out-transits 3.2,2459000.37,3.7" run/run.nc || fail "the run does not say what was left out"
expect_error 2 "equant: --resume goes on as the run began; leave --leave-out-transits out*" \
    sample --resume run "${transits[@]}"
expect_code 0 sample --resume run --max-steps 460 --no-pictures

# Every command that reads data.
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1\n3.2,90,0,0,0\n' >orbit.csv
for command in data search "evaluate --orbits orbit.csv" "models --noise white --planets 1" priors init \
    "montecarlo --samples 100"; do
    # shellcheck disable=SC2086 # a command with its options
    "$EQUANT" $command star.dat --unit m/s "${transits[@]}" >out 2>err || fail "$command fails: $(cat err)"
    [[ $command == priors ]] || cat out err | grep -q "$said\|3.2,2459000.37,3.7" || fail "$command does not tell"
done
expect_code 0 search star.dat --unit m/s "${transits[@]}" --period 2:10 --peaks 1 --json
expect_equal "searched" True "$(json 'abs(it["peaks"][0]["period_days"] - 3.2) < 0.01')"

# Instruments, likewise.
sed 's/$/ late/' star.dat | awk 'NR <= 20 {$4 = "early"} {print}' | sed '1i time rv rv_err tel' >two.dat
for command in data search; do
    expect_code 0 "$command" two.dat --unit m/s --leave-out early --json
    expect_equal "$command without an instrument" 154 "$(json 'it["n_obs"]')"
done

expect_error 2 "equant: --leave-out-times wants FROM:TO in the days of the data, not '5'*" data star.dat --leave-out-times 5
expect_error 1 "equant: times from 4 to 3 cannot be left out*" data star.dat --leave-out-times 4:3
expect_error 1 "equant: no observation is left: all 174 are left out*" data star.dat --leave-out-times 0:1e9
expect_error 2 "equant: --leave-out-transits wants PERIOD,CONJUNCTION,HOURS*" data star.dat --leave-out-transits 3.2,4
expect_error 2 "*the period and the conjunction of planet c are not known*" data star.dat --leave-out-transits c,4
expect_error 2 "equant: --demo is taken whole*" data --demo --leave-out-times 3:4
expect_code 0 data star.dat --unit m/s --leave-out-times 3:4
expect_text "warning: no observation is left out by times from 3 to 4"
finish
