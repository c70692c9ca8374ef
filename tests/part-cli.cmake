# The program from outside: pytest over tests/cli.  What it says about loads with known truth is an entry of
# its own, to be run alone.

file(GLOB CLI_TESTS CONFIGURE_DEPENDS cli/test_*.py)
function(add_cli_test name)
	add_test(NAME ${name} COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${ARGN})
	set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT
		"PROGRAM_UNDER_TEST=$<TARGET_FILE:resource-tracker>;LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endfunction()
if(TARGET resource-tracker AND CLI_TESTS)
	set(ACCURACY ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_accuracy.py)
	add_cli_test(cli ${CMAKE_CURRENT_SOURCE_DIR}/cli --ignore=${ACCURACY})
	add_cli_test(accuracy ${ACCURACY})
endif()
