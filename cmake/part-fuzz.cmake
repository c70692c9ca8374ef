# One libFuzzer program for each tests/fuzz/fuzz_<parser>.c, with its seeds in tests/fuzz/corpus/<parser>/.

if(RT_FUZZ)
	enable_testing()
	file(GLOB FUZZERS CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
	if(NOT TARGET push)
		list(FILTER FUZZERS EXCLUDE REGEX fuzz_sentinel)
	endif()
	# A call for each comparison took half of the time; without, the nine targets compared reach as many edges or more.
	target_compile_options(strict INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
	foreach(source ${FUZZERS})
		get_filename_component(name ${source} NAME_WE)
		add_executable(${name} ${source})
		target_link_libraries(${name} PRIVATE core)
		if(TARGET record)
			target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:push>
				$<TARGET_NAME_IF_EXISTS:fleet> plot analysis library readers record)
		endif()
		target_link_options(${name} PRIVATE -fsanitize=fuzzer)
		string(REPLACE fuzz_ "" parser ${name})
		add_test(NAME fuzz.${parser} COMMAND ${PROJECT_SOURCE_DIR}/tools/fuzz.sh 2 ${parser})
		set_tests_properties(fuzz.${parser} PROPERTIES LABELS "fuzz;slow" RUN_SERIAL TRUE)
	endforeach()
endif()
