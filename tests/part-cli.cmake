# The program from outside: pytest, an entry cli.<thing> for each tests/cli/test_<thing>.py, or truth.<thing> where loads of
# known use are measured.  The asan preset leaves `truth` out: a sanitizer makes the recorder three times as slow.
#
# Label `slow`: more than a few seconds on an idle machine; `make test` leaves these out.  Label `engine`, and that of the
# engine: a real server, scheduler or MPI takes part, which `make check ENGINES=no` leaves out.

set(TRUTH_TESTS memory own_cost slurm_accounts time verify)
set(ENGINES_dashboards_answers clickhouse prometheus)
set(ENGINES_fleet_clickhouse clickhouse)
set(ENGINES_fleet_cluster clickhouse)
set(ENGINES_fleet_https clickhouse)
set(ENGINES_listen prometheus)
set(ENGINES_push prometheus)
set(ENGINES_push_faults prometheus)
set(ENGINES_push_s3 s3rver)
set(ENGINES_upload s3rver)
set(ENGINES_mpi mpi)
set(ENGINES_sentinel s3rver)
set(ENGINES_slurm slurm)
set(ENGINES_slurm_accounts slurm)
set(ENGINES_slurm_hosts slurm mpi)
set(SLOW_CLI_TESTS
	accuracy
	attached_cpu
	attached_peak
	before_exec
	capture
	compare
	cpu_source
	dashboards_answers
	detach
	discover
	ending
	feed
	fleet_clickhouse
	fleet_cluster
	fleet_https
	gpu
	harm
	hooks
	listen
	live_view
	membership
	mpi
	options
	own_cost
	plot
	programs
	push
	push_faults
	push_s3
	push_troubles
	recommend
	record_schema
	regions
	report_live
	report_ranks
	runs
	samples
	sentinel
	sentinel_faults
	slurm
	slurm_hosts
	sockets
	statsd
	status
	summary_command
	tasks
	top
	top_ranks
	tutorial
	upload
)

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
# The schemas of Kubernetes.
set(KUBERNETES_MODULES "")
if(COMMAND add_node_modules AND NOT RT_SANITIZE)
	set(KUBERNETES_MODULES ${CMAKE_CURRENT_BINARY_DIR}/kubernetes/node_modules)
	add_node_modules(${CMAKE_CURRENT_BINARY_DIR}/kubernetes ${CMAKE_CURRENT_LIST_DIR}/kubernetes)
	add_custom_target(kubernetes_modules ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/kubernetes/fetched)
endif()

if(TARGET resource-tracker)
	foreach(source ${CLI_TESTS})
		string(REGEX REPLACE ".*/test_(.*)[.]py$" "\\1" thing ${source})
		if(thing IN_LIST TRUTH_TESTS)
			add_cli_test(truth.${thing} "truth;slow" ${source})
			set_tests_properties(truth.${thing} PROPERTIES COST 2000)       # begun first
			set(entry truth.${thing})
		elseif(thing IN_LIST SLOW_CLI_TESTS)
			set(entry cli.${thing})
			add_cli_test(cli.${thing} "cli;slow" ${source})
			set_tests_properties(cli.${thing} PROPERTIES COST 1000)
		else()
			set(entry cli.${thing})
			add_cli_test(cli.${thing} cli ${source})
		endif()
		if(DEFINED ENGINES_${thing})
			set_property(TEST ${entry} APPEND PROPERTY LABELS engine ${ENGINES_${thing}})
		endif()
	endforeach()
	set_property(TEST cli.push_s3 cli.sentinel cli.upload APPEND PROPERTY ENVIRONMENT "S3RVER_MODULES=${S3RVER_MODULES}")
	set_property(TEST cli.kubernetes APPEND PROPERTY ENVIRONMENT "KUBERNETES_MODULES=${KUBERNETES_MODULES}")
	if(TSAN_OPTIONS)
		set_property(TEST cli.plot APPEND PROPERTY ENVIRONMENT ${TSAN_OPTIONS})
	endif()
endif()

# A reader of records that still grow.
if(TARGET record)
	add_executable(follow_record ${CMAKE_CURRENT_LIST_DIR}/cli/follow_record.c)
	target_link_libraries(follow_record PRIVATE readers record core)
endif()
