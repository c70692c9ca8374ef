#!/bin/sh
# lint.sh [STEP...] - layout, analysers, shell scripts and rules of the project; all steps, or those named.
#
#   layout   clang-format, and the width of lines.  Exempt is layout that clang-format cannot express: comments
#            set in a column; tables, one-line structs and one-line functions set by hand; chains of
#            conditions, one per line.
#   rules    rules of this project
#   words    the rate of unclear words in comments and documentation (words.py)
#   rooms    no room uses one above it, no files form a cycle (rooms.py; with the objects of build/dev if there)
#   tidy     clang-tidy
#   cppcheck
#   shell    shellcheck
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
bad=0
complain() { printf 'lint: %s\n' "$*" >&2; bad=1; }

sources() { git ls-files -co --exclude-standard -- 'src/*.c' 'src/*.h' 'include/*.h' 'tests/*.c' 'tests/*.h' 'bench/*.c'; }
code() { git ls-files -co --exclude-standard -- 'src/*.c' 'src/*.h' 'include/*.h'; }

layout()
{
	for file in $(sources); do
		# Lines that clang-format would format differently, except those set by hand: they hold a
		# brace pair, or end one, or are an item of a list or of a chain, or a continued macro.
		lines=$(clang-format "$file" | diff -b "$file" - | sed -n 's/^< //p' |
			grep -vE '\{.*\}| \}\)*;$|([,\\]| :) *(/\*.*\*/)?$|= \{' || :)
		# Up to three lines in a file are the author's choice.
		[ "$(printf '%s\n' "$lines" | wc -l)" -le 3 ] || complain "$file: layout:
$lines"
		awk -v file="$file" '
			{ n = 0
			  for (i = 1; i <= length($0); i++)
				n = substr($0, i, 1) == "\t" ? n - n % 8 + 8 : n + 1
			  # A help text or a message stays on one line: it can be searched for.
			  if (n > 120 && !/"/) { print file ":" NR ": " n " columns"; bad = 1 } }
			/[ \t]$/ { print file ":" NR ": blank at the end"; bad = 1 }
			END { exit bad }' "$file" || bad=1
	done
}

forbid()                # forbid PATTERN WHY FILE...
{
	pattern=$1 why=$2
	shift 2
	found=$(grep -nHE "$pattern" "$@" /dev/null || :)
	[ -z "$found" ] || complain "$why:
$found"
}

rules()
{
	# shellcheck disable=SC2046    # names without blanks
	set -- $(code)
	forbid '(^|[^:"])//' 'comments are /* ... */' "$@"
	forbid '\<(v?sscanf|ato[ifl]l?|strtok(_r)?|strto[dflu]+l?|gets|v?sprintf|strcpy|strcat)[ ]*\(' \
		'this project reads numbers with scan.h and writes them with buffer.h' "$@"
	forbid '\<(TODO|FIXME|XXX)\>' 'say what is; plans belong into an issue' "$@"

	# Every file of the machine is read through struct source.
	# shellcheck disable=SC2046
	set -- $(git ls-files -co --exclude-standard -- 'src/core/*.c' 'src/collect/*.c' 'src/kernel/*.c' \
		'src/cpu/*.c' 'src/sockets/*.c' 'src/members/*.c' 'src/accounting/*.c' 'src/memory/*.c' \
		'src/visits/*.c' 'src/membership/*.c' 'src/tree/*.c' 'src/sampler/*.c' | grep -v 'src/core/source\.c$')
	forbid '(open|openat|fopen|readlink|opendir|stat|access)[a-z]*\(([^"]*, *)?"/(proc|sys)' \
		'paths below /proc and /sys are relative to struct source' "$@"
	forbid 'openat\(.*O_RDONLY \| O_CLOEXEC\)' \
		'source_open_file() opens what is read: it waits for no FIFO and reads no device' "$@"
	forbid '(^|[^a-z_])(printf|fprintf|puts|perror|exit|abort)\(' \
		'library code never prints and never exits' "$@"

	# A test waits for events.  One limit catches tests that hang (tests/conftest.py, tests/unit/patience.h).
	# shellcheck disable=SC2046
	forbid 'timeout=[0-9]|\.wait\([0-9]|[( ]seconds=[0-9]+\)$' 'a test states no limit of time of its own' \
		$(git ls-files -co --exclude-standard -- 'tests/*.py' | grep -v 'tests/cli/terminal\.py$')

	for file in $(code); do
		head -n 2 "$file" | grep -qF "$(basename "$file") - " || complain "$file: begins with what the file is"
	done
}

tidy()
{
	# With the flags that clang has, and without musl, because clang does not know gcc's options for it.
	cmake --preset dev -B build/lint -DRT_MUSL=OFF -DCMAKE_C_COMPILER=clang >/dev/null
	# shellcheck disable=SC2046
	clang-tidy -quiet -p build/lint $(git ls-files -co --exclude-standard -- 'src/*.c') 2>/dev/null || bad=1
}

cppcheck_()
{
	cppcheck --quiet --std=c17 --language=c --enable=warning,portability,performance --inline-suppr \
		--suppress=missingIncludeSystem --suppress=autoVariables --error-exitcode=1 -D_GNU_SOURCE -DRT_VERSION='"0"' \
		-j "${JOBS:-2}" src || bad=1
}

shell()
{
	# shellcheck disable=SC2046
	shellcheck $(git ls-files -co --exclude-standard -- .ci/run 'tools/*' 'bench/*.sh' 'packaging/*.sh' 'debian/tests/*' | xargs grep -lE '^#!/.*sh$') || bad=1
}

[ $# -gt 0 ] || set -- layout rules words rooms shell cppcheck tidy
for step in "$@"; do
	echo "== $step"
	case $step in
	cppcheck) cppcheck_ ;;
	layout) layout ;;
	rooms) tools/rooms.py || bad=1 ;;
	rules) rules ;;
	shell) shell ;;
	tidy) tidy ;;
	words) tools/words.py || bad=1 ;;
	*) complain "no step is named '$step'" ;;
	esac
done
[ "$bad" = 0 ] && echo 'lint: clean'
exit "$bad"
