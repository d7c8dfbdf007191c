#include "platform/system_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The value of the first line "key : value" of /proc/cpuinfo. */
static bool read_cpuinfo(const char *key, char *value, size_t n)
{
    static const char path[] = "/proc/cpuinfo";
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, n, "%s", colon);
        found = true;
    }
    fclose(file);
    return found;
}

void system_command_processor(char *name, size_t n_bytes)
{
    struct utsname system;
    if (!read_cpuinfo("model name", name, n_bytes))
        snprintf(name, n_bytes, "%s", uname(&system) == 0 ? system.machine : "unknown");
}

void system_command_system(char *name, size_t n_bytes)
{
    struct utsname system;
    if (uname(&system) == 0)
        snprintf(name, n_bytes, "%s %s", system.sysname, system.machine);
    else
        snprintf(name, n_bytes, "unknown");
}

bool system_command_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

int system_command_columns(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void system_command_set_variable(const char *name, const char *value, bool replaces)
{
    setenv(name, value, replaces);
}

void system_command_begin(int *argc, char ***argv)
{
    (void)argc, (void)argv;
}

_Noreturn void system_command_leave(int code)
{
    _exit(code);
}
