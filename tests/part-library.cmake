# The library from outside: installed, found by pkg-config, linked by the examples.

foreach(source ${UNIT_TESTS})
	get_filename_component(name ${source} NAME_WE)
	if(name MATCHES "^test_library")
		target_link_libraries(${name} PRIVATE library)
	endif()
endforeach()
if(TARGET library_shared)
	add_test(NAME library COMMAND ${PYTHON} -m pytest -q ${CMAKE_CURRENT_LIST_DIR}/library -p no:cacheprovider)
	set_tests_properties(library PROPERTIES LABELS "cli;slow" ENVIRONMENT
		"BUILD=${PROJECT_BINARY_DIR};CC=${CMAKE_C_COMPILER};SANITIZE=${RT_SANITIZE};PYTHONDONTWRITEBYTECODE=1")
endif()
