# `resource-tracker top`: the live view, a program of its own, of libc alone.

file(GLOB TOP_SOURCES CONFIGURE_DEPENDS src/top/*.c)
list(REMOVE_ITEM TOP_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/src/top/top_main.c)
add_library(top STATIC ${TOP_SOURCES})
target_link_libraries(top PUBLIC analysis readers record regions core m)

if(TARGET resource-tracker)
	file(RELATIVE_PATH BINDIR ${CMAKE_INSTALL_FULL_LIBEXECDIR}/resource-tracker ${CMAKE_INSTALL_FULL_BINDIR})
	target_compile_definitions(top PRIVATE RT_BINDIR="${BINDIR}")
	add_executable(resource-tracker-top src/top/top_main.c)
	target_link_libraries(resource-tracker-top PRIVATE top)
	install(TARGETS resource-tracker-top RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
	if(RT_STATIC_PROGRAM)
		target_link_options(resource-tracker-top PRIVATE -static)
	endif()
endif()
