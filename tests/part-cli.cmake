# The program from outside: pytest, an entry cli.<thing> for each tests/cli/test_<thing>.py, or truth.<thing> where loads of
# known use are measured.  The asan preset leaves `truth` out: a sanitizer makes the recorder three times as slow.
#
# Label `slow`: more than a few seconds on an idle machine; `make test` leaves these out.  Label `engine`, and that of the
# engine: a real server, scheduler or MPI takes part, which `make check ENGINES=no` leaves out.

set(TRUTH_TESTS memory time verify)
set(ENGINES_listen prometheus)
set(ENGINES_push prometheus)
set(ENGINES_push_faults prometheus)
set(ENGINES_push_s3 s3rver)
set(ENGINES_mpi mpi)
set(ENGINES_slurm slurm)
set(SLOW_CLI_TESTS accuracy attached_cpu attached_peak before_exec capture compare cpu_source detach discover ending feed gpu harm hooks listen
	live_view membership mpi options plot programs push push_faults push_s3 regions report_live runs samples slurm sockets status tasks top
	tutorial)

function(add_cli_test name labels)
	add_test(NAME ${name} COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${ARGN})
	set_tests_properties(${name} PROPERTIES LABELS "${labels}" ENVIRONMENT
		"PROGRAM_UNDER_TEST=$<TARGET_FILE:resource-tracker>;LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endfunction()

file(GLOB CLI_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_*.py)
# A store with S3's interface, by npm.
set(S3RVER_MODULES "")
if(COMMAND add_node_modules AND TARGET resource-tracker-push)
	set(S3RVER_MODULES ${CMAKE_CURRENT_BINARY_DIR}/s3rver/node_modules)
	add_node_modules(${CMAKE_CURRENT_BINARY_DIR}/s3rver ${CMAKE_CURRENT_LIST_DIR}/s3rver)
	add_custom_target(s3rver_modules ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/s3rver/fetched)
endif()

if(TARGET resource-tracker)
	foreach(source ${CLI_TESTS})
		string(REGEX REPLACE ".*/test_(.*)[.]py$" "\\1" thing ${source})
		if(thing IN_LIST TRUTH_TESTS)
			add_cli_test(truth.${thing} "truth;slow" ${source})
			set_tests_properties(truth.${thing} PROPERTIES COST 2000)       # begun first
		elseif(thing IN_LIST SLOW_CLI_TESTS)
			add_cli_test(cli.${thing} "cli;slow" ${source})
			set_tests_properties(cli.${thing} PROPERTIES COST 1000)
		else()
			add_cli_test(cli.${thing} cli ${source})
		endif()
		if(DEFINED ENGINES_${thing})
			set_property(TEST cli.${thing} APPEND PROPERTY LABELS engine ${ENGINES_${thing}})
		endif()
	endforeach()
	set_property(TEST cli.push_s3 APPEND PROPERTY ENVIRONMENT "S3RVER_MODULES=${S3RVER_MODULES}")
	if(TSAN_OPTIONS)
		set_property(TEST cli.plot APPEND PROPERTY ENVIRONMENT ${TSAN_OPTIONS})
	endif()
endif()

# A reader of records that still grow.
if(TARGET record)
	add_executable(follow_record ${CMAKE_CURRENT_LIST_DIR}/cli/follow_record.c)
	target_link_libraries(follow_record PRIVATE readers record core)
endif()
