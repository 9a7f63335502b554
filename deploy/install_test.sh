#!/usr/bin/env bash
# A program of a few lines builds against an installed lockstep with g++ and
# pkg-config alone, and runs.
set -euo pipefail

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
deploy/install "$work/prefix"

cat >"$work/program.cc" <<'PROGRAM'
#include <iostream>

#include "lockstep/lockstep.h"

int main() {
  auto add = lockstep::pmap(
      [](lockstep::Tensor x) { return x + lockstep::psum(x, "i"); },
      {.axis_name = "i"});
  std::cout << *add(lockstep::Array({3.f})) << std::endl;
}
PROGRAM
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
# shellcheck disable=SC2046  # flags are words
g++ "$work/program.cc" -o "$work/program" \
  $(pkg-config --cflags --libs lockstep)
# A cluster of one, in the process itself.
[[ "$("$work/program" | tee /dev/stderr)" == "[6.]" ]]
"$work/prefix/bin/lockstep" version
