# shellcheck shell=bash
# Sourced by the checks that start programs with a launcher. Expects the working
# directory to be the checkout's root.

# shellcheck source=deploy/bazel.sh
source deploy/bazel.sh

# Builds //client/examples:psum, the `lockstep` program and a program of hosts
# that die, and puts them into the PATH.
build_launched_programs() {
  bazel_ build --ui_event_filters=-info,-stdout,-stderr --noshow_progress \
    //client/examples:psum //client/cli:lockstep \
    //tests/multihost:host_faults_program
  local bin
  bin="$(bazel_ info bazel-bin 2>/dev/null)"
  PATH="$bin/client/examples:$bin/client/cli:$bin/tests/multihost:$PATH"
  export PATH
}

# Fails unless every named command is there, with how to get it: deploy/setup.sh
# has installed it, and a check that does not run is none that passed.
require() {  # require PACKAGE COMMAND...
  local package="$1" command
  shift
  for command in "$@"; do
    if ! command -v "$command" >/dev/null; then
      echo "there is no $command; deploy/setup.sh installs $package" >&2
      exit 1
    fi
  done
}

# Compares sorted lines with what was expected.
expect_lines() {  # expect_lines WHAT FOUND LINE...
  local what="$1" found expected
  found="$(sort <<<"$2")"
  shift 2
  expected="$(printf '%s\n' "$@" | sort)"
  if [[ "$found" != "$expected" ]]; then
    printf '%s: expected\n%s\nfound\n%s\n' "$what" "$expected" "$found" >&2
    return 1
  fi
  echo "$what: as expected"
}
