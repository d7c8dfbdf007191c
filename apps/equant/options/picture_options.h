/* Whether pictures are wanted, and in what format. */
#ifndef EQUANT_APP_OPTIONS_PICTURE_OPTIONS_H
#define EQUANT_APP_OPTIONS_PICTURE_OPTIONS_H

#include "options/option_table.h"

/* PICTURE_UNSAID: PNG where this build can make it, else SVG. */
enum picture_format { PICTURE_UNSAID, PICTURE_PNG, PICTURE_SVG, PICTURE_PDF };

struct picture_options {
    enum picture_format format;
    bool has_none, has_captions;
};

extern const struct option_row picture_options_rows[];

/* Refuses what this build cannot make: PNG and PDF are made from SVG by librsvg. Returns an exit
 * code, with a sentence on failure. */
int picture_options_check(const struct picture_options *options);

/* Whether captions are drawn below the pictures, as the options said that were checked last; else
 * they are texts beside them. */
bool picture_options_draws_captions(void);

/* What becomes of PICTURE_UNSAID; the first time that it is not the PNG that people know, there is
 * a warning. */
enum picture_format picture_format_of(enum picture_format wanted);

/* "png", "svg" or "pdf": also how names of files end. */
const char *picture_format_name(enum picture_format format);

#endif
