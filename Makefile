# Entry points: each target installs its needs and calls the build, which is CMake.
# `make` alone lists the targets.  Folders: build/dev, build/release, build/asan, build/libc, build/fuzz, build/static,
# build/site.

PREFIX       ?= /usr/local
DESTDIR      ?=
JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
ENGINES      ?= yes

.DEFAULT_GOAL := help
.PHONY: help demo test check matrix bench lint fuzz install static package wheel sdist archive image r-package site clean release

help:
	@echo 'make demo      build, record a small job, show the result and its report (4 s of load)'
	@echo 'make test      build, and run the fast tests (under a minute)'
	@echo 'make check     build and run every test, plain and with sanitizers, and the fuzzers for a minute (ENGINES=no:'
	@echo '               without browsers, servers, schedulers and packages)'
	@echo 'make matrix    other builds, each with its fast tests: clang, libc, minimal, tsan, arm64, debian11 (BUILDS=...)'
	@echo 'make bench     what a sample costs us, beside the least that it could cost'
	@echo 'make lint      clang-format, clang-tidy, cppcheck, shellcheck and our own rules'
	@echo 'make fuzz      the fuzzers alone (FUZZ_SECONDS=60 in all)'
	@echo 'make install   PREFIX=/usr/local, DESTDIR honoured'
	@echo 'make static    build/static/resource-tracker, and -verify beside it: they need no library; -gpu needs glibc'
	@echo 'make archive   dist/archive: all programs as one folder that runs from anywhere, for x86_64 and aarch64; install.sh'
	@echo 'make image     dist/resource-tracker-oci.tar: an image from scratch, as an OCI archive for both of these'
	@echo 'make package   dist/debian: the Debian packages'
	@echo 'make site      build/site: the documentation as web pages, which need no network'
	@echo 'make wheel     dist/*.whl: the Python package, with the programs of make static'
	@echo 'make sdist     dist/*.tar.gz: the same as sources, which need a C compiler alone'
	@echo 'make r-package dist/resourcetracker_*.tar.gz: the R package, as sources for a C compiler alone'
	@echo 'make clean     remove build/ and dist/'

release:
	@tools/need.sh build page
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

demo: release
	@tools/demo.sh build/release/resource-tracker

test:
	@tools/need.sh build page check
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS)
	ctest --preset test

check:
	@tools/need.sh build page check archive package fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) JOBS=$(JOBS) ENGINES=$(ENGINES) tools/check.sh

matrix:
	@tools/need.sh build page check matrix
	@JOBS=$(JOBS) tools/matrix.sh $(BUILDS)

bench:
	@tools/need.sh build page bench
	@bench/run

lint:
	@tools/need.sh build check lint
	@tools/lint.sh

fuzz:
	@tools/need.sh build fuzz
	@tools/fuzz.sh $(FUZZ_SECONDS)

install: release
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

static:
	@tools/need.sh build page
	cmake --preset static
	cmake --build --preset static -j $(JOBS)

archive:
	@tools/need.sh build page archive
	JOBS=$(JOBS) packaging/archive.py dist/archive

image: archive
	packaging/image.py dist/archive dist/resource-tracker-oci.tar

package:
	@tools/need.sh build page package
	cmake --preset release
	cmake --build --preset release --target page
	JOBS=$(JOBS) packaging/debian.py --page build/release/report.html dist/debian

site:
	@tools/need.sh site
	@tools/site.py build/site
	@echo 'open build/site/index.html in a browser'

wheel: static
	@tools/need.sh python
	/usr/bin/python3 python/build_wheel.py --build build/static dist

sdist: static
	@tools/need.sh python
	/usr/bin/python3 python/build_wheel.py --sdist $(if $(wildcard build/static/report.html),--page build/static/report.html) dist

r-package: static
	@tools/need.sh python
	/usr/bin/python3 r/build_package.py $(if $(wildcard build/static/report.html),--page build/static/report.html) dist

clean:
	rm -rf build dist
