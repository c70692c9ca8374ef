# Our reader of TOML beside Python's.

if(TARGET record)
	add_executable(config_json config/config_json.c)
	target_link_libraries(config_json PRIVATE record core)
	add_test(NAME config COMMAND ${PYTHON} -m pytest -q ${CMAKE_CURRENT_LIST_DIR}/config -p no:cacheprovider)
	set_tests_properties(config PROPERTIES LABELS cli ENVIRONMENT "CONFIG_JSON=$<TARGET_FILE:config_json>;PYTHONDONTWRITEBYTECODE=1")
endif()
