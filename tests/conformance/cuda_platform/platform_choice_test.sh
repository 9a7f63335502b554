#!/usr/bin/env bash
# Which devices clusters, workers and the bench take, where a driver has four
# GPUs: those, each worker its own, where they are enough.
set -euo pipefail

lockstep="$PWD/client/cli/lockstep"
gpu_check="$PWD/deploy/gpu_check.sh"
examples="$PWD/client/examples"
export LOCKSTEP_CUDA_PATH="$PWD/tests/cuda_emulation"
export LOCKSTEP_CUDA_EMULATION=devices=4
work="$(mktemp -d)"
export XDG_RUNTIME_DIR="$work"
children=()
cleanup() {
  "$lockstep" down >/dev/null 2>&1 || true
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
unset LOCKSTEP_PLATFORM LOCKSTEP_BACKEND LOCKSTEP_COORDINATOR

expect() {  # TEXT PATTERN
  if ! grep -q -e "$2" <<<"$1"; then
    printf 'expected %s in:\n%s\n' "$2" "$1" >&2
    exit 1
  fi
}
# The command lines of the cluster's workers, one a line.
workers() {
  local pid
  for pid in $("$lockstep" status --json | sed -nE 's/.*"pid": ([0-9]+).*/\1/p'); do
    tr '\0' ' ' <"/proc/$pid/cmdline"
    echo
  done
}

said="$("$lockstep" up --hosts 2 --devices-per-host 2 2>&1)"
expect "$said" '2 hosts, 4 devices'
if grep -q 'on processors' <<<"$said"; then exit 1; fi
expect "$(workers)" '--local-devices=0,1 --platform=cuda'
expect "$(workers)" '--local-devices=2,3 --platform=cuda'
"$lockstep" down

# More than there are: processors, and that is said.
said="$("$lockstep" up --hosts 3 --devices-per-host 2 2>&1)"
expect "$said" 'on processors: 6 devices are asked for, of GPUs there are 4'
expect "$(workers)" '--devices=2 --platform=cpu'
"$lockstep" down

said="$("$lockstep" up --hosts 2 --devices-per-host 1 --platform cpu 2>&1)"
expect "$(workers)" '--devices=1 --platform=cpu'
"$lockstep" down

if said="$("$lockstep" up --hosts 3 --devices-per-host 2 --platform cuda 2>&1)"
then exit 1; fi
expect "$said" '3 workers of 2 devices: expected at least 6 GPUs, found 4'

# A worker by itself: some of the GPUs; not those that there are not.
for wrong in 0,x 0 -1 1,2000; do
  if said="$("$lockstep" worker --coordinator 127.0.0.1:1 --devices="$wrong" 2>&1)"
  then exit 1; fi
  expect "$said" "--devices: expected a number from 1 to 1024, .*; found \"$wrong\""
done

# Hosts of two kinds are refused, with both.
mkfifo "$work/address"
"$lockstep" coordinator --listen 127.0.0.1:0 --expected-hosts 2 \
  --join-deadline 20s >"$work/address" 2>/dev/null &
children+=($!)
read -r line <"$work/address"
"$lockstep" worker --coordinator "${line##* }" --name gpus --devices 0,2 \
  >"$work/gpus" 2>&1 &
children+=($!)
"$lockstep" worker --coordinator "${line##* }" --name processors \
  --platform cpu >"$work/processors" 2>&1 || true
wait "${children[1]}" || true
said="$(cat "$work/gpus" "$work/processors")"
expect "$said" 'platform cuda: gpus'
expect "$said" 'platform cpu: processors'

# The bench takes GPUs; limits of the driver and of cuBLASLt are there.
said="$("$lockstep" bench device --side 64 --filter 'matrix product f32' 2>/dev/null)"
expect "$said" '^cuda:0 '
expect "$said" 'TFLOP/s, cuBLASLt'
said="$("$lockstep" bench device --side 64 --filter 'copy' 2>/dev/null)"
expect "$said" 'GB/s, pinned copy by the driver'
said="$("$lockstep" bench device --side 64 --filter 'all_reduce' 2>/dev/null)"
expect "$said" '^all_reduce f32, 4 devices'
if said="$("$lockstep" bench device --filter abacus 2>&1)"; then exit 1; fi
expect "$said" 'no measurement has "abacus" in its name'

# What is unpacked of a bundle, as far as emulated GPUs do.
mkdir -p "$work/bundle/bin" "$work/bundle/examples"
ln -s "$lockstep" "$work/bundle/bin/lockstep"
cp -rL "$examples/psum.mlir" "$examples/data" "$work/bundle/examples"
cp -L "$gpu_check" "$work/bundle"
if ! said="$("$work/bundle/gpu_check.sh" --out "$work/out" \
  --only eight_hosts_psum 2>&1)"; then
  printf '%s\n' "$said" >&2
  tail "$work/out/eight_hosts_psum.log" >&2
  exit 1
fi
expect "$said" '^eight_hosts_psum .* passed'
expect "$said" '^all passed'
expect "$(cat "$work/out/gpu_check.json")" '"name": "eight_hosts_psum", .*"verdict": "passed"'
