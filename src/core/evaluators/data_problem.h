/* A data set under a model, as backends want to know it. */
#ifndef EQUANT_CORE_EVALUATORS_DATA_PROBLEM_H
#define EQUANT_CORE_EVALUATORS_DATA_PROBLEM_H

#include "backends/backend.h"

/* Fails, with a sentence, where the two do not belong together or no backend could compute them. */
equant_status data_problem_check(const equant_dataset *dataset, const equant_model *model);

/* In memory of its own, of a pair that has been checked. */
equant_status data_problem_create(const equant_dataset *dataset, const equant_model *model,
                                  backend_problem *problem);
void data_problem_free(const backend_problem *problem);

/* Whether the model leaves linear terms out of its sets. */
bool data_problem_solves(const backend_problem *problem);

#endif
