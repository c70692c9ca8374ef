# The program that reads GPUs for the recorder: never static, because it loads the library of NVIDIA's driver.

add_executable(resource-tracker-gpu src/gpu/gpu_main.c)
target_link_libraries(resource-tracker-gpu PRIVATE core)
link_for_old_glibc(resource-tracker-gpu)
install(TARGETS resource-tracker-gpu RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/resource-tracker)
