# Unit tests of the live view.

foreach(name test_view test_paint test_keys test_processes test_open_regions)
	if(TARGET ${name})
		target_link_libraries(${name} PRIVATE top m)
	endif()
endforeach()
