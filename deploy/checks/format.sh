#!/usr/bin/env bash
# Fails when a tracked C++ file is not formatted as .clang-format says.
# `format.sh --fix` formats instead.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mode=(--dry-run --Werror)
if [[ "${1:-}" == --fix ]]; then
  mode=(-i)
fi
git ls-files -z -- '*.cc' '*.h' |
  xargs -0 -r -n 32 -P "$(nproc)" clang-format-19 "${mode[@]}"
