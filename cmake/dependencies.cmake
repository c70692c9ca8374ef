# External needs of the build.  A missing one is named with its Debian package.

if(RT_STATIC_PROGRAM)
	set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

find_package(Threads REQUIRED)

# need_header(VARIABLE header package): the path of a header; without it configuring stops with a message.
function(need_header variable header package)
	find_path(${variable} ${header})
	if(NOT ${variable})
		message(FATAL_ERROR "${header} is missing: apt-get install ${package}")
	endif()
endfunction()

function(need_library variable library package)
	find_library(${variable} ${library})
	if(NOT ${variable})
		message(FATAL_ERROR "lib${library} is missing: apt-get install ${package}")
	endif()
endfunction()

if(RT_TESTS)
	need_header(CMOCKA_INCLUDE cmocka.h libcmocka-dev)
	need_library(CMOCKA_LIBRARY cmocka libcmocka-dev)
	# Debian's own interpreter: another python3 earlier on PATH does not find python3-pytest.
	find_program(PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
	if(NOT PYTHON)
		message(FATAL_ERROR "/usr/bin/python3 is missing: apt-get install python3 python3-pytest")
	endif()
	execute_process(COMMAND ${PYTHON} -c "import pytest, jsonschema" RESULT_VARIABLE missing
		OUTPUT_QUIET ERROR_QUIET)
	if(missing)
		message(FATAL_ERROR "pytest or jsonschema is missing: "
			"apt-get install python3-pytest python3-jsonschema")
	endif()
endif()
