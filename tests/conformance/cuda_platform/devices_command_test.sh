#!/usr/bin/env bash
# What `lockstep devices` says, with an emulated driver and with none.
set -euo pipefail

lockstep=client/cli/lockstep
expect() {  # TEXT PATTERN
  if ! grep -q -- "$2" <<<"$1"; then
    printf 'expected %s in:\n%s\n' "$2" "$1" >&2
    exit 1
  fi
}

export LOCKSTEP_CUDA_PATH="$PWD/tests/cuda_emulation"
export LOCKSTEP_CUDA_EMULATION=devices=3,driver=12040
there="$("$lockstep" devices)"
expect "$there" '^cpu:0 '
expect "$there" '^cuda:2 .* compute capability [0-9.]*, pci id [0-9a-f:.]*, uuid GPU-'
expect "$there" "^CUDA driver  *12.4  *$LOCKSTEP_CUDA_PATH/libcuda.so.1\$"
expect "$there" "^cuBLASLt  *13.1.0  *$LOCKSTEP_CUDA_PATH/libcublasLt.so.13\$"
json="$("$lockstep" devices --json)"
expect "$json" '"name": "cuda:0"'
expect "$json" '"compute_capability": '

export LOCKSTEP_CUDA_PATH=/nowhere
missing="$("$lockstep" devices)"
expect "$missing" '^no devices of the platform cuda: UNIMPLEMENTED: no libcuda.so.1; looked for in /nowhere'
expect "$missing" '^no NVRTC: UNIMPLEMENTED: no libnvrtc.so.13 or libnvrtc.so.12; looked for in /nowhere'
expect "$missing" '^no cuBLASLt: UNIMPLEMENTED: no libcublasLt.so.13 or libcublasLt.so.12; looked for in /nowhere'
