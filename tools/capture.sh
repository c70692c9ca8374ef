#!/bin/sh
# capture.sh DIR [PID...] - copies the files that the tracker reads on this machine into DIR, as a test's frame.
#
#   tools/capture.sh tests/fixtures/my-machine/0; sleep 1; tools/capture.sh tests/fixtures/my-machine/1
#
# Only files named in this script are copied.  Host name, serial numbers, hardware addresses, servers of
# network filesystems, names of programs and command lines are masked.  With PIDs also the files of these
# processes in /proc.  Nothing is sent anywhere: look through DIR before you pass it on.
# CAPTURE_ROOT=/host captures another root, such as a host's seen from a container.
set -eu
export LC_ALL=C

case ${1-} in
''|-*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2 ;;
esac
out=$1
shift
root=${CAPTURE_ROOT:-}
if [ -d "$out" ] && [ -n "$(ls -A "$out")" ]; then
	echo "capture.sh: $out is not empty" >&2
	exit 1
fi
mkdir -p "$out"

# Domains and user names often contain the host name, so it is replaced wherever it occurs.
host=$(cat "$root/proc/sys/kernel/hostname" 2>/dev/null || uname -n)
host=${host%%.*}
# Short names, and those that are ordinary words of a kernel's texts, would damage these texts.
case $host in
?|??|???|cpu*|disk*|docker|host|kernel|linux|localhost|memory|proc|root|system|user) host= ;;
esac
escaped=$(printf '%s' "$host" | sed 's/[^A-Za-z0-9_-]/\\&/g')

without_host() { if [ -n "$escaped" ]; then sed "s/$escaped/host/g"; else cat; fi; }

# Files that say "not here" or "not now" when read are left out, like absent ones.
put()                   # put PATH [FILTER...]: one file, through a filter
{
	copied=$root/$1
	target=$out/$(printf '%s\n' "$1" | without_host)
	shift
	[ -f "$copied" ] && [ -r "$copied" ] || return 0
	mkdir -p "${target%/*}"
	[ $# -gt 0 ] || set -- cat
	if cat "$copied" > "$target.raw" 2>/dev/null; then
		"$@" < "$target.raw" | without_host > "$target"
	fi
	rm -f "$target.raw"
}

link()                  # link PATH: a symbolic link, as it is
{
	[ -L "$root/$1" ] || return 0
	mkdir -p "$out/${1%/*}"
	ln -s "$(readlink "$root/$1")" "$out/$1"
}

# Letters and digits only: parsers depend on the characters around them.
masked() { sed 's/[0-9]/0/g; s/[A-Za-z]/x/g'; }
masked_bytes() { tr 'A-Za-z0-9' 'x'; }
masked_name() { sed 's/[A-Za-z]/x/g'; }
# 17 (name of the program) S 1 ...
masked_stat() { awk '{ a = index($0, "("); b = length($0); while (b > a && substr($0, b, 1) != ")") b--
	name = substr($0, a + 1, b - a - 1); gsub(/[A-Za-z]/, "x", name)
	print substr($0, 1, a) name substr($0, b) }'; }
masked_status() { awk '/^Name:/ { sub(/^Name:\t/, ""); gsub(/[A-Za-z]/, "x"); $0 = "Name:\t" $0 } { print }'; }
masked_cpuinfo() { sed -E '/^(Serial|system UUID)/Is/:.*/: 0/'; }
# server:/export, [::1]:/export and //server/share become server:/export.
masked_mounts() { sed -E 's!(^| )(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9_][A-Za-z0-9._-]*):/[^ ]*!\1server:/export!g
	s!(^| )//[^ ]+!\1server:/export!g
	s!(username|user|domain|addr|clientaddr|mountaddr)=[^, ]*!\1=x!g'; }

processors_and_memory()
{
	for file in stat loadavg uptime meminfo vmstat swaps; do
		put "proc/$file"
	done
	put proc/cpuinfo masked_cpuinfo
	for file in cpu memory io; do
		put "proc/pressure/$file"
	done
}

disks()
{
	put proc/diskstats
	put proc/self/mountinfo masked_mounts
	put proc/mounts masked_mounts
	[ ! -L "$root/proc/mounts" ] || put proc/self/mounts masked_mounts
	for disk in "$root"/sys/block/*; do
		# There are dozens of loop and RAM disks, most of them empty.
		[ "$(cat "$disk/size" 2>/dev/null || echo 0)" != 0 ] || continue
		block=sys/block/${disk##*/}
		for file in size ro removable hidden dev queue/rotational queue/hw_sector_size \
			queue/logical_block_size dm/name md/level device/model device/vendor; do
			put "$block/$file"
		done
		put "$block/dm/uuid" masked
		put "$block/serial" masked
		put "$block/device/serial" masked
		put "$block/device/wwid" masked
		for lower in "$disk"/slaves/*; do
			link "$block/slaves/${lower##*/}"
		done
		for part in "$disk"/"${disk##*/}"*; do
			for file in partition dev size start; do
				put "$block/${part##*/}/$file"
			done
		done
	done
}

networks()
{
	put proc/net/dev
	put proc/self/net/dev
	for interface in "$root"/sys/class/net/*; do
		[ -d "$interface" ] || continue
		net=sys/class/net/${interface##*/}
		for file in operstate speed mtu type flags ifindex iflink tun_flags uevent bonding/slaves bridge/stp_state; do
			put "$net/$file"
		done
		put "$net/address" sed 's/[0-9A-Fa-f]/0/g'
		link "$net/master"
		link "$net/device/driver"
		for lower in "$interface"/lower_*; do
			link "$net/${lower##*/}"
		done
	done
}

gpus()
{
	for driver in nvidia nouveau amdgpu i915 xe; do
		for device in "$root/sys/bus/pci/drivers/$driver"/*:*; do
			link "sys/bus/pci/drivers/$driver/${device##*/}"
		done
	done
	put proc/driver/nvidia/version
}

group_files()           # group_files DIRECTORY: of one control group
{
	for file in cgroup.controllers cpu.stat cpu.max cpu.pressure memory.current memory.peak memory.max \
		memory.high memory.events memory.events.local memory.pressure io.pressure pids.current pids.max pids.events \
		cpuacct.usage cpuacct.stat cpu.cfs_quota_us cpu.cfs_period_us memory.usage_in_bytes \
		memory.max_usage_in_bytes memory.limit_in_bytes memory.failcnt memory.oom_control; do
		put "$1/$file"
	done
}

# Each group that /proc/PID/cgroup names, and those above it, below each mount of its hierarchy.
groups()                # groups PID
{
	awk 'FNR == 1 { file++ }
	file == 1 { a = index($0, ":"); rest = substr($0, a + 1); b = index(rest, ":")
		n = split(substr(rest, 1, b - 1), name, ","); path = substr(rest, b + 1)
		if (n == 0) of["cgroup2"] = path
		for (i = 1; i <= n; i++) of[name[i]] = path
		next }
	{ for (i = 7; i <= NF && $i != "-"; i++);
	  if ($(i + 1) == "cgroup2") key = "cgroup2"
	  else if ($(i + 1) == "cgroup") { key = ""; n = split($(i + 3), name, ",")
		for (j = 1; j <= n; j++) if (name[j] in of && name[j] ~ /^(cpu|cpuacct|memory|pids)$/) key = name[j] }
	  else next
	  if (!(key in of)) next
	  path = of[key]; top = $4 == "/" ? "" : $4
	  if (index(path "/", top "/") == 1) path = substr(path, length(top) + 1)
	  print $5 " " (path == "/" ? "" : path) }' "$root/proc/$1/cgroup" "$root/proc/self/mountinfo" |
	while read -r mount path; do
		mount=${mount#/}
		while :; do
			group_files "$mount$path"
			[ -n "$path" ] || break
			path=${path%/*}
		done
	done
}

process()               # process PID
{
	put "proc/$1/stat" masked_stat
	put "proc/$1/status" masked_status
	put "proc/$1/comm" masked_name
	put "proc/$1/cmdline" masked_bytes
	for file in statm io schedstat smaps_rollup cgroup; do
		put "proc/$1/$file"
	done
	for thread in "$root/proc/$1"/task/*; do
		[ -d "$thread" ] || continue
		put "proc/$1/task/${thread##*/}/children"
	done
}

processors_and_memory
disks
networks
gpus
put proc/self/cgroup
[ ! -r "$root/proc/self/cgroup" ] || groups self
for pid in "$@"; do
	process "$pid"
	[ ! -r "$root/proc/$pid/cgroup" ] || groups "$pid"
done
