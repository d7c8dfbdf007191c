#include "terminal/terminal.h"

#include <stdlib.h>
#include <string.h>

#include "platform/system_command.h"

bool terminal_is(FILE *stream)
{
    return system_command_is_terminal(stream);
}

int terminal_columns(FILE *stream)
{
    int columns = system_command_columns(stream);
    return columns > 0 ? columns : 80;
}

static bool wants_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool refused = no_colour != NULL && no_colour[0] != '\0';
    bool unable = terminal != NULL && strcmp(terminal, "dumb") == 0;
    return !refused && !unable && terminal_is(stream);
}

const char *terminal_style(FILE *stream, enum terminal_style style)
{
    static const char *const sequences[] = {
        [TERMINAL_PLAIN] = "\033[0m", [TERMINAL_BOLD] = "\033[1m",   [TERMINAL_DIM] = "\033[2m",
        [TERMINAL_RED] = "\033[31m",  [TERMINAL_GREEN] = "\033[32m", [TERMINAL_YELLOW] = "\033[33m",
        [TERMINAL_CYAN] = "\033[36m",
    };
    return wants_colour(stream) ? sequences[style] : "";
}
