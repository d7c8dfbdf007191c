#include "posteriors/posterior_band.h"

#include <math.h>
#include <stdlib.h>

#include "stars/orbit_curve.h"
#include "terminal/messages.h"

/* Draws whose curves are compared: enough for ends of intervals that nobody could draw better. */
enum { MOST_CURVES = 800 };

/* All draws of one element of a planet; NULL, with a sentence, on failure. */
static double *load_element(const equant_posterior *posterior, size_t element, size_t number,
                            size_t n_draws)
{
    equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
    double *values = calloc(n_draws, sizeof *values);
    if (values == NULL) {
        messages_out_of_memory();
        return NULL;
    }
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++) {
        equant_status status = equant_posterior_quantity(posterior, i, &quantity);
        if (status == EQUANT_SUCCESS && quantity.kind == element && quantity.planet == number)
            status = equant_posterior_values(posterior, i, values);
        if (status != EQUANT_SUCCESS) {
            messages_status(status);
            free(values);
            return NULL;
        }
    }
    return values;
}

/* Curves of draws spread evenly over all of them, [n_curves][n]. */
static int trace(double *const elements[EQUANT_N_ELEMENTS], size_t n_draws, size_t n_curves,
                 double reference_time, size_t n, const double *time_days, double *curves)
{
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < n_curves && code == EXIT_CODE_OK; i++) {
        size_t draw = (size_t)((double)i * (double)n_draws / (double)n_curves);
        double own[EQUANT_N_ELEMENTS];
        for (size_t k = 0; k < EQUANT_N_ELEMENTS; k++)
            own[k] = elements[k][draw];
        code = orbit_curve_evaluate(own, reference_time, n, time_days, curves + i * n);
    }
    return code;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take_quantiles(size_t n_curves, const double *curves, struct posterior_band *band)
{
    double column[MOST_CURVES];
    for (size_t i = 0; i < band->n; i++) {
        for (size_t k = 0; k < n_curves; k++)
            column[k] = curves[k * band->n + i];
        qsort(column, n_curves, sizeof *column, compare);
        double last = (double)(n_curves - 1);
        band->low_95[i] = column[(size_t)(0.0228 * last)];
        band->low_68[i] = column[(size_t)(0.1587 * last)];
        band->high_68[i] = column[(size_t)(0.8413 * last)];
        band->high_95[i] = column[(size_t)(0.9772 * last)];
    }
}

static int fill(double *const elements[EQUANT_N_ELEMENTS], size_t n_draws, double reference_time,
                const struct star_planet *planet, struct posterior_band *band)
{
    double time_days[POSTERIOR_BAND_POINTS];
    size_t n_curves = n_draws < MOST_CURVES ? n_draws : MOST_CURVES;
    double *curves = calloc(n_curves * POSTERIOR_BAND_POINTS, sizeof *curves);
    if (curves == NULL)
        return messages_out_of_memory();
    double conjunction = star_planet_value(planet, "t_conj");
    folded_planet_phases(planet, POSTERIOR_BAND_EVEN, band->phase, &band->n);
    for (size_t i = 0; i < band->n; i++) {
        time_days[i] = conjunction + planet->values[EQUANT_ELEMENT_PERIOD] * band->phase[i];
    }
    int code = trace(elements, n_draws, n_curves, reference_time, band->n, time_days, curves);
    if (code == EXIT_CODE_OK)
        take_quantiles(n_curves, curves, band);
    free(curves);
    return code;
}

int posterior_band_fill(const equant_posterior *posterior, size_t number,
                        const struct star_planet *planet, struct posterior_band *band)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = equant_posterior_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    size_t n_draws = facts.n_populations * facts.n_kept * facts.n_walkers;
    double *elements[EQUANT_N_ELEMENTS] = {NULL};
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < EQUANT_N_ELEMENTS && code == EXIT_CODE_OK; i++) {
        elements[i] = load_element(posterior, i, number, n_draws);
        code = elements[i] != NULL ? EXIT_CODE_OK : EXIT_CODE_FAILED;
    }
    if (code == EXIT_CODE_OK)
        code = fill(elements, n_draws, facts.reference_time_days, planet, band);
    for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
        free(elements[i]);
    return code;
}
