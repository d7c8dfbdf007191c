/* The generator is plain C, but refuses machines that its authors had not tried: here it takes
 * WebAssembly for one of those without instructions of its own. */
#ifndef EQUANT_WEB_RANDOM123_PHILOX_H
#define EQUANT_WEB_RANDOM123_PHILOX_H

#define __riscv 1
#include_next <Random123/philox.h>
#undef __riscv

#endif
