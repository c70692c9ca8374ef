# The C library of the released programs: musl, linked static, if it is installed (Debian: musl-tools).
#
# A recorder without a loader starts 0.6 ms sooner around a command and needs 0.8 instead of 2.3 MiB (ARCHITECTURE.md).
# Target `musl`: the options of a program linked this way.  Without it only these figures change.

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

# The kernel's headers without the other C library's, which are in the same folders.
set(KERNEL_HEADERS ${CMAKE_BINARY_DIR}/kernel-headers)
file(MAKE_DIRECTORY ${KERNEL_HEADERS})
foreach(folder linux asm asm-generic)
	find_path(KERNEL_${folder} ${folder}/types.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} /usr/include)
	file(CREATE_LINK ${KERNEL_${folder}}/${folder} ${KERNEL_HEADERS}/${folder} SYMBOLIC)
endforeach()

# Debian's options for gcc make a program with a loader; these make one without, still at random addresses.
file(READ ${MUSL_SPECS} specs)
string(REPLACE "Scrt1.o" "rcrt1.o" specs "${specs}")
string(REGEX REPLACE "-dynamic-linker [^ ]+" "-static -pie --no-dynamic-linker -z text" specs "${specs}")
file(WRITE ${CMAKE_BINARY_DIR}/musl-static.specs "${specs}")

add_library(musl INTERFACE)
target_compile_options(musl INTERFACE -specs=${CMAKE_BINARY_DIR}/musl-static.specs -isystem ${KERNEL_HEADERS} -fPIE)
target_link_options(musl INTERFACE -specs=${CMAKE_BINARY_DIR}/musl-static.specs)
