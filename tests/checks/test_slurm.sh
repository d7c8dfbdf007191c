#!/usr/bin/env bash
# An archive on a cluster for real: Slurm with two nodes on this machine, an array of shards, and a
# node that is killed in the middle. Every star must be in the table once, as if one machine had
# done it alone. Wants root and Debian's slurm-wlm and munge.
#
# Environment: EQUANT, the command; EQUANT_STARS, how many (default 96); EQUANT_SHARDS (default 8).
set -euo pipefail
source_folder=$(cd "$(dirname "$0")/../.." && pwd)
: "${EQUANT:?is the path of the equant command under test}"
n_stars=${EQUANT_STARS:-96} n_shards=${EQUANT_SHARDS:-8}
skip() { echo "SKIP: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "Slurm wants root to start"
for program in slurmctld slurmd sbatch squeue scontrol munged; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done

work=$(mktemp -d)
chmod 755 "$work"
end() {
    kill -KILL $(cat "$work"/*.pid 2>/dev/null) 2>/dev/null || true
    pkill -KILL -f "$work" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
cd "$work"

# --- A cluster of two ---------------------------------------------------------------------
first_port=$((20000 + $$ % 20000))
mkdir state munge
dd if=/dev/urandom of=munge/key bs=32 count=1 status=none
chmod 700 munge && chmod 600 munge/key
chown -R munge: munge 2>/dev/null || true
cat >slurm.conf <<END
ClusterName=trial
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$first_port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
MinJobAge=60
JobRequeue=1
NodeName=one NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$((first_port + 1)) CPUs=1
NodeName=two NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$((first_port + 2)) CPUs=1
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
munged --force --key-file=munge/key --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge.seed" || skip "munged does not start"
slurmctld -f slurm.conf
for node in one two; do
    mkdir -p "spool-$node"
    slurmd -N "$node" -f slurm.conf || skip "slurmd does not start twice on a machine"
done

# wait_until SECONDS COMMAND...
wait_until() {
    local seconds=$1
    shift
    for _ in $(seq $((seconds * 5))); do
        "$@" && return
        sleep 0.2
    done
    echo "FAIL: waited $seconds s for: $*"
    squeue || true
    tail -n 5 ./*.log
    exit 1
}
nodes_are_up() { [ "$(sinfo -h -N -o '%T' 2>/dev/null | grep -c idle)" = 2 ]; }
wait_until 60 nodes_are_up

# --- An array, and a node that dies ---------------------------------------------------------
"$EQUANT" simulate --orbits "$source_folder/tests/cli/fixtures/search_planet.csv" --start 2460000 \
    --n-obs 60 --cadence 2 --jitter-times --noise 2 --t-ref 2460060 --seed 1 --out a.csv
for i in $(seq "$n_stars"); do echo "star$i $work/a.csv"; done >list
options=(--t-ref 2460060 --period 6:80 --max-eccentricity 0.9 --planets 1)
export EQUANT
sbatch --quiet --array=1-"$n_shards" --cpus-per-task=1 --output="$work/task-%a.txt" \
    "$source_folder/examples/cluster/slurm-array.sh" "$work/list" "$work/stars" "${options[@]}"
n_done() { find stars -name fit.json 2>/dev/null | wc -l; }
# n_done_of SHARD: stars of it that have been fitted.
n_done_of() {
    local i n=0
    for i in $(seq "$1" "$n_shards" "$n_stars"); do
        [ -e "stars/star$i/fit.json" ] && n=$((n + 1))
    done
    echo "$n"
}
# Node two has a shard of which some is done, and not nearly all.
two_is_amid() {
    running=$(squeue -h -w two -t R -o '%K' 2>/dev/null | head -n 1)
    [ -n "$running" ] && n=$(n_done_of "$running") && [ "$n" -ge 1 ] &&
        [ "$n" -le $((n_stars / n_shards / 2)) ]
}
wait_until 300 two_is_amid
before=$(n_done)
victim=$(cat slurmd-two.pid)
kill -KILL "$victim"
# Its steps and their work, and nobody else's.
for process in $(pgrep slurmstepd || true); do
    if ls -l "/proc/$process/fd" "/proc/$process/cwd" 2>/dev/null | grep -qE "$work/[a-z]*-two"; then
        kill -KILL "$process" || true
    fi
done
for task in $running; do pkill -KILL -f -- "$work/stars --shard $task/$n_shards" || true; done
echo "killed node two with shard $running after $before of $n_stars stars"
node_is_down() { sinfo -h -n two -o '%T' | grep -q down; }
wait_until 120 node_is_down
slurmd -N two -f slurm.conf
array_is_over() { [ -z "$(squeue -h 2>/dev/null)" ]; }
wait_until 600 array_is_over

# --- All of them, each once -----------------------------------------------------------------
"$EQUANT" merge stars --batch list
rows() {
    python3 - "$1" <<'END'
import csv, sys
for row in csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith("#")):
    print(row["name"], row["status"], row["period_days"], row["k_m_s"])
END
}
rows stars/summary.ecsv >table
[ "$(wc -l <table)" = "$n_stars" ] || { echo "FAIL: $(wc -l <table) rows"; exit 1; }
[ "$(cut -d' ' -f1 table | sort -u | wc -l)" = "$n_stars" ] || { echo "FAIL: a star twice"; exit 1; }
! grep -v ' ok ' table || { echo "FAIL: a star without a fit"; exit 1; }
grep -l 'done already' task-*.txt >/dev/null || { echo "FAIL: no task was started again"; exit 1; }
head -n 3 list >short
"$EQUANT" fit --batch short --out alone "${options[@]}" >/dev/null
rows alone/summary.ecsv | while read -r row; do
    grep -qxF "$row" table || { echo "FAIL: not in the table: $row"; exit 1; }
done
echo "$n_stars stars in $n_shards shards, each once; shard $running was begun twice"
