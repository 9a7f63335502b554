#!/usr/bin/env bash
# Starts the example psum with Open MPI's mpirun, which is all that says how many
# hosts there are and where they meet, and hosts of which one is killed, which the
# others name. Fails when the output is not as expected.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/checks/launched_programs.sh
source deploy/checks/launched_programs.sh

require openmpi-bin mpirun
build_launched_programs
directory="$(mktemp -d)"
trap 'rm -rf "$directory"' EXIT

# As root, and with more processes than cores, it wants to be told.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1

launch() {  # launch COUNT COMMAND...
  local count="$1"
  shift
  timeout 120 mpirun -n "$count" "$@" 2>"$directory/stderr" || {
    echo "mpirun -n $count $* failed:" >&2
    cat "$directory/stderr" >&2
    return 1
  }
}

expect_lines "mpirun -n 2" "$(launch 2 psum)" "host 0: [1]" "host 1: [2]"
# As if its variables said nothing: count, ranks and address by PMIx.
expect_lines "mpirun -n 2, by PMIx" \
  "$(LOCKSTEP_CLUSTER=pmix launch 2 psum)" "host 0: [1]" "host 1: [2]"
expect_lines "mpirun -n 1" "$(launch 1 psum)" "host 0: [0]"
expect_lines "mpirun -n 3, 2 devices each" \
  "$(launch 3 psum --devices-per-host 2)" \
  "host 0: [15 16]" "host 1: [17 18]" "host 2: [19 20]"

# Host 1 is killed in a collective. mpirun ends the others too, unless it is told
# that they can go on.
export LOCKSTEP_TEST_PHASE=collective LOCKSTEP_TEST_FAULT=killed
launch 3 --enable-recovery host_faults_program phases >"$directory/stdout"
expect_lines "mpirun -n 3, one is killed" \
  "$(sed 's/, incarnation.*//' "$directory/stdout")" \
  "[3.]" "[3.]" "[3.]" "[3.]" "[3.]" \
  "ABORTED: ended by host 1 ($(hostname).r1)" \
  "ABORTED: ended by host 1 ($(hostname).r1)"
