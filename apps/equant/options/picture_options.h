/* Whether pictures are wanted, and in what format. */
#ifndef EQUANT_APP_OPTIONS_PICTURE_OPTIONS_H
#define EQUANT_APP_OPTIONS_PICTURE_OPTIONS_H

#include "options/option_table.h"

enum picture_format { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF };

struct picture_options {
    enum picture_format format;
    bool has_none;
};

extern const struct option_row picture_options_rows[];

/* "png", "svg" or "pdf": also how names of files end. */
const char *picture_format_name(enum picture_format format);

#endif
