# Options of the build, and the warnings for every file of the project.

option(RT_TESTS "Build the tests" ON)
option(RT_WERROR "Warnings are errors" OFF)
option(RT_STATIC_PROGRAM "Link resource-tracker fully static" OFF)
option(RT_FUZZ "Build the libFuzzer targets (clang only)" OFF)
set(RT_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
	set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# The flags of these that the compiler has.  Each entry: one flag, or flags that only work together.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
set(HARDENING "")
foreach(flags
	-fstack-clash-protection                # a stack that grows cannot jump over the guard page
	-fcf-protection                         # x86: indirect jumps end where functions begin, returns where calls were
	-ftrivial-auto-var-init=zero            # a variable that was not set is 0, not a piece of another stack frame
	"-ftrivial-auto-var-init=zero -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang")
	string(MAKE_C_IDENTIFIER "HAVE${flags}" have)
	if(flags MATCHES "auto-var-init" AND HARDENING MATCHES "auto-var-init")
		continue()
	endif()
	check_c_compiler_flag("${flags}" ${have})
	if(${have})
		separate_arguments(flags)
		list(APPEND HARDENING ${flags})
	endif()
endforeach()
# glibc's checks of lengths; musl has none.  Level 3 covers memory of a size known at run time; if the compiler
# or glibc is too old for it, they report an error, and the level is 2.
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <stdio.h>\nint main(void) { return 0; }" HAVE_FORTIFY_SOURCE_3)
unset(CMAKE_REQUIRED_FLAGS)
set(FORTIFY_SOURCE 2)
if(HAVE_FORTIFY_SOURCE_3)
	set(FORTIFY_SOURCE 3)
endif()
list(APPEND HARDENING $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE>
	$<$<CONFIG:Release,RelWithDebInfo>:-D_FORTIFY_SOURCE=${FORTIFY_SOURCE}>)

add_library(strict INTERFACE)
target_compile_options(strict INTERFACE
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
	-Wcast-qual -Wformat=2 -Wundef -Wwrite-strings -Wswitch-enum -Wimplicit-fallthrough
	-Wnull-dereference -Wdouble-promotion -fno-common
	-fno-math-errno                 # llrint is one instruction then, and libm is not needed
	# For a small resident size: -O2 is as fast as -O3 here and 48 KiB smaller; nothing is unwound at run time,
	# and a debugger has its own tables (-g), so 56 KiB of unwind tables are left out.
	$<$<CONFIG:Release>:-O2>
	$<$<CONFIG:Release>:-fno-asynchronous-unwind-tables>
	$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>  # the same bytes in every folder
	$<$<BOOL:${RT_WERROR}>:-Werror>)
if(RT_SANITIZE)
	target_compile_options(strict INTERFACE -fsanitize=${RT_SANITIZE} -fno-omit-frame-pointer
		-fno-sanitize-recover=all)
	target_link_options(strict INTERFACE -fsanitize=${RT_SANITIZE})
	if(RT_SANITIZE MATCHES "thread" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
		target_compile_options(strict INTERFACE -Wno-tsan)      # it does not see the fences of regions, which order two processes
	endif()
else()
	# Hardening without a measurable cost (docs/explanation/overhead.md).
	target_compile_options(strict INTERFACE -fstack-protector-strong ${HARDENING})
	target_link_options(strict INTERFACE -Wl,-z,relro,-z,now -Wl,--as-needed)
endif()
