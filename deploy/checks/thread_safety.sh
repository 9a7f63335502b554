#!/usr/bin/env bash
# Fails when a source takes, needs or guards by a lock otherwise than its
# annotations say (ABSL_GUARDED_BY and its like), which only clang checks. Looks
# at all sources that name a mutex or include a header of ours that does, at tests
# that guard something themselves, but not at what clang cannot read
# (clang_options.sh); after a build.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/checks/clang_options.sh
source deploy/checks/clang_options.sh

options=(-fsyntax-only "${clang_options[@]}" -Werror=thread-safety)
annotated="$(git ls-files '*.h' ':!deploy/system' | xargs grep -l -i mutex |
  sed 's/.*/#include "&"/')"
{
  git ls-files -z '*.cc' ':!*_test.cc' "${clang_excludes[@]}" |
    xargs -0 grep -lZ -i -F -e mutex -e "$annotated"
  git ls-files -z '*_test.cc' | xargs -0 grep -lZ GUARDED_BY
} | xargs -0 -r -n 1 -P "$(nproc)" clang++-19 "${options[@]}"
