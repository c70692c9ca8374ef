# The documentation: where its links lead, in the repository and on the site that mkdocs makes of it.

add_test(NAME docs COMMAND ${PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_LIST_DIR}/docs)
set_tests_properties(docs PROPERTIES LABELS cli ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
