/* What a figure of a star's velocities must say of itself: what was taken away, what the line is,
 * which part of the model is not drawn, what the bars are. */
#ifndef EQUANT_APP_FIGURES_STAR_NOTES_H
#define EQUANT_APP_FIGURES_STAR_NOTES_H

#include "stars/star_result.h"

enum { STAR_NOTES_SIZE = 1024 };

struct star_notes {
    char text[STAR_NOTES_SIZE];
};

/* The line over time shows planets from period_min_days on. */
struct star_notes star_notes_of(const struct star_result *star, double period_min_days);

#endif
