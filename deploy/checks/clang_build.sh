#!/usr/bin/env bash
# Fails when clang does not build the libraries of packages that have locks, with
# what only it checks: that state is read and written under the locks that its
# annotations name, and, by layering_check, that a source includes headers of
# direct dependencies alone. Not tests, nor what needs headers that come with gcc
# (OpenMP).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/bazel.sh
source deploy/bazel.sh

# In the same place for every checkout: Bazel's cache knows compilers by path.
compiler="$HOME/.cache/lockstep/layering_clang"
mkdir -p "${compiler%/*}"
cmp -s deploy/checks/layering_clang.sh "$compiler" ||
  install -m 755 deploy/checks/layering_clang.sh "$compiler"

packages="$(git grep -l -i mutex -- 'runtime/*' 'coordinator/*' 'client/*' \
  'proto/*' ':!*_test.cc' ':!*.md' ':!runtime/backends/cpu/contraction' |
  sed -E 's#^(.*)/[^/]*$#//\1:all#' | sort -u | paste -sd+)"
targets="$(mktemp)"
trap 'rm -f "$targets"' EXIT
bazel query --ui_event_filters=-info --noshow_progress \
  "kind(cc_library, $packages)" >"$targets"
# Their objects, and not what they have as data, which needs other libraries.
bazel_ build --config=clang --repo_env=CC="$compiler" --keep_going \
  --force_pic --output_groups=compilation_outputs \
  --target_pattern_file="$targets"
