/* What figures of probabilities are made of: of each number of planets, and of the periods that a
 * signal may have. */
#ifndef EQUANT_APP_FIGURES_PROBABILITY_PANELS_H
#define EQUANT_APP_FIGURES_PROBABILITY_PANELS_H

#include <stddef.h>
#include <stdio.h>

/* Where a panel is, its frame. */
struct probability_place {
    FILE *page;
    double left, top, width, height;
};

/* Below and beside a frame, for numbers and labels. */
#define PROBABILITY_PANELS_BELOW 44.0
#define PROBABILITY_PANELS_LEFT 50.0

/* A bar for each number of planets, 0 to n - 1. */
void probability_panels_numbers(const struct probability_place *place, size_t n,
                                const double *probabilities);

/* A signal, and the periods that it may have with their shares, the largest first. */
enum { PROBABILITY_PANELS_MOST_PERIODS = 12 };
struct probability_family {
    char name[32];
    size_t n;
    double period_days[PROBABILITY_PANELS_MOST_PERIODS], share[PROBABILITY_PANELS_MOST_PERIODS];
};

/* Of how high the frame should be. */
double probability_panels_families_height(size_t n_families);

/* A row for each signal, in which every period stands as high as it is probable. */
void probability_panels_families(const struct probability_place *place, size_t n_families,
                                 const struct probability_family *families);

#endif
