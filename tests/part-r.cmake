# The R package: built of this tree, checked by R CMD check, which compiles and installs it, and used from there.
# A sanitizer's runtime is not in R.

find_program(RSCRIPT Rscript)
if(RT_SANITIZE OR NOT RSCRIPT)
	return()
endif()
execute_process(COMMAND ${RSCRIPT} --vanilla -e "for (name in c('R6', 'knitr', 'testthat')) if (!nzchar(system.file(package = name))) q(status = 1)"
	RESULT_VARIABLE R_PACKAGES_MISSING OUTPUT_QUIET ERROR_QUIET)
if(R_PACKAGES_MISSING)
	return()
endif()
add_test(NAME r COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_LIST_DIR}/r)
set_tests_properties(r PROPERTIES LABELS "r;slow;package" COST 1000 ENVIRONMENT "PAGE=${REPORT_PAGE};PYTHONDONTWRITEBYTECODE=1")
