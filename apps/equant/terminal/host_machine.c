#include "terminal/host_machine.h"

#include "platform/system_command.h"

void machine_processor(char *name, size_t n)
{
    system_command_processor(name, n);
}

void machine_system(char *name, size_t n)
{
    system_command_system(name, n);
}

const char *machine_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}
