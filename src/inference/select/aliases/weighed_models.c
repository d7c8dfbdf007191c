#include "inference/select/aliases/weighed_models.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/noise_choice.h"

typedef struct weighed_model {
    solution of, made;
    noise_choice noise;
} weighed_model;

/* To the bit: what is made of them is then the same, too. */
static bool is_same_model(const study *star, const solution *one, const solution *other)
{
    return one->n_planets == other->n_planets && one->trend_order == other->trend_order &&
           noise_choice_is_same(one->noise, other->noise) &&
           memcmp(one->set, other->set,
                  study_layout(star, one->n_planets, one->trend_order).n_parameters *
                      sizeof *one->set) == 0;
}

const solution *weighed_models_find(const study *star, const weighed_models *models,
                                    const solution *of, noise_choice noise)
{
    for (size_t i = 0; models && i < models->n; i++)
        if (noise_choice_is_same(models->list[i].noise, noise) &&
            is_same_model(star, &models->list[i].of, of))
            return &models->list[i].made;
    return NULL;
}

equant_status weighed_models_keep(const study *star, const solution *of, noise_choice noise,
                                  const solution *made, weighed_models *models)
{
    weighed_model *list = realloc(models->list, (models->n + 1) * sizeof *list);
    if (!list)
        return status_out_of_memory();
    models->list = list;
    weighed_model *kept = &list[models->n];
    *kept = (weighed_model){.noise = noise};
    equant_status status = solution_create(star, &kept->of);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &kept->made);
    if (status != EQUANT_SUCCESS) {
        solution_free(&kept->of);
        return status;
    }
    solution_copy(star, of, &kept->of);
    solution_copy(star, made, &kept->made);
    models->n++;
    return EQUANT_SUCCESS;
}

const solution *weighed_models_at(const weighed_models *models, size_t index)
{
    return &models->list[index].made;
}

void weighed_models_free(weighed_models *models)
{
    for (size_t i = 0; i < models->n; i++) {
        solution_free(&models->list[i].of);
        solution_free(&models->list[i].made);
    }
    free(models->list);
    *models = (weighed_models){0};
}
