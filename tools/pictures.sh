#!/bin/sh
# pictures.sh PROGRAM - makes docs/pictures again: the summary of a run of tools/demo-load, and pictures of the reports of that run, of one with
# regions that is killed, a day, fifty programs, a short run, and three runs compared.
#
# Wants chromium, node and npm, and a machine that does nothing else.  That of a notebook is made by python_pictures.py.
set -eu
program=$(realpath "${1:?usage: pictures.sh PROGRAM}")
cd "$(dirname "$0")/.."
pictures=docs/pictures
scratch=$(mktemp -d /tmp/XXXXXX)                # a short path: the summary shows where the record is
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$pictures" "$scratch/bin"
export XDG_STATE_HOME="$scratch" LC_ALL=C.UTF-8

# page NAME RUN...
page() { name=$1; shift; "$program" report "$@" -o "$scratch/$name.html"; }

tools/terminal_svg.py "$program" -i 0.1 -- tools/demo-load >"$scratch/summary.svg"
page report last
"$program" --quiet -i 0.1 -- tools/demo-regions >/dev/null || :
page regions last
"$program" --quiet -i 0.1 -n fifty -- tools/demo-programs "$scratch/bin"
page programs last
"$program" --quiet -i 0.05 -- sleep 0.3
page short last
for size in 48M 96M 64M; do
	"$program" --quiet -i 0.1 -n "sort-$size" -- tools/demo-load "$size" >/dev/null
done
page three last~2 last~1 last
tools/demo-day >"$scratch/day.jsonl"
page day "$scratch/day.jsonl"

cp tests/web/package.json tests/web/package-lock.json "$scratch"
npm ci --prefix "$scratch" --ignore-scripts --no-audit --no-fund --silent
MODULES=$scratch/node_modules CHROMIUM=$(command -v chromium) node tools/pictures.mjs "$scratch"
cp "$scratch/summary.svg" "$scratch"/report*.png "$pictures"
ls -l "$pictures"
