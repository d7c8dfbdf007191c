#include "options/picture_options.h"

#include <string.h>

#include "terminal/messages.h"

static const char *const format_names[] = {
    [PICTURE_PNG] = "png", [PICTURE_SVG] = "svg", [PICTURE_PDF] = "pdf"};

int picture_options_take_format(const char *command, const char *argument,
                                enum picture_format *format)
{
    for (int i = PICTURE_PNG; i <= PICTURE_PDF; i++) {
        if (strcmp(argument, format_names[i]) == 0) {
            *format = (enum picture_format)i;
            return EXIT_CODE_OK;
        }
    }
    return messages_usage(command, "--format is png, svg or pdf, not '%s'", argument);
}

const char *picture_format_name(enum picture_format format)
{
    return format_names[format];
}
