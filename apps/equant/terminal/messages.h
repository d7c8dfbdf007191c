/* What equant says on standard error, and the exit code that goes with it.
 * Every sentence begins "equant: "; about a file, "equant: FILE:LINE: ". */
#ifndef EQUANT_APP_TERMINAL_MESSAGES_H
#define EQUANT_APP_TERMINAL_MESSAGES_H

#include <stddef.h>

#include "equant.h"

/* Documented in docs/commands.md; scripts rely on them. */
enum exit_code {
    EXIT_CODE_OK = 0,
    EXIT_CODE_FAILED = 1,      /* the data or the computation failed           */
    EXIT_CODE_USAGE = 2,       /* the command line cannot be understood        */
    EXIT_CODE_UNAVAILABLE = 3, /* a backend that this machine or build lacks   */
    EXIT_CODE_INTERRUPTED = 130
};

/* Prints the sentence; returns EXIT_CODE_FAILED. */
__attribute__((format(printf, 1, 2))) int messages_failure(const char *format, ...);

/* Prints the sentence and where help is to be found ("equant COMMAND --help";
 * NULL: "equant --help"); returns EXIT_CODE_USAGE. */
__attribute__((format(printf, 2, 3))) int messages_usage(const char *command, const char *format,
                                                         ...);

/* The exit code that belongs to a status of the library; where it is a failure, prints the
 * library's sentence about it. */
int messages_status(equant_status status);

/* Prints what errno says about a file that could not be opened, read or
 * written, e.g. messages_file("read", path); returns EXIT_CODE_FAILED. */
int messages_file(const char *verb, const char *path);

/* The usual sentence for a failed allocation; returns EXIT_CODE_FAILED. */
int messages_out_of_memory(void);

/* Prints "equant: warning: ..." and lets the command go on. */
__attribute__((format(printf, 1, 2))) void messages_warning(const char *format, ...);

/* From here on the sentences of failures go to `sentence`, a buffer of n bytes, in place of
 * standard error: a command that works through many stars goes on and reports them its own
 * way. NULL: as before. */
void messages_hold(char *sentence, size_t n);

/* Prints what to do about the failure that was told last; a sentence that is held is told with
 * it. */
void messages_advice(const char *advice);

/* Prints a sentence that is neither error nor warning. */
__attribute__((format(printf, 1, 2))) void messages_note(const char *format, ...);

#endif
