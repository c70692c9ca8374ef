# Unit tests of the analysis companion: those that are named after a file of it, or of the readers below it.

foreach(source ${ANALYSIS_SOURCES} ${READERS_SOURCES})
	get_filename_component(name ${source} NAME_WE)
	if(TARGET test_${name})
		target_link_libraries(test_${name} PRIVATE analysis readers record m)
	endif()
endforeach()
