# The analysis companion: subcommands that read records after the runs.

include(${CMAKE_CURRENT_LIST_DIR}/page.cmake)

file(GLOB ANALYSIS_SOURCES CONFIGURE_DEPENDS src/history/*.c
	src/export/*.c src/comparison/*.c src/advice/*.c src/report/*.c src/live/*.c src/ranks/*.c src/analysis/*.c)
list(REMOVE_ITEM ANALYSIS_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/analysis/analysis_main.c)
find_path(SQLITE_INCLUDE sqlite3.h)
find_library(SQLITE_LIBRARY sqlite3)
if(SQLITE_INCLUDE AND SQLITE_LIBRARY)
	list(REMOVE_ITEM ANALYSIS_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/export/export_sqlite_missing.c)
else()
	list(REMOVE_ITEM ANALYSIS_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/export/export_sqlite.c
		${CMAKE_CURRENT_SOURCE_DIR}/src/export/database.c)
	message(STATUS "SQLite is missing, so nothing is exported to it: apt-get install libsqlite3-dev")
endif()
add_library(analysis STATIC ${ANALYSIS_SOURCES})
target_link_libraries(analysis PUBLIC readers record core m)
if(REPORT_PAGE)
	enable_language(ASM)
	target_sources(analysis PRIVATE src/report/report_page_bytes.S)
	set_source_files_properties(src/report/report_page_bytes.S PROPERTIES
		COMPILE_DEFINITIONS "RT_REPORT_PAGE=\"${REPORT_PAGE}\"" OBJECT_DEPENDS ${REPORT_PAGE})
	set_source_files_properties(src/report/report_page.c PROPERTIES COMPILE_DEFINITIONS RT_REPORT_PAGE)
endif()
if(SQLITE_INCLUDE AND SQLITE_LIBRARY)
	target_include_directories(analysis PRIVATE ${SQLITE_INCLUDE})
	target_link_libraries(analysis PRIVATE ${SQLITE_LIBRARY} ${CMAKE_DL_LIBS} m)
endif()

add_companion(analysis analysis)
