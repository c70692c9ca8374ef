# `resource-tracker discover`, and the companion of --discover: the only program that asks metadata services of clouds.

if(NOT TARGET http)
	message(STATUS "Clouds are not asked: that needs libcurl: apt-get install libcurl4-openssl-dev")
	return()
endif()

add_room(discover analysis readers record core ${LINKED_CURL} m)
target_include_directories(discover SYSTEM PUBLIC ${CURL_INCLUDE})
add_network_companion(discover)
