#!/bin/sh
# arm64.sh ROOT PACKAGE... - Debian's packages for arm64, unpacked below ROOT from this machine's mirrors.
#
# This machine's list of architectures and of packages stays as it is: apt-get gets its own, in ROOT.apt.  Of a package for
# development there is that one alone, since the cross-compiler has the C library; of any other also what it depends on, so
# that programs run there.  ROOT/packages names those that are there whole.
set -eu
[ $# -gt 1 ] || { echo 'usage: arm64.sh ROOT PACKAGE...' >&2; exit 2; }
rm -rf "$1.apt"
mkdir -p "$1" "$1.apt/lists/partial" "$1.apt/archives/partial"
root=$(realpath "$1") own=$(realpath "$1.apt")
shift
trap 'rm -rf "$own"' EXIT

: >"$own/status"
cat >"$own/conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::State "$own";
Dir::State::Lists "$own/lists";
Dir::State::status "$own/status";
Dir::Cache "$own";
Dir::Cache::Archives "$own/archives";
END
export APT_CONFIG="$own/conf"

apt-get -q update
for package in "$@"; do
	case $package in
	*-dev) wanted=$package ;;
	*) wanted=$(LC_ALL=C apt-get -s install --no-install-recommends "$package" | sed -n 's/^Inst \([^ ]*\) .*/\1/p') ;;
	esac
	[ -n "$wanted" ]
	# shellcheck disable=SC2086    # one word each
	(cd "$own/archives" && apt-get -q download $wanted)
	for file in "$own"/archives/*.deb; do
		dpkg-deb -x "$file" "$root"
		rm "$file"
	done
	echo "$package" >>"$root/packages"
done
