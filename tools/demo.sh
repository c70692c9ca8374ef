#!/bin/sh
# demo.sh PROGRAM - records tools/demo-load and shows the summary and the first samples.
set -eu
program=${1:?usage: demo.sh PROGRAM}
here=$(dirname "$0")
samples=$(mktemp)
trap 'rm -f "$samples"' EXIT

echo "\$ resource-tracker -i 0.5 -f csv -o samples.csv -- tools/demo-load"
"$program" -i 0.5 -f csv -o "$samples" --record none -- "$here/demo-load"
echo
echo "\$ head -n 4 samples.csv     # $(wc -l <"$samples") lines in all"
head -n 4 "$samples"
