# Unit tests of the analysis companion: those that are named after a file of src/analysis.

file(GLOB ANALYSIS_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/analysis/*.c)
foreach(source ${ANALYSIS_FILES})
	get_filename_component(name ${source} NAME_WE)
	if(TARGET test_${name})
		target_link_libraries(test_${name} PRIVATE analysis record m)
	endif()
endforeach()
