# Requests by libcurl: the room `http`, of programs that send or ask something.  Without libcurl, and in a static build without
# glibc, there is no such target.

find_path(CURL_INCLUDE curl/curl.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
if(CURL_INCLUDE AND CURL_LIBRARY AND (NOT RT_STATIC_PROGRAM OR RT_HAVE_GLIBC))
	add_room(http core ${LINKED_CURL})
	target_include_directories(http SYSTEM PUBLIC ${CURL_INCLUDE})
endif()
