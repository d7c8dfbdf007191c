#!/usr/bin/env bash
# Memory that runs out within the command: allocation k fails, for a sample of k in each command, of
# EQUANT_ALLOCATIONS, or for all of them with EQUANT_ALLOCATIONS=all; EQUANT_COMMANDS names the commands
# of a part. No command crashes, and none ends well with another output.
set -euo pipefail
: "${EQUANT:?}"
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
${CC:-cc} -shared -fPIC -O1 -o failing.so "$source/failing_memory.c" -ldl 2>cc.log ||
  { echo "SKIP: the library that fails cannot be built: $(head -n 1 cc.log)"; exit 77; }
export OMP_NUM_THREADS=1 TMPDIR=$work
sampled=${EQUANT_ALLOCATIONS:-12} # of each command
bad=0 n_runs=0

printf 'time,rv,err\n' >star.csv
awk 'BEGIN {srand(3); for (i = 0; i < 24; i++) printf "%.3f,%.3f,2\n", 2455000 + 3.1 * i + rand(),
  12 * sin(2 * 3.14159265 * (3.1 * i) / 12.1) + 2 * rand()}' >>star.csv
{ echo star,time,rv,err; for star in a b; do sed "1d; s/^/$star,/" star.csv; done; } >stars.csv
awk 'BEGIN {srand(7); print "t,w,sigma,psi_deg,f,transit_id"; for (i = 0; i < 40; i++) {t = -900 + 45 * i + rand();
  psi = 6.2831853 * rand(); print 2457936.875 + t "," 5 * sin(psi + t / 58) + 2 * sin(6.2831853 * t / 400 + psi) + 0.1 * rand() \
  ",0.1," psi * 57.29578 "," sin(psi + t / 58) "," i}}' >sky.csv
awk -F, 'NR == 1 {print $0 ",source_id"} NR > 1 {print $0 ",42"}' sky.csv >epochs.csv
{ printf 'source_id,solution_type,a_thiele_innes,a_thiele_innes_error,b_thiele_innes,b_thiele_innes_error,'
  printf 'f_thiele_innes,f_thiele_innes_error,g_thiele_innes,g_thiele_innes_error,'
  printf 'period,period_error,eccentricity,eccentricity_error,t_periastron,t_periastron_error\n'
  printf '42,Orbital,0.1,0.1,2,0.1,2,0.1,0.1,0.1,400,3,0.1,0.05,10,5\n'; } >published.csv
awk 'BEGIN {srand(5); print "time,rv1,rv1_err,rv2,rv2_err"; for (i = 0; i < 12; i++) {t = 2455000 + 7.3 * i + rand();
  v = 30 * sin(6.2831853 * t / 37); w = -40 * sin(6.2831853 * t / 37); print t "," (i % 3 ? v : w) + rand() ",0.5," \
  (i % 3 ? w : v) + rand() ",0.5"}}' >binary.csv
awk 'BEGIN {srand(9); print "planet,number,time,error"; for (p = 0; p < 2; p++) for (i = 0; i < 8; i++)
  printf "%s,%d,%.6f,0.001\n", p ? "c" : "b", i, 2455000 + 3 * p + (p ? 20.3 : 10) * i + 0.002 * rand()}' >transits.csv
printf '1.0 0.1\n2.0 0.5\n' >pairs.txt
printf 'period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1\n12.1,12,0.1,1,1\n' >orbits.csv

run() { # k NAME ARGUMENT...: as `out`, `err` and the folder made; sets status
  local k=$1
  shift 2
  rm -rf made made.*
  status=0
  timeout 120 env FAIL_AT="$k" COUNT_TO="$work/count" LD_PRELOAD="$work/failing.so" \
    "$EQUANT" "$@" <"$input" >out 2>err || status=$?
}

# What a run has made, without times of day and durations.
print_made() {
  grep -vE 'second|[0-9] s\b|took' out || true
  [ ! -f made.ecsv ] || cut -d, -f1-6 made.ecsv
  [ ! -f made.yaml ] || cat made.yaml
  [ ! -d made ] || (cd made && find . -type f \( -name '*.ecsv' -o -name fit.json \) ! -name 'summary*' |
    sort | xargs -r md5sum)
}

check() { # NAME ARGUMENT...
  local name=$1 n k step=1 wanted
  case " ${EQUANT_COMMANDS:-$name} " in *" $name "*) ;; *) return ;; esac
  input=/dev/null
  [ "$name" != solve ] || input=pairs.txt
  run 0 "$@"
  [ "$status" = 0 ] || { echo "$name: does not run at all: $(head -n 1 err)" >&2; bad=1; return; }
  wanted=$(print_made)
  n=$(cat count)
  [ "$sampled" = all ] || step=$(((n + sampled - 1) / sampled))
  for ((k = 1; k <= n; k += step)); do
    run "$k" "$@"
    n_runs=$((n_runs + 1))
    if [ "$status" -ge 124 ]; then
      echo "$name: allocation $k of $n: ends with $status: $(tail -n 1 err)" >&2
      bad=1
    elif [ "$status" = 0 ] && [ "$(print_made)" != "$wanted" ]; then
      echo "$name: allocation $k of $n: ends well, with another output" >&2
      bad=1
    elif [ "$status" != 0 ] && [ ! -s err ]; then
      echo "$name: allocation $k of $n: ends with $status and no sentence" >&2
      bad=1
    fi
  done
}

common=(--threads 1)
check data data star.csv --unit m/s
check solve solve "${common[@]}"
check evaluate evaluate star.csv --unit m/s --orbits orbits.csv "${common[@]}"
check search search star.csv --unit m/s --noise white "${common[@]}"
check fit fit star.csv --unit m/s --noise white --planets 1 --period 12:13 --no-pictures --out made "${common[@]}"
check sample sample star.csv --unit m/s --noise white --planets 1 --walkers 24 --burn-in 20 --max-steps 40 \
  --min-ess 1e9 --no-pictures --out made "${common[@]}"
"$EQUANT" fit star.csv --unit m/s --noise white --planets 1 --period 12:13 --no-pictures --out fitted \
  "${common[@]}" >out 2>err || { cat err >&2; exit 1; }
"$EQUANT" sample star.csv --unit m/s --noise white --planets 1 --walkers 24 --burn-in 20 --max-steps 40 \
  --min-ess 1e9 --no-pictures --out sampled "${common[@]}" >out 2>err || { cat err >&2; exit 1; }
check predict predict sampled --days 30 --step 10 --draws 50 "${common[@]}"
check plan plan sampled --days 30 --step 10 --draws 50 "${common[@]}"
check catalogue catalogue stars.csv --unit m/s --noise white --max-planets 1 --out made.ecsv "${common[@]}"
check init init star.csv --out made.yaml
check info info
check table table fitted --from fit
check report report fitted --no-periodograms
printf '<!DOCTYPE html>\n<!-- files -->\n' >page.html
check view view fitted --page page.html --out made.html
check simulate simulate --orbits orbits.csv --start 2455000 --n-obs 5 --cadence 2 --noise 1 --seed 1
check montecarlo montecarlo star.csv --unit m/s --samples 2000 "${common[@]}"
check priors priors star.csv --unit m/s --planets 1
check models models star.csv --unit m/s --noise white --planets 1 --period 12:13 "${common[@]}"
"$EQUANT" fit --batch <(echo one star.csv) --unit m/s --noise white --planets 1 --period 12:13 --out stars \
  "${common[@]}" >out 2>err || { cat err >&2; exit 1; }
check compare compare star.csv --unit m/s --max-planets 2 --period 10:15 --sweeps 8 --chains 2 "${common[@]}"
check merge merge stars --out made.ecsv
check nights nights --ra 10 --dec 20 --site paranal --start 2026-01-01 --end 2026-01-03
small=(--period 100:1000)
check sky_data data sky.csv
check sky_fit fit sky.csv "${small[@]}" --no-pictures --out made "${common[@]}"
check sky_search search sky.csv "${small[@]}" "${common[@]}"
check sky_sample sample sky.csv --walkers 32 --burn-in 20 --max-steps 40 --min-ess 1e9 --no-pictures --out made \
  "${common[@]}"
check inject_planets inject star.csv --unit m/s --noise white --period-min 5 --period-max 40 --sizes 2 --cells 2 --draws 2 \
  "${common[@]}"
check inject inject sky.csv --period-min 100 --period-max 1000 --sizes 2 --cells 2 --draws 2 "${common[@]}"
check check_orbits check published.csv epochs.csv --out made.ecsv "${common[@]}"
check double_lined fit binary.csv --unit km/s --period 30:50 "${common[@]}"
check transits fit transits.csv --star-mass 1 "${common[@]}"
echo "$n_runs runs whose memory ran out"
exit "$bad"
