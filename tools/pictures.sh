#!/bin/sh
# pictures.sh PROGRAM - makes docs/pictures again: the summary of a run of tools/demo-load, the live view of a run in three sizes and without
# colour, of eight ranks, and the status line; and pictures of the reports of that run, of one with regions that is killed, a day, fifty
# programs, a short run, three runs compared, and a job of 10,000 ranks.
#
# Wants python3-pyte, chromium, node and npm, and a machine that does nothing else.  That of a notebook is made by python_pictures.py.
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

# view NAME ROWSxCOLUMNS SECONDS WORD...
view() { name=$1; shift; tools/top_svg.py "$program" "$@" >"$scratch/$name.svg"; }

# Views of one run at the same time.
"$program" --quiet -i 0.1 -n nightly -- tools/demo-loop &
recorder=$!
sleep 1
view top 24x80 16 top & one=$!
view top-wide 40x160 16 top & two=$!
view top-large 60x240 16 top & three=$!
NO_COLOR=1 LC_ALL=C view top-plain 24x80 16 top & four=$!
wait $one $two $three $four
kill $recorder
# shellcheck disable=SC2016 # for the other shell
view status 10x80 5 --status -i 0.5 -- sh -c 'for i in $(seq 14); do
	echo "[$i/14] Packing part $i"; head -c 12M /dev/urandom | gzip >/dev/null; done'
# Eight ranks on two nodes; the last one only waits.
ranks=
for rank in 0 1 2 3 4 5 6 7; do
	load="tools/demo-loop ${rank}6M"
	test $rank != 7 || load="sleep 100"
	# shellcheck disable=SC2086 # the words of a command
	SLURM_JOB_ID=4711 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=$rank SLURM_LOCALID=$((rank % 4)) SLURM_NODEID=$((rank / 4)) \
		SLURMD_NODENAME=node$((rank / 4)) SLURM_JOB_NAME=align "$program" --quiet -i 0.5 --record "$scratch/live/" -- $load &
	ranks="$ranks $!"
done
sleep 2
view top-ranks 24x100 8 top "$scratch/live"
# shellcheck disable=SC2086 # several
kill $ranks
wait

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
/usr/bin/python3 tests/cli/rank_records.py "$scratch/ranks"     # 500 MB
page ranks "$scratch/ranks"

cp tests/web/package.json tests/web/package-lock.json "$scratch"
npm ci --prefix "$scratch" --ignore-scripts --no-audit --no-fund --silent
MODULES=$scratch/node_modules CHROMIUM=$(command -v chromium) node tools/pictures.mjs "$scratch"
cp "$scratch"/summary.svg "$scratch"/top*.svg "$scratch"/status.svg "$scratch"/report*.png "$pictures"
ls -l "$pictures"
