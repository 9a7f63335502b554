#!/usr/bin/env bash
# Fails when a C++ target does not list in deps whose headers it includes, or lists
# others (dependency_rules.h), and when other targets are public than those of
# deploy/layers/README.md.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/bazel.sh
source deploy/bazel.sh

# By way of a file: a run would wait for the query that writes to its input.
targets="$(mktemp)"
trap 'rm -f "$targets"' EXIT
bazel query --ui_event_filters=-info --noshow_progress --output=xml //... \
  >"$targets"
bazel_ run --ui_event_filters=-info //deploy/checks:dependency_check -- \
  "$PWD" "$targets"

public="$(bazel query --ui_event_filters=-info --noshow_progress \
  'attr(visibility, "//visibility:public", //... except kind(config, //...))' |
  sort | tr '\n' ' ')"
expected="//client/cli:lockstep //client:lockstep //deploy:install "
if [[ "$public" != "$expected" ]]; then
  echo "public targets: expected $expected, found $public"
  exit 1
fi
