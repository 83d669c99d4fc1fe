#!/bin/sh
# A sweep as a Slurm array job. Shards share one folder, and every shard writes only its own parts.
#
#   sbatch sweeps/slurm.sh sweeps/docking.toml results
#   SHARDS=400 sbatch --array=1-400 sweeps/slurm.sh sweeps/docking.toml results
#
# Runs are independent: ask for as many small tasks as the cluster schedules well. A task that was killed loses at most the part that it was
# computing; --requeue starts it again, and it goes on with what is missing. The last shard to finish writes table and summary.
#SBATCH --job-name=msd-sweep
#SBATCH --array=1-40
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=1G
#SBATCH --time=02:00:00
#SBATCH --requeue
set -eu

sweep=${1:?"usage: sbatch slurm.sh SWEEP FOLDER"}
folder=${2:?"usage: sbatch slurm.sh SWEEP FOLDER"}
shards=${SHARDS:-${SLURM_ARRAY_TASK_COUNT:?"run this script by sbatch"}}

exec "${MSD:-msd}" sweep "$sweep" \
    --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "$folder" --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet
