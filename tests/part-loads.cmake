# Programs that burn a known amount, and the test that they do.  Never sanitized: a sanitizer's
# own memory and CPU would be part of the truth.

foreach(name load_cpu load_memory load_io load_forks load_tree)
	if(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/loads/${name}.c)
		continue()
	endif()
	add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/loads/${name}.c ${CMAKE_CURRENT_LIST_DIR}/loads/load.c)
	target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
	target_compile_options(${name} PRIVATE -O2 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
		-Wmissing-prototypes -Wvla $<$<BOOL:${RT_WERROR}>:-Werror>)
	target_link_libraries(${name} PRIVATE Threads::Threads)
endforeach()

if(RT_TESTS)
	add_test(NAME loads COMMAND ${PYTHON} -m pytest -q ${CMAKE_CURRENT_LIST_DIR}/loads -p no:cacheprovider)
	set_tests_properties(loads PROPERTIES TIMEOUT 300
		ENVIRONMENT "LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endif()
