/* The models that a fit compared: without planets, without one of them, itself, and with the
 * candidate. */
#ifndef EQUANT_APP_STARS_STAR_MODELS_H
#define EQUANT_APP_STARS_STAR_MODELS_H

#include "stars/star_result.h"

struct star_model {
    size_t n_planets;
    size_t without;      /* the planet, from 1, that it lacks; 0: none                  */
    bool is_fit;         /* the model of the fit                                        */
    bool with_candidate; /* that was refused                                            */
    double log_likelihood, bic;
    double delta_log_evidence; /* ln Z less that of the fit, by Laplace's method; NaN: unknown */
};

/* How many there are; 0 where the star has no fit, or nothing was compared. */
size_t star_models_n(const struct star_result *star);
struct star_model star_models_at(const struct star_result *star, size_t index);

/* "without planet c, 41.74 days". */
enum { STAR_MODEL_TEXT_SIZE = 96 };
void star_models_describe(const struct star_result *star, const struct star_model *model,
                          char text[STAR_MODEL_TEXT_SIZE]);

#endif
