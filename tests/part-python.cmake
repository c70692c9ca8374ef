# The Python package: its wheel is made of this build and installed into an environment of its own, which all tests share.
# A sanitizer's runtime is in no interpreter.  Label `slow` as in part-cli.cmake.

find_program(MYPY mypy)
find_program(FLAKE8 flake8)
find_path(PYTHON_HEADERS Python.h PATHS /usr/include/python3.11 /usr/include/python3.12 /usr/include/python3.13)
if(RT_SANITIZE OR NOT TARGET library_static OR NOT PYTHON_HEADERS)
	return()
endif()

set(SLOW_PYTHON_TESTS dropin_tracker faults joined notebook pytest_plugin sources track)

set(PACKAGE ${CMAKE_CURRENT_BINARY_DIR}/python)
add_test(NAME python.package COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/python/package.py ${PROJECT_BINARY_DIR} ${PACKAGE})
set_tests_properties(python.package PROPERTIES FIXTURES_SETUP python LABELS python)

file(GLOB PYTHON_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/python/test_*.py)
foreach(source ${PYTHON_TESTS})
	string(REGEX REPLACE ".*/test_(.*)[.]py$" "\\1" thing ${source})
	set(name python.${thing})
	if(thing STREQUAL truth)
		set(name truth.track)
	endif()
	add_test(NAME ${name} COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${source})
	set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED python LABELS python
		ENVIRONMENT "PACKAGE=${PACKAGE};BUILD=${PROJECT_BINARY_DIR};PYTHONDONTWRITEBYTECODE=1")
	if(thing IN_LIST SLOW_PYTHON_TESTS)
		set_tests_properties(${name} PROPERTIES LABELS "python;slow" COST 1000)
	elseif(thing STREQUAL truth)
		set_tests_properties(${name} PROPERTIES LABELS "python;truth;slow" COST 2000)   # as in part-cli.cmake
	endif()
endforeach()
set_property(TEST python.sources APPEND PROPERTY LABELS package)

if(MYPY AND FLAKE8)
	add_test(NAME python.types COMMAND ${MYPY} --cache-dir ${CMAKE_CURRENT_BINARY_DIR}/mypy --config-file pyproject.toml
		WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/python)
	add_test(NAME python.style COMMAND ${FLAKE8} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/python)
	set_tests_properties(python.types python.style PROPERTIES LABELS python)
endif()
