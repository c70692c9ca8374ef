#!/bin/sh
# clouds.sh PYTHON VENDOR MANNER LOG COMMAND... - runs COMMAND where only clouds.py answers.  It must be started in a network
# namespace of its own, by unshare -n.  The last line on stderr is how many packets its interface has carried.
set -eu
python=$1 vendor=$2 manner=$3 log=$4
shift 4
# A namespace that was just made has its loopback alone, and that is down.
[ "$(awk 'NR > 2 && $1 != "lo:" && $1 !~ /^(sit|tunl|ip6tnl|gre|erspan|ip_vti|ip6_vti|ip6gre|gretap)/' /proc/net/dev | wc -l)" = 0 ]
ip link set lo up
for address in 169.254.169.254 100.100.100.200; do
	ip addr add "$address/32" dev lo
done
if [ "$vendor" != nobody ]; then
	mkfifo "$log.in" "$log.out"
	"$python" "$(dirname "$0")/clouds.py" "$vendor" "$manner" "$log" <"$log.in" >"$log.out" &
	renice -n -20 -p $! >/dev/null 2>&1 || :        # the time of its answers is what is looked at
	exec 9>"$log.in"
	read -r ready <"$log.out" && [ "$ready" = ready ]
fi
status=0
"$@" 9>&- || status=$?
awk '$1 == "lo:" { print "packets", $11 }' /proc/net/dev >&2
exec 9>&- || :
wait
exit "$status"
