/* What a report is about: everything known of one star. */
#ifndef EQUANT_APP_PAGE_REPORT_CONTENTS_H
#define EQUANT_APP_PAGE_REPORT_CONTENTS_H

#include "results/fit_archive.h"
#include "stars/star_result.h"
#include "terminal/text_list.h"

struct report_contents {
    const char *star_name;             /* "": unknown                        */
    equant_star host;                  /* zeros: unknown                     */
    const struct star_result *star;    /* whose orbits are drawn             */
    const struct fit_archive *fit;     /* NULL: there is no fit              */
    const equant_posterior *posterior; /* NULL: there is no run              */
    const size_t *run_planets;         /* [n_planets of star]: which one of the run each is, from 1;
                                          0: none, or there is no run */
    bool quotes_run;                   /* tables quote medians of the run, not the fit */
    double next_start_days;            /* when "What comes next" begins, as the data count */
    const double *whitened; /* residuals with correlated noise, [n_obs]; NULL: it is white */
    const equant_periodogram *data_periodogram, *residual_periodogram; /* NULL: none */
    bool is_eccentric;                  /* of the periodograms: any e         */
    bool is_demonstration;              /* the data are those of --demo       */
    const struct text_list *references; /* papers of the data                 */
    const char *typed;                  /* the command line of the report     */
};

#endif
