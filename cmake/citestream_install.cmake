# Installs the libraries, headers and package files. Components: library (for C), library_cxx, library_check, development.
option(CITESTREAM_INSTALL "Install the libraries, headers and package files" ${PROJECT_IS_TOP_LEVEL})
if(NOT CITESTREAM_INSTALL)
  return()
endif()

# On Debian, libraries are in the multiarch folder for any prefix: linker, compilers and pkg-config search it in /usr/local too.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_INSTALL_LIBDIR AND CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /etc/debian_version)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Object code libraries")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(citestream_install_built)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/citestream)

citestream_install_built(library citestream_c)
citestream_install_built(library_cxx citestream_shared)
citestream_install_built(library_check citestream_check_shared)
citestream_install_built(development citestream_c citestream_shared citestream_check_shared citestream_core citestream_check)
install(TARGETS citestream_shared EXPORT citestream_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library_cxx NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS citestream_check_shared EXPORT citestream_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library_check NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS citestream_c citestream_core citestream_check EXPORT citestream_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# One archive for both languages, with a link so that the linker finds it by either name.
install(CODE "file(CREATE_LINK libcitestream.a
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libcitestream++.a\" SYMBOLIC)" COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/citestream DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/citestream/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/citestream COMPONENT development)
# Programs that use the library, a style and a dialect defined outside it.
foreach(example IN ITEMS stream.c stream.cpp own_style.cpp own_dialect.cpp)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/examples/${example}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/citestream/examples COMPONENT development)
endforeach()

install(EXPORT citestream_targets NAMESPACE citestream:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/citestream-config.cmake.in
  ${PROJECT_BINARY_DIR}/citestream-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/citestream-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/citestream-config.cmake ${PROJECT_BINARY_DIR}/citestream-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)

# pkg-config: `citestream` for C, `citestream++` for C++, `citestream_check` for checking answers. Paths are relative to the
# file, so that the prefix can be moved.
set(pkgconfig_simdjson "")
if(citestream_simdjson_found)
  set(pkgconfig_simdjson simdjson)
endif()
file(RELATIVE_PATH pkgconfig_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(pkgconfig_name IN ITEMS citestream citestream++ citestream_check)
  set(pkgconfig_requires "")
  set(pkgconfig_requires_private "${pkgconfig_simdjson}")
  if(pkgconfig_name STREQUAL "citestream_check")
    set(pkgconfig_requires citestream++)
  endif()
  set(pkgconfig_libs "-l${pkgconfig_name}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/citestream.pc.in ${PROJECT_BINARY_DIR}/${pkgconfig_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pkgconfig_name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
