#!/usr/bin/env bash
# on_cuda_platform.sh TEST: runs TEST with executables on the platform "cuda"
# of an emulated driver, where every block of memory is an allocation of its
# own: what reaches beyond its end is found out.
set -euo pipefail

export LOCKSTEP_CUDA_PATH=tests/cuda_emulation
export LOCKSTEP_CUDA_EMULATION=devices=16
LOCKSTEP_CUDA_MEMORY_POOL=0 LOCKSTEP_TEST_PLATFORM=cuda exec "$1"
