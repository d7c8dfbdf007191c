# What the Python package takes from this build: the shared library and the declarations of the
# headers beside the modules, and the command among the scripts. scikit-build-core asks for the
# component `python` alone; its variables say where things go.
find_package(Python COMPONENTS Interpreter REQUIRED)

file(GLOB EQUANT_HEADER_PARTS CONFIGURE_DEPENDS include/equant/*.h)
set(EQUANT_DECLARATIONS ${CMAKE_CURRENT_BINARY_DIR}/python/_c.py)
add_custom_command(OUTPUT ${EQUANT_DECLARATIONS}
  COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/make_declarations.py
          ${PROJECT_SOURCE_DIR}/include/equant.h ${EQUANT_DECLARATIONS}
  DEPENDS include/equant.h ${EQUANT_HEADER_PARTS} python/make_declarations.py
  COMMENT "Writing the declarations for Python")
add_custom_target(equant_python ALL DEPENDS ${EQUANT_DECLARATIONS})

install(FILES ${EQUANT_DECLARATIONS} DESTINATION ${SKBUILD_PLATLIB_DIR}/equant COMPONENT python)
# The file alone, under the name that the package looks for: wheels hold no symbolic links.
install(FILES $<TARGET_FILE:equant_shared> RENAME libequant${CMAKE_SHARED_LIBRARY_SUFFIX}
        DESTINATION ${SKBUILD_PLATLIB_DIR}/equant COMPONENT python)
install(PROGRAMS $<TARGET_FILE:equant> DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
