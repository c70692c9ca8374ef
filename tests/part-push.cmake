# `resource-tracker push` and --push: units; tests/cli/test_push*.py are from outside.

if(TARGET push)
	add_units(store)
	add_units(push)
endif()
