#!/bin/sh
# pictures.sh PROGRAM - makes docs/pictures again: the summary of a run of tools/demo-load, the top of its report and charts of CPU time; and the
# report of a run of tools/demo-regions, dark and on a phone.
#
# Wants chromium, node and npm, and a machine that does nothing else.  That of a notebook is made by python_pictures.py.
set -eu
program=$(realpath "${1:?usage: pictures.sh PROGRAM}")
cd "$(dirname "$0")/.."
pictures=docs/pictures
scratch=$(mktemp -d /tmp/XXXXXX)                # a short path: the summary shows where the record is
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$pictures"
export XDG_STATE_HOME="$scratch" LC_ALL=C.UTF-8

tools/terminal_svg.py "$program" -i 0.1 -- tools/demo-load >"$scratch/summary.svg"
"$program" report last -o "$scratch/report.html"
"$program" --quiet -i 0.1 -- tools/demo-regions >/dev/null || :
"$program" report last -o "$scratch/regions.html"
cp tests/web/package.json tests/web/package-lock.json "$scratch"
npm ci --prefix "$scratch" --ignore-scripts --no-audit --no-fund --silent
MODULES=$scratch/node_modules CHROMIUM=$(command -v chromium) node tools/pictures.mjs "$scratch/report.html" "$scratch/regions.html" "$scratch"
cp "$scratch/summary.svg" "$scratch"/report*.png "$pictures"
ls -l "$pictures"
