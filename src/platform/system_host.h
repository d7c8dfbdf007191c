/* This process and the machine that it runs on. */
#ifndef EQUANT_PLATFORM_SYSTEM_HOST_H
#define EQUANT_PLATFORM_SYSTEM_HOST_H

#include <stddef.h>

/* The number of this process; 0 where there are none. */
long system_host_process(void);
/* Name of the machine in its network; "" where it has none. */
void system_host_name(char *name, size_t n_bytes);

#endif
