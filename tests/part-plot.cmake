# Unit tests of what pictures are made of.

if(TARGET test_ticks)
	target_link_libraries(test_ticks PRIVATE plot m)
endif()
