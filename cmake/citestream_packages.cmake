# Debian packages: `cpack` in a build folder makes them from the built targets. tools/release builds and packs.
#
# The version is that of project(); the revision of the packages is 1. Each package is a component of `cmake --install`. The
# packages of libraries are named after their SONAME. dpkg-shlibdeps reads the dependencies from the binaries; others are
# listed below.
find_program(CITESTREAM_DPKG_DEB dpkg-deb)
if(NOT PROJECT_IS_TOP_LEVEL OR NOT CITESTREAM_INSTALL OR NOT CITESTREAM_DPKG_DEB OR CITESTREAM_SANITIZE)
  return()
endif()
set(CITESTREAM_MAINTAINER "citestream developers <citestream@example.org>" CACHE STRING
  "Maintainer of the Debian packages: Name <address>")

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL "")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # otherwise it would be added above each description
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_CONTACT ${CITESTREAM_MAINTAINER})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# The files that all packages have: copyright, changelogs, compressed manual pages.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/packages/documentation.cmake)
set(package_copyright ${PROJECT_SOURCE_DIR}/cmake/packages/copyright)
set(package_changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md)

# citestream_package(COMPONENT NAME SECTION DESCRIPTION [DEPENDS ...] [RECOMMENDS ...] [CONTROL folder] [ALL])
#
# DESCRIPTION: one line, then the long description. ALL: the package does not depend on the machine. CONTROL: a folder with
# maintainer scripts and other files for the control archive.
macro(citestream_package COMPONENT NAME SECTION DESCRIPTION)
  cmake_parse_arguments(ARG "ALL" "CONTROL" "DEPENDS;RECOMMENDS" ${ARGN})
  list(APPEND CPACK_COMPONENTS_ALL ${COMPONENT})
  string(TOUPPER ${COMPONENT} upper)
  string(APPEND package_names "set(package_of_${COMPONENT} ${NAME})\n")
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${NAME})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${SECTION})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${DESCRIPTION}")
  list(JOIN ARG_DEPENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS)
  list(JOIN ARG_RECOMMENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS)
  if(ARG_ALL)
    set(CPACK_DEBIAN_${upper}_PACKAGE_ARCHITECTURE all)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS OFF)
  endif()
  if(ARG_CONTROL)
    file(GLOB CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${ARG_CONTROL}/*)
  endif()
endmacro()

set(package_names "")
set(this_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(this_interface "(>= ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})")
set(soname ${PROJECT_VERSION_MAJOR})
set(what_it_is "Models that answer from documents write citations into their text. citestream
removes these markers from the event stream of an answer, resolves each citation
and adds the result to the same stream, without buffering it.")

# The dependency for users of a library, and the trigger that updates the linker's cache.
foreach(suffix IN ITEMS "" "++" "_check")
  set(control ${PROJECT_BINARY_DIR}/packages/control/libcitestream${suffix})
  string(REPLACE "_" "-" package_suffix "${suffix}")
  file(WRITE ${control}/shlibs
    "libcitestream${suffix} ${soname} libcitestream${package_suffix}${soname} ${this_interface}\n")
  file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
endforeach()
citestream_package(library libcitestream${soname} libs
  "clean text and checked citations from LLM event streams - library for C
${what_it_is}
.
This package has the shared library with the interface in C."
  CONTROL ${PROJECT_BINARY_DIR}/packages/control/libcitestream)
citestream_package(library_cxx libcitestream++${soname} libs
  "clean text and checked citations from LLM event streams - library for C++
${what_it_is}
.
This package has the shared library with the interface in C++."
  CONTROL ${PROJECT_BINARY_DIR}/packages/control/libcitestream++)
citestream_package(library_check libcitestream-check${soname} libs
  "clean text and checked citations from LLM event streams - library for checks
${what_it_is}
.
This package has the shared library that checks answers against their
references, with its interface in C++."
  DEPENDS "libcitestream++${soname} ${this_interface}"
  CONTROL ${PROJECT_BINARY_DIR}/packages/control/libcitestream_check)
set(development_depends "libcitestream${soname} ${this_version}" "libcitestream++${soname} ${this_version}"
  "libcitestream-check${soname} ${this_version}")
if(NOT CITESTREAM_SIMDJSON_SOURCE)
  list(APPEND development_depends libsimdjson-dev)
endif()
citestream_package(development libcitestream-dev libdevel
  "clean text and checked citations from LLM event streams - development files
${what_it_is}
.
This package has the headers for C and C++, the static libraries, and files for
pkg-config and CMake." DEPENDS ${development_depends})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)

if(TARGET citestream)
  citestream_package(tools citestream web
    "clean text and checked citations from LLM event streams
${what_it_is}
.
This package has the program: a proxy between clients and an API, with a unit
for systemd; a filter for files and pipes; a server and a client to test with;
and checks of answers against their sources."
    RECOMMENDS ca-certificates CONTROL ${PROJECT_SOURCE_DIR}/cmake/packages/citestream)
endif()

if(TARGET citestream_nginx)
  # nginx-dev contains the ABI of its modules, and the scripts that enable and disable them.
  file(STRINGS ${CITESTREAM_NGINX_SOURCE}/debian/libnginx-mod.abisubstvars nginx_abi REGEX "^nginx:abi=")
  string(REPLACE "nginx:abi=" "" nginx_abi "${nginx_abi}")
  set(module_configuration mod-http-citestream.conf)
  set(module_control ${PROJECT_BINARY_DIR}/packages/control/nginx)
  foreach(script IN ITEMS postinst prerm postrm)
    file(READ /usr/share/debhelper/autoscripts/${script}-nginx text)
    string(REPLACE "#NAMES#" "${module_configuration}:50-${module_configuration}" text "${text}")
    file(WRITE ${module_control}/${script} "#!/bin/sh\nset -e\n${text}")
    file(CHMOD ${module_control}/${script}
      PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/packages/${module_configuration}
    "load_module modules/ngx_http_citestream_module.so;\n")
  install(FILES ${PROJECT_BINARY_DIR}/packages/${module_configuration}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/nginx/modules-available COMPONENT nginx)
  citestream_package(nginx libnginx-mod-http-citestream httpd
    "clean text and checked citations from LLM event streams - module for nginx
${what_it_is}
.
This package has a filter for nginx, which `citestream on` enables in a
location."
    DEPENDS ${nginx_abi} "libcitestream${soname} ${this_interface}" RECOMMENDS nginx
    CONTROL ${module_control})
endif()

# In the search path of Debian's interpreter. On other systems pip installs the module.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/python/citestream DESTINATION lib/python3/dist-packages COMPONENT python
  EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
citestream_package(python python3-citestream python
  "clean text and checked citations from LLM event streams - for Python 3
${what_it_is}
.
This package has the module for Python 3, with types, over the library for C."
  DEPENDS "python3:any" "libcitestream${soname} ${this_interface}"
  CONTROL ${PROJECT_SOURCE_DIR}/cmake/packages/python3 ALL)
install(FILES ${PROJECT_SOURCE_DIR}/docs/examples/stream.py DESTINATION share/doc/citestream/examples COMPONENT python
  EXCLUDE_FROM_ALL)

if(TARGET citestream)
  citestream_package(lua lua-citestream interpreters
    "clean text and checked citations from LLM event streams - for LuaJIT
${what_it_is}
.
This package has the module for LuaJIT, over the library for C: for nginx with
its Lua module, OpenResty, Kong and APISIX."
    DEPENDS "libcitestream${soname} ${this_interface}" RECOMMENDS "luajit | libnginx-mod-http-lua" ALL)
endif()

configure_file(${PROJECT_SOURCE_DIR}/cmake/packages/documentation.cmake.in ${CPACK_PRE_BUILD_SCRIPTS} @ONLY)
include(CPack)
