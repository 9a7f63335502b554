#!/usr/bin/env bash
# with_cpu_target.sh TARGET TEST: runs TEST with code for TARGET. Skipped, with a
# line that says so, where the processor cannot run it.
set -euo pipefail

target="$1" test="$2"
case "$target" in
  x86-64-v2) needed=(ssse3 sse4_1 sse4_2 popcnt) ;;
  x86-64-v3) needed=(avx avx2 bmi1 bmi2 fma) ;;
  x86-64-v4) needed=(avx512f avx512bw avx512cd avx512dq avx512vl) ;;
  *)
    echo "no such target: $target" >&2
    exit 1
    ;;
esac
features=" $(grep -m1 '^flags' /proc/cpuinfo | cut -d: -f2) "
for feature in "${needed[@]}"; do
  if [[ "$features" != *" $feature "* ]]; then
    echo "skipped: this machine cannot run code for $target: $feature is missing"
    [[ -z "${TEST_SHARD_STATUS_FILE:-}" ]] || touch "$TEST_SHARD_STATUS_FILE"
    exit 0
  fi
done
LOCKSTEP_CPU_TARGET="$target" exec "$test"
