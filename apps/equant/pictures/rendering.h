/* PNG and PDF from SVG, by librsvg and cairo. */
#ifndef EQUANT_APP_PICTURES_RENDERING_H
#define EQUANT_APP_PICTURES_RENDERING_H

#include <stddef.h>

#include "options/picture_options.h"

/* The bytes of a file; the caller frees them. */
struct rendered_picture {
    size_t n_bytes;
    char *bytes;
};

/* Of an SVG document of that size, in 96ths of an inch: a PNG with 300 dots to the inch, or a PDF.
 * Returns an exit code, with a sentence on failure. */
int rendering_make(size_t n_bytes, const char *svg, double width, double height,
                   enum picture_format format, struct rendered_picture *made);

#endif
