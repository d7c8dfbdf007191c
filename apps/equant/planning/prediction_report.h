/* A prediction as text, JSON and tables. */
#ifndef EQUANT_APP_PLANNING_PREDICTION_REPORT_H
#define EQUANT_APP_PLANNING_PREDICTION_REPORT_H

#include <stdbool.h>

#include "equant.h"
#include "files/output_check.h"

struct prediction_report {
    const equant_posterior *posterior;
    const equant_prediction *prediction;
    size_t n_conjunctions;
    const equant_conjunction *conjunctions;
    bool is_velocity; /* without white noise */
};

extern const struct output_member prediction_report_members[];

/* Each returns an exit code, with a sentence on failure. */
int prediction_report_text(const struct prediction_report *report);
int prediction_report_json(const struct prediction_report *report);
int prediction_report_tables(const struct prediction_report *report, const char *folder);

#endif
