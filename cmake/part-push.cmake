# `resource-tracker push`, and the companion of --push: a program of its own, so that no other one uses the network; and
# requests to object stores, a library.

find_path(ZLIB_INCLUDE zlib.h)
find_path(NETTLE_INCLUDE nettle/hmac.h)
if(RT_STATIC_PROGRAM)
	find_library(ZLIB_LIBRARY libz.a)
	find_library(NETTLE_LIBRARY libnettle.a)
else()
	find_library(ZLIB_LIBRARY z)
	find_library(NETTLE_LIBRARY nettle)
endif()
if(NOT TARGET http OR NOT ZLIB_INCLUDE OR NOT ZLIB_LIBRARY OR NOT NETTLE_INCLUDE OR NOT NETTLE_LIBRARY)
	message(STATUS "Nothing is pushed: that needs libcurl, libnettle and zlib: "
		"apt-get install libcurl4-openssl-dev nettle-dev zlib1g-dev")
	return()
endif()

add_room(store record core ${NETTLE_LIBRARY})
target_include_directories(store SYSTEM PRIVATE ${NETTLE_INCLUDE})
add_room(push http store analysis readers record core ${ZLIB_LIBRARY} m)
target_include_directories(push SYSTEM PRIVATE ${ZLIB_INCLUDE})
add_network_companion(push)
