# Finds nvcc; without it the build goes on without GPUs. nvcc here compiles for here, so a
# cross compiler does not look for it unless told to.
set(EQUANT_HAS_CUDA OFF)
if(EQUANT_CUDA STREQUAL "ON" OR (EQUANT_CUDA STREQUAL "AUTO" AND NOT CMAKE_CROSSCOMPILING))
  include(CheckLanguage)
  set(CMAKE_CUDA_ARCHITECTURES 75) # for the check alone; targets say what they want
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(EQUANT_HAS_CUDA ON)
  elseif(EQUANT_CUDA STREQUAL "ON")
    message(FATAL_ERROR "EQUANT_CUDA is ON, but there is no nvcc.")
  endif()
endif()
