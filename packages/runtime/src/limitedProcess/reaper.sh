# Outlives the worker that started it, and then kills what that had started:
#
#     sh reaper.sh <perl> <endUser.pl> <its first number> <entry>...
#
# Has the list from its arguments, and reads lines from the worker until it is gone: `+<entry>` when a process group is there, `-<entry>` when it is
# not any more. An entry is <group>:<start>:<user>: <start> is that of its first process in /proc, or empty; <user> is the number of a user that only
# this group has, or empty.
trap '' HUP INT TERM
perl=$1 script=$2 first=$3
shift 3
listed=" $* "
while read -r line; do
  entry=${line#?}
  case $line in
    +*) listed="$listed$entry " ;;
    -*) case $listed in *" $entry "*) listed="${listed%%" $entry "*} ${listed#*" $entry "}" ;; esac ;;
  esac
done

# Sets `started` of process $1. A name may hold anything, also the end of a line.
find_start() {
  last=
  while read -r part || [ -n "$part" ]; do last=$part; done <"/proc/$1/stat" || return 1
  set -- ${last##*) }
  started=${20}
}

for entry in $listed; do
  group=${entry%%:*}
  user=${entry##*:}
  start=${entry#*:}
  start=${start%:*}
  # As long as anything of the group is there, its number is given to no other process. Another one has it: the group is gone. It may still be one
  # of the same user, which took the number over.
  if [ -z "$start" ] || [ ! -e "/proc/$group/stat" ] || ! find_start "$group" || [ "$started" = "$start" ]; then kill -KILL "-$group"; fi
  if [ -n "$user" ]; then "$perl" "$script" "$first" "$user"; fi
done
