# `resource-tracker top`: the live view, a program of its own, of libc alone.

file(GLOB TOP_SOURCES CONFIGURE_DEPENDS src/top/*.c)
list(REMOVE_ITEM TOP_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/top/top_main.c)
add_library(top STATIC ${TOP_SOURCES})
target_link_libraries(top PUBLIC analysis readers record regions core m)
