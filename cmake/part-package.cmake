# cpack: a Debian package and a tar file of the installed files.

set(CPACK_PACKAGE_NAME resource-tracker)
set(CPACK_PACKAGE_VENDOR "The resource-tracker authors")
set(CPACK_PACKAGE_CONTACT "The resource-tracker authors")      # CPack wants one; SECURITY.md says how to reach them
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME ${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
	"Runs a command as if it were alone and says afterwards what it used: CPU, memory, disk and\nnetwork, for the machine and for the whole process tree.  Attaches to running processes, or\njust watches the machine.")
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS AND NOT RT_STATIC_PROGRAM)
	set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
