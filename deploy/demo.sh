#!/usr/bin/env bash
# The main job on two hosts of four devices each, as separate processes of this
# machine: a sum over all devices in both views, the training of a classifier of
# handwritten digits, and a StableHLO module. Installs what is missing first;
# leaves nothing running.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
# shellcheck source=deploy/bazel.sh
source deploy/bazel.sh

deploy/setup.sh
echo "building ..."
bazel_ build --ui_event_filters=-info,-stdout,-stderr \
  //client/cli:lockstep //client/examples/...

lockstep="$root/bazel-bin/client/cli/lockstep"
examples="$root/bazel-bin/client/examples"
export LOCKSTEP_BINARY="$lockstep"

work="$(mktemp -d)"
# A cluster of this run, beside one that the user may have.
export XDG_RUNTIME_DIR="$work"
chmod 700 "$work"
unset LOCKSTEP_COORDINATOR
children=()

cleanup() {
  trap '' INT TERM HUP
  "$lockstep" down >/dev/null 2>&1 || true
  for child in "${children[@]}"; do
    kill "$child" 2>/dev/null || true
  done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo
echo "== x + psum(x, 'i'), host view: two programs, one per host"
mkfifo "$work/address"
"$lockstep" coordinator --listen 127.0.0.1:0 --expected-hosts 2 \
  >"$work/address" &
children+=($!)
read -r address_line <"$work/address"
address="${address_line##* }"
for host in 0 1; do
  "$examples/psum" --coordinator "$address" --rank "$host" \
    --devices-per-host 4 >"$work/host$host" &
  children+=($!)
done
wait "${children[1]}" "${children[2]}"
cat "$work/host0" "$work/host1"
kill "${children[0]}"
wait "${children[0]}" || true
children=()

echo
echo "== a cluster of workers"
"$lockstep" up --hosts 2 --devices-per-host 4 >"$work/up"
cat "$work/up"
address="$(sed -n 's/.* ready at \([^ ]*\):.*/\1/p' "$work/up")"
"$lockstep" status

echo
echo "== x + psum(x, 'i'), global view: one client, the whole array"
"$examples/psum" --connect "$address"

echo
echo "== training a classifier of handwritten digits, data-parallel"
"$examples/digits" --connect "$address" \
  --data client/examples/data/digits.csv.gz

echo
echo "== a StableHLO module"
"$lockstep" run client/examples/psum.mlir \
  --input client/examples/data/zero_to_seven.npy \
  --output-dir "$work/out" --print

echo
"$lockstep" down
