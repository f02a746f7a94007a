#!/bin/sh
# Runs a command in a network of its own: loopback only, with the lab's addresses on it and its DNS server as the only one.
# By hand: test/support/lab/enter.sh node some-script.ts
set -eu

if [ "${BINDERY_LAB:-}" != entered ]; then
  # Without root, a user namespace in which we are root will do where the kernel allows it.
  as_root=''
  [ "$(id -u)" = 0 ] || as_root='--user --map-root-user'
  BINDERY_LAB=entered exec unshare $as_root --mount --net "$0" "$@"
fi

here=$(dirname "$0")
mount --bind "$here/resolv.conf" "$(readlink -f /etc/resolv.conf)"
# Some systems ask a resolver over a socket, which leads out of the namespace.
[ ! -e /etc/nsswitch.conf ] || mount --bind "$here/nsswitch.conf" /etc/nsswitch.conf

ip link set lo up
while read -r address; do
  ip address add "$address/32" dev lo
done < "$here/addresses"

unset BINDERY_LAB
exec "$@"
