#!/usr/bin/env bash
# Fails when clang-tidy finds one of the bugs that .clang-tidy names.
#   clang_tidy.sh [FILE...]   in these sources
#   clang_tidy.sh             in those that changed since the main branch, a
#                             header with the source of its name; on that branch
#                             in those of its last commit
# A source takes seconds of a core, so without names it looks at $most of them,
# evenly spread, and says so. Not at tests, nor at what clang cannot read
# (clang_options.sh). After a build.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/checks/clang_options.sh
source deploy/checks/clang_options.sh
most=40

# The commit since which changes are looked at.
base() {
  local main
  main="$(git merge-base HEAD origin/main 2>/dev/null ||
    git merge-base HEAD main 2>/dev/null || true)"
  if [[ -n "$main" && "$main" != "$(git rev-parse HEAD)" ]]; then
    echo "$main"
  else
    git rev-parse --verify --quiet HEAD^
  fi
}

changed_sources() {
  local since
  since="$(base)" || return 0
  git diff --name-only --diff-filter=d "$since" -- '*.cc' '*.h' |
    sed 's/\.h$/.cc/' | sort -u |
    xargs -r git ls-files -- ':!*_test.cc' "${clang_excludes[@]}"
}

files=("$@")
if (($# == 0)); then
  mapfile -t changed < <(changed_sources)
  count=${#changed[@]}
  looked=$((count < most ? count : most))
  for ((i = 0; i < looked; ++i)); do
    files+=("${changed[i * count / looked]}")
  done
  echo "$looked of $count changed sources"
fi
if ((${#files[@]} == 0)); then
  exit 0
fi
printf '%s\0' "${files[@]}" |
  xargs -0 -I{} -P "$(nproc)" \
    clang-tidy-19 --quiet {} -- "${clang_options[@]}" \
    2> >(grep -v 'warnings\? generated\.$' >&2)
