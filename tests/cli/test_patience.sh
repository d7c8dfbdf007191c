#!/usr/bin/env bash
# Many instruments, signals in the middle of the work, threads that are not there: nobody waits for
# minutes, and every refusal has its sentence.
source "$(dirname "$0")/lib.sh"

# instruments N FILE: five observations of each
instruments() {
    python3 - "$1" >"$2" <<'PYTHON'
import random, sys
random.seed(1)
t = 2455000.0
print("time,rv,err,instrument")
for i in range(5 * int(sys.argv[1])):
    t += random.uniform(0.1, 0.5)
    print(f"{t:.5f},{random.gauss(0, 3):.3f},2.0,i{i // 5:04d}")
PYTHON
}

instruments 128 "$work/most.csv"
instruments 129 "$work/more.csv"
expect_error 1 "equant: the observations name 129 instruments; a search takes at most 128, *" \
    fit "$work/more.csv" --unit m/s --period 5:50
expect_error 1 "equant: the observations name 129 instruments; *" \
    search "$work/more.csv" --unit m/s --period 5:50

# listens PID: the process has set up what it does at SIGINT, as the kernel tells (the second bit).
listens() {
    local caught
    caught=$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status" 2>/dev/null)
    [ $((0x${caught:-0} & 2)) -ne 0 ]
}

# signal_during SIGNAL ARGUMENTS...: what the command ends with when it is asked to in its work, which
# on a busy machine begins late. It is killed when a generous time has passed.
signal_during() {
    local signal=$1 pid
    shift
    "$EQUANT" "$@" >"$work/out" 2>"$work/err" &
    pid=$!
    for _ in $(seq 300); do
        listens "$pid" && break
        sleep 0.1
    done
    sleep "${patience:-1}"
    kill -s "$signal" "$pid"
    (sleep 120 && kill -s KILL "$pid") >/dev/null 2>&1 &
    local guard=$!
    wait "$pid"
    code=$?
    # By SIGKILL: a shell that has just begun would run the trap of this one.
    kill -s KILL "$guard" 2>/dev/null
    wait "$guard" 2>/dev/null
}
for signal in INT TERM; do
    signal_during "$signal" fit "$work/most.csv" --unit m/s --period 1:50 --threads 1
    expect_equal "fit of 128 instruments after SIG$signal" 130 "$code"
    signal_during "$signal" search "$work/most.csv" --unit m/s --period 1:50 --draws 200 --threads 1
    expect_equal "search of 128 instruments after SIG$signal" 130 "$code"
done

# Where several fits go on at once, all of them end.
signal_during INT fit --demo --threads 3
expect_equal "fit that chooses its noise on three threads after SIGINT" 130 "$code"

# What was found until then is whole, and says that it was cut off; before that there is nothing.
signal_during INT fit --demo --noise white --threads 2 --json --out "$work/cut"
expect_equal "fit that keeps what it has after SIGINT" 130 "$code"
[ -s "$work/out" ] && expect_equal "its end" "cancelled True" \
    "$(json 'it["end"], it["rms_m_s"] > 0' | tr -d "(),'")"
[ -s "$work/out" ] && expect_equal "its folder" "" "$(cmp "$work/out" "$work/cut/fit.json" 2>&1)"

# Nor does a comparison that goes on behind the fit take the fit with it, or more than the budget. Few
# periods are searched: the fit is over in time on a machine with other work, too.
if in_full; then
    expect_code 0 fit --demo --noise white --period 1100:1300 --planets 1 --probabilities full \
        --sweeps 1000000 --budget 6 --out "$work/late"
    expect_text "1 planet found"
    [ -s "$work/late/fit.json" ] || fail "the fit is not written"
    n_checks=$((n_checks + 1))
    grep -q "^equant: the time that was given was over before the probabilities were sampled" "$work/err" ||
        fail "nobody says that the probabilities were not sampled: $(cat "$work/err")"
    patience=5 signal_during INT fit --demo --noise white --period 1100:1300 --planets 1 --probabilities full \
        --sweeps 1000000 --out "$work/cut_off"
    expect_equal "a fit whose comparison is interrupted" "130 1" \
        "$code $(grep -c 'interrupted: what was found until then is shown and written' "$work/err")"
    expect_text "1 planet found"
fi

# A budget that is over at once leaves the first solution.
expect_code 0 fit --demo --noise white --budget 0.001 --json --out "$work/short"
expect_equal "a fit without time" "seconds 0 None" \
    "$(json 'it["end"], len(it["planets"]), it["candidate"]' | tr -d "(),'")"
expect_code 0 fit --demo --noise white --budget 0.001
expect_text "Not finished: the time that was given was over. Found until then:"
expect_code 0 report "$work/short"

# As many threads as OMP_NUM_THREADS says, unless --threads says otherwise.
OMP_NUM_THREADS=1 run info --json
expect_equal "threads by OMP_NUM_THREADS" 1 "$(json 'it["threads"]')"
OMP_NUM_THREADS=3 run info --json
expect_equal "threads by OMP_NUM_THREADS" 3 "$(json 'it["threads"]')"
cat >"$work/n_threads.py" <<'PYTHON'
import os, subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
most = 0
while child.poll() is None:
    try:
        most = max(most, len(os.listdir(f"/proc/{child.pid}/task")))
    except OSError:
        break
    time.sleep(0.01)
print(most)
PYTHON
short=(fit "$work/most.csv" --unit m/s --period 48:50 --planets 1)
if [ -d /proc/self/task ]; then
    expect_equal "threads of fit with OMP_NUM_THREADS=1" 1 \
        "$(OMP_NUM_THREADS=1 python3 "$work/n_threads.py" "$EQUANT" "${short[@]}")"
    expect_equal "threads of fit --threads 1" 1 \
        "$(OMP_NUM_THREADS=4 python3 "$work/n_threads.py" "$EQUANT" "${short[@]}" --threads 1)"
fi

# Threads far beyond the processors are asked for in vain; four a processor do, and those of the
# fits beside them.
if [ -d /proc/self/task ]; then
    n_checks=$((n_checks + 1))
    n_started=$(python3 "$work/n_threads.py" "$EQUANT" "${short[@]}" --threads 4000)
    [ "$n_started" -le $((5 * $(nproc))) ] ||
        fail "fit --threads 4000 starts $n_started threads on $(nproc) processors"
fi
finish
