# NVIDIA's library without a GPU, as drivers of different years have it: nvml-LEVEL/libnvidia-ml.so.1.

foreach(level 0 1 2 3)
	add_library(fake_nvml_${level} MODULE ${CMAKE_CURRENT_LIST_DIR}/gpu/fake_nvml.c)
	target_compile_definitions(fake_nvml_${level} PRIVATE _GNU_SOURCE FAKE_LEVEL=${level})
	target_include_directories(fake_nvml_${level} PRIVATE ${PROJECT_SOURCE_DIR}/src)
	target_compile_options(fake_nvml_${level} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-unused-function
		$<$<BOOL:${RT_WERROR}>:-Werror>)
	set_target_properties(fake_nvml_${level} PROPERTIES PREFIX "" OUTPUT_NAME libnvidia-ml SUFFIX .so.1
		LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/nvml-${level})
endforeach()
if(TARGET test_gpu)
	target_compile_definitions(test_gpu PRIVATE NVML_FAKES="${CMAKE_CURRENT_BINARY_DIR}")
	add_dependencies(test_gpu fake_nvml_0 fake_nvml_1 fake_nvml_2 fake_nvml_3)
endif()
