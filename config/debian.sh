#!/bin/sh
# Installs the named Debian packages that are missing. Root: at once. Otherwise it says what it needs and asks first.
set -eu
missing=""
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "These are needed and this is no Debian system; please install them yourself:$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1 || [ ! -t 0 ]; then
    echo "Debian packages are missing. As root run: apt-get install$missing" >&2
    exit 1
  fi
  printf 'Debian packages are missing:%s. Install them with sudo? [y/N] ' "$missing"
  read -r answer
  case "$answer" in y|Y|yes) as_root=sudo ;; *) echo "Not installed. Run: sudo apt-get install$missing" >&2; exit 1 ;; esac
fi
echo "== installing Debian packages:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
