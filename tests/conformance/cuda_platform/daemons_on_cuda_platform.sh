#!/usr/bin/env bash
# daemons_on_cuda_platform.sh TEST: runs TEST with workers whose devices are
# those of the platform "cuda", of an emulated driver.
set -euo pipefail

export LOCKSTEP_BINARY="$PWD/client/cli/lockstep"
export LOCKSTEP_CUDA_PATH="$PWD/tests/cuda_emulation"
export LOCKSTEP_CUDA_EMULATION=devices=8 LOCKSTEP_CUDA_SHARED=1
export LOCKSTEP_CUDA_MEMORY_POOL=0 LOCKSTEP_PLATFORM=cuda
exec "$1"
