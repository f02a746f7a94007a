#!/bin/sh
# Installs the npm packages if they are missing or out of date, then runs a project script under Node 24:
#
#     sh scripts/bootstrap.sh <script, from the project's folder> [arguments...]
#
# The required Node is one of the packages (node_modules/.bin/node); the Node outside only has to run npm.
# Ends in `exec`: the script replaces this process and receives its signals.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
modules="$root/node_modules"
mark="$modules/.bindery-lock"
lock="$root/.bindery/install.lock"

say() { printf 'bootstrap: %s\n' "$*" >&2; }
stop() { say "$@"; exit 1; }

[ $# -gt 0 ] || stop 'usage: sh scripts/bootstrap.sh <script> [arguments...]'

lockfile_hash() {
  if command -v sha256sum >/dev/null 2>&1; then sum=$(sha256sum <"$root/package-lock.json")
  else sum=$(shasum -a 256 <"$root/package-lock.json"); fi
  printf '%s' "${sum%% *}"
}

# Sets `node`: the one in the packages, else an installed one that runs TypeScript natively (without install
# scripts, npm adds none to the packages).
find_node() {
  for node in "$modules/.bin/node" node; do
    case $("$node" --version 2>/dev/null) in
      v22.19.* | v22.2[0-9].* | v2[4-9].* | v[3-9][0-9].*) return 0 ;;
    esac
  done
  return 1
}

# The mark contains the hash of the installed lockfile, or "installing" while an installation runs.
is_installed() { [ -f "$mark" ] && [ "$(cat "$mark")" = "$(lockfile_hash)" ] && find_node; }

# The lock is a symbolic link to its owner's process id, because a link is created together with its content.
take_lock() {
  mkdir -p "$root/.bindery"
  waited=0
  until ln -s "$$" "$lock" 2>/dev/null; do
    owner=$(readlink "$lock") || continue
    if kill -0 "$owner" 2>/dev/null || ! ln -s "$$" "$lock.takeover" 2>/dev/null; then
      [ $waited -gt 0 ] || say "another installation is running (process $owner); waiting for it"
      waited=$((waited + 1))
      [ $waited -lt 900 ] || stop "waited 15 minutes; if no npm is running here, remove $lock* and try again"
      sleep 1
    else
      # The owner died. Only the holder of the second lock removes the first one, after checking again,
      # because another process may have been faster.
      [ "$(readlink "$lock")" != "$owner" ] || rm "$lock"
      rm "$lock.takeover"
    fi
  done
  trap 'rm -f "$lock"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

install_packages() {
  [ -z "${BINDERY_NO_INSTALL:-}" ] || stop 'the npm packages are missing or out of date, and BINDERY_NO_INSTALL is set. Unset it and try again.'
  command -v npm >/dev/null 2>&1 || stop 'npm is not on PATH. Install Node.js 20 or later with npm, then try again.'
  say 'installing the npm packages of package-lock.json into node_modules (half a minute or so)'
  # npm takes a package for installed even if npm was killed while unpacking it; its own list is written last.
  if [ ! -f "$modules/.package-lock.json" ] || [ "$(cat "$mark" 2>/dev/null)" = installing ]; then
    rm -rf "$modules"/* "$modules"/.[!.]*
  fi
  mkdir -p "$modules"
  echo installing >"$mark"
  # Not `npm ci`, which refuses a lockfile without the optional packages of other platforms and always starts
  # with an empty folder.
  (cd "$root" && npm install --no-save --no-audit --no-fund --include=dev --loglevel=error </dev/null >&2) ||
    stop 'npm install failed; its messages are above. Check the network and the registry that npm is set to, then try again.'
  find_node || stop 'npm ran no install scripts, so there is no Node.js 24. Allow them (`npm config delete ignore-scripts`) or put Node.js 24 on PATH, then try again.'
  lockfile_hash >"$mark"
  say 'the npm packages are installed'
}

if ! is_installed; then
  take_lock
  is_installed || install_packages
  rm -f "$lock"
  trap - EXIT INT TERM HUP
fi

script="$root/$1"
shift
# Cache compiled code between starts: it reduces the load time of a process by a third.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/.bindery/cache/compiled}"
PATH="$modules/.bin:$PATH" exec "$node" "$script" "$@"
