#!/bin/sh
# The heat equation on two machines with four GPUs each. From the folder that
# holds the compiled program:
#
#   sbatch nodes.sh            or, for another number of machines,
#   sbatch --nodes=8 nodes.sh
#
# begin job
#SBATCH --job-name=heat
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=00:10:00

# One process per GPU. srun starts them on all machines, and MPI finds out from
# Slurm who the others are; with some MPIs it needs to be told how: --mpi=pmix.
srun ./nodes "$@"
# end job
