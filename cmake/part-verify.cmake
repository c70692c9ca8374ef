# `resource-tracker verify`: a companion program with loads of known use, and these loads for the tests.

# Never sanitized: a sanitizer's own memory and CPU time would be part of the truth.
file(GLOB LOAD_SOURCES CONFIGURE_DEPENDS src/verify/load*.c)
add_library(loads STATIC ${LOAD_SOURCES} src/core/scan.c)
target_compile_definitions(loads PRIVATE _GNU_SOURCE)
target_compile_options(loads PRIVATE -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
	-Wmissing-prototypes -Wvla -Wcast-qual -Wformat=2 $<$<BOOL:${RT_WERROR}>:-Werror>)
if(NOT RT_SANITIZE)
	target_compile_options(loads PRIVATE -fstack-protector-strong ${HARDENING})
endif()
target_link_libraries(loads PUBLIC Threads::Threads)

file(GLOB VERIFY_SOURCES CONFIGURE_DEPENDS src/verify/*.c)
list(REMOVE_ITEM VERIFY_SOURCES ${LOAD_SOURCES} ${CMAKE_CURRENT_SOURCE_DIR}/src/verify/verify_main.c)
add_library(verify STATIC ${VERIFY_SOURCES})
target_link_libraries(verify PUBLIC readers record core loads m)

if(TARGET resource-tracker)
	file(RELATIVE_PATH BINDIR ${CMAKE_INSTALL_FULL_LIBEXECDIR}/resource-tracker ${CMAKE_INSTALL_FULL_BINDIR})
	add_companion(verify verify)
	target_compile_definitions(resource-tracker-verify PRIVATE RT_BINDIR="${BINDIR}")
endif()
