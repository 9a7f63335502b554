#!/usr/bin/env bash
# in_namespaces.sh TEST: runs TEST with coordinator and hosts in network
# namespaces, joined by a bridge and a router.
set -euo pipefail

LOCKSTEP_TEST_NETWORK=namespaces exec "$1"
