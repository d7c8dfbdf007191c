#include "options/picture_options.h"

static const struct option_choice formats[] = {
    {"png", PICTURE_PNG}, {"svg", PICTURE_SVG}, {"pdf", PICTURE_PDF}, {0}};

#define OPTIONS_OF struct picture_options
const struct option_row picture_options_rows[] = {
    {"format", "F", OPTION_CHOICE(format, formats), "of pictures: png (default), svg or pdf"},
    {"no-pictures", NULL, OPTION_FLAG(has_none), "tables only"},
    {0}};

const char *picture_format_name(enum picture_format format)
{
    return command_line_choice_name(formats, (int)format);
}
