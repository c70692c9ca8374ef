#!/bin/sh
# debian11.sh BUILD - the tests of the Python package, on a system as old as the wheel says: Debian 11 has glibc 2.31,
# Python 3.9 and pytest 6.  BUILD is of `make static`.  Its root, BUILD/debian11, is made by debootstrap as root, from the
# same mirror as this system.
#
# Left out are tests that build the wheel, and those of notebooks: they need this system's compiler and kernels.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${1:?usage: debian11.sh BUILD}")
root=$build/debian11
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | sed -n 's/^URIs: *//p; s/^deb .*\(http[^ ]*\).*/\1/p' | head -n 1)

[ -e "$root/usr/bin/pytest-3" ] ||
	debootstrap --variant=minbase --include=python3-venv,python3-pytest,python3-numpy,procps bullseye "$root" "$mirror"
rm -rf "$root/dist"
/usr/bin/python3 python/build_wheel.py --build "$build" "$root/dist"
cat >"$root/tests.sh" <<'EOF'
set -eu
python3 -m venv /tmp/package/venv
/tmp/package/venv/bin/python -m pip install --quiet --no-index /dist/*.whl
cd /source/tests/python
ls test_*.py | grep -v -e wheel -e sources -e notebook -e metaflow | xargs python3 -m pytest -q -p no:cacheprovider
EOF
exec bwrap --bind "$root" / --dev /dev --proc /proc --ro-bind /sys /sys --tmpfs /tmp --ro-bind . /source --clearenv \
	--setenv PATH /usr/bin:/bin --setenv HOME /tmp --setenv PACKAGE /tmp/package --setenv BUILD "/source/build/static" \
	--setenv PYTHONDONTWRITEBYTECODE 1 sh /tests.sh
