# The comparison with other trackers, on small files; nothing here measures time.

add_test(NAME bench.compare COMMAND ${PYTHON} -m pytest -q ${PROJECT_SOURCE_DIR}/bench -p no:cacheprovider)
set_tests_properties(bench.compare PROPERTIES LABELS cli ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
