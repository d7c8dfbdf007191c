/* equant_predict_conjunctions: when planets pass between their star and us. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/run/posterior.h"

/* More than anybody reads: each is sorted from all draws. */
enum { MOST_CONJUNCTIONS = 10000 };

/* Period and one conjunction of a planet in the draws of a mode. */
typedef struct passages {
    size_t planet, n; /* from 1; draws */
    double *period, *conjunction, *sorted;
} passages;

static void passages_free(passages *of)
{
    free(of->period);
    free(of->conjunction);
    free(of->sorted);
}

static equant_status load(const equant_posterior *posterior, const char *kind, size_t planet,
                          double *values)
{
    char name[QUANTITIES_NAME_SIZE];
    snprintf(name, sizeof name, "%s_%zu", kind, planet);
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        equant_status status = equant_posterior_quantity(posterior, i, &own);
        if (status != EQUANT_SUCCESS)
            return status;
        if (strcmp(own.name, name) == 0)
            return equant_posterior_values(posterior, i, values);
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the run has no '%s'", name);
}

/* Draws of the heaviest mode come to the front. */
static void keep_heaviest(const modes *found, size_t n_all, passages *of)
{
    for (size_t i = 0; i < n_all; i++)
        if (found->n == 0 || found->of_draw[i] == 0) {
            of->period[of->n] = of->period[i];
            of->conjunction[of->n++] = of->conjunction[i];
        }
}

static equant_status passages_create(const equant_posterior *posterior, size_t planet,
                                     passages *made)
{
    size_t n_all = draws_n(posterior_draws(posterior));
    *made = (passages){.planet = planet,
                       .period = malloc(n_all * sizeof(double)),
                       .conjunction = malloc(n_all * sizeof(double)),
                       .sorted = malloc(n_all * sizeof(double))};
    if (!made->period || !made->conjunction || !made->sorted)
        return status_out_of_memory();
    equant_status status = load(posterior, "period_days", planet, made->period);
    if (status == EQUANT_SUCCESS)
        status = load(posterior, "t_conj", planet, made->conjunction);
    if (status == EQUANT_SUCCESS)
        keep_heaviest(posterior_modes(posterior), n_all, made);
    return status;
}

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double share_at(const passages *of, double share)
{
    double place = share * (double)(of->n - 1);
    size_t below = (size_t)place, above = below + 1 < of->n ? below + 1 : below;
    return of->sorted[below] + (place - (double)below) * (of->sorted[above] - of->sorted[below]);
}

/* The passage `number` periods after the one that draws tell. */
static equant_conjunction passage(const passages *of, double number)
{
    for (size_t i = 0; i < of->n; i++)
        of->sorted[i] = of->conjunction[i] + number * of->period[i];
    qsort(of->sorted, of->n, sizeof *of->sorted, by_number);
    return (equant_conjunction){.struct_size = sizeof(equant_conjunction),
                                .planet = of->planet,
                                .median_days = share_at(of, 0.5),
                                .low_days = share_at(of, 0.158655253931457),
                                .high_days = share_at(of, 0.841344746068543),
                                .half_width_99_days = 0.5 * (share_at(of, 0.998650101968370) -
                                                             share_at(of, 0.001349898031630))};
}

static equant_status list_planet(const passages *of, double start, double end, size_t n_most,
                                 equant_conjunction *found, size_t *n_found)
{
    memcpy(of->sorted, of->period, of->n * sizeof *of->sorted);
    qsort(of->sorted, of->n, sizeof *of->sorted, by_number);
    double period = share_at(of, 0.5), first = passage(of, 0.0).median_days;
    double number = floor((start - first) / period), last = ceil((end - first) / period);
    if (!(last - number <= MOST_CONJUNCTIONS))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "planet %zu has more than %d conjunctions in that time: ask for less of "
                           "it",
                           of->planet, MOST_CONJUNCTIONS);
    for (; number <= last; number += 1.0) {
        equant_conjunction one = passage(of, number);
        if (one.median_days < start || one.median_days > end)
            continue;
        if (*n_found < n_most) {
            equant_status status = OPTIONS_CHECK(&found[*n_found]);
            if (status != EQUANT_SUCCESS)
                return status;
            OPTIONS_FILL(one, &found[*n_found]);
        }
        (*n_found)++;
    }
    return EQUANT_SUCCESS;
}

equant_status equant_predict_conjunctions(const equant_posterior *posterior, double start_days,
                                          double end_days, size_t n_most, equant_conjunction *found,
                                          size_t *n_found)
{
    if (!posterior || !n_found || (n_most > 0 && !found) || !(start_days <= end_days) ||
        !isfinite(start_days) || !isfinite(end_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "conjunctions take a posterior and a time from start to end");
    size_t n_planets = posterior_shape(posterior)->layout.n_planets, n = 0;
    equant_status status = EQUANT_SUCCESS;
    for (size_t planet = 1; planet <= n_planets && status == EQUANT_SUCCESS; planet++) {
        passages own;
        status = passages_create(posterior, planet, &own);
        if (status == EQUANT_SUCCESS)
            status = list_planet(&own, start_days, end_days, n_most, found, &n);
        passages_free(&own);
    }
    if (status == EQUANT_SUCCESS)
        *n_found = n;
    return status;
}
