/* The manual page and the completions of shells, from the tables of options that commands have. */
#ifndef EQUANT_APP_MANUAL_MANUAL_H
#define EQUANT_APP_MANUAL_MANUAL_H

#include <stddef.h>

/* A command as it is listed. */
struct manual_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
};

/* Prints what `form` says, "man", "bash", "zsh" or "fish", about n commands. Returns an exit code,
 * with a sentence for another word. */
int manual_print(const char *form, size_t n, const struct manual_command *commands);

#endif
