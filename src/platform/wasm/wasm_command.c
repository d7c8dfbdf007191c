#include "platform/system_command.h"

#include <stdlib.h>
#include <unistd.h>

void system_command_processor(char *name, size_t n_bytes)
{
    snprintf(name, n_bytes, "wasm32");
}

void system_command_system(char *name, size_t n_bytes)
{
    snprintf(name, n_bytes, "WebAssembly wasm32");
}

bool system_command_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1; /* as a page or a WASI runtime says */
}

int system_command_columns(FILE *stream)
{
    (void)stream;
    return 0;
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
    _Exit(code);
}
