#!/usr/bin/env bash
# stand_in.sh LIBRARY NEEDED OUT: a small library in the place of NEEDED, for
# LIBRARY, which names functions of it that are never called: they end the
# process. LLVM names the solver Z3 and libxml2, which the generation of code
# does not use and which, with what they need in turn, are 80 MB.
set -euo pipefail
export LC_ALL=C

library="$1" needed="$2" out="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

symbols() {  # symbols FILE: "name" or "name@VERSION", and where it is
  readelf -W --dyn-syms "$1" | awk '$5 != "LOCAL" && $8 != "" { print $7, $8 }' |
    sed 's/@@/@/'
}
comm -12 <(symbols "$library" | sed -n 's/^UND //p' | sort -u) \
  <(symbols "$needed" | sed -n '/^UND/!s/^[^ ]* //p' | sort -u) >"$work/taken"

{
  echo '#include <stdlib.h>'
  sed -e 's/@.*//' -e 's/.*/void &(void) { abort(); }/' "$work/taken"
} >"$work/stand_in.c"
sed -n 's/.*@//p' "$work/taken" | sort -u | while read -r version; do
  echo "$version { global:"
  sed -n "s/@$version\$/;/p" "$work/taken"
  echo "};"
done >"$work/versions"
flags=()
[[ ! -s "$work/versions" ]] || flags=("-Wl,--version-script=$work/versions")
gcc -shared -fPIC -O1 -fno-builtin -w -o "$out" "$work/stand_in.c" \
  -Wl,-soname,"$(basename "$out")" "${flags[@]}"
