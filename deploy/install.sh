#!/usr/bin/env bash
# Puts lockstep below a prefix: bin/lockstep, lib/liblockstep.so,
# lib/pkgconfig/lockstep.pc, include/lockstep/.
#   bazel run //deploy:install -- PREFIX
# Runs in its runfiles: everything it copies lies below the working directory.
set -euo pipefail

if (($# != 1)) || [[ "$1" != /* ]]; then
  echo "usage: bazel run //deploy:install -- PREFIX (an absolute path)" >&2
  exit 2
fi
prefix="$1"

# What a program includes. The installed headers are those that these reach.
public_headers=(client/lockstep.h)

included_headers() {  # included_headers FILE
  sed -nE 's|^[[:space:]]*#[[:space:]]*include "([^"]+)".*|\1|p' "$1"
}

declare -A seen=()
queue=("${public_headers[@]}")
while ((${#queue[@]} > 0)); do
  header="${queue[0]}"
  queue=("${queue[@]:1}")
  # System headers in quotes (absl/..., gtest/...) are not ours.
  if [[ -n "${seen[$header]:-}" || ! -f "$header" ]]; then
    continue
  fi
  seen["$header"]=1
  mapfile -t more < <(included_headers "$header")
  queue+=("${more[@]}")
done

install -d "$prefix/bin" "$prefix/lib/pkgconfig" "$prefix/include"
rm -rf "$prefix/include/lockstep"
for header in "${!seen[@]}"; do
  install -D -m 644 "$header" "$prefix/include/lockstep/$header"
done
# `#include "client/x.h"` -> `#include "lockstep/client/x.h"`: one search path,
# and no clash with a program's own folders.
find "$prefix/include/lockstep" -name '*.h' -exec sed -i -E \
  's|^([[:space:]]*#[[:space:]]*include ")((client\|runtime\|proto)/)|\1lockstep/\2|' {} +
for header in "${public_headers[@]}"; do
  printf '#include "lockstep/%s"\n' "$header" \
    >"$prefix/include/lockstep/$(basename "$header")"
done

install -m 755 client/cli/lockstep "$prefix/bin/lockstep"
install -m 755 deploy/liblockstep.so "$prefix/lib/liblockstep.so"
version="$(client/cli/lockstep --version)"
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" deploy/lockstep.pc.in \
  >"$prefix/lib/pkgconfig/lockstep.pc"
echo "installed lockstep $version in $prefix: ${#seen[@]} headers," \
  "lib/liblockstep.so, bin/lockstep"
