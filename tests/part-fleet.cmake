# `resource-tracker fleet`: units; tests/cli/test_fleet*.py are from outside.

if(TARGET fleet)
	add_units(fleet)
endif()
