# The packages of `cpack -G DEB`: libcrunloop0, libcrunloopcf0 and libcrunloop-dev, and runloop if the tool is built.

if(NOT CRUNLOOP_SHARED)
    return()
endif()

set(CPACK_PACKAGE_VENDOR "CoreRunLoop")
set(CRUNLOOP_MAINTAINER "CoreRunLoop <crunloop@example.org>" CACHE STRING "The maintainer of the Debian packages.")
set(CPACK_PACKAGE_CONTACT "${CRUNLOOP_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime development headers)
if(CRUNLOOP_SYMBOLS)
    list(APPEND CPACK_COMPONENTS_ALL symbols)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

# A package must not depend on the library folders of a toolchain, which other machines do not have. The tool does not.
set(foreign ${library_folders})
list(FILTER foreign EXCLUDE REGEX "^(/usr)?/lib(32|64)?(/[^/]+-linux-[^/]+)?$")
if(foreign)
    set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_BINARY_DIR}/NoPackage.cmake")
    file(WRITE "${CPACK_PROJECT_CONFIG_FILE}" "
        list(FIND CPACK_COMPONENTS_ALL runtime place)
        if(NOT place EQUAL -1)
            message(FATAL_ERROR \"CRunLoop: a package would look for libraries in ${foreign}: \"
                \"configure a build with the distribution's own clang (CMAKE_C_COMPILER)\")
        endif()
    ")
endif()

set(soversion ${PROJECT_VERSION_MAJOR})

set(debian "${CMAKE_CURRENT_BINARY_DIR}/debian")
file(WRITE "${debian}/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

# Defines the package of a library's component: package_library(COMPONENT TARGET PACKAGE DESCRIPTION)
#
# All symbols get this version, so a program requires at least this version. To lower the requirement, compare versions.
# The trigger makes dpkg call ldconfig. CPack would add scripts for this call; the paths of missing scripts prevent this.
macro(package_library component target package description)
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${package})
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_${component}_DESCRIPTION "${description}")
    set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA
        "${debian}/${target}/symbols" "${debian}/triggers" "${debian}/none/postinst" "${debian}/none/postrm")
    file(MAKE_DIRECTORY "${debian}/${target}")
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM
        COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${target}> -DSONAME=lib${target}.so.${soversion}
            -DPACKAGE=${package} -DVERSION=${PROJECT_VERSION} -DNM=${CMAKE_NM}
            -DOUT=${debian}/${target}/symbols -P ${CMAKE_CURRENT_LIST_DIR}/DebianSymbols.cmake)
endmacro()

package_library(RUNTIME CRunLoop libcrunloop${soversion}
    "A run loop for each thread, which serves timers, sources, observers, sockets,
streams and message ports. Programs need this library at run time.")
set(development_depends "libcrunloop${soversion} (= ${PROJECT_VERSION})")
set(packaged runtime development)
if(CRUNLOOP_SYMBOLS)
    package_library(SYMBOLS CRunLoopCF libcrunloopcf${soversion}
    "The run loop with CoreFoundation's own symbols, for bindings that look up
symbols and for programs that declare the functions themselves. Do not load
it into a process with another library that defines these symbols.")
    string(APPEND development_depends ", libcrunloopcf${soversion} (= ${PROJECT_VERSION})")
    list(APPEND packaged symbols)
endif()

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcrunloop-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${development_depends}, libblocksruntime-dev, libc6-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "A run loop for each thread, which serves timers, sources, observers, sockets,
streams and message ports. This package has the headers, also with
CoreFoundation's names, the static library, and files for CMake and pkg-config.")

if(CRUNLOOP_TOOL)
    list(APPEND packaged tool)
    list(APPEND CPACK_COMPONENTS_ALL tool)
    set(CPACK_DEBIAN_TOOL_PACKAGE_NAME runloop)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "libcurl4, libssl3, llvm | binutils")
    set(CPACK_DEBIAN_TOOL_DESCRIPTION
    "The tool lists the processes that can be inspected, shows the activity, stalls
and traces of their run loops, and has a tour of small samples.")
endif()

# Each package contains the changelog, which `cmake --install` does not install.
set(changelog "${debian}/changelog")
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${changelog}" "crunloop (${PROJECT_VERSION}) unstable; urgency=medium

  * See Docs/Versions.md.

 -- ${CRUNLOOP_MAINTAINER}  ${now}
")
execute_process(COMMAND gzip -9nf "${changelog}")
foreach(component IN LISTS packaged)
    string(TOUPPER ${component} upper)
    install(FILES "${changelog}.gz" DESTINATION share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
        COMPONENT ${component} EXCLUDE_FROM_ALL OPTIONAL)
endforeach()

# Suppresses a warning of lintian, with the reason.
if(CRUNLOOP_TOOL)
    file(WRITE "${debian}/overrides" "# The tool prints the names of its functions, which it finds in this table.
runloop: unstripped-binary-or-object [usr/bin/runloop]
")
    install(FILES "${debian}/overrides" DESTINATION share/lintian/overrides RENAME runloop
        COMPONENT tool EXCLUDE_FROM_ALL OPTIONAL)
endif()

include(CPack)
cpack_add_component(runtime GROUP runtime)
cpack_add_component_group(runtime)
if(CRUNLOOP_SYMBOLS)
    cpack_add_component(symbols GROUP symbols)
    cpack_add_component_group(symbols)
endif()
cpack_add_component_group(development)
cpack_add_component(development GROUP development)
cpack_add_component(headers GROUP development)
if(CRUNLOOP_TOOL)
    cpack_add_component_group(tool)
    cpack_add_component(tool GROUP tool)
endif()
