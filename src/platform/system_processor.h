/* What the processor can do, and the system saves of it. */
#ifndef EQUANT_PLATFORM_SYSTEM_PROCESSOR_H
#define EQUANT_PLATFORM_SYSTEM_PROCESSOR_H

#include <stdbool.h>

/* AVX2 with FMA; AVX-512 with F, DQ, BW and VL. false on processors that are none of x86-64. */
bool system_processor_has_avx2(void);
bool system_processor_has_avx512(void);

#endif
