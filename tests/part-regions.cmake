# A program and a library that name their parts.

add_load(load_regions ${CMAKE_CURRENT_LIST_DIR}/loads/load_regions.c)
target_include_directories(load_regions PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(load_regions PRIVATE ${CMAKE_DL_LIBS})
add_library(library_regions MODULE ${CMAKE_CURRENT_LIST_DIR}/loads/library_regions.c)
target_include_directories(library_regions PRIVATE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(library_regions PROPERTIES C_VISIBILITY_PRESET default)
