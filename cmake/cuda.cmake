# Decides whether the GPU backend is built, and for which GPUs. nvcc takes minutes for all of them,
# so that a build for this machine is for the GPU that it has, and has no GPU backend where there
# is none; what travels (make install, make wheel) is built for all GPUs. nvcc here compiles for
# here, so a cross compiler does not look for it unless told to.
set(EQUANT_HAS_CUDA OFF)

# A GPU, with a driver that works.
function(equant_find_gpu found)
  find_program(EQUANT_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(EQUANT_NVIDIA_SMI)
  set(${found} OFF PARENT_SCOPE)
  if(EQUANT_NVIDIA_SMI)
    execute_process(COMMAND ${EQUANT_NVIDIA_SMI} -L OUTPUT_VARIABLE gpus RESULT_VARIABLE failed
                    ERROR_QUIET)
    if(NOT failed AND gpus MATCHES "GPU")
      set(${found} ON PARENT_SCOPE)
    endif()
  endif()
endfunction()

set(equant_wants_cuda ${EQUANT_CUDA})
if(EQUANT_CUDA STREQUAL "AUTO")
  if(CMAKE_CROSSCOMPILING)
    set(equant_wants_cuda OFF)
  elseif(EQUANT_CUDA_ARCHITECTURE STREQUAL "native")
    equant_find_gpu(equant_wants_cuda)
  else()
    set(equant_wants_cuda ON)
  endif()
endif()

if(equant_wants_cuda)
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
