#!/usr/bin/env bash
# daemons_on_fake_platform.sh TEST: runs TEST with workers whose devices are
# those of the platform "fake".
set -euo pipefail

export LOCKSTEP_TEST_BINARY=tests/conformance/fake_platform/lockstep
export LOCKSTEP_BINARY="$PWD/$LOCKSTEP_TEST_BINARY"
# Freed memory is overwritten, by the malloc of the test and by the daemons'.
export LOCKSTEP_PLATFORM=fake MALLOC_PERTURB_=165 MALLOC_CONF=junk:true
exec "$1"
