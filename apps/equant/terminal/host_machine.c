#include "terminal/host_machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* The value of the first line "key : value" of /proc/cpuinfo. */
static int read_cpuinfo(const char *key, char *value, size_t n)
{
    char line[512];
    int found = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return 0;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, n, "%s", colon);
        found = 1;
    }
    fclose(file);
    return found;
}

void machine_processor(char *name, size_t n)
{
    struct utsname system;
    if (read_cpuinfo("model name", name, n))
        return;
    snprintf(name, n, "%s", uname(&system) == 0 ? system.machine : "unknown");
}

void machine_system(char *name, size_t n)
{
    struct utsname system;
    if (uname(&system) == 0)
        snprintf(name, n, "%s %s", system.sysname, system.machine);
    else
        snprintf(name, n, "unknown");
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
