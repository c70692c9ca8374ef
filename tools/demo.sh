#!/bin/sh
# demo.sh PROGRAM - records tools/demo-load and shows the summary, the first samples and the path of the report.
set -eu
program=${1:?usage: demo.sh PROGRAM}
here=$(dirname "$0")
page=$(dirname "$program")/demo-report.html
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo "\$ resource-tracker -i 0.5 -f csv -o samples.csv -- tools/demo-load"
"$program" -i 0.5 -f csv -o "$folder/samples.csv" --record "$folder/record.jsonl" -- "$here/demo-load"
echo
echo "\$ head -n 4 samples.csv     # $(wc -l <"$folder/samples.csv") lines in all"
head -n 4 "$folder/samples.csv"
echo
echo "\$ resource-tracker report last -o $page     # open it in a browser"
# Without node there is no page; the program reports that.
"$program" report "$folder/record.jsonl" -o "$page" || :
