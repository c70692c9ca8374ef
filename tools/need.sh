#!/bin/sh
# need.sh SET... - makes sure that the Debian packages of these sets are installed.
#
# Asks for nothing when all are there.  Otherwise prints what is missing and why, and installs it
# with apt-get: as root, or through sudo, which is used for nothing else.  On a system without
# dpkg the commands are searched on PATH, and nothing is installed.
#
# Packages named PACKAGE:arm64 are not installed but unpacked below build/debian-arm64, by arm64.sh; the archive for
# aarch64 is made without them, too.
set -eu
cd "$(dirname "$0")/.."

# package, command that it brings ("-": none to look for), why
list()
{
	case $1 in
	build)
		echo 'gcc gcc the compiler'
		echo 'libc6-dev - headers of the C library'
		echo 'musl-tools - the C library of the recorder, which is linked static'
		echo 'cmake cmake the build'
		echo 'ninja-build ninja runs the build'
		echo 'make make this front door'
		echo 'libsqlite3-dev - export to SQLite'
		echo 'libcairo2-dev - pictures of runs'
		echo 'libslurm-dev - the plugin of Slurm'
		echo 'libcurl4-openssl-dev - sending metrics, asking ClickHouse'
		echo 'zlib1g-dev - compressing them'
		echo 'nettle-dev - signing requests to S3'
		echo 'scdoc scdoc makes the man pages' ;;
	page)
		echo 'nodejs node bundles the page of the report'
		echo 'npm npm fetches the bundler and the chart library' ;;
	check)
		echo 'libcmocka-dev - unit tests'
		echo 'python3 /usr/bin/python3 tests of the program from outside'
		echo 'python3-pytest - runs them'
		echo 'python3-jsonschema - checks output against its schema'
		echo 'python3-pyte - a terminal emulator, which reads what top draws'
		echo 'python3-prometheus-client - reads OpenMetrics strictly'
		echo 'python3-dev - headers for the extension of the Python package'
		echo 'python3-venv - an environment for that package'
		echo 'python3-pip - installs it there'
		echo 'python3-pytest-xdist - runs tests beside each other, with the plugin of the package too'
		echo 'python3-ipykernel - the kernel of notebooks with the package'
		echo 'python3-nbclient - executes them'
		echo 'mypy mypy checks the types of the Python package'
		echo 'flake8 flake8 checks its style'
		echo 'r-base-core Rscript runs the R package'
		echo 'r-base-dev - compiles it'
		echo 'r-cran-r6 - its classes'
		echo 'r-cran-testthat - its tests'
		echo 'r-cran-knitr - documents that use it'
		echo 'prometheus prometheus receives metrics'
		echo 'victoria-metrics victoria-metrics receives them, too'
		echo 'clickhouse-server clickhouse-server has the runs of a fleet'
		echo 'zookeeper - makes a cluster of several of these'
		echo 'openssl openssl makes certificates of receivers'
		echo 'sqlite3 sqlite3 opens the databases of export'
		echo 'python3-yaml - parses what is to be pasted into Kubernetes'
		echo 'g++ g++ checks that the library can be used from C++'
		echo 'pkg-config pkg-config checks that the library can be found'
		echo 'zsh zsh runs its completion'
		echo 'fish fish runs its completion'
		echo 'procps ps looks at processes in tests'
		echo 'util-linux setpriv runs tests as another user'
		echo 'iproute2 ip makes networks of their own for tests'
		echo 'bubblewrap bwrap has a first process of a namespace of its own'
		echo 'slurmctld slurmctld Slurm, for jobs of several nodes'
		echo 'slurmd slurmd its nodes'
		echo 'slurm-client srun its commands'
		echo 'slurmdbd slurmdbd its accounts'
		echo 'mariadb-server-core mariadbd the database of these'
		echo 'mariadb-client-core my_print_defaults prepares it'
		echo 'munge munged what it authenticates by'
		echo 'libopenmpi-dev mpicc.openmpi MPI, without a scheduler'
		echo 'libmpich-dev mpicc.mpich the other MPI'
		echo 'mpich mpirun.mpich its mpirun'
		echo 'openmpi-bin mpirun.openmpi its mpirun'
		echo 'chromium chromium opens the page of the report'
		echo 'qemu-user-static qemu-aarch64-static runs programs for aarch64'
		echo 'curl curl installs from an address'
		echo 'skopeo skopeo reads the image'
		echo 'lintian lintian checks the Debian packages' ;;
	matrix)
		echo 'clang clang the other compiler'
		echo 'util-linux setarch runs ThreadSanitizer'
		echo 'gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc cross-builds for aarch64'
		echo 'libc6-dev-arm64-cross - its C library'
		echo 'qemu-user-static qemu-aarch64-static runs its programs'
		echo 'debootstrap debootstrap makes the root of an older Debian'
		echo 'bubblewrap bwrap runs the tests in it' ;;
	archive)
		echo 'python3 /usr/bin/python3 packs the archives'
		echo 'binutils readelf finds what the programs need'
		echo 'gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc cross-builds for aarch64'
		echo 'libc6-dev-arm64-cross - its C library'
		echo 'libsqlite3-dev:arm64 - fleet and export to SQLite there'
		echo 'libcurl4-openssl-dev:arm64 - push and discover there'
		echo 'zlib1g-dev:arm64 - push there'
		echo 'nettle-dev:arm64 - push there'
		echo 'libcurl4:arm64 - what push loads there, in tests' ;;
	python)
		echo 'python3 /usr/bin/python3 builds the package'
		echo 'python3-dev - headers for the extension'
		echo 'binutils readelf finds which C library its files need' ;;
	fuzz)
		echo 'clang clang builds the fuzzers'
		echo 'libclang-rt-14-dev - their run time' ;;
	lint)
		echo 'clang clang a second compiler'
		echo 'clang-format clang-format layout of the code'
		echo 'clang-tidy clang-tidy finds suspicious code'
		echo 'cppcheck cppcheck finds suspicious code'
		echo 'shellcheck shellcheck checks the shell scripts' ;;
	site)
		echo 'python3 /usr/bin/python3 collects the pages'
		echo 'mkdocs mkdocs makes a site of them' ;;
	package)
		echo 'dpkg-dev dpkg-buildpackage builds the packages'
		echo 'debhelper dh the steps of that'
		echo 'dh-python - those of the Python package'
		echo 'python3-dev - headers for its extension'
		echo 'r-base-dev - compiles the R package'
		echo 'r-cran-r6 - its classes' ;;
	bench)
		echo 'python3 /usr/bin/python3 runs the benchmark'
		echo 'chromium chromium opens the page of the report' ;;
	*)
		echo "need.sh: no set is named '$1'" >&2
		return 2 ;;
	esac
}

have()
{
	case $1 in
	*:arm64)                # for the cross-build alone
		[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || return 0
		grep -qx "${1%:arm64}" build/debian-arm64/packages 2>/dev/null
		return ;;
	esac
	# Without dpkg the installed headers are unknown; CMake names missing ones.
	if ! command -v dpkg-query >/dev/null; then
		[ "$2" = - ] && return 0
	else
		case $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) in
		installed*) return 0 ;;
		esac
	fi
	[ "$2" != - ] && command -v "$2" >/dev/null
}

missing=
for set in "$@"; do
	wanted=$(list "$set")
	while read -r package command why; do
		if ! have "$package" "$command"; then
			case " $missing " in
			*" $package "*) ;;
			*)
				echo "missing: $package ($why)" >&2
				missing="$missing $package" ;;
			esac
		fi
	done <<END
$wanted
END
done
[ -n "$missing" ] || exit 0

# shellcheck disable=SC2086    # one word each
set -- $missing
missing='' arm64=''
for package in "$@"; do
	case $package in
	*:arm64) arm64="$arm64 ${package%:arm64}" ;;
	*) missing="$missing $package" ;;
	esac
done
if [ -n "$arm64" ]; then
	echo "unpacking in build/debian-arm64:$arm64" >&2
	# shellcheck disable=SC2086    # one word each
	tools/arm64.sh build/debian-arm64 $arm64 >&2 ||
		echo 'need.sh: without these for arm64, the archive for aarch64 has no push, discover and fleet' >&2
fi
[ -n "$missing" ] || exit 0
missing=${missing# }

if ! command -v apt-get >/dev/null; then
	echo "need.sh: no apt-get here; install the packages above in your system's way" >&2
	exit 1
fi
if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo >/dev/null; then
	as_root=sudo
else
	echo "need.sh: not root and no sudo; let somebody run: apt-get install $missing" >&2
	exit 1
fi
echo "installing: $missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -q update >&2
# shellcheck disable=SC2086    # one word each
$as_root apt-get -q install -y --no-install-recommends $missing >&2
