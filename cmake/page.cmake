# The web page of `resource-tracker report`: bundled from src/report/web into one HTML file, by target `page`.
#
# Sets REPORT_PAGE to that file, for programs that embed it.  REPORT_PAGE is empty without node and npm; the file is
# empty if npm could not fetch what the lock file names.  All else builds all the same, and configuring needs no network.

option(RT_PAGE "Build the web page of `resource-tracker report` (needs node and npm)" ON)

set(RT_PAGE_FILE "" CACHE FILEPATH "The page, where it is bundled already: of another build, or of a release")

set(REPORT_PAGE "")
if(NOT RT_PAGE OR RT_FUZZ)
	return()
endif()
if(RT_PAGE_FILE)
	set(REPORT_PAGE ${RT_PAGE_FILE})
	return()
endif()
find_program(NODE NAMES node nodejs)
find_program(NPM npm)
if(NOT NODE OR NOT NPM)
	message(STATUS "node or npm is missing, so `resource-tracker report` will have no page: apt-get install nodejs npm")
	return()
endif()

# add_node_modules(folder source): fetches what the lock file of `source` names into `folder`, when that file changes.
function(add_node_modules folder source)
	add_custom_command(OUTPUT ${folder}/fetched
		COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DSOURCE=${source} -DFOLDER=${folder}
			-P ${PROJECT_SOURCE_DIR}/cmake/node_modules.cmake
		DEPENDS ${source}/package-lock.json ${source}/package.json VERBATIM COMMENT "Fetching the modules of ${source}")
endfunction()

set(web ${PROJECT_SOURCE_DIR}/src/report/web)
set(modules ${CMAKE_CURRENT_BINARY_DIR}/web)
add_node_modules(${modules} ${web})

file(GLOB PAGE_SOURCES CONFIGURE_DEPENDS ${web}/*.js ${web}/*.css ${web}/*.html)
set(REPORT_PAGE ${CMAKE_CURRENT_BINARY_DIR}/report.html)
add_custom_command(OUTPUT ${REPORT_PAGE}
	COMMAND ${CMAKE_COMMAND} -DNODE=${NODE} -DWEB=${web} -DFOLDER=${modules} -DPAGE=${REPORT_PAGE}
		-P ${PROJECT_SOURCE_DIR}/cmake/bundle.cmake
	DEPENDS ${PAGE_SOURCES} ${modules}/fetched VERBATIM COMMENT "Bundling report.html")
add_custom_target(page ALL DEPENDS ${REPORT_PAGE})
