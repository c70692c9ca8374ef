#!/bin/sh
# check.sh - every test: plain, with AddressSanitizer and UBSan, and the fuzzers for FUZZ_SECONDS in all; and a build
# of the recorder with the system's libc, without a sanitizer, which must run.
#
# Goes on after a failure, so that one run shows every failure; the last line has the total.  ENGINES=no leaves out what
# needs a browser, a server, a scheduler or MPI (label `engine`), and what is built and installed as packages.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
jobs=${JOBS:-2}
without=
[ "${ENGINES:-yes}" = yes ] || without='-LE ^(engine|package)$'
passed=0 failed=0

count()                 # count PATTERN-FILE: adds ctest's or fuzz.sh's closing line to the sums
{
	p=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\2 \1/p
		s/^fuzz targets: \([0-9]*\) passed, \([0-9]*\) failed$/+\1 \2/p' "$1" | tail -n 1)
	case $p in
	+*) p=${p#+}; passed=$((passed + ${p% *})) failed=$((failed + ${p#* })) ;;
	?*) passed=$((passed + ${p% *} - ${p#* })) failed=$((failed + ${p#* })) ;;
	*) failed=$((failed + 1)) ;;    # no closing line: it ended before
	esac
}

tests()                 # tests PRESET
{
	cmake --preset "$1"
	cmake --build --preset "$1" -j "$jobs"
	# shellcheck disable=SC2086 # an option and its value, or neither
	{ ctest --preset "$1" $without || :; } 2>&1 | tee "build/check-$1.log"
	count "build/check-$1.log"
}

libc()                  # one test: the recorder linked with libc instead of musl, and with nothing else
{
	if cmake --preset libc && cmake --build --preset libc -j "$jobs" --target resource-tracker resource-tracker-gpu &&
		build/libc/resource-tracker --quiet --record none -- true &&
		! readelf -d build/libc/resource-tracker | grep 'NEEDED.*libm'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

tests dev
libc
tests asan
{ tools/fuzz.sh "${FUZZ_SECONDS:-60}" || :; } 2>&1 | tee build/check-fuzz.log
count build/check-fuzz.log

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
