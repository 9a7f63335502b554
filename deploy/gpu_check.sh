#!/usr/bin/env bash
# Everything that a machine with a GPU shows of lockstep, in one go: programs
# beside the oracle, several hosts on one GPU, killed and stopped hosts, memory
# that comes back, rates beside their limits and beside JAX. Runs in an unpacked
# bundle (deploy/bundle.sh), installs nothing, and ends in under 9 minutes.
#   ./gpu_check.sh [--out DIR] [--stablehlo DIR] [--only PATTERN]
# DIR of --stablehlo: a checkout of StableHLO, whose test programs are run too.
# Prints a row for each check; writes gpu_check.json and the logs into DIR
# (default: ./gpu_check). Exits with 1 when one failed.
set -uo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
out="$PWD/gpu_check" stablehlo="" only="*"
while (($# > 0)); do
  case "$1" in
    --out) out="$2"; shift 2 ;;
    --stablehlo) stablehlo="$2"; shift 2 ;;
    --only) only="$2"; shift 2 ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
done
mkdir -p "$out"
out="$(cd "$out" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export LOCKSTEP_BINARY="$root/bin/lockstep"
export LOCKSTEP_CACHE_DIR="$work/cache"
export XDG_RUNTIME_DIR="$work/run" TMPDIR="$work" TEST_TMPDIR="$work"
mkdir -m 700 "$XDG_RUNTIME_DIR"
lockstep="$LOCKSTEP_BINARY"
checks="$root/checks"
failed=0
rows=()

# check NAME SECONDS COMMAND...: a row; the log is NAME.log. With `note` set, it
# prints what stands beside the row.
check() {
  local name="$1" limit="$2" status=0 verdict=passed start end
  shift 2
  # shellcheck disable=SC2053  # `only` is a pattern
  [[ "$name" == $only ]] || return 0
  start="$(date +%s.%N)"
  timeout --kill-after=5 "$limit" "$@" >"$out/$name.log" 2>&1 || status=$?
  end="$(date +%s.%N)"
  local seconds
  seconds="$(awk -v a="$start" -v b="$end" 'BEGIN { printf "%.1f", b - a }')"
  if ((status == 124 || status == 137)); then
    verdict="failed: not over after $limit s"
  elif ((status != 0)); then
    verdict="failed: exit status $status"
  fi
  [[ "$verdict" == passed ]] || failed=$((failed + 1))
  local said
  said="$("${note:-nothing}" "$out/$name.log")"
  printf '%-28s %7s s  %s%s\n' "$name" "$seconds" "$verdict" "${said:+  ($said)}"
  rows+=("$(printf '{"name": "%s", "seconds": %s, "verdict": "%s", "note": "%s"}' \
    "$name" "$seconds" "$verdict" "$(sed 's/["\\]/ /g' <<<"$said")")")
}
nothing() { :; }
cases() {  # what GoogleTest says at its end
  sed -nE 's/^\[  (PASSED|FAILED)  \] ([0-9]+ tests?).*/\2 \L\1/p' "$1" |
    paste -sd ',' | sed 's/,/, /g'
}
suite() { tail -n 1 "$1"; }  # "2309 passed, 10 failed, 0 skipped"

# The second and third launch of a program are graphs.
on_gpu=(env LOCKSTEP_TEST_BACKEND=cuda LOCKSTEP_TEST_PLATFORM=cuda
  LOCKSTEP_TEST_LAUNCHES=3 LOCKSTEP_CUDA_DEVICES_PER_GPU=8)
# A worker for each host, all on one GPU: for NCCL each is a machine.
shared=(env LOCKSTEP_PLATFORM=cuda LOCKSTEP_BACKEND=cuda LOCKSTEP_CUDA_SHARED=1
  LOCKSTEP_TEST_DEVICES_PER_HOST=1 LOCKSTEP_TEST_BINARY="$lockstep"
  LOCKSTEP_CUDA_MEMORY_FRACTION=0.05)

used_memory() {
  nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2>/dev/null |
    paste -sd ' '
}
before="$(used_memory)"

check devices 30 "$lockstep" devices
cat "$out/devices.log" 2>/dev/null
if ! grep -q '^cuda:0' "$out/devices.log" 2>/dev/null && [[ "$only" == '*' ]]; then
  echo "no GPU, or not all of its libraries: see above" >&2
  exit 1
fi

note=cases
check programs_and_oracle 120 "${on_gpu[@]}" "$checks/cuda_test"
check ops_and_oracle 150 "${on_gpu[@]}" "$checks/cpu_differential_test" \
  --gtest_filter='-RngBitGenerator*:Fft*:TriangularSolve*:Convolution*:*Cholesky*:ThunkChoice*:SelectAndScatter*'
check random_programs 90 "${on_gpu[@]}" "$checks/cpu_programs_test"
note=nothing

# Rates, with nothing beside them.
check bench_device 150 "$lockstep" bench device --platform cuda --json

check eight_hosts_psum 60 "${shared[@]}" "$lockstep" run \
  "$root/examples/psum.mlir" --input "$root/examples/data/zero_to_seven.npy" \
  --hosts 8 --devices-per-host 1 --output-dir "$work/psum" --print
if [[ -f "$out/eight_hosts_psum.log" ]] &&
  ! grep -q '^\[28. 29. 30. 31. 32. 33. 34. 35.\]$' "$out/eight_hosts_psum.log"; then
  echo "  another sum than expected: $(tail -n 1 "$out/eight_hosts_psum.log")"
  failed=$((failed + 1))
fi
note=cases
check killed_and_stopped_hosts 100 "${shared[@]}" "$checks/faults_test" \
  --gtest_filter='-*TheFirstLaunchOnManyHosts*'
check hosts_that_come_back 80 "${shared[@]}" "$checks/rejoin_test"
check streams_of_commands 80 "${shared[@]}" "$checks/global_view_stream_test" \
  --gtest_filter='-*AClientKilledWhileItStreams*'
note=nothing
check digits_on_four_hosts 60 "${shared[@]}" "$root/bin/lockstep-digits" \
  --hosts 4 --devices-per-host 1 --data "$root/examples/data/digits.csv.gz"

if [[ -n "$stablehlo" ]]; then
  # At least what the processor passes.
  note=suite
  for folder in testdata tests/interpret; do
    suite="$stablehlo/stablehlo/$folder" known="$work/known"
    "$lockstep" conformance "$suite" --backend cpu --write-expect "$known" \
      >"$out/on_cpu.log" 2>&1 || true
    # Its exit status is 1 for what is better, too.
    check "stablehlo_${folder//\//_}" 150 bash -c '
      "$0" conformance "$1" --backend cuda --expect "$2" | tee "$2.log"
      [[ -s "$2.log" ]] && ! grep -q "^regression" "$2.log"' \
      "$lockstep" "$suite" "$known"
  done
  note=nothing
fi

sanitizer="$(command -v compute-sanitizer || true)"
if [[ -n "$sanitizer" ]]; then
  # Each block is the driver's own: what reaches beyond its end is found.
  check memory_accesses 100 "${on_gpu[@]}" LOCKSTEP_CUDA_MEMORY_POOL=0 \
    LOCKSTEP_CUDA_GRAPHS=0 "$sanitizer" --tool memcheck --error-exitcode 9 \
    "$checks/cuda_test" --gtest_filter='*AgreesWithTheOracle*'
fi
if python3 -c 'import jax; assert jax.devices()[0].platform == "gpu"' \
  >/dev/null 2>&1; then
  for step in "small float32" "large bfloat16"; do
    read -r size type <<<"$step"
    check "training_step_$size" 150 python3 "$checks/transformer_step.py" \
      "$checks/program_benchmark" --backend cuda --size "$size" --type "$type"
    tail -n 2 "$out/training_step_$size.log" 2>/dev/null
  done
fi

after="$(used_memory)"
if [[ -n "$before" && "$before" != "$after" ]]; then
  echo "memory of the GPUs in use, MiB: $before before, $after after"
  failed=$((failed + 1))
fi

if [[ -s "$out/bench_device.log" ]]; then
  echo
  awk -F'"' '
    /"name"/ { name = $4 } /"size"/ { size = $4 } /"unit"/ { unit = $4 }
    /"rate"/ { rate = $3 } /"limit"/ { limit = $3 }
    /"share"/ {
      share = $3
      gsub(/[:, ]/, "", rate); gsub(/[:, ]/, "", limit); gsub(/[:, ]/, "", share)
      printf "%-34s %-10s %9.1f %-10s", name, size, rate, unit
      if (share != "null") printf " of %9.1f: %3.0f %%", limit, 100 * share
      print ""
    }' "$out/bench_device.log"
fi
printf '{"checks": [\n  %s\n]}\n' "$(printf '%s,\n  ' "${rows[@]}" |
  sed '$d' | sed '$s/,$//')" >"$out/gpu_check.json"
echo
if ((failed > 0)); then
  echo "$failed failed; logs in $out"
  exit 1
fi
echo "all passed; logs in $out"
