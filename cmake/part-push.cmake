# `resource-tracker push`, and the companion of --push: a program of its own, so that no other one uses the network.

find_path(CURL_INCLUDE curl/curl.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
find_library(CURL_LIBRARY curl)
find_path(ZLIB_INCLUDE zlib.h)
find_library(ZLIB_LIBRARY z)
if(NOT CURL_INCLUDE OR NOT CURL_LIBRARY OR NOT ZLIB_INCLUDE OR NOT ZLIB_LIBRARY OR RT_STATIC_PROGRAM)
	message(STATUS "Nothing is pushed: that needs libcurl, which is not linked statically: "
		"apt-get install libcurl4-openssl-dev zlib1g-dev")
	return()
endif()

file(GLOB PUSH_SOURCES CONFIGURE_DEPENDS src/push/*.c)
list(REMOVE_ITEM PUSH_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/push/push_main.c)
add_library(push STATIC ${PUSH_SOURCES})
target_include_directories(push SYSTEM PRIVATE ${CURL_INCLUDE} ${ZLIB_INCLUDE})
target_link_libraries(push PUBLIC analysis readers record core ${CURL_LIBRARY} ${ZLIB_LIBRARY} m)

add_executable(resource-tracker-push src/push/push_main.c)
target_link_libraries(resource-tracker-push PRIVATE push analysis readers record core)
install(TARGETS resource-tracker-push RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
