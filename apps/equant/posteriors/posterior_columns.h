/* The quantities of a posterior that pictures show, with their draws. */
#ifndef EQUANT_APP_POSTERIORS_POSTERIOR_COLUMNS_H
#define EQUANT_APP_POSTERIORS_POSTERIOR_COLUMNS_H

#include "posteriors/posterior_view.h"
#include "stars/planet_name.h"

enum { POSTERIOR_COLUMNS_MOST = 10 };

struct posterior_column {
    char instrument[64];            /* "": of none                                               */
    equant_quantity_info kind;      /* how it is called and shown                                */
    size_t planet;                  /* from 1; 0: of none                                        */
    struct planet_name planet_name; /* "b"; "": of none                                          */
    double median, low_68, high_68; /* in the units of the values                  */
    double *values;                 /* [n_draws] by populations, steps, walkers; angles in degrees,
                                       turned to the side of their median                        */
    double low, high;               /* of an axis that shows what matters                        */
};

struct posterior_columns {
    size_t n, n_populations, n_kept, n_walkers, n_draws;
    size_t n_left_out; /* there is room for POSTERIOR_COLUMNS_MOST */
    unsigned long long first_step, last_step;
    struct posterior_column column[POSTERIOR_COLUMNS_MOST];
};

/* Of the parameters that vary, planets first; of one planet alone where it is named (from 1; 0:
 * all). Returns an exit code, with a sentence on failure;
 * free it in any case. */
int posterior_columns_load(const struct posterior_view *posterior, size_t planet,
                           struct posterior_columns *columns);
void posterior_columns_free(struct posterior_columns *columns);

#endif
