# What a builder can choose, and the warnings that every file of ours is held to.

option(RT_TESTS "Build the tests" ON)
option(RT_WERROR "Warnings are errors" OFF)
option(RT_STATIC_PROGRAM "Link resource-tracker fully static" OFF)
option(RT_FUZZ "Build the libFuzzer targets (clang only)" OFF)
set(RT_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
	set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(strict INTERFACE)
target_compile_options(strict INTERFACE
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
	-Wcast-qual -Wformat=2 -Wundef -Wwrite-strings -Wswitch-enum -Wimplicit-fallthrough
	-Wnull-dereference -Wdouble-promotion -fno-common
	-fno-math-errno                 # llrint is one instruction then, and libm is not needed
	# What is held resident: -O2 is as fast as -O3 here and 48 KiB smaller; nothing of ours is unwound at run time,
	# and a debugger has its own tables (-g), so 56 KiB of them are left out.
	$<$<CONFIG:Release>:-O2>
	$<$<CONFIG:Release>:-fno-asynchronous-unwind-tables>
	$<$<BOOL:${RT_WERROR}>:-Werror>)
if(RT_SANITIZE)
	target_compile_options(strict INTERFACE -fsanitize=${RT_SANITIZE} -fno-omit-frame-pointer
		-fno-sanitize-recover=all)
	target_link_options(strict INTERFACE -fsanitize=${RT_SANITIZE})
else()
	# Hardening that costs nothing we can measure.
	target_compile_options(strict INTERFACE -fstack-protector-strong
		$<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
	target_link_options(strict INTERFACE -Wl,-z,relro,-z,now -Wl,--as-needed)
endif()
