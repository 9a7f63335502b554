#!/usr/bin/env bash
# on_emulated_gpus.sh LIBRARY TEST [FLAG ...]: runs TEST for the backend cuda on
# emulated GPUs; LIBRARY is one of the emulator's.
set -euo pipefail

export LOCKSTEP_CUDA_PATH="$PWD/$(dirname "$1")"
export LOCKSTEP_CUDA_EMULATION=devices=8
export LOCKSTEP_TEST_BACKEND=cuda LOCKSTEP_TEST_PLATFORM=cuda
# The second and third are graphs.
export LOCKSTEP_TEST_LAUNCHES=3
export MALLOC_PERTURB_=165
exec "${@:2}"
