# Objects in an S3 store: a library for the companions with a network.

find_path(CRYPTO_INCLUDE openssl/evp.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
find_library(CRYPTO_LIBRARY crypto)
if(NOT CRYPTO_INCLUDE OR NOT CRYPTO_LIBRARY OR RT_STATIC_PROGRAM)
	message(STATUS "No requests to S3 are signed: that needs libcrypto: apt-get install libssl-dev")
	return()
endif()

file(GLOB STORE_SOURCES CONFIGURE_DEPENDS src/store/*.c)
add_library(store STATIC ${STORE_SOURCES})
target_include_directories(store SYSTEM PRIVATE ${CRYPTO_INCLUDE})
target_link_libraries(store PUBLIC core ${CRYPTO_LIBRARY})
