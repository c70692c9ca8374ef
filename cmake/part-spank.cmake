# The plugin of Slurm, where its headers are: `srun --track`.

find_path(SPANK_INCLUDE slurm/spank.h)
# A folder that runs from anywhere has none: a plugin is linked with the libc of the machine that built it.
if(NOT SPANK_INCLUDE OR NOT TARGET resource-tracker OR RT_FUZZ OR RT_SANITIZE OR RT_STATIC_PROGRAM)
	if(NOT SPANK_INCLUDE)
		message(STATUS "Slurm's headers are missing, so its plugin is not built: apt-get install libslurm-dev")
	endif()
	return()
endif()

add_library(spank_resource_tracker MODULE src/spank/spank_plugin.c)
set_target_properties(spank_resource_tracker PROPERTIES PREFIX "")
target_include_directories(spank_resource_tracker SYSTEM PRIVATE ${SPANK_INCLUDE})
target_compile_definitions(spank_resource_tracker PRIVATE _GNU_SOURCE
	RT_PROGRAM="${CMAKE_INSTALL_FULL_BINDIR}/resource-tracker")
target_link_libraries(spank_resource_tracker PRIVATE strict)
install(TARGETS spank_resource_tracker LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
