#!/bin/sh
# run.sh [NAME] - every *.test.js of this folder, or NAME.test.js alone; 77 with a reason if the page, its driver or the browser is missing.
#
# REPORT_PAGE, MODULES, CHROMIUM, NODE and PROGRAM (the recorder) are paths, or empty, or end in NOTFOUND.
set -eu
cd "$(dirname "$0")"
skip() { echo "skipped: $*"; exit 77; }

[ -n "${REPORT_PAGE:-}" ] && [ -s "$REPORT_PAGE" ] || skip 'the page was not built'
[ -d "${MODULES:-}" ] || skip 'npm could not fetch the driver of the browser'
[ -x "${CHROMIUM:-}" ] || skip 'chromium is missing: apt-get install chromium'
if [ $# -gt 0 ]; then set -- "./$1.test.js"; else set -- ./*.test.js; fi
exec "$NODE" --test "$@"
