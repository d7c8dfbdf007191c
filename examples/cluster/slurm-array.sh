#!/usr/bin/env bash
# Fits an archive on a cluster: a Slurm array, each task a shard of the list.
#
#   sbatch --array=1-100 slurm-array.sh LIST DIR [OPTIONS of equant fit]
#   equant merge DIR --batch LIST       when it is done, or in between
#
# DIR is on a file system that all nodes see. A task that is requeued does what is missing of its
# shard; one that is started twice is turned away by the lock of its shard.
#SBATCH --job-name=equant
#SBATCH --cpus-per-task=4
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
list=$1 folder=$2
shift 2
exec "${EQUANT:-equant}" fit --batch "$list" --out "$folder" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
