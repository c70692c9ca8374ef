# companion.cmake - what the programs beside the recorder have in common.

# The sources of src/ROOM without its main(), as a library.
function(add_room room)
	file(GLOB sources CONFIGURE_DEPENDS src/${room}/*.c)
	list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/src/${room}/${room}_main.c)
	add_library(${room} STATIC ${sources})
	target_link_libraries(${room} PUBLIC ${ARGN})
endfunction()

# resource-tracker-NAME, of src/NAME/NAME_main.c and these libraries, where the recorder looks for it.
function(add_companion name)
	set(program resource-tracker-${name})
	add_executable(${program} src/${name}/${name}_main.c)
	target_link_libraries(${program} PRIVATE ${ARGN})
	install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
	if(RT_STATIC_PROGRAM)
		target_link_options(${program} PRIVATE -static)
	endif()
endfunction()

# Archives and wheels take programs that load a library of the machine to systems with an older C library, where libdl and
# libpthread are libraries of their own.
include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h RT_HAVE_GLIBC)
function(link_for_old_glibc program)
	if(RT_STATIC_PROGRAM AND RT_HAVE_GLIBC)
		target_sources(${program} PRIVATE packaging/old_glibc.c packaging/old_glibc_start.c)
		target_link_options(${program} PRIVATE "LINKER:@${PROJECT_SOURCE_DIR}/packaging/old_glibc.wrap")
		target_link_libraries(${program} PRIVATE -Wl,--push-state,--no-as-needed
			-l:libdl.so.2 -l:libpthread.so.0 -Wl,--pop-state)
	endif()
endfunction()

# resource-tracker-NAME, of the room NAME, which uses libcurl.  In a static build it is the machine's libcurl, of 7.66 or
# later: the program is linked with a library of the same name whose functions have no versions, since distributions have
# different ones.
find_library(CURL_LIBRARY curl)
set(LINKED_CURL ${CURL_LIBRARY})
if(RT_STATIC_PROGRAM AND RT_HAVE_GLIBC)
	add_library(curl_names SHARED packaging/curl_names.c)
	set_target_properties(curl_names PROPERTIES OUTPUT_NAME curl SOVERSION 4)
	set(LINKED_CURL curl_names)
endif()
function(add_network_companion name)
	set(program resource-tracker-${name})
	add_executable(${program} src/${name}/${name}_main.c)
	target_link_libraries(${program} PRIVATE ${name})
	set_target_properties(${program} PROPERTIES SKIP_BUILD_RPATH ON)
	link_for_old_glibc(${program})
	install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
endfunction()
