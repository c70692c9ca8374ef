#!/bin/sh
# install.sh - installs resource-tracker from its archive, after checking the checksum; or removes it.
#
#   install.sh [--prefix DIR] [--from PLACE] [--sha256 SUM]
#   install.sh [--prefix DIR] --remove
#
#   --prefix DIR   /usr/local for root, else ~/.local: programs go to DIR/bin and DIR/libexec, the rest to DIR/share
#   --from PLACE   a folder or an address with the archives and SHA256SUMS; the folder of this script if it is not given
#   --sha256 SUM   the checksum that the archive must have: SHA256SUMS of PLACE is not asked
#
# Records of runs are never touched.
set -eu

say() { printf 'install.sh: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

from=$(dirname "$0") prefix="" sum="" remove=""
while [ $# -gt 0 ]; do
	case $1 in
	--prefix | --from | --sha256)
		[ $# -gt 1 ] || fail "$1 wants a value"
		case $1 in
		--prefix) prefix=$2 ;;
		--from) from=$2 ;;
		--sha256) sum=$2 ;;
		esac
		shift ;;
	--remove) remove=yes ;;
	-h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) fail "there is no option '$1'; --help names them" ;;
	esac
	shift
done
if [ -z "$prefix" ]; then
	[ "$(id -u)" = 0 ] && prefix=/usr/local || prefix=${HOME:?}/.local
fi
list=$prefix/libexec/resource-tracker/installed         # the files that we installed, a path below the prefix on each line

# Removes the files in the list that are not in the file $1, and folders that are empty then.
remove_files()
{
	while read -r file; do
		case $file in
		/* | *..*) continue ;;
		esac
		grep -qxF -- "$file" "$1" && continue
		rm -f -- "$prefix/$file"
		emptied=$(dirname "$file")
		while [ "$emptied" != . ] && rmdir -- "$prefix/$emptied" 2>/dev/null; do
			emptied=$(dirname "$emptied")
		done
	done <"$list"
}

if [ -n "$remove" ]; then
	[ -f "$list" ] || fail "nothing that this script installed is in $prefix"
	remove_files /dev/null
	rm -f -- "$list"
	rmdir -- "$prefix/libexec/resource-tracker" "$prefix/libexec" 2>/dev/null || :
	say "removed from $prefix; records of runs are where they were"
	exit 0
fi

command -v sha256sum >/dev/null || fail 'sha256sum is missing'
case $(uname -m) in
x86_64 | amd64) machine=x86_64 ;;
aarch64 | arm64) machine=aarch64 ;;
*) fail "there is no archive for $(uname -m)" ;;
esac

# Within the prefix, so that each file can be moved to its place in one step, also while the old one runs.
mkdir -p -- "$prefix"
work=$(mktemp -d -- "$prefix/.resource-tracker-XXXXXX")
trap 'rm -rf -- "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

get()                   # get NAME: the file of PLACE, in $work
{
	case $from in
	*://*)
		if command -v curl >/dev/null; then
			curl -fsSL -o "$work/$1" -- "$from/$1"
		elif command -v wget >/dev/null; then
			wget -q -O "$work/$1" -- "$from/$1"
		else
			fail 'neither curl nor wget is here'
		fi ;;
	*) cp -- "$from/$1" "$work/$1" ;;
	esac || fail "cannot get $1 from $from"
}

get SHA256SUMS
archive=$(sed -n "s/^[0-9a-f]\{64\}  \(resource-tracker-[0-9.]*-$machine\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS")
[ -n "$archive" ] || fail "SHA256SUMS of $from names no archive for $machine"
[ "$(printf '%s\n' "$archive" | wc -l)" = 1 ] || fail "SHA256SUMS of $from names several archives for $machine"
: "${sum:=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$work/SHA256SUMS")}"
get "$archive"
printf '%s  %s\n' "$sum" "$work/$archive" | sha256sum -c >/dev/null 2>&1 ||
	fail "$archive of $from does not have the checksum $sum; nothing was installed"

tar -xzf "$work/$archive" -C "$work"
folder=$work/${archive%.tar.gz}
(cd "$folder" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort) >"$work/installed"
if [ -f "$list" ]; then
	remove_files "$work/installed"
fi
while read -r file; do
	mkdir -p -- "$prefix/$(dirname "$file")"
	mv -f -- "$folder/$file" "$prefix/$file"
done <"$work/installed"
mv -f -- "$work/installed" "$list"
say "installed $("$prefix/bin/resource-tracker" --version) in $prefix"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) say "$prefix/bin is not on PATH" ;;
esac
