#!/bin/sh
# matrix.sh [BUILD...] - builds that `make check` does not make, each with its fast tests; all of them without an argument.
#
#   clang     the other compiler, warnings are errors
#   libc      the system's libc in place of musl
#   minimal   without node, SQLite, cairo, scdoc and musl: unit tests, and that a run is recorded and read
#   tsan      ThreadSanitizer
#   arm64     cross-built for aarch64, run by qemu-user
#   debian11  the wheel with glibc 2.31, Python 3.9 and pytest 6
#
# The last line counts; what failed stands above it.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
passed=0 failed=0

count() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "matrix: FAILED: $*"; fi; }

tests()                 # tests PRESET [OPTION...]: builds it and runs its fast tests
{
	preset=$1
	shift
	cmake --preset "$preset" "$@" && cmake --build --preset "$preset" -j "$jobs" && $as_is ctest --preset "$preset"
}

# The sanitizer's shadow has fixed addresses, which a kernel with more bits of chance hands out to others.
as_is=
minimal()
{
	tests minimal || return
	program=build/minimal/resource-tracker
	$program --quiet --record build/minimal/record.jsonl -i 0.1 -- sleep 0.3 &&
		$program summary build/minimal/record.jsonl >/dev/null &&
		$program export build/minimal/record.jsonl --to csv -o build/minimal/record.csv &&
		! $program plot build/minimal/record.jsonl -o build/minimal/record.svg 2>/dev/null
}

arm64()
{
	cmake --preset arm64 && cmake --build --preset arm64 -j "$jobs" || return
	program=build/arm64/resource-tracker
	qemu-aarch64-static $program --version || return
	qemu-aarch64-static $program --quiet --record build/arm64/record.jsonl -i 0.1 -- sh -c 'sleep 0.3; exit 3' && return 1
	[ "$(qemu-aarch64-static $program -f csv -i 0.1 --samples 2 | wc -l)" = 3 ] || return
	qemu-aarch64-static build/arm64/resource-tracker-analysis summary build/arm64/record.jsonl | grep -q 'exit 3'
}

debian11()
{
	cmake --preset static && cmake --build --preset static -j "$jobs" && tools/debian11.sh build/static
}

[ $# -gt 0 ] || set -- clang libc minimal tsan arm64 debian11
for build in "$@"; do
	echo "== $build"
	case $build in
	clang) count tests clang ;;
	minimal) count minimal ;;
	libc) count tests libc -DRT_TESTS=ON -DRT_PAGE=ON ;;
	tsan) as_is='setarch -R' count tests tsan ;;
	arm64) count arm64 ;;
	debian11) count debian11 ;;
	*) echo "matrix.sh: no build is named '$build'" >&2; exit 2 ;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
