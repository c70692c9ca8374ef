# `resource-tracker discover`, and the companion of --discover: the only program that asks metadata services of clouds.

find_path(CURL_INCLUDE curl/curl.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
find_library(CURL_LIBRARY curl)
if(NOT CURL_INCLUDE OR NOT CURL_LIBRARY OR RT_STATIC_PROGRAM)
	message(STATUS "Clouds are not asked: that needs libcurl, which is not linked statically: "
		"apt-get install libcurl4-openssl-dev")
	return()
endif()

file(GLOB DISCOVER_SOURCES CONFIGURE_DEPENDS src/discover/*.c)
add_executable(resource-tracker-discover ${DISCOVER_SOURCES})
target_include_directories(resource-tracker-discover SYSTEM PRIVATE ${CURL_INCLUDE})
target_link_libraries(resource-tracker-discover PRIVATE analysis readers record core ${CURL_LIBRARY} m)
install(TARGETS resource-tracker-discover RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
