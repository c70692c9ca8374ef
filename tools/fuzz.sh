#!/bin/sh
# fuzz.sh SECONDS [TARGET...] - runs every libFuzzer target, each for its share of SECONDS in all.
#
# Seeds are tests/fuzz/corpus/<target>/; what a run learns stays in build/fuzz/corpus/.  Ends with 1 and
# the path of the input if a target fails; `build/fuzz/fuzz_<target> PATH` plays it again.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift
cmake --preset fuzz
cmake --build --preset fuzz -j "${JOBS:-$(nproc)}"

if [ $# = 0 ]; then
	for program in build/fuzz/fuzz_*; do
		[ -f "$program" ] && [ -x "$program" ] && set -- "$@" "${program#build/fuzz/fuzz_}"
	done
fi
[ $# -gt 0 ] || { echo 'fuzz.sh: no fuzz targets were built' >&2; exit 1; }

share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1
passed=0 failed=0
for target in "$@"; do
	learned=build/fuzz/corpus/$target
	seeds=tests/fuzz/corpus/$target
	mkdir -p "$learned"
	[ -d "$seeds" ] || seeds=
	# shellcheck disable=SC2086    # no seeds: no word
	if build/fuzz/fuzz_"$target" -max_total_time="$share" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
		-artifact_prefix="build/fuzz/$target-" "$learned" $seeds >"build/fuzz/$target.log" 2>&1
	then
		passed=$((passed + 1))
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")
		echo "fuzz_$target: $runs inputs in $share s"
	else
		failed=$((failed + 1))
		echo "fuzz_$target: FAILED"
		tail -n 40 "build/fuzz/$target.log"
	fi
done
echo "fuzz targets: $passed passed, $failed failed"
[ "$failed" = 0 ]
