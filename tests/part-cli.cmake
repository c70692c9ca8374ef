# The program from outside: pytest over tests/cli.  The tests of figures against loads whose use is known are an
# entry of their own: they want the machine for themselves.

set(TRUTH accuracy cpu_source membership memory sockets time verify)
list(TRANSFORM TRUTH PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_)
list(TRANSFORM TRUTH APPEND .py)
file(GLOB CLI_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_*.py)
list(REMOVE_ITEM CLI_TESTS ${TRUTH})
function(add_cli_test name)
	add_test(NAME ${name} COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${ARGN})
	set_tests_properties(${name} PROPERTIES TIMEOUT 1500 ENVIRONMENT
		"PROGRAM_UNDER_TEST=$<TARGET_FILE:resource-tracker>;LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endfunction()
if(TARGET resource-tracker AND CLI_TESTS)
	add_cli_test(cli ${CLI_TESTS})
	add_cli_test(truth ${TRUTH})
endif()
