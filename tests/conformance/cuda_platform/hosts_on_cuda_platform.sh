#!/usr/bin/env bash
# hosts_on_cuda_platform.sh TEST [ARGUMENTS]: runs TEST with hosts, daemons and
# programs, that compile for GPUs and whose devices are those of an emulated
# driver, with the collectives of an emulated NCCL.
set -euo pipefail

export LOCKSTEP_BINARY="$PWD/client/cli/lockstep"
export LOCKSTEP_CUDA_PATH="$PWD/tests/cuda_emulation"
export LOCKSTEP_CUDA_EMULATION=devices=8 LOCKSTEP_CUDA_SHARED=1
export LOCKSTEP_CUDA_MEMORY_POOL=0
export LOCKSTEP_PLATFORM=cuda LOCKSTEP_BACKEND=cuda
exec "$@"
