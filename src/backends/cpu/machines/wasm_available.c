/* Whether this browser's processor fuses the relaxed product; where it does not, bits would differ
 * from all other machines, and plain C takes over. */
#include <stdbool.h>

#include "lanes/wasm.h"

extern bool wasm_available(void);
bool wasm_available(void)
{
    volatile double tiny = 0x1p-52;
    volatile float small = 0x1p-23f;
    f64 wide = f64_fma(F64(1.0 + tiny), F64(1.0 - tiny), F64(-1.0));
    f32 narrow = f32_fma(F32(1.0f + small), F32(1.0f - small), F32(-1.0f));
    return wide[0] == -0x1p-104 && narrow[0] == -0x1p-46f;
}
