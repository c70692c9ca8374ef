# What trackers left behind, read by whoever makes something of it: records, and the files of other trackers.

file(GLOB READERS_SOURCES CONFIGURE_DEPENDS src/readers/*.c)
add_library(readers STATIC ${READERS_SOURCES})
target_link_libraries(readers PUBLIC record core m)
