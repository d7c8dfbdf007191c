#include "platform/system_host.h"

#include <windows.h>

long system_host_process(void)
{
    return (long)GetCurrentProcessId();
}

void system_host_name(char *name, size_t n_bytes)
{
    DWORD n = (DWORD)n_bytes;
    if (!GetComputerNameA(name, &n))
        name[0] = '\0';
}
