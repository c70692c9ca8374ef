# The report's page in a headless Chromium.  Without a browser or its driver the test is skipped and says why.

find_program(CHROMIUM chromium)
if(REPORT_PAGE)
	set(modules ${CMAKE_CURRENT_BINARY_DIR}/web)
	add_node_modules(${modules} ${CMAKE_CURRENT_LIST_DIR}/web)
	add_custom_target(web_modules ALL DEPENDS ${modules}/fetched)
endif()
set(web_environment "REPORT_PAGE=${REPORT_PAGE}" "MODULES=${CMAKE_CURRENT_BINARY_DIR}/web/node_modules" "CHROMIUM=${CHROMIUM}" "NODE=${NODE}"
	"PROGRAM=$<TARGET_FILE:resource-tracker>")
# A minute of growth; the other one, which runs with all, has a third of that.
add_test(NAME web.growth COMMAND ${CMAKE_CURRENT_LIST_DIR}/web/run.sh growth)
add_test(NAME web COMMAND ${CMAKE_CURRENT_LIST_DIR}/web/run.sh)
set_tests_properties(web web.growth PROPERTIES LABELS "web;slow;engine" SKIP_RETURN_CODE 77)
set_tests_properties(web PROPERTIES ENVIRONMENT "${web_environment}")
set_tests_properties(web.growth PROPERTIES ENVIRONMENT "${web_environment};GROWTH_SECONDS=60")
