# bundle.cmake - the page of the report: cmake -DNODE= -DWEB= -DFOLDER= -DPAGE= -P
#
# Without its modules (node_modules.cmake) the page is an empty file, and `resource-tracker report` says that it has none.
if(NOT EXISTS ${FOLDER}/fetched)
	message(STATUS "So `resource-tracker report` has no page")
	file(WRITE ${PAGE} "")
	return()
endif()
execute_process(COMMAND ${NODE} ${WEB}/build.js ${FOLDER}/node_modules ${PAGE} RESULT_VARIABLE failed)
if(failed)
	message(FATAL_ERROR "the page of the report could not be bundled")
endif()
