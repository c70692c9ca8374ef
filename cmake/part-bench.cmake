# Our cost against the floor; bench/run builds with this on and calls the programs.

option(RT_BENCH "Build the programs of bench/" OFF)

if(RT_BENCH)
	if(NOT RT_TESTS)
		include(tests/part-loads.cmake)
		include(tests/part-regions.cmake)
	endif()
	foreach(name floor sample wrap)
		add_executable(bench_${name} bench/${name}.c bench/measure.c)
		target_compile_definitions(bench_${name} PRIVATE _GNU_SOURCE)
		target_link_libraries(bench_${name} PRIVATE strict)
	endforeach()
	target_link_libraries(bench_sample PRIVATE core)
	target_include_directories(bench_sample PRIVATE src)
endif()
