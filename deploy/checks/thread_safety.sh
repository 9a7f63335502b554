#!/usr/bin/env bash
# Fails when a source takes, needs or guards by a lock otherwise than its
# annotations say (ABSL_GUARDED_BY and its like), which only clang checks. Looks
# at all sources that name a mutex or include a header of ours that does, but
# tests, and what includes headers that come with gcc alone (OpenMP,
# sanitizers); after a build, whose generated headers it reads.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

options=(
  -fsyntax-only -std=c++20 -I. -Ibazel-bin -Ibazel-bin/proto
  -isystem "$(llvm-config-19 --includedir 2>/dev/null ||
    echo /usr/lib/llvm-19/include)"
  -Wno-everything -Werror=thread-safety
)
annotated="$(git ls-files '*.h' ':!deploy/system' | xargs grep -l -i mutex |
  sed 's/.*/#include "&"/')"
git ls-files -z '*.cc' ':!*_test.cc' ':!deploy/system' ':!*/onednn_thread.cc' |
  xargs -0 grep -lZ -i -F -e mutex -e "$annotated" |
  xargs -0 -r -n 1 -P "$(nproc)" clang++-19 "${options[@]}"
