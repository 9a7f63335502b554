#!/usr/bin/env bash
# Starts a Slurm of its own on this machine, one node, and passes it the shipped
# deploy/slurm/lockstep.sbatch: the example psum on two tasks of the node, twice,
# and a StableHLO module on a worker per task. Fails when the output is not as
# expected. Ends the daemons, and removes all that they wrote.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/checks/launched_programs.sh
source deploy/checks/launched_programs.sh

require munge munged
require slurm-wlm slurmctld slurmd sinfo squeue sbatch scancel srun scontrol
build_launched_programs

directory="$(mktemp -d)"
daemons=()
finish() {
  local status=$?
  if ((status != 0)); then
    # Few lines: what was wrong stands above them.
    tail -q -n 4 "$directory"/slurm*.log >&2 || true
  fi
  # Without daemons there is no Slurm of this script's, but maybe another one,
  # with jobs that are not its own.
  if ((status != 0 && ${#daemons[@]} > 0)); then
    scancel --full --quiet --user="$(id -un)" 2>/dev/null || true
    await "the end of the jobs" no_job_is_left || true
  fi
  end_daemons
  rm -rf "$directory"
}
trap finish EXIT

# In the opposite order of their start.
end_daemons() {
  local i
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
    kill "${daemons[i]}" 2>/dev/null || true
    wait "${daemons[i]}" 2>/dev/null || true
  done
  daemons=()
}

# Asks again until COMMAND succeeds; fails after a minute, or when one of the
# daemons has ended.
await() {  # await WHAT COMMAND...
  local what="$1" deadline=$((SECONDS + 60)) pid
  shift
  until "$@" >/dev/null 2>&1; do
    for pid in "${daemons[@]}"; do
      if ! kill -0 "$pid" 2>/dev/null; then
        echo "$what: a daemon has ended" >&2
        return 1
      fi
    done
    if ((SECONDS > deadline)); then
      echo "$what: not within a minute" >&2
      return 1
    fi
    sleep 0.05
  done
}

# A port where nobody listens, outside of those that the kernel gives to
# clients. The daemons take none of the kernel's choice.
free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 10000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
}

# Neither cgroups nor what is limited by them: containers have none of their
# own. More processors than there may be, so that both tasks have room.
write_configuration() {
  local host user
  host="$(hostname -s)"
  user="$(id -un)"
  cat >"$SLURM_CONF" <<CONFIGURATION
ClusterName=check
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$directory/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
MailProg=/bin/true
ReturnToService=2
StateSaveLocation=$directory/state
SlurmdSpoolDir=$directory/spool
SlurmctldPidFile=$directory/slurmctld.pid
SlurmdPidFile=$directory/slurmd.pid
SlurmctldLogFile=$directory/slurmctld.log
SlurmdLogFile=$directory/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=check Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
}

start_munge() {
  (umask 077 && head -c 128 /dev/urandom >"$directory/munge.key")
  munged --foreground --socket="$directory/munge.socket" \
    --key-file="$directory/munge.key" --pid-file="$directory/munged.pid" \
    --seed-file="$directory/munged.seed" --log-file="$directory/munged.log" \
    >"$directory/munged.out" 2>&1 &
  daemons+=($!)
  await "munged" test -S "$directory/munge.socket"
}

no_job_is_left() { [[ -z "$(squeue --noheader)" ]]; }
node_is_idle() { [[ "$(sinfo --noheader --format=%t)" == idle ]]; }

# A port that was free may be taken: another try has others.
start_slurm() {
  local try
  for try in 1 2 3 4 5; do
    write_configuration
    start_munge
    slurmctld -D -i >"$directory/slurmctld.out" 2>&1 &
    daemons+=($!)
    slurmd -D -N "$(hostname -s)" >"$directory/slurmd.out" 2>&1 &
    daemons+=($!)
    if await "Slurm (try $try)" node_is_idle; then
      return
    fi
    end_daemons
  done
  return 1
}

submit() {  # submit ARGUMENT...: prints the output of the job
  local status=0
  rm -f "$directory/job.out" "$directory/job.err"
  timeout 180 sbatch --quiet --wait --ntasks=2 --chdir="$directory" \
    --output="$directory/job.out" --error="$directory/job.err" \
    "$PWD/deploy/slurm/lockstep.sbatch" "$@" || status=$?
  if ((status != 0)); then
    echo "sbatch ended with $status" >&2
    tail -n 10 "$directory/job.err" >&2 || true
    return 1
  fi
  cat "$directory/job.out"
}

# Munge and Slurm refuse folders that others may write to; the user of the
# jobs passes through this one.
chmod 755 "$directory"
mkdir -m 755 "$directory/state" "$directory/spool" "$directory/home"
export SLURM_CONF="$directory/slurm.conf"
# What the script keeps for a job.
export HOME="$directory/home"
start_slurm

for run in first second; do
  expect_lines "sbatch, $run job of psum on two tasks" "$(submit psum)" \
    "host 0: [1]" "host 1: [2]"
done

# Two hosts of 4 devices.
export LOCKSTEP_CPU_DEVICES=4
programs="$PWD/client/examples/programs"
submit "$programs/normalize_rows.mlir" "$directory/out" "$programs/rows.npy" \
  >"$directory/run.out"
[[ -n "$(find "$directory/out" -name '*.npy')" ]]
echo "sbatch, a module on two workers: as expected"
[[ -z "$(find "$HOME/.lockstep" -mindepth 1)" ]]
echo "nothing is left of the jobs"
