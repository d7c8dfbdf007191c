/* Stars that a schedule may observe, from a table with a heading: a row each. */
#ifndef EQUANT_APP_PLANNING_STAR_LIST_H
#define EQUANT_APP_PLANNING_STAR_LIST_H

#include <stddef.h>

/* What a table may say of a star; texts are "" and numbers NaN where it does not. */
enum star_text { STAR_RUN, STAR_NAME, STAR_RA, STAR_DEC, STAR_TARGET, STAR_INSTRUMENT, STAR_TEXTS };
enum star_number {
    STAR_PM_RA,
    STAR_PM_DEC,
    STAR_ERROR,
    STAR_EXPOSURE,
    STAR_OVERHEAD,
    STAR_WEIGHT,
    STAR_GAP,
    STAR_MOST,
    STAR_NUMBERS
};

enum { STAR_LIST_TEXT = 256 };

struct star_row {
    char texts[STAR_TEXTS][STAR_LIST_TEXT];
    double numbers[STAR_NUMBERS];
    size_t line; /* of the file */
};

struct star_list {
    size_t n;
    struct star_row *rows; /* [n] */
};

/* Columns run, ra and dec, and name, target, instrument, pm_ra, pm_dec, error, exposure, overhead,
 * weight, gap and most where wanted, in any order. Returns an exit code, with a sentence on
 * failure; free it in any case. */
int star_list_read(const char *path, struct star_list *list);
void star_list_free(struct star_list *list);

#endif
