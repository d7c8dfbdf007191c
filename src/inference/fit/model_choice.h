/* A model that differs from an adopted fit by one choice, and the comparison that it is one of. */
#ifndef EQUANT_INFERENCE_FIT_MODEL_CHOICE_H
#define EQUANT_INFERENCE_FIT_MODEL_CHOICE_H

#include <stdbool.h>

#include "equant.h"

enum { MODEL_NAME_SIZE = 64, MODEL_NOISE_SIZE = 1024 };

/* What a model has that the adopted one has not; letters are '\0' for none. */
typedef struct model_choice {
    char name[MODEL_NAME_SIZE];
    char circle, ellipse;
    bool are_circles; /* all planets                        */
    int trend;        /* its order; -1: as it was            */
    bool has_no_jitter;
    const char *noise; /* its terms; NULL: as it was */
} model_choice;

typedef struct model_comparison {
    const equant_dataset *dataset;
    const equant_fit *fit;
    equant_fit_options options;
    equant_fit_summary adopted;
    double span_days;
    char noise[MODEL_NOISE_SIZE]; /* terms of the adopted model, with what was said of them; "":
                                     none */
    equant_model_table *table;
} model_comparison;

/* A choice of nothing, with its name, into which a letter may go. */
model_choice model_choice_named(const char *form, char letter);

/* Fits the model and adds its row. */
equant_status model_choice_fit(model_comparison *c, const model_choice *own);

/* ---- in model_noise.c -------------------------------------------------------------------------
 */

/* The terms of the adopted model: as they were asked for, or as they were chosen. */
void model_noise_name(model_comparison *c);

/* The adopted noise without each of its terms, and white noise. */
equant_status model_noise_without_terms(model_comparison *c);

/* Terms that `auto` offers, each beside the adopted noise where that has none of its kind. */
equant_status model_noise_with_terms(model_comparison *c);

#endif
