#include "inference/fit/fit_rotation.h"

#include <math.h>
#include <string.h>

#include "inference/fit/fit_record.h"
#include "model/period_resolution.h"

/* A period is told where it is more probable than none with this, and known to this share. */
#define DETERMINED 0.95
#define LARGEST_ERROR 0.2
/* How far a period may be from a ratio of the rotation, in errors of that. */
#define NEAR_ERRORS 3.0
#define LEAST_PER_PARAMETER 2

/* ---- rotation and memory ------------------------------------------------------------------------
 */

static const noise_term_kind *kind_of(const equant_fitted_noise_parameter *parameter)
{
    return noise_catalogue_find(parameter->term, strcspn(parameter->term, "@"));
}

static double not_known(double *err)
{
    if (err)
        *err = NAN;
    return NAN;
}

/* NaN where noise without a period explains the velocities as well, or where the period is not
 * known to a fifth of itself. */
static double rotation_days(const fit_noise *noise, double *err)
{
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const equant_fitted_noise_parameter *own = &noise->parameters[i];
        const noise_term_kind *kind = kind_of(own);
        if (!kind || !kind->is_rotation || strcmp(own->name, "period") != 0)
            continue;
        if (!(noise->rotation_probability >= DETERMINED) ||
            (!own->is_fixed && !(own->err <= LARGEST_ERROR * own->value)))
            break;
        if (err)
            *err = own->err;
        return own->value;
    }
    return not_known(err);
}

/* After how many decays the correlation is 1/e, of a rotation its envelope; 0 of noise whose memory
 * is not told. */
static double decays_of_memory(const noise_term_kind *kind)
{
    switch (noise_catalogue_number(kind)) {
    case NOISE_MATERN32:
    case NOISE_MEP:
    case NOISE_MEP4:
        return 1.239; /* (1 + x) exp(-x) = 1/e, x = sqrt 3 tau / decay */
    case NOISE_MATERN52:
        return 1.270; /* (1 + x + x^2 / 3) exp(-x), x = sqrt 5 tau / decay */
    case NOISE_ES:
    case NOISE_ESP2:
    case NOISE_ESP3:
    case NOISE_QP:
        return M_SQRT2;
    case NOISE_NIGHT:
    case NOISE_EXPONENTIAL:
    case NOISE_SLOW:
    case NOISE_SHO:
    case NOISE_GRANULATION:
    case NOISE_ROTATION:
    case N_NOISE_KINDS:
        break;
    }
    return 0.0;
}

/* Of noise that is no determined rotation, with a memory of more than a day and less than a cycle.
 */
static double memory_days(const fit_noise *noise, double *err)
{
    if (!isnan(rotation_days(noise, NULL)))
        return not_known(err);
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const equant_fitted_noise_parameter *own = &noise->parameters[i];
        const noise_term_kind *kind = kind_of(own);
        double decays = kind && strcmp(own->name, "decay") == 0 ? decays_of_memory(kind) : 0.0;
        if (decays == 0.0)
            continue;
        if (err)
            *err = decays * own->err;
        return decays * own->value;
    }
    return not_known(err);
}

/* ---- cautions -----------------------------------------------------------------------------------
 */

/* Simple ratios of a period to the rotation, which spots and their beats with the sampling have. */
static const struct {
    double ratio;
    const char *words;
} ratios[] = {{1.0 / 3.0, "a third of "},    {0.5, "half of "},
              {2.0 / 3.0, "two thirds of "}, {1.0, ""},
              {1.5, "three halves of "},     {2.0, "twice "}};

/* What speaks for an orbit beside the noise. */
static void caution_planet(const study *star, const planet_finder_result *finding, size_t planet,
                           double rotation, double error, remarks *made)
{
    double period = finding->best.set[N_ELEMENTS * planet + ELEMENT_PERIOD];
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        double there = ratios[i].ratio * rotation,
               near = hypot(NEAR_ERRORS * error / rotation / there, PERIOD_SAME / star->span_days);
        if (!(fabs(1.0 / period - 1.0 / there) < near))
            continue;
        remarks_add(made,
                    "The planet of %.4g days is near %sthe rotation of the star, %.3g days: spots "
                    "can make such a signal. Without it, the noise refitted, ln L is lower by "
                    "%.1f.",
                    period, ratios[i].words, rotation, finding->gain[planet]);
        return;
    }
}

void fit_rotation_caution(const study *star, const planet_finder_result *finding, size_t n_fitted,
                          fit_noise *noise)
{
    double error, rotation = rotation_days(noise, &error);
    for (size_t p = 0; p < finding->best.n_planets && !isnan(rotation); p++)
        if (!isnan(finding->gain[p]))
            caution_planet(star, finding, p, rotation, isnan(error) ? 0.0 : error, &noise->remarks);
    if (star->n_obs < LEAST_PER_PARAMETER * n_fitted)
        remarks_add(&noise->remarks,
                    "The model has %zu parameters for %zu observations, fewer than two for each: "
                    "the result depends on the priors, and errors are underestimated.",
                    n_fitted, star->n_obs);
}

/* ---- for callers --------------------------------------------------------------------------------
 */

double equant_fit_rotation_days(const equant_fit *fit, double *err)
{
    return fit ? rotation_days(&fit->noise, err) : not_known(err);
}

double equant_fit_memory_days(const equant_fit *fit, double *err)
{
    return fit ? memory_days(&fit->noise, err) : not_known(err);
}

double equant_fit_rotation_probability(const equant_fit *fit)
{
    return fit ? fit->noise.rotation_probability : NAN;
}
