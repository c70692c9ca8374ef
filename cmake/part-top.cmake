# `resource-tracker top`: the live view, a program of its own, of libc alone.

add_room(top analysis readers record regions core m)

if(TARGET resource-tracker)
	file(RELATIVE_PATH BINDIR ${CMAKE_INSTALL_FULL_LIBEXECDIR}/resource-tracker ${CMAKE_INSTALL_FULL_BINDIR})
	target_compile_definitions(top PRIVATE RT_BINDIR="${BINDIR}")
	add_companion(top top)
endif()
