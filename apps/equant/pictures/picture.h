/* The file of a picture: a figure that stands alone, as SVG, or as the PNG or PDF that is made from
 * it. It is there whole or not at all. */
#ifndef EQUANT_APP_PICTURES_PICTURE_H
#define EQUANT_APP_PICTURES_PICTURE_H

#include <stdio.h>

#include "options/picture_options.h"

enum { PICTURE_CAPTION_SIZE = 1536 };

struct picture {
    FILE *page; /* where the figure is drawn to */
    double width, height;
    double caption_top; /* where it is drawn, if it is */
    char caption[PICTURE_CAPTION_SIZE];
    char *svg;
    size_t n_bytes;
};

/* Five inches, as wide as most pictures are: to be printed so, and still to be read in a column of
 * 3.4. */
#define PICTURE_WIDTH 480.0

/* Begins a picture of that size, in 96ths of an inch; `label` is its title for those who cannot see
 * it. Its caption, "" where it needs none, is drawn below that where captions are asked for, and
 * goes to the file FOLDER/NAME.caption.txt else. Returns an exit code, with a sentence on failure;
 * finish it only after success. */
int picture_begin(struct picture *picture, double width, double height, const char *label,
                  const char *caption);

/* Ends it and writes FOLDER/NAME.FORMAT. With another code than EXIT_CODE_OK: only frees it, and
 * returns the code. */
int picture_finish(struct picture *picture, const char *folder, const char *name,
                   enum picture_format format, int code);

#endif
