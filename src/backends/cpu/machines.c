/* Which machines this build has kernels for, and whether the one it runs on can run
 * them. */
#include "backends/cpu/cpu.h"
#include "platform/system_processor.h"

static bool scalar_available(void)
{
    return true;
}
#define MACHINE scalar
#define MACHINE_BACKEND_NAME "cpu/scalar"
#define MACHINE_DESCRIPTION "plain C, one number at a time"
#include "backends/cpu/machine.h"

#if defined(__x86_64__)
static bool avx512_available(void)
{
    return system_processor_has_avx512();
}
#define MACHINE avx512
#define MACHINE_BACKEND_NAME "cpu/avx512"
#define MACHINE_DESCRIPTION "x86-64 with AVX-512: 8 doubles or 16 floats at a time"
#include "backends/cpu/machine.h"

static bool avx2_available(void)
{
    return system_processor_has_avx2();
}
#define MACHINE avx2
#define MACHINE_BACKEND_NAME "cpu/avx2"
#define MACHINE_DESCRIPTION "x86-64 with AVX2 and FMA: 4 doubles or 8 floats at a time"
#include "backends/cpu/machine.h"
#endif

#if defined(__aarch64__)
static bool neon_available(void)
{
    return true;
}
#define MACHINE neon
#define MACHINE_BACKEND_NAME "cpu/neon"
#define MACHINE_DESCRIPTION "64-bit ARM with NEON: 2 doubles or 4 floats at a time"
#include "backends/cpu/machine.h"
#endif

#if defined(__wasm__)
extern bool wasm_available(void); /* machines/wasm_available.c */
#define MACHINE wasm
#define MACHINE_BACKEND_NAME "cpu/wasm"
#define MACHINE_DESCRIPTION "WebAssembly with SIMD: 2 doubles or 4 floats at a time"
#include "backends/cpu/machine.h"
#endif
