#!/usr/bin/env bash
# Installs the packages of deploy/packages.txt that are missing. Debian 12, as
# root; does nothing (and needs no root, no network) when all are there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"

missing_packages() {
  local package
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' packages.txt |
    while read -r package; do
      dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null |
        grep -q '^ii' || echo "$package"
    done
}

if ! command -v dpkg-query >/dev/null; then
  echo "deploy/setup.sh: this is no Debian system; install what" \
    "deploy/packages.txt names, and start again" >&2
  exit 1
fi

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} == 0)); then
  exit 0
fi

echo "installing: ${missing[*]}"
if (($(id -u) != 0)); then
  echo "deploy/setup.sh: these packages are missing, and only root can" \
    "install them" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends "${missing[@]}"
