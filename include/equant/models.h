/* equant/models.h: models beside the adopted one. What a paper discusses: without a planet, a
 * planet on a circle or an ellipse, another trend, no jitter, other noise. */
#ifndef EQUANT_MODELS_H
#define EQUANT_MODELS_H

#include <stddef.h>

#include "equant/data.h"
#include "equant/fit.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_model_table equant_model_table;

/* Fits the models that differ from an adopted fit by one choice: without each planet, each planet
 * and all of them on circles (an ellipse where the states of the options say that it is a circle),
 * the other trends, without jitters, without each term of correlated noise and, where the options
 * have noise that is not white, with night, rotation or slow besides; last the planet that the fit
 * refused. `options` are those of the fit, of the same data; periods stay where no observation
 * slips by half a turn. Beside indicators or outliers only models without planets and that of white
 * noise are compared. */
EQUANT_API equant_status equant_models_compare(const equant_dataset *dataset, const equant_fit *fit,
                                               const equant_fit_options *options,
                                               equant_model_table **table);
EQUANT_API void equant_model_table_free(equant_model_table *table);

typedef struct equant_compared_model {
    size_t struct_size;
    const char *name;  /* "planet b on a circle"; valid as long as the table                  */
    const char *words; /* of its BIC: "best", "no worse", "worse", "much worse", "ruled out"  */
    int is_adopted;
    size_t n_planets, n_fitted;
    double log_likelihood, bic;
    double aicc;               /* AIC for few observations; infinite where these are too few  */
    double delta_log_evidence; /* ln Z less that of the adopted model, by Laplace's method; NaN
                                  where it was not computed                                   */
} equant_compared_model;

/* The adopted model comes first. */
EQUANT_API size_t equant_model_table_n(const equant_model_table *table);
EQUANT_API equant_status equant_model_table_at(const equant_model_table *table, size_t index,
                                               equant_compared_model *model);

#ifdef __cplusplus
}
#endif
#endif
