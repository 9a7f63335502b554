#!/usr/bin/env bash
# with_delays.sh LIBRARY TEST: runs TEST with LIBRARY in all its processes.
set -euo pipefail

LD_PRELOAD="$PWD/$1" exec "$2"
