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
using namespace lockstep;
int main() {
  auto client = Client::Embedded({.hosts = 1, .devices_per_host = 2});
  auto sum = pmap([](Tensor x) { return x + psum(x, "i"); }, {.axis_name = "i"});
}
PROGRAM
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
# shellcheck disable=SC2046  # flags are words
g++ "$work/program.cc" -o "$work/program" \
  $(pkg-config --cflags --libs lockstep)
"$work/program" | tee "$work/output"
[[ "$(cat "$work/output")" == "[1 2]" ]]
"$work/prefix/bin/lockstep" version
