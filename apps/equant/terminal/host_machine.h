/* What a person would call this machine, for listings and benchmark records. */
#ifndef EQUANT_APP_TERMINAL_HOST_MACHINE_H
#define EQUANT_APP_TERMINAL_HOST_MACHINE_H

#include <stddef.h>

/* The processor's name as the system tells it, else its architecture. */
void machine_processor(char *name, size_t n);

/* System and architecture, e.g. "Linux x86_64". */
void machine_system(char *name, size_t n);

/* The compiler that built this program, e.g. "gcc 12.2.0". */
const char *machine_compiler(void);

#endif
