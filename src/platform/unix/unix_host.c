#include "platform/system_host.h"

#include <unistd.h>

long system_host_process(void)
{
    return (long)getpid();
}

void system_host_name(char *name, size_t n_bytes)
{
    name[0] = name[n_bytes - 1] = '\0';
    gethostname(name, n_bytes - 1);
}
