# shellcheck shell=bash
# Sourced by the scripts of this directory: `bazel_` is bazel with a cache that
# can be written. Expects the working directory to be the checkout's root.

if [[ -z "${HOME:-}" || ! -w "${HOME}" ]]; then
  HOME="${TMPDIR:-/tmp}/lockstep-home-$(id -u)"
  mkdir -p "$HOME"
fi
export HOME

bazel_() {
  local command="$1"
  shift
  bazel "$command" --disk_cache="$HOME/.cache/lockstep/bazel" "$@"
}
