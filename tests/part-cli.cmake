# The program from outside: pytest over tests/cli, two beside each other, and unit tests beside
# them: with four a recorder on two CPUs at times gets none for so long that the test is of the machine.  Tests that want the
# machine for themselves, because their truth is in what little time things take, are marked `alone` and have an entry
# of their own.  A recorder that a sanitizer slows down threefold is not theirs to judge: the asan preset leaves them
# out.

file(GLOB CLI_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_*.py)
function(add_cli_test name)
	add_test(NAME ${name} COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${ARGN})
	set_tests_properties(${name} PROPERTIES ENVIRONMENT
		"PROGRAM_UNDER_TEST=$<TARGET_FILE:resource-tracker>;LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endfunction()
if(TARGET resource-tracker AND CLI_TESTS)
	add_cli_test(cli -n 2 -m "not alone" ${CLI_TESTS})
	add_cli_test(truth -m alone ${CLI_TESTS})
	# Begun first, for it takes longest; and with nothing beside it.
	set_tests_properties(cli PROPERTIES COST 1000)
	set_tests_properties(truth PROPERTIES RUN_SERIAL TRUE)
endif()

# A reader of records that still grow.
if(TARGET record)
	add_executable(follow_record ${CMAKE_CURRENT_LIST_DIR}/cli/follow_record.c)
	target_link_libraries(follow_record PRIVATE readers record core)
endif()
