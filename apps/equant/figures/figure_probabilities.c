#include "figures/figure_probabilities.h"

#include <math.h>

#include "drawing/svg.h"
#include "figures/probability_panels.h"
#include "stars/star_numbers.h"

enum { MOST_FAMILIES = 8 };
static const double margin = 10.0, right = 14.0, numbers_height = 150.0;

/* Planets whose period has rivals, or all where none has. */
static size_t list_families(const struct star_result *star,
                            struct probability_family families[MOST_FAMILIES])
{
    size_t n = 0;
    for (size_t p = 0; p < star->n_planets && n < MOST_FAMILIES; p++) {
        const struct star_planet *planet = &star->planets[p];
        struct probability_family *own = &families[n];
        if (planet->n_aliases < 1)
            continue;
        snprintf(own->name, sizeof own->name, "%s", planet_name_of(&star->letters, p).text);
        own->n = planet->n_aliases;
        for (size_t i = 0; i < planet->n_aliases; i++) {
            own->period_days[i] = planet->aliases[i].period_days;
            own->share[i] = planet->aliases[i].probability;
        }
        n++;
    }
    return n;
}

bool figure_probabilities_is_there(const struct star_result *star)
{
    return star->n_numbers > 0 && star_numbers_likeliest(star) < star->n_numbers;
}

/* Both beside each other, or one below the other. */
static void draw(FILE *page, const char *class, double width, bool is_wide,
                 const struct star_result *star, size_t n_families,
                 const struct probability_family *families)
{
    double of_families = probability_panels_families_height(n_families);
    double numbers_width = is_wide && n_families > 0 ? 0.3 * width : width;
    struct probability_place numbers = {page, PROBABILITY_PANELS_LEFT, margin,
                                        numbers_width - PROBABILITY_PANELS_LEFT - right,
                                        numbers_height};
    double left = is_wide ? numbers_width + PROBABILITY_PANELS_LEFT : PROBABILITY_PANELS_LEFT;
    double top = is_wide ? margin : margin + numbers_height + PROBABILITY_PANELS_BELOW + margin;
    struct probability_place periods = {page, left, top, width - left - right, of_families};
    double bottom = margin + numbers_height;
    if (n_families > 0)
        bottom = fmax(bottom, top + of_families);
    svg_begin(page, class, width, bottom + PROBABILITY_PANELS_BELOW,
              "Probability of each number of planets, and of the periods of each signal");
    probability_panels_numbers(&numbers, star->n_numbers, star->numbers);
    if (n_families > 0)
        probability_panels_families(&periods, n_families, families);
    svg_end(page);
}

void figure_probabilities_write(FILE *page, const struct star_result *star)
{
    struct probability_family families[MOST_FAMILIES];
    size_t n_families = list_families(star, families);
    fputs("<figure id=\"figure-probabilities\">\n", page);
    draw(page, "wide", 920.0, true, star, n_families, families);
    draw(page, "narrow", 380.0, false, star, n_families, families);
    fprintf(page, "<figcaption>How probable each number of planets%s is",
            star->is_sampled ? "" : " that these data show");
    if (n_families > 0)
        fputs(", and each period that a signal may have because observations repeat with the day, "
              "the month and the year: every bar is as high as its share",
              page);
    fputs(".</figcaption>\n</figure>\n", page);
}
