# What `cmake --install` puts where: command, libraries, headers, and the two
# ways by which other builds find them (pkg-config and find_package).
include(CMakePackageConfigHelpers)

set(EQUANT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/equant)

install(TARGETS equant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS equant_shared equant_static EXPORT equantTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/equant.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/equant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
# The manual page and completions, as the command that is installed prints them.
if(NOT CMAKE_CROSSCOMPILING)
  foreach(form man bash zsh fish)
    install(CODE "execute_process(COMMAND $<TARGET_FILE:equant> help --${form}
      OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/manual-${form} COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual-man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME equant.1)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual-bash RENAME equant
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual-zsh RENAME _equant
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual-fish RENAME equant.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES third_party/Random123/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.Random123)

# The page for browsers, where `make web` has made it.
install(FILES ${PROJECT_SOURCE_DIR}/build-wasm/equant.html DESTINATION ${CMAKE_INSTALL_DATADIR}/equant OPTIONAL)

# CMake package: equant::equant (shared) and equant::equant_static.
install(EXPORT equantTargets NAMESPACE equant:: DESTINATION ${EQUANT_PACKAGE_DIR})
configure_package_config_file(cmake/equantConfig.cmake.in equantConfig.cmake
                              INSTALL_DESTINATION ${EQUANT_PACKAGE_DIR})
write_basic_package_version_file(equantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/equantConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/equantConfigVersion.cmake
        DESTINATION ${EQUANT_PACKAGE_DIR})

# pkg-config. The prefix is said relative to the .pc file, so that the tree may
# be installed with another --prefix or moved afterwards.
file(RELATIVE_PATH EQUANT_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" EQUANT_PC_TO_PREFIX "${EQUANT_PC_TO_PREFIX}")
cmake_path(APPEND EQUANT_PC_LIBDIR "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND EQUANT_PC_INCLUDEDIR "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
set(EQUANT_PC_LIBS_PRIVATE pthread ${EQUANT_OPTIONAL_LIBRARIES})
list(TRANSFORM EQUANT_PC_LIBS_PRIVATE PREPEND "-l")
list(JOIN EQUANT_PC_LIBS_PRIVATE " " EQUANT_PC_LIBS_PRIVATE)
if(EQUANT_HAS_CUDA)
  string(APPEND EQUANT_PC_LIBS_PRIVATE
         " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread")
endif()
configure_file(cmake/equant.pc.in equant.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/equant.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
