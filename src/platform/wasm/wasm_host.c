#include "platform/system_host.h"

long system_host_process(void)
{
    return 0;
}

void system_host_name(char *name, size_t n_bytes)
{
    (void)n_bytes;
    name[0] = '\0';
}
