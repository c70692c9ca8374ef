# `resource-tracker fleet`: a program of its own, of SQLite.

if(NOT SQLITE_INCLUDE OR NOT SQLITE_LIBRARY)
	message(STATUS "No fleet: that needs SQLite: apt-get install libsqlite3-dev")
	return()
endif()

file(GLOB FLEET_SOURCES CONFIGURE_DEPENDS src/fleet/*.c)
list(REMOVE_ITEM FLEET_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/fleet/fleet_main.c)
add_library(fleet STATIC ${FLEET_SOURCES})
target_include_directories(fleet SYSTEM PRIVATE ${SQLITE_INCLUDE})
target_link_libraries(fleet PUBLIC analysis readers record core ${SQLITE_LIBRARY} ${CMAKE_DL_LIBS} m)

add_executable(resource-tracker-fleet src/fleet/fleet_main.c)
target_link_libraries(resource-tracker-fleet PRIVATE fleet analysis readers record core)
install(TARGETS resource-tracker-fleet RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
if(RT_STATIC_PROGRAM)
	target_link_options(resource-tracker-fleet PRIVATE -static)
endif()
