#!/bin/sh
# verify_matrix.sh RUNS FOLDER [BUILD] - `verify` in all its surroundings, RUNS times in a row; takes hours.
#
#   quiet or beside 8 busy processes; root or uid 65534; a sample every 0.1 or 1 s; perf allowed, refused, or one ring
#
# A cell that FOLDER/results has is not run again, so that an interrupted matrix goes on where it stopped.  A cell ends at its
# first broken bound; FOLDER/CELL.N.json is what each run said.  BUILD (build/release) holds the programs.
set -eu
runs=${1:?usage: verify_matrix.sh RUNS FOLDER [BUILD]} folder=${2:?usage: verify_matrix.sh RUNS FOLDER [BUILD]}
build=$(realpath "${3:-$(dirname "$0")/../build/release}")
mkdir -p "$folder"
touch "$folder/results"

# The other user must be able to reach the programs and to write.
place=$(mktemp -d /var/tmp/verify-matrix-XXXXXX)
trap 'rm -rf "$place"' EXIT
chmod 1777 "$place"
cp "$build/resource-tracker" "$build/resource-tracker-verify" "$place/"

cell()                  # cell NAME BUSY USER INTERVAL OPTION...
{
	name=$1 busy=$2 user=$3 interval=$4
	shift 4
	grep -q "^$name " "$folder/results" && return
	as=
	[ "$user" = "$(id -u)" ] || as="setpriv --reuid $user --regid $user --clear-groups"
	n=0 status=0 began=$(date +%s)
	while [ $n -lt "$runs" ] && [ $status = 0 ]; do
		n=$((n + 1))
		# shellcheck disable=SC2086    # no other user: no word
		TMPDIR=$place $as "$place/resource-tracker-verify" --json --busy "$busy" -i "$interval" "$@" \
			>"$folder/$name.$n.json" 2>"$folder/$name.$n.log" || status=$?
	done
	echo "$name runs $n status $status seconds $(($(date +%s) - began))" >>"$folder/results"
}

users=$(id -u)
[ "$users" != 0 ] || users='0 65534'
for busy in 0 8; do
	for user in $users; do
		for interval in 0.1 1; do
			cell "busy$busy-uid$user-$interval-perf" "$busy" "$user" "$interval"
			cell "busy$busy-uid$user-$interval-refused" "$busy" "$user" "$interval" --without-perf
			cell "busy$busy-uid$user-$interval-onering" "$busy" "$user" "$interval" --perf-cpus 1
		done
	done
done
cat "$folder/results"
! grep -qv ' status 0 ' "$folder/results"
