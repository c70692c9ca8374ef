# Regions of programs: the recorder's side, and the header for the programs.

file(GLOB REGION_SOURCES CONFIGURE_DEPENDS src/regions/*.c)
add_library(regions STATIC ${REGION_SOURCES})
target_link_libraries(regions PUBLIC core)
target_link_libraries(record PUBLIC regions)
install(FILES include/resource_tracker_regions.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES share/resource_tracker_regions.py share/resource_tracker_regions.R
	DESTINATION ${CMAKE_INSTALL_DATADIR}/resource-tracker)
