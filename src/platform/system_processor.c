#include "platform/system_processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <pthread.h>

static pthread_once_t asked = PTHREAD_ONCE_INIT;
static bool has_avx2, has_avx512;

/* Registers that the system saves when threads change: bits of XCR0. */
static unsigned saved_registers(unsigned features)
{
    const unsigned has_xgetbv = 1u << 27;
    unsigned low = 0, high = 0;
    if (features & has_xgetbv)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static void ask(void)
{
    const unsigned fma = 1u << 12, avx2 = 1u << 5, f = 1u << 16, dq = 1u << 17, bw = 1u << 30,
                   vl = 1u << 31, of_avx = 0x6, of_avx512 = 0xe6;
    unsigned a, b, c, d, features, wide;
    if (!__get_cpuid(1, &a, &b, &features, &d) || !__get_cpuid_count(7, 0, &a, &wide, &c, &d))
        return;
    unsigned saved = saved_registers(features);
    bool has_fma = features & fma;
    has_avx2 = has_fma && (wide & avx2) && (saved & of_avx) == of_avx;
    has_avx512 = has_fma && (wide & f) && (wide & dq) && (wide & bw) && (wide & vl) &&
                 (saved & of_avx512) == of_avx512;
}

bool system_processor_has_avx2(void)
{
    pthread_once(&asked, ask);
    return has_avx2;
}

bool system_processor_has_avx512(void)
{
    pthread_once(&asked, ask);
    return has_avx512;
}

#else

bool system_processor_has_avx2(void)
{
    return false;
}

bool system_processor_has_avx512(void)
{
    return false;
}

#endif
