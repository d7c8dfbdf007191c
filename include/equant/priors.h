/* equant/priors.h: priors. What is believed of parameters before the data. */
#ifndef EQUANT_PRIORS_H
#define EQUANT_PRIORS_H

#include <stddef.h>

#include "equant/data.h"
#include "equant/model.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is believed of a star before its data: a density for each column of a model whose
 * offsets, trend, jitters and noise are all given. */
typedef struct equant_priors equant_priors;

typedef struct equant_priors_options {
    size_t struct_size;
    size_t n_planets;
    equant_trend trend;
    const char *prior_set; /* a name that equant_prior_set_name has; NULL: the first    */
    const char *noise;     /* terms of correlated noise in the words of a fit (equant/fit.h),
                              "rotation(period=20:30), night": uniform in the logarithm
                              between the ends of each range. Columns are in the order of
                              the catalogue of terms, then of instruments, whose number,
                              from 1, is behind their names where a term is of one;
                              NULL or "white": none                                      */
} equant_priors_options;

/* Sets of priors by name: "ford-gregory", the field's reference, "kipping", ... with one line
 * about each for a person. NULL when index is out of range. Static. */
EQUANT_API size_t equant_n_prior_sets(void);
EQUANT_API const char *equant_prior_set_name(size_t index);
EQUANT_API const char *equant_prior_set_description(size_t index);

/* The priors of a set for this star; options may be NULL. The data set is not needed
 * afterwards. The caller frees *priors with equant_priors_free. */
EQUANT_API equant_status equant_priors_create(const equant_dataset *dataset,
                                              const equant_priors_options *options,
                                              equant_priors **priors);
/* The same with what a YAML file says (docs/sampling.md); the set that the file names wins over
 * that of the options. EQUANT_ERROR_UNAVAILABLE from a library that was built without YAML. */
EQUANT_API equant_status equant_priors_from_file(const char *path, const equant_dataset *dataset,
                                                 const equant_priors_options *options,
                                                 equant_priors **priors);
EQUANT_API void equant_priors_free(equant_priors *priors);

/* Another prior for one parameter, "period_days_2", or for all of a kind, "eccentricity", by
 * the names of equant_model_parameter_name. Texts are those of docs/sampling.md:
 * "log-uniform(1, 1000)", "beta(0.867, 3.03)", "fixed(0)" or "0"; decays of noise terms with
 * a period may have "turns(1, 4)", in units of it. */
EQUANT_API equant_status equant_priors_change(equant_priors *priors, const char *parameter,
                                              const char *text);

/* Columns, with their names and their priors in words that equant_priors_change understands;
 * NULL when out of range. Valid until the priors are changed or freed. */
EQUANT_API size_t equant_priors_n(const equant_priors *priors);
EQUANT_API const char *equant_priors_name(const equant_priors *priors, size_t column);
EQUANT_API const char *equant_priors_text(const equant_priors *priors, size_t column);

#ifdef __cplusplus
}
#endif
#endif
