#!/usr/bin/env bash
# on_fake_platform.sh TEST: runs TEST with executables on the platform "fake".
# What malloc gives is not zero there: copies of a thunk's buffers hold only what
# it says that it reads.
set -euo pipefail

LOCKSTEP_TEST_PLATFORM=fake MALLOC_PERTURB_=165 exec "$1"
