# Objects in an S3 store: units.

if(NOT TARGET store)
	return()
endif()

file(GLOB STORE_UNITS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/store/test_*.c)
foreach(source ${STORE_UNITS})
	get_filename_component(name ${source} NAME_WE)
	string(REPLACE test_ test_store_ name ${name})
	add_executable(${name} ${source})
	target_link_libraries(${name} PRIVATE fixture store)
	add_test(NAME unit.${name} COMMAND ${name})
	set_tests_properties(unit.${name} PROPERTIES LABELS unit)
endforeach()
