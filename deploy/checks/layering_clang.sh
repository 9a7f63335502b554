#!/usr/bin/env bash
# The compiler of `--config=clang`: clang, without the module maps in its lists
# of what it has read. layering_check has it read those of indirect dependencies,
# which Bazel then finds undeclared. By its full name: found in /bin, it looks for
# the standard library in /include.
set -euo pipefail

/usr/bin/clang-19 "$@"
while (($# > 1)); do
  if [[ "$1" == -MF ]]; then
    sed -i 's/[^ ]*\.cppmap//' "$2"
    break
  fi
  shift
done
