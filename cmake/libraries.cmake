# Libraries that equant can do without. Each is looked for by pkg-config; what needs one
# that is not there answers that it is unavailable. pkg-config here knows what is here, so
# a cross compiler does not ask it unless told to.
find_package(PkgConfig QUIET)

# find_optional_library(NAME MODULE LIBRARY): with EQUANT_<NAME> AUTO or ON, appends to the
# three lists below; EQUANT_HAVE_<NAME> says, here and to the sources, whether it was found.
set(EQUANT_OPTIONAL_LIBRARIES)           # names for the linker
set(EQUANT_OPTIONAL_INCLUDE_DIRECTORIES)
set(EQUANT_OPTIONAL_DEFINITIONS)
macro(find_optional_library name module library)
  set(EQUANT_HAVE_${name} OFF)
  set(wanted ${EQUANT_${name}})
  if(wanted STREQUAL "ON" OR (wanted STREQUAL "AUTO" AND NOT CMAKE_CROSSCOMPILING))
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(EQUANT_PC_${name} QUIET ${module})
    endif()
    if(PKG_CONFIG_FOUND AND EQUANT_PC_${name}_FOUND)
      link_directories(${EQUANT_PC_${name}_LIBRARY_DIRS})
      list(APPEND EQUANT_OPTIONAL_LIBRARIES ${library})
      list(APPEND EQUANT_OPTIONAL_INCLUDE_DIRECTORIES ${EQUANT_PC_${name}_INCLUDE_DIRS})
      list(APPEND EQUANT_OPTIONAL_DEFINITIONS EQUANT_HAVE_${name}=1)
      set(EQUANT_HAVE_${name} ON)
    elseif(wanted STREQUAL "ON")
      message(FATAL_ERROR "EQUANT_${name} is ON, but pkg-config does not find ${module}.")
    endif()
  endif()
endmacro()

find_optional_library(NETCDF netcdf netcdf)
find_optional_library(LIBYAML yaml-0.1 yaml)
find_optional_library(CFITSIO cfitsio cfitsio)
find_optional_library(EXPAT expat expat)
find_optional_library(ERFA erfa erfa)
find_optional_library(ZLIB zlib z)
find_optional_library(LIBZIP libzip zip)
list(APPEND EQUANT_OPTIONAL_LIBRARIES ${EQUANT_STATIC_LIBRARIES})

# Pictures as PNG and PDF, for the command alone: it links them itself.
set(EQUANT_HAVE_RSVG OFF)
if(EQUANT_RSVG STREQUAL "ON" OR (EQUANT_RSVG STREQUAL "AUTO" AND NOT CMAKE_CROSSCOMPILING))
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(EQUANT_PC_RSVG QUIET IMPORTED_TARGET librsvg-2.0>=2.52 cairo-pdf cairo-png)
  endif()
  if(PKG_CONFIG_FOUND AND EQUANT_PC_RSVG_FOUND)
    set(EQUANT_HAVE_RSVG ON)
  elseif(EQUANT_RSVG STREQUAL "ON")
    message(FATAL_ERROR "EQUANT_RSVG is ON, but pkg-config does not find librsvg-2.0 and cairo.")
  endif()
endif()
