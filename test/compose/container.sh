#!/bin/sh
# Runs a command as the first process of a container, in the namespaces that its caller made.
# Usage: container.sh HOSTS TMPFS_OPTIONS DATA_FOLDER|- LIMITS_FOLDERS|- PRIVILEGES... -- COMMAND...
# PRIVILEGES are options of setpriv. The project is at /mnt, the data folder at /srv.
set -eu
hosts=$1 temporary=$2 data=$3 groups=$4
shift 4

mount --make-rprivate /
mount --bind "$PROJECT" /mnt
[ "$data" = - ] || mount --bind "$data" /srv
mount --bind "$hosts" /etc/hosts
# Joined before they are read-only.
[ "$groups" = - ] || for group in $groups; do echo $$ > "$group/cgroup.procs"; done
mount -t tmpfs -o "$temporary" tmpfs /tmp
mount -t proc proc /proc
mount -o remount,bind,ro /
mount -o remount,bind,ro /mnt
cd /mnt
unset PROJECT

# As an init process: passes on SIGTERM, and waits for its end.
setpriv "$@" &
child=$!
trap 'kill -TERM "$child" 2>/dev/null || true' TERM
code=0
wait "$child" || code=$?
while kill -0 "$child" 2>/dev/null; do code=0; wait "$child" || code=$?; done
exit "$code"
