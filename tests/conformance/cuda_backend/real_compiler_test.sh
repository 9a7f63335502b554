#!/usr/bin/env bash
# The texts of kernels, and NVIDIA's own compiler, where this machine has it.
set -euo pipefail

lockstep="$PWD/client/cli/lockstep"
kernels="$PWD/tests/conformance/cuda_backend/kernels.mlir"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

"$lockstep" devices >"$work/devices" 2>&1 || true
if ! grep -qE '^NVRTC +[0-9]' "$work/devices"; then
  echo "skipped: this machine has no NVRTC"
  exit 0
fi

for target in sm_80 sm_90; do
  export LOCKSTEP_CUDA_TARGET="$target"
  "$lockstep" compile "$kernels" --backend cuda >"$work/out" 2>&1 ||
    fail "for $target: $(cat "$work/out")"
  grep -q "for $target, NVRTC" "$work/out" || fail "$(cat "$work/out")"
done

cat >"$work/unknown.mlir" <<'END'
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  stablehlo.custom_call @nowhere(%x) {has_side_effect = true} : (tensor<f32>) -> ()
  return %x : tensor<f32>
}
END
rc=0
"$lockstep" compile "$work/unknown.mlir" --backend cuda >"$work/out" 2>&1 || rc=$?
[[ "$rc" == 1 ]] && grep -q 'UNIMPLEMENTED.*@nowhere' "$work/out" ||
  fail "an op without results: exit code $rc, $(cat "$work/out")"
