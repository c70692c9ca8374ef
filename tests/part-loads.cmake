# Programs that burn a known amount, and the test that they do.  Those that `resource-tracker verify`
# has as well are in src/verify.

function(add_load name source)
	add_executable(${name} ${source})
	target_compile_definitions(${name} PRIVATE _GNU_SOURCE LOAD=${name})
	target_compile_options(${name} PRIVATE -O2 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
		-Wmissing-prototypes -Wvla $<$<BOOL:${RT_WERROR}>:-Werror>)
	target_link_libraries(${name} PRIVATE loads)
endfunction()

foreach(name load_cpu load_memory load_io load_tcp)
	add_load(${name} ${CMAKE_CURRENT_LIST_DIR}/loads/main.c)
endforeach()
foreach(name load_churn load_forks load_peak load_tree)
	add_load(${name} ${CMAKE_CURRENT_LIST_DIR}/loads/${name}.c)
endforeach()

if(RT_TESTS)
	add_test(NAME loads COMMAND ${PYTHON} -m pytest -q ${CMAKE_CURRENT_LIST_DIR}/loads -p no:cacheprovider)
	set_tests_properties(loads PROPERTIES LABELS "cli;slow" ENVIRONMENT "LOADS=$<TARGET_FILE_DIR:load_cpu>;PYTHONDONTWRITEBYTECODE=1")
endif()
