#!/bin/sh
# Prints the path of a Python of a version such as 3.12 (or the path that is given): on the path, pyenv's, or fetched by uv.
set -eu
version=$1
uv=$2
case $version in */*) echo "$version"; exit ;; esac
for candidate in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/"python$version"; do
  found=$(command -v "$candidate") && "$found" -c 'import venv' 2>/dev/null && { echo "$found"; exit; }
done
"$uv" python install -q --install-dir "$(pwd)/.make/pythons" "$version" >/dev/null 2>&1 || {
  echo "Python $version is not on this machine and cannot be fetched: install it, name it with PYTHONS=/path/to/python$version," \
    "or leave it out with PYTHONS=." >&2
  exit 1
}
echo "$(pwd)"/.make/pythons/cpython-"$version".*/bin/"python$version"
