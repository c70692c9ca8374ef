# The C library of what ships: musl, linked static, where it is installed (Debian: musl-tools).
#
# A recorder without a loader starts 0.6 ms sooner around a command and needs 0.8 instead of 2.3 MiB (docs/design/dependencies.md).
# Target `musl`: what a program that is linked so adds to its own options.  Without it nothing changes but these figures.

option(RT_MUSL "Link the recorder static with musl where it is installed" ON)

if(NOT RT_MUSL OR RT_SANITIZE OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
	return()
endif()

string(REPLACE "-gnu" "-musl" MUSL_ARCHITECTURE "${CMAKE_LIBRARY_ARCHITECTURE}")
find_file(MUSL_SPECS musl-gcc.specs PATHS /usr/lib/${MUSL_ARCHITECTURE} NO_DEFAULT_PATH)
if(NOT MUSL_SPECS)
	message(STATUS "musl is missing, so the recorder needs a loader: apt-get install musl-tools")
	return()
endif()

# The kernel's headers without the other C library's, which lie among them.
set(KERNEL_HEADERS ${CMAKE_BINARY_DIR}/kernel-headers)
file(MAKE_DIRECTORY ${KERNEL_HEADERS})
foreach(folder linux asm asm-generic)
	find_path(KERNEL_${folder} ${folder}/types.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} /usr/include)
	file(CREATE_LINK ${KERNEL_${folder}}/${folder} ${KERNEL_HEADERS}/${folder} SYMBOLIC)
endforeach()

# Debian's options for gcc make a program with a loader; these one without, at addresses of chance all the same.
file(READ ${MUSL_SPECS} specs)
string(REPLACE "Scrt1.o" "rcrt1.o" specs "${specs}")
string(REGEX REPLACE "-dynamic-linker [^ ]+" "-static -pie --no-dynamic-linker -z text" specs "${specs}")
file(WRITE ${CMAKE_BINARY_DIR}/musl-static.specs "${specs}")

add_library(musl INTERFACE)
target_compile_options(musl INTERFACE -specs=${CMAKE_BINARY_DIR}/musl-static.specs -isystem ${KERNEL_HEADERS} -fPIE)
target_link_options(musl INTERFACE -specs=${CMAKE_BINARY_DIR}/musl-static.specs)
