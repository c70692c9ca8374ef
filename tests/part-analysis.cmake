# Unit tests of the analysis companion: those that are named after a file of it.

foreach(source ${ANALYSIS_SOURCES})
	get_filename_component(name ${source} NAME_WE)
	if(TARGET test_${name})
		target_link_libraries(test_${name} PRIVATE analysis record m)
	endif()
endforeach()
