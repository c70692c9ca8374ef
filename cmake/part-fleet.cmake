# `resource-tracker fleet`: a program of its own, of SQLite; for ClickHouse also of libcurl, where that is, in builds that are
# not static.

if(NOT SQLITE_INCLUDE OR NOT SQLITE_LIBRARY)
	message(STATUS "No fleet: that needs SQLite: apt-get install libsqlite3-dev")
	return()
endif()

add_room(fleet analysis readers record core ${SQLITE_LIBRARY} ${CMAKE_DL_LIBS} m)
target_include_directories(fleet SYSTEM PRIVATE ${SQLITE_INCLUDE})
if(TARGET http AND NOT RT_STATIC_PROGRAM)
	target_link_libraries(fleet PUBLIC http)
	target_compile_definitions(fleet PRIVATE RT_FLEET_CLICKHOUSE)
endif()
add_companion(fleet fleet)
