# Readers of the files of trackers, for every program that evaluates them: records, and the files of other trackers.

file(GLOB READERS_SOURCES CONFIGURE_DEPENDS src/readers/*.c)
# The reader of run records alone is in the library, too: it needs core, and no text for users.
set(RECORD_READER_SOURCES ${READERS_SOURCES})
list(FILTER RECORD_READER_SOURCES INCLUDE REGEX "/record_[a-z_]*[.]c$")
list(REMOVE_ITEM READERS_SOURCES ${RECORD_READER_SOURCES})
add_library(record_reader STATIC ${RECORD_READER_SOURCES})
target_link_libraries(record_reader PUBLIC core)
set_target_properties(record_reader PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(readers STATIC ${READERS_SOURCES})
target_link_libraries(readers PUBLIC record_reader record core m)
