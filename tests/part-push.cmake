# `resource-tracker push` and --push: units; tests/cli/test_push*.py are from outside.

if(NOT TARGET resource-tracker-push)
	return()
endif()

file(GLOB PUSH_UNITS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/push/test_*.c)
foreach(source ${PUSH_UNITS})
	get_filename_component(name ${source} NAME_WE)
	string(REPLACE test_ test_push_ name ${name})
	add_executable(${name} ${source})
	target_link_libraries(${name} PRIVATE fixture push)
	add_test(NAME unit.${name} COMMAND ${name})
	set_tests_properties(unit.${name} PROPERTIES LABELS unit)
endforeach()
