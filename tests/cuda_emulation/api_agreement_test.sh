#!/bin/bash
# Compares runtime/cuda/*_api.h with the headers of CUDA's toolkit, where they are.
set -eu

# Prints a static_assert for each enumerator of a header.
assertions() {
  sed -n 's/^  \([A-Za-z][A-Za-z0-9_]*\) = [0-9]*,$/static_assert(static_cast<int>(own::\1) == static_cast<int>(::\1));/p' \
    "$@"
}

for folder in /usr/local/cuda/include /usr/include /usr/local/include; do
  if [[ -f "$folder/cuda.h" && -f "$folder/nvrtc.h" ]]; then
    assertions runtime/cuda/driver_api.h runtime/cuda/nvrtc_api.h \
      > "$TEST_TMPDIR/values.inc"
    assertions runtime/cuda/cublas_lt_api.h \
      > "$TEST_TMPDIR/cublas_lt_values.inc"
    assertions runtime/cuda/nccl_api.h > "$TEST_TMPDIR/nccl_values.inc"
    [[ "$(wc -l < "$TEST_TMPDIR/values.inc")" -gt 40 ]]
    exec c++ -std=c++20 -fsyntax-only -I. -I"$TEST_TMPDIR" -isystem "$folder" \
      tests/cuda_emulation/api_agreement.cc
  fi
done
echo "skipped: no cuda.h and nvrtc.h"
