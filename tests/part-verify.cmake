# What `resource-tracker verify` is made of.

if(TARGET test_verify)
	target_link_libraries(test_verify PRIVATE verify)
endif()
