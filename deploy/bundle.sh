#!/usr/bin/env bash
# One archive to unpack anywhere, without root: the program, the library with
# its headers, the shared libraries that a bare machine lacks, examples, and
# gpu_check.sh with what it runs.
#   bazel run //deploy:bundle -- ARCHIVE.tar.xz
# It takes minutes; BUNDLE_LEVEL, xz's, is 9 unless it is set (0: seconds).
# Where it is unpacked it needs glibc and libstdc++ of this machine's release or
# newer; CUDA's libraries are found there, not brought. Runs in its runfiles:
# everything it copies lies below the working directory.
set -euo pipefail

if (($# != 1)) || [[ "$1" != /*.tar.xz ]]; then
  echo "usage: bazel run //deploy:bundle -- ARCHIVE.tar.xz (an absolute path)" >&2
  exit 2
fi
archive="$1"
for tool in gcc g++ patchelf pkg-config readelf strip xz; do
  if ! command -v "$tool" >/dev/null; then
    echo "bundle: no $tool; deploy/setup.sh installs it" >&2
    exit 1
  fi
done

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
root="$work/$(basename "$archive" .tar.xz)"
deploy/install "$root" >/dev/null
chmod -R u+w "$root"

# The examples as people build them, against the library.
install -d "$root/examples" "$root/checks"
cp -L client/examples/*.cc client/examples/*.h client/examples/*.mlir \
  "$root/examples"
cp -rL client/examples/data "$root/examples"
export PKG_CONFIG_PATH="$root/lib/pkgconfig"
build_example() {  # build_example NAME SOURCES...
  local name="$1"
  shift
  # shellcheck disable=SC2046  # flags are words
  g++ -O1 -I. "$@" -o "$root/bin/lockstep-$name" \
    $(pkg-config --cflags --libs lockstep) -lz
}
build_example psum client/examples/psum.cc
build_example digits client/examples/digits.cc \
  client/examples/digits_{batches,data,model,training}.cc \
  client/examples/progress_bar.cc
# shellcheck disable=SC2016  # for pkg-config, which moves with it
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' \
  "$root/lib/pkgconfig/lockstep.pc"

install -m 755 deploy/gpu_check.sh "$root"
for file in tests/conformance/cuda_backend/cuda_test \
  tests/conformance/backend/cpu_differential_test \
  tests/property/cpu_programs_test tests/multihost/faults_test \
  tests/multihost/rejoin_test tests/multihost/global_view_stream_test \
  tests/benchmark/program_benchmark; do
  install -m 755 "$file" "$root/checks"
done
install -m 644 tests/benchmark/transformer_step.py "$root/checks"
cp -L LICENSE README.md "$root"

# The C library and the compiler's belong to the machine: other libraries that
# it loads (drivers, plugins of NCCL) want those that are there.
is_of_the_machine() {  # is_of_the_machine FILE_NAME
  [[ "$1" =~ ^(ld-linux.*|linux-vdso.*)$ ||
    "$1" =~ ^lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+)\.so ]]
}
declare -A stand_ins=([libz3.so.4]=1 [libxml2.so.2]=1)
collect() {  # collect ELF_FILE: what it needs comes into lib/
  local library path _
  while read -r library _ path _; do
    if [[ "$path" == not ]]; then
      echo "bundle: $1 needs $library, which is not here" >&2
      return 1
    fi
    if [[ "$path" != /* || -e "$root/lib/$library" ]] ||
      is_of_the_machine "$library"; then
      continue
    fi
    install -m 755 "$path" "$root/lib/$library"
  done < <(ldd "$1")
}
is_elf() { [[ "$(head -c 4 "$1" | tr -d '\0')" == $'\x7fELF' ]]; }
while read -r file; do
  if is_elf "$file"; then collect "$file"; fi
done < <(find "$root/bin" "$root/checks" "$root/lib" -type f -perm -u+x)
# UCX loads its transports from the folder `ucx` beside itself.
ucx="$(ldd client/cli/lockstep | awk '$1 == "libucs.so.0" { print $3 }')"
install -d "$root/lib/ucx"
for module in "$(dirname "$ucx")"/ucx/*.so.0; do
  install -m 755 "$module" "$root/lib/ucx"
  collect "$module"
done
llvm="$(find "$root/lib" -name 'libLLVM.so.*')"
for library in "${!stand_ins[@]}"; do
  deploy/stand_in "$llvm" "$root/lib/$library" "$work/$library"
  install -m 755 "$work/$library" "$root/lib/$library"
done
rm -f "$root"/lib/libicu*.so.*

while read -r file; do
  is_elf "$file" || continue
  strip --strip-unneeded "$file"
  # shellcheck disable=SC2016  # for the loader
  case "$file" in
    "$root"/lib/ucx/*) path='$ORIGIN/..' ;;
    "$root"/lib/*) path='$ORIGIN' ;;
    *) path='$ORIGIN/../lib' ;;
  esac
  # DT_RPATH: holds for what these libraries load in their turn, too.
  patchelf --force-rpath --set-rpath "$path" "$file"
done < <(find "$root/bin" "$root/checks" "$root/lib" -type f)
"$root/bin/lockstep" version

mkdir -p "$(dirname "$archive")"
tar -C "$work" --owner=0 --group=0 --sort=name -cf - "$(basename "$root")" |
  xz -T0 "-${BUNDLE_LEVEL:-9}" >"$archive.part"
mv "$archive.part" "$archive"
echo "$archive: $(($(stat -c %s "$archive") / 1000000)) MB," \
  "$(($(du -sb "$root" | cut -f1) / 1000000)) MB unpacked"
