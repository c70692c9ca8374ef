# The man pages and the shell completions, written by the program that was just built.

if(NOT TARGET resource-tracker OR RT_FUZZ)
	return()
endif()

# generated(file arguments...): a file with the output of resource-tracker.
set(GENERATED "")
function(generated file)
	set(path ${CMAKE_CURRENT_BINARY_DIR}/generated/${file})
	get_filename_component(folder ${path} DIRECTORY)
	file(MAKE_DIRECTORY ${folder})
	add_custom_command(OUTPUT ${path} COMMAND $<TARGET_FILE:resource-tracker> ${ARGN} > ${path}
		DEPENDS resource-tracker VERBATIM)
	set(GENERATED ${GENERATED} ${path} PARENT_SCOPE)
endfunction()

if(CMAKE_CROSSCOMPILING)
	message(STATUS "Cross-compiling: no man page and no completions, the program cannot run here")
	return()
endif()

generated(completion/resource-tracker help --completion bash)
generated(completion/_resource-tracker help --completion zsh)
generated(completion/resource-tracker.fish help --completion fish)
set(completion ${CMAKE_CURRENT_BINARY_DIR}/generated/completion)
install(FILES ${completion}/resource-tracker DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion}/_resource-tracker DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion}/resource-tracker.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# scdoc dates the pages, by SOURCE_DATE_EPOCH if it is set; as a part of the command, so that another date makes them again.
set(DATED "")
if(DEFINED ENV{SOURCE_DATE_EPOCH})
	set(DATED ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=$ENV{SOURCE_DATE_EPOCH})
endif()

# page(name arguments...): a man page, of what resource-tracker prints; it runs the companion of a subcommand.
function(page name)
	set(page ${CMAKE_CURRENT_BINARY_DIR}/generated/${name}.1)
	generated(${name}.1.scd help --man ${ARGN})
	foreach(program ${COMPANIONS})
		add_custom_command(OUTPUT ${page}.scd APPEND DEPENDS ${program})
	endforeach()
	add_custom_command(OUTPUT ${page} COMMAND ${DATED} ${SCDOC} < ${page}.scd > ${page} DEPENDS ${page}.scd VERBATIM)
	set(GENERATED ${GENERATED} ${page} PARENT_SCOPE)
	install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()

find_program(SCDOC scdoc)
if(SCDOC)
	set(COMPANIONS "")
	page(resource-tracker)
	file(STRINGS src/core/commands.def commands REGEX "^(OWN|ANALYSIS|COMMAND)\\(")
	foreach(command ${commands})
		string(REGEX REPLACE "^([A-Z]+)\\(([a-z]+).*" "\\1;\\2" kind_and_word "${command}")
		list(GET kind_and_word 0 kind)
		list(GET kind_and_word 1 word)
		set(COMPANIONS "")
		if(kind STREQUAL ANALYSIS)
			set(COMPANIONS resource-tracker-analysis)
		elseif(kind STREQUAL COMMAND)
			set(COMPANIONS resource-tracker-${word})
		endif()
		# A program that is not built, for want of a library, has no page.
		if(NOT COMPANIONS OR TARGET ${COMPANIONS})
			page(resource-tracker-${word} ${word})
		endif()
	endforeach()
else()
	message(STATUS "scdoc is missing, so no man page is built: apt-get install scdoc")
endif()

add_custom_target(docs ALL DEPENDS ${GENERATED})
