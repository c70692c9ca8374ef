#!/bin/sh
# regions.sh - a pipeline that names its parts: resource-tracker -- ./regions.sh
: "${TRACKER_PROGRAM:=resource-tracker}"

"$TRACKER_PROGRAM" region begin "load data"
seq 200000 > "${TMPDIR:-/tmp}/regions.$$"
"$TRACKER_PROGRAM" region end "load data"

# One line does the same, at the time at which it is read.
echo "begin sort" 2>/dev/null >> "${RESOURCE_TRACKER_REGIONS:-/dev/null}" || :
sort "${TMPDIR:-/tmp}/regions.$$" | tail -n 1
echo "end sort" 2>/dev/null >> "${RESOURCE_TRACKER_REGIONS:-/dev/null}" || :

"$TRACKER_PROGRAM" region value lines 200000
rm -f "${TMPDIR:-/tmp}/regions.$$"
