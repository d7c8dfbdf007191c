/* One star from its files to its planets: the data, the fit, and what is derived from
 * both for reports. */
#ifndef EQUANT_APP_STAR_FIT_H
#define EQUANT_APP_STAR_FIT_H

#include <stdbool.h>

#include "equant.h"
#include "fit_request.h"
#include "text_list.h"

struct star_fit {
    equant_dataset *dataset;
    equant_fit *fit;
    equant_fit_summary summary;
    size_t n_planets;
    equant_planet *planets; /* [n_planets], by period                          */
    bool has_candidate;
    equant_planet candidate;
    double *model_m_s, *residual_m_s; /* [n_obs], in the data's order          */
    struct text_list warnings;        /* the reader's                          */
    struct text_list hints;           /* fit_hints.h                           */
};

/* Value and uncertainty of a parameter. */
struct star_parameter {
    double value, uncertainty;
};

/* Reads the data, as the request says. Returns an exit code, with a sentence on failure;
 * free it in any case. */
int star_fit_load(const struct fit_request *request, const char *command, int n_files,
                  char *const *paths, struct star_fit *star);

/* Fits data that have been loaded. `label` stands before the stages in the progress bar.
 * Returns an exit code, with a sentence on failure. */
int star_fit_run(const struct fit_request *request, const char *label, struct star_fit *star);

void star_fit_free(struct star_fit *star);

/* Column of the fit's model that has this name, such as "jitter_m_s_1"; false when the
 * model has none. */
bool star_fit_parameter(const struct star_fit *star, const char *name,
                        struct star_parameter *parameter);

/* Offset and jitter of an instrument; a jitter that was not fitted is 0. */
struct star_parameter star_fit_offset(const struct star_fit *star, size_t instrument);
struct star_parameter star_fit_jitter(const struct star_fit *star, size_t instrument);

/* What the trend adds at a time. */
double star_fit_trend_at(const struct star_fit *star, double time_days);

double star_fit_span_days(const struct star_fit *star);

#endif
