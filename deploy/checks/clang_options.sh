# shellcheck shell=bash disable=SC2034  # who sources this uses its variables
# Sourced by the checks that have clang read sources: `clang_options` is how it
# finds what they include, after a build, whose generated headers it reads.
# Expects the working directory to be the checkout's root.

clang_options=(
  -std=c++20 -I. -Ibazel-bin -Ibazel-bin/proto
  -isystem "$(llvm-config-19 --includedir 2>/dev/null ||
    echo /usr/lib/llvm-19/include)"
  -Wno-everything
)
# What clang cannot read: it includes headers that come with gcc alone (OpenMP,
# sanitizers), or with CUDA's toolkit, or shuffles vectors as gcc does.
clang_excludes=(
  ':!deploy/system' ':!*/onednn_thread.cc'
  ':!*/cpu_kernel_benchmark.cc' ':!*/numeric_benchmark.cc'
  ':!*/lane_copy.cc' ':!*/transpose_thunk.cc'
  ':!tests/cuda_emulation/api_agreement.cc'
)
