#!/bin/sh
# Installs what surefoot needs and says what it did.
#   setup.sh install PYTHON VENV   make VENV and install the locked packages into it
#   setup.sh browser PYTHON VENV   find a Chromium, or install one
set -eu

step=$1 python=$2 venv=$3
say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo -n "$@"
  else return 1; fi
}

apt_install() {
  command -v apt-get >/dev/null || return 1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

install() {
  command -v "$python" >/dev/null || apt_install python3 ||
    fail "no $python found; install Python 3.11 or newer"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old; surefoot needs 3.11 or newer (make PYTHON=python3.12 ...)"
  if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$venv"
    if ! "$python" -m venv "$venv" >/dev/null 2>&1; then
      say "python3-venv is missing; installing it"
      rm -rf "$venv"
      apt_install python3-venv || fail "cannot make a virtual environment; install python3-venv"
      "$python" -m venv "$venv"
    fi
    say "made $venv with $("$venv/bin/python" --version)"
  fi
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
  say "installed surefoot and its locked packages into $venv"
}

browser_here() {
  "$venv/bin/python" -c \
    'from surefoot.drivers.web.connect.find import find_browser; print(find_browser().path)' 2>/dev/null
}

browser() {
  found=$(browser_here) && { say "using $found"; return; }
  say "no Chromium found; installing one"
  if apt_install chromium-headless-shell || apt_install chromium; then :
  else "$venv/bin/playwright" install chromium >/dev/null || true; fi
  found=$(browser_here) ||
    fail "could not install a Chromium; install the package chromium, or set SUREFOOT_BROWSER to one"
  say "installed $found"
}

"$step"
