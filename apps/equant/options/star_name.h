/* What a star is probably called, from the names of its files. */
#ifndef EQUANT_APP_OPTIONS_STAR_NAME_H
#define EQUANT_APP_OPTIONS_STAR_NAME_H

#include "options/data_source.h"

enum { STAR_NAME_SIZE = 128 };

struct star_name {
    char text[STAR_NAME_SIZE]; /* empty where nothing tells */
};

/* What the names of all files begin with, without folders and endings: HD10180_harps.vels and
 * HD10180_hires.vels are of HD10180. */
struct star_name star_name_guess(const struct data_source *source, const struct file_list *files);

#endif
