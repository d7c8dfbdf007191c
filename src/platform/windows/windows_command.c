#include "platform/system_command.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>
#include <shellapi.h>

#include "platform/windows/windows_name.h"

void system_command_processor(char *name, size_t n_bytes)
{
    DWORD n = (DWORD)n_bytes;
    if (RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                     "ProcessorNameString", RRF_RT_REG_SZ, NULL, name, &n) != ERROR_SUCCESS)
        snprintf(name, n_bytes, "x86_64");
}

void system_command_system(char *name, size_t n_bytes)
{
    snprintf(name, n_bytes, "Windows x86_64");
}

bool system_command_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(stream)), &mode) != 0;
}

int system_command_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    HANDLE console = (HANDLE)_get_osfhandle(_fileno(stream));
    return GetConsoleScreenBufferInfo(console, &screen)
               ? screen.srWindow.Right - screen.srWindow.Left + 1
               : 0;
}

void system_command_set_variable(const char *name, const char *value, bool replaces)
{
    if (replaces || !getenv(name))
        _putenv_s(name, value);
}

/* Colours and UTF-8 of a console. */
static void prepare_console(DWORD which)
{
    DWORD mode;
    HANDLE console = GetStdHandle(which);
    if (GetConsoleMode(console, &mode))
        SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

static void take_arguments(int *argc, char ***argv)
{
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **made = wide ? calloc((size_t)n + 1, sizeof *made) : NULL;
    for (int i = 0; i < n && made; i++) {
        made[i] = windows_name_narrow(wide[i]);
        for (char *at = made[i]; at && *at; at++) /* names of files have slashes */
            if (*at == '\\')
                *at = '/';
    }
    LocalFree(wide);
    if (made) {
        *argc = n;
        *argv = made;
    }
}

void system_command_begin(int *argc, char ***argv)
{
    FILE *const streams[] = {stdin, stdout, stderr};
    for (int i = 0; i < 3; i++)
        _setmode(_fileno(streams[i]), _O_BINARY);
    prepare_console(STD_OUTPUT_HANDLE);
    prepare_console(STD_ERROR_HANDLE);
    SetConsoleOutputCP(CP_UTF8);
    take_arguments(argc, argv);
}

_Noreturn void system_command_leave(int code)
{
    _exit(code);
}
