/* The priors of one model: a density for each of its parameters, from a set with a name and
 * from what the user says of single ones. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_MODEL_PRIORS_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_MODEL_PRIORS_H

#include "equant.h"
#include "model/parameter_layout.h"
#include "statistics/prior_density.h"

typedef struct priors priors;

typedef struct priors_options {
    const equant_dataset *dataset; /* instruments, their mean velocities, the span of times */
    size_t n_planets;
    int trend_order;
    const char *set_name; /* NULL: "ford-gregory" */
    const char *noise;    /* in words that a fit takes; NULL: white */
} priors_options;

/* The sets that there are; NULL when index is out of range. */
const char *priors_set_name(size_t index);
const char *priors_set_description(size_t index);

/* The data set is not needed afterwards. */
equant_status priors_create(const priors_options *options, priors **made);
void priors_free(priors *set);

/* Another prior for one parameter, or for all of a kind: "period_days_2", "period_days",
 * "jitter_m_s_1", "trend_m_s_day" ..., as equant_model names its columns, with and without their
 * numbers. The text is one for prior_text_read; bounds that it leaves out are those of what the
 * parameter can be. Angles take fixed, uniform and normal priors no wider than a turn; a normal
 * one without bounds reaches half a turn to both sides. "turns(1, 4)" is a prior of decays of
 * noise terms with a period. */
equant_status priors_change(priors *set, const char *parameter, const char *text);

/* Whether there is a column of that name. */
bool priors_has(const priors *set, const char *parameter);

/* Columns are those of a model with planets, offsets, trend, jitters and noise, all given. */
size_t priors_n_columns(const priors *set);
const char *priors_column_name(const priors *set, size_t column);
const prior_density *priors_of_column(const priors *set, size_t column);
const parameter_layout *priors_layout(const priors *set);
const equant_model *priors_model(const priors *set);

#endif
