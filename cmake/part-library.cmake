# libresource-tracker: static, shared, headers, pkg-config.
#
# The sampler's own names are hidden.  In the shared library that is enough; for the static one all
# objects are linked into one and the hidden names made local, so that only rt_* can collide
# with a name of the program that links it.

file(GLOB LIBRARY_SOURCES CONFIGURE_DEPENDS src/library/*.c)
add_library(library STATIC ${LIBRARY_SOURCES})
target_link_libraries(library PUBLIC record_reader core)
target_include_directories(library PUBLIC include)
set_target_properties(library PROPERTIES POSITION_INDEPENDENT_CODE ON)

set(LIBRARY_VERSIONS ${CMAKE_CURRENT_SOURCE_DIR}/src/library/resource-tracker.map)
set(LIBRARY_OBJECTS $<TARGET_OBJECTS:library> $<TARGET_OBJECTS:record_reader> $<TARGET_OBJECTS:core>)
add_library(library_shared SHARED ${LIBRARY_OBJECTS})
target_link_libraries(library_shared PRIVATE strict Threads::Threads m)
target_link_options(library_shared PRIVATE -Wl,--version-script=${LIBRARY_VERSIONS} -Wl,-z,defs)
set_target_properties(library_shared PROPERTIES OUTPUT_NAME resource-tracker VERSION ${PROJECT_VERSION}
	SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C LINK_DEPENDS ${LIBRARY_VERSIONS})
if(RT_SANITIZE)
	# The sanitizer's runtime is in the program.
	target_link_options(library_shared PRIVATE -Wl,-z,undefs)
endif()

set(LIBRARY_OBJECT ${CMAKE_CURRENT_BINARY_DIR}/resource-tracker.o)
set(LIBRARY_ARCHIVE ${CMAKE_CURRENT_BINARY_DIR}/libresource-tracker.a)
add_custom_command(OUTPUT ${LIBRARY_ARCHIVE}
	COMMAND ${CMAKE_LINKER} -r -o ${LIBRARY_OBJECT} ${LIBRARY_OBJECTS}
	COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${LIBRARY_OBJECT}
	COMMAND ${CMAKE_COMMAND} -E rm -f ${LIBRARY_ARCHIVE}
	COMMAND ${CMAKE_AR} crs ${LIBRARY_ARCHIVE} ${LIBRARY_OBJECT}
	DEPENDS library record_reader core ${LIBRARY_OBJECTS}
	COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking C static library libresource-tracker.a")
add_custom_target(library_static ALL DEPENDS ${LIBRARY_ARCHIVE})

configure_file(src/library/resource-tracker.pc.in resource-tracker.pc @ONLY)
install(TARGETS library_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES ${LIBRARY_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES include/resource_tracker.h include/resource_tracker_records.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/resource-tracker.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
