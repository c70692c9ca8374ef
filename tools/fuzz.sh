#!/bin/sh
# fuzz.sh SECONDS [TARGET...] - runs every libFuzzer target, each for its share of SECONDS in all.
#
# Seeds are tests/fuzz/corpus/<target>/; new inputs of a run stay in build/fuzz/corpus/.  Ends with 1 and
# the path of the input if a target fails; `build/fuzz/fuzz_<target> PATH` runs it again.
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

word()                  # word TARGET N OTHERWISE: word N of the target's line in tests/fuzz/weights
{
	awk -v target="$1" -v n="$2" -v otherwise="$3" '$1 == target { found = $n } END { print found ? found : otherwise }' \
		tests/fuzz/weights
}

parts=0
for target in "$@"; do
	parts=$((parts + $(word "$target" 2 1)))
done

passed=0 failed=0
for target in "$@"; do
	share=$((seconds * $(word "$target" 2 1) / parts))
	[ "$share" -gt 0 ] || share=1
	learned=build/fuzz/corpus/$target
	seeds=tests/fuzz/corpus/$target
	dictionary=$(word "$target" 3 -)
	longest=$(word "$target" 4 -)
	mkdir -p "$learned"
	[ -d "$seeds" ] || seeds=
	[ "$dictionary" = - ] && dictionary= || dictionary=-dict=tests/fuzz/$dictionary
	[ "$longest" = - ] && longest= || longest=-max_len=$longest
	# A large block would never be freed for reuse, and each of its pages would be requested from the kernel anew.
	# shellcheck disable=SC2086    # no seeds, no dictionary, no limit: no word
	if ASAN_OPTIONS="quarantine_size_mb=1:${ASAN_OPTIONS-}" \
		build/fuzz/fuzz_"$target" -max_total_time="$share" -timeout=120 -rss_limit_mb=1024 -print_final_stats=1 \
		-close_fd_mask=3 -artifact_prefix="build/fuzz/$target-" $dictionary $longest "$learned" $seeds \
		>"build/fuzz/$target.log" 2>&1
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
