/* All numbers of a fit or a run under the names, signs and units that papers have for them. */
#ifndef EQUANT_APP_TABLES_PAPER_ENTRIES_H
#define EQUANT_APP_TABLES_PAPER_ENTRIES_H

#include "tables/paper_grid.h"
#include "tables/paper_source.h"
#include "tables/paper_value.h"

enum paper_mass_unit { PAPER_MASS_AUTO, PAPER_MASS_JUPITER, PAPER_MASS_EARTH };

struct paper_unit {
    const char *plain, *latex, *table; /* "" where there is none */
};

struct paper_entry {
    char name[64];    /* "k_m_s", without a number                             */
    char symbol[160]; /* its sign, or its words, for people                    */
    char latex[192];  /* its sign in math mode, without dollars; "": none      */
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

/* Whether any parameter is at an end of its range. */
bool paper_entries_have_ends(const struct paper_entries *entries);

/* A quantity by its name, "period_days_1" or "jitter_m_s_2", without a value; one that the
 * catalogue lacks is called by that name. */
struct paper_entry paper_entries_named(const char *name, size_t planet, const char *instrument);

/* Cells with its sign and with its unit, as the style has them. */
void paper_entry_add_symbol(struct paper_grid *grid, const struct paper_entry *entry);
void paper_entry_add_unit(struct paper_grid *grid, const struct paper_entry *entry);

#endif
