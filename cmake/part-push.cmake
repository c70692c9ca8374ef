# `resource-tracker push`, and the companion of --push: a program of its own, so that no other one uses the network; and
# requests to object stores, a library.

find_path(CURL_INCLUDE curl/curl.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
find_library(CURL_LIBRARY curl)
find_path(ZLIB_INCLUDE zlib.h)
find_library(ZLIB_LIBRARY z)
find_path(CRYPTO_INCLUDE openssl/evp.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
find_library(CRYPTO_LIBRARY crypto)
if(NOT CURL_INCLUDE OR NOT CURL_LIBRARY OR NOT ZLIB_INCLUDE OR NOT ZLIB_LIBRARY OR
		NOT CRYPTO_INCLUDE OR NOT CRYPTO_LIBRARY OR RT_STATIC_PROGRAM)
	message(STATUS "Nothing is pushed: that needs libcurl and libcrypto, which are not linked statically: "
		"apt-get install libcurl4-openssl-dev libssl-dev zlib1g-dev")
	return()
endif()

file(GLOB STORE_SOURCES CONFIGURE_DEPENDS src/store/*.c)
add_library(store STATIC ${STORE_SOURCES})
target_include_directories(store SYSTEM PRIVATE ${CRYPTO_INCLUDE})
target_link_libraries(store PUBLIC core ${CRYPTO_LIBRARY})

file(GLOB PUSH_SOURCES CONFIGURE_DEPENDS src/push/*.c)
list(REMOVE_ITEM PUSH_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/push/push_main.c)
add_library(push STATIC ${PUSH_SOURCES})
target_include_directories(push SYSTEM PRIVATE ${CURL_INCLUDE} ${ZLIB_INCLUDE})
target_link_libraries(push PUBLIC store analysis readers record core ${CURL_LIBRARY} ${ZLIB_LIBRARY} m)

add_executable(resource-tracker-push src/push/push_main.c)
target_link_libraries(resource-tracker-push PRIVATE push analysis readers record core)
install(TARGETS resource-tracker-push RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
