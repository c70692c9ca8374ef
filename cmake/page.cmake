# The web page of `resource-tracker report`: bundled from src/report/web into one HTML file.
#
# Sets REPORT_PAGE to that file, for the targets that embed it.  It is empty if the page cannot be built: without node
# and npm, or if npm could not fetch the packages of the lock file.  All other targets build all the same.

option(RT_PAGE "Build the web page of `resource-tracker report` (needs node and npm)" ON)

set(REPORT_PAGE "")
if(NOT RT_PAGE OR RT_FUZZ)
	return()
endif()
find_program(NODE NAMES node nodejs)
find_program(NPM npm)
if(NOT NODE OR NOT NPM)
	message(STATUS "node or npm is missing, so `resource-tracker report` will have no page: apt-get install nodejs npm")
	return()
endif()

# node_modules(folder source result): the packages of the lock file of `source`, in `folder`; fetched when that file
# changes.
function(node_modules folder source result)
	file(SHA256 ${source}/package-lock.json lock)
	set(fetched "")
	if(EXISTS ${folder}/fetched)
		file(READ ${folder}/fetched fetched)
	endif()
	if(NOT fetched STREQUAL lock)
		file(MAKE_DIRECTORY ${folder})
		file(COPY ${source}/package.json ${source}/package-lock.json DESTINATION ${folder})
		execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
			WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
		if(failed)
			message(STATUS "npm could not fetch what ${source}/package-lock.json names:\n${why}")
			set(${result} FALSE PARENT_SCOPE)
			return()
		endif()
		file(WRITE ${folder}/fetched ${lock})
	endif()
	set(${result} TRUE PARENT_SCOPE)
endfunction()

set(web ${PROJECT_SOURCE_DIR}/src/report/web)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${web}/package-lock.json)
node_modules(${CMAKE_CURRENT_BINARY_DIR}/web ${web} fetched)
if(NOT fetched)
	message(STATUS "So `resource-tracker report` will have no page")
	return()
endif()

file(GLOB PAGE_SOURCES CONFIGURE_DEPENDS ${web}/*.js ${web}/*.css ${web}/*.html)
set(REPORT_PAGE ${CMAKE_CURRENT_BINARY_DIR}/report.html)
add_custom_command(OUTPUT ${REPORT_PAGE}
	COMMAND ${NODE} ${web}/build.js ${CMAKE_CURRENT_BINARY_DIR}/web/node_modules ${REPORT_PAGE}
	DEPENDS ${PAGE_SOURCES} ${web}/package-lock.json VERBATIM COMMENT "Bundling report.html")
add_custom_target(page ALL DEPENDS ${REPORT_PAGE})
