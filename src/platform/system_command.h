/* What a command asks of the system, and a library does not: its terminal, its variables, its end.
 */
#ifndef EQUANT_PLATFORM_SYSTEM_COMMAND_H
#define EQUANT_PLATFORM_SYSTEM_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The processor as the system tells it, else its architecture. */
void system_command_processor(char *name, size_t n_bytes);
/* System and architecture, as in "Linux x86_64". */
void system_command_system(char *name, size_t n_bytes);

bool system_command_is_terminal(FILE *stream);
/* Width in characters; 0 when nobody knows. */
int system_command_columns(FILE *stream);

/* A variable of the environment, for libraries that read it. */
void system_command_set_variable(const char *name, const char *value, bool replaces);
/* Arguments of the command as UTF-8, and streams without translation of line ends. */
void system_command_begin(int *argc, char ***argv);
/* Ends the process without closing libraries. */
_Noreturn void system_command_leave(int code);

#endif
