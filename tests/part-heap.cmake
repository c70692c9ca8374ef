# The allocator is the static recorder's alone, so its test brings it; its names are not the C library's there.
target_sources(test_heap PRIVATE ${PROJECT_SOURCE_DIR}/src/heap/heap.c)
