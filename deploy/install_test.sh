#!/usr/bin/env bash
# Programs build against an installed lockstep with a compiler and pkg-config
# alone, without warnings, with g++ and with clang, old and new, and print what
# they should and nothing else.
set -euo pipefail

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
deploy/install "$work/prefix"
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
flags="-Wall -Wextra -Werror"

# build NAME: $work/NAME.cc with all compilers; g++ makes the program.
build() {
  # shellcheck disable=SC2046,SC2086  # flags are words
  g++ $flags "$work/$1.cc" -o "$work/$1" $(pkg-config --cflags --libs lockstep)
  local clang
  for clang in clang++-14 clang++-19; do
    # shellcheck disable=SC2046,SC2086
    $clang $flags -fsyntax-only "$work/$1.cc" $(pkg-config --cflags lockstep)
  done
}

# prints NAME: its standard output must be standard input, up to the last line's
# end.
prints() {
  diff <(cat) <(echo "$("$work/$1")")
}

# The example of the README.
awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md \
  >"$work/readme.cc"
grep -q Embedded "$work/readme.cc"
build readme
prints readme <<'OUTPUT'
[28. 29. 30. 31. 32. 33. 34. 35.]
[[ 3.  2.]
 [ 7.  4.]
 [11.  6.]
 [15.  8.]]
OUTPUT

cp deploy/public_api.cc "$work"
build public_api
prints public_api <<'OUTPUT'
2 devices: [4. 5.]
[2. 4.] [4. 5.]
[0 1 2 3] NamedSharding(mesh=Mesh('x': 2, 'y': 1), spec=PartitionSpec(('x', 'y'),)) [[0 1 2 3]]
Array(shape=(4,), dtype=int64, sharding=NamedSharding(mesh=Mesh('x': 2, 'y': 1), spec=PartitionSpec(('x', 'y'),)))
  device 0, here: (0:2), replica 0
  device 1, here: (2:4), replica 0
┌───────┬───────┐
│ CPU 0 │ CPU 1 │
└───────┴───────┘
a string [[1 2]] [3]
Mesh('data': 1, 'model': 2) shard 0 of 1
PartitionSpec(None, 'model')
NamedSharding(mesh=Mesh('data': 1, 'model': 2), spec=PartitionSpec('model',))
[1. 2.] 1
a c of 3
PyTreeDef((weight=*, bias=None)) 1 [1. 4.]
[1. 2.] [1. 2.]
Mesh('data': 2, 'model': 4) [1. 2.]
[2.5 8. ] [2. 0.] [False False]
1 live host, 2 devices
saves at step 0: yes
2 devices: [4. 5.]
[87. 86.]
[[ 0.  2.  4.]
 [ 6.  8. 10.]]
OUTPUT

"$work/prefix/bin/lockstep" version
