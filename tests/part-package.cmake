# What people install: archives and packages are built once, by the programs that build a release, and all tests share them.
# A sanitizer's runtime is in no release; git says which files are the sources.  Label `slow` as in part-cli.cmake.

if(RT_SANITIZE OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" OR NOT EXISTS ${PROJECT_SOURCE_DIR}/.git)
	return()
endif()

set(PACKAGES ${CMAKE_CURRENT_BINARY_DIR}/package)
set(ARCHIVE_OPTIONS --work ${PACKAGES}/work)
if(REPORT_PAGE)
	list(APPEND ARCHIVE_OPTIONS --page ${REPORT_PAGE})
endif()

# Compilers make the reading of memory so slow that the recorder's budget is not enough for it: not beside truth.memory.
# built(what program options...): what is built, which tests/package/test_<what>.py and others use.
function(built what program)
	add_test(NAME package.${what} COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/packaging/${program} ${ARGN} ${PACKAGES}/${what})
	set_tests_properties(package.${what} PROPERTIES FIXTURES_SETUP ${what} LABELS "package;slow" COST 1500 DEPENDS truth.memory
		ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endfunction()
built(archive archive.py ${ARCHIVE_OPTIONS})
add_test(NAME package.again COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/package/build_again.py ${PACKAGES}/again)
set_tests_properties(package.again PROPERTIES FIXTURES_SETUP again LABELS "package;slow" COST 1500 DEPENDS truth.memory
	ENVIRONMENT "PAGE=${REPORT_PAGE};PYTHONDONTWRITEBYTECODE=1")
find_program(DPKG_BUILDPACKAGE dpkg-buildpackage)
find_program(DEBHELPER dh)
if(DPKG_BUILDPACKAGE AND DEBHELPER AND REPORT_PAGE)
	built(debian debian.py --work ${PACKAGES}/debian-work --page ${REPORT_PAGE})
endif()

set(NEEDS_archive archive again)                # of test_archive.py; others need the archives alone
set(NEEDS_debian debian)
set(NEEDS_arm64 "")

file(GLOB PACKAGE_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/package/test_*.py)
foreach(source ${PACKAGE_TESTS})
	string(REGEX REPLACE ".*/test_(.*)[.]py$" "\\1" thing ${source})
	set(needs archive)
	if(DEFINED NEEDS_${thing})
		set(needs ${NEEDS_${thing}})
	endif()
	add_test(NAME package.use.${thing} COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${source})
	set_tests_properties(package.use.${thing} PROPERTIES FIXTURES_REQUIRED "${needs}" LABELS "package;slow" COST 1000
		ENVIRONMENT "PACKAGES=${PACKAGES};PAGE=${REPORT_PAGE};PYTHONDONTWRITEBYTECODE=1")
endforeach()
