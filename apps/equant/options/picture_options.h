/* Whether pictures are wanted, and in what format. */
#ifndef EQUANT_APP_OPTIONS_PICTURE_OPTIONS_H
#define EQUANT_APP_OPTIONS_PICTURE_OPTIONS_H

enum picture_format { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF };

/* Takes the value of --format. Returns EXIT_CODE_OK, or EXIT_CODE_USAGE with a sentence. */
int picture_options_take_format(const char *command, const char *argument,
                                enum picture_format *format);

/* "png", "svg" or "pdf": also how names of files end. */
const char *picture_format_name(enum picture_format format);

#endif
