/* All numbers of a fit or a run under the names, signs and units that papers have for them. */
#ifndef EQUANT_APP_TABLES_PAPER_ENTRIES_H
#define EQUANT_APP_TABLES_PAPER_ENTRIES_H

#include "tables/paper_source.h"
#include "tables/paper_value.h"

enum paper_mass_unit { PAPER_MASS_AUTO, PAPER_MASS_JUPITER, PAPER_MASS_EARTH };

struct paper_unit {
    const char *plain, *latex, *table; /* "" where there is none */
};

struct paper_entry {
    char name[64];                /* "k_m_s", without a number                             */
    char symbol[160], latex[192]; /* its sign, for people and in LaTeX, without dollars    */
    char meaning[128];
    struct paper_unit unit;
    size_t planet;       /* from 1; 0: of none                                            */
    char instrument[64]; /* "": of none                                                   */
    bool is_derived, is_of_star;
    struct paper_value value;
};

struct paper_entries {
    size_t n, capacity, n_planets;
    struct paper_entry *list;
    struct planet_letters letters;
    bool has_failed;
};

/* Returns an exit code, with a sentence on failure; free them in any case. */
int paper_entries_collect(const struct paper_source *source, enum paper_mass_unit unit,
                          struct paper_entries *entries);
void paper_entries_free(struct paper_entries *entries);

/* Whether any parameter, or any derived quantity, is a limit. */
bool paper_entries_have_limits(const struct paper_entries *entries, bool are_derived);

/* The sign of a quantity by its name, "period_days_1" or "jitter_m_s_2", in LaTeX without dollars;
 * NULL where there is none. */
const char *paper_entries_latex(const char *name);

#endif
