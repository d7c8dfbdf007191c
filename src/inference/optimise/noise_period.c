#include "inference/optimise/noise_period.h"

#include <math.h>

#include "inference/optimise/noise_choice.h"

/* The rotation that a solution has; the number of terms: none. */
static size_t rotation_of(const noise_menu *menu, unsigned terms)
{
    size_t t = 0;
    while (t < menu->n_terms && !(terms >> t & 1 && menu->terms[t].kind->is_rotation))
        t++;
    return t;
}

/* The shape of a rotation that has no period; the number of terms: none. */
static size_t aperiodic_of(const noise_menu *menu, size_t rotation)
{
    size_t t = 0;
    while (t < menu->n_terms && (menu->terms[t].instead_of != menu->terms[rotation].instead_of ||
                                 t == rotation || menu->terms[t].kind->is_rotation))
        t++;
    return t;
}

static equant_status paid_likelihood(study *star, size_t n_fixed, solution *model, double *paid)
{
    equant_status status = noise_choice_price_by_integral(star, n_fixed, model);
    *paid = solution_likelihood_with_noise_paid(star, model);
    return status;
}

equant_status noise_period_probability(study *star, size_t n_fixed, const solution *fitted,
                                       double *probability)
{
    const noise_menu *menu = &star->menu;
    size_t rotation = rotation_of(menu, fitted->noise.terms), other;
    *probability = NAN;
    if (rotation == menu->n_terms)
        return EQUANT_SUCCESS;
    if (menu->always.terms >> rotation & 1) {
        *probability = 1.0;
        return EQUANT_SUCCESS;
    }
    other = aperiodic_of(menu, rotation);
    if (other == menu->n_terms)
        return EQUANT_SUCCESS;
    solution model = {.set = NULL};
    double periodic, aperiodic;
    noise_choice wanted = fitted->noise;
    wanted.terms = (wanted.terms & ~(1u << rotation)) | 1u << other;
    equant_status status = solution_create(star, &model);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, fitted, &model);
        status = paid_likelihood(star, n_fixed, &model, &periodic);
    }
    if (status == EQUANT_SUCCESS)
        status = noise_choice_adopt(star, n_fixed, wanted, &model);
    if (status == EQUANT_SUCCESS)
        status = paid_likelihood(star, n_fixed, &model, &aperiodic);
    if (status == EQUANT_SUCCESS)
        *probability = 1.0 / (1.0 + exp(aperiodic - periodic));
    solution_free(&model);
    return status;
}
