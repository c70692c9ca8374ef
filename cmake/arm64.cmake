# aarch64 on another Debian machine (gcc-aarch64-linux-gnu); its programs run by qemu-user-static.  Libraries beside the C
# library are in build/debian-arm64, if tools/need.sh has unpacked them there.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
get_filename_component(DEBIAN_ARM64 ${CMAKE_CURRENT_LIST_DIR}/../build/debian-arm64 ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${DEBIAN_ARM64} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
