# The program from outside: pytest over tests/cli.

file(GLOB CLI_TESTS CONFIGURE_DEPENDS cli/test_*.py)
if(TARGET resource-tracker AND CLI_TESTS)
	add_test(NAME cli COMMAND ${PYTHON} -m pytest -q ${CMAKE_CURRENT_SOURCE_DIR}/cli -p no:cacheprovider)
	set_tests_properties(cli PROPERTIES TIMEOUT 600 ENVIRONMENT
		"PROGRAM_UNDER_TEST=$<TARGET_FILE:resource-tracker>;LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endif()
