#include "terminal/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

static char *held_sentence;
static size_t held_size;

void messages_hold(char *sentence, size_t n)
{
    held_sentence = sentence;
    held_size = n;
}

/* Sentences name files, and what is in them. One that is longer than this is cut where there is no
 * memory. */
static void write_formatted(const char *format, va_list arguments, int column)
{
    char short_text[1024], *text = short_text;
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(short_text, sizeof short_text, format, arguments);
    char *long_text = n >= (int)sizeof short_text ? malloc((size_t)n + 1) : NULL;
    if (long_text != NULL) {
        vsnprintf(long_text, (size_t)n + 1, format, again);
        text = long_text;
    }
    va_end(again);
    wrapped_text_write(stderr, text, column);
    free(long_text);
}

/* Standard output first: otherwise a message could overtake results that are
 * still in its buffer. A progress bar may stand on the line: it goes. */
static void print_sentence(enum terminal_style style, const char *kind, const char *format,
                           va_list arguments)
{
    fflush(stdout);
    if (terminal_is(stderr))
        fputs("\r\033[K", stderr);
    fprintf(stderr, "%sequant:%s ", terminal_style(stderr, style),
            terminal_style(stderr, TERMINAL_PLAIN));
    fputs(kind, stderr);
    write_formatted(format, arguments, (int)(strlen("equant: ") + strlen(kind)));
    fputc('\n', stderr);
}

int messages_failure(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (held_sentence != NULL)
        vsnprintf(held_sentence, held_size, format, arguments);
    else
        print_sentence(TERMINAL_RED, "", format, arguments);
    va_end(arguments);
    return EXIT_CODE_FAILED;
}

int messages_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (held_sentence != NULL)
        vsnprintf(held_sentence, held_size, format, arguments);
    else
        print_sentence(TERMINAL_RED, "", format, arguments);
    va_end(arguments);
    if (held_sentence != NULL)
        return EXIT_CODE_USAGE;
    if (command != NULL)
        fprintf(stderr, "Help: equant %s --help\n", command);
    else
        fprintf(stderr, "Help: equant --help\n");
    return EXIT_CODE_USAGE;
}

int messages_status(equant_status status)
{
    if (status == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    const char *sentence = equant_last_error();
    messages_failure("%s", sentence[0] != '\0' ? sentence : equant_status_name(status));
    switch (status) {
    case EQUANT_ERROR_UNAVAILABLE:
        return EXIT_CODE_UNAVAILABLE;
    case EQUANT_ERROR_CANCELLED:
        return EXIT_CODE_INTERRUPTED;
    default:
        return EXIT_CODE_FAILED;
    }
}

int messages_file(const char *verb, const char *path)
{
    return messages_failure("%s: cannot %s: %s", path, verb, strerror(errno));
}

int messages_out_of_memory(void)
{
    return messages_failure("there is not enough memory for this");
}

void messages_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(TERMINAL_YELLOW, "warning: ", format, arguments);
    va_end(arguments);
}

void messages_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(TERMINAL_BOLD, "", format, arguments);
    va_end(arguments);
}

void messages_advice(const char *advice)
{
    size_t used = held_sentence != NULL ? strlen(held_sentence) : 0;
    if (held_sentence == NULL)
        messages_note("%s", advice);
    else if (used < held_size)
        snprintf(held_sentence + used, held_size - used, "; %s", advice);
}
