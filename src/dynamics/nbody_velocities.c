#include "dynamics/nbody_velocities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/nbody/nbody_run.h"
#include "core/status_fail.h"

typedef struct timed {
    double days;
    size_t index;
} timed;

static int compare_timed(const void *left, const void *right)
{
    const timed *a = left, *b = right;
    return a->days != b->days ? (a->days > b->days) - (a->days < b->days)
                              : (a->index > b->index) - (a->index < b->index);
}

equant_status nbody_velocities_create(size_t n_planets, size_t n_times, const double *time_days,
                                      double epoch_days, double star_mass, double step_days,
                                      const equant_engine_options *engine, nbody_velocities *made)
{
    *made = (nbody_velocities){.n_planets = n_planets,
                               .n_times = n_times,
                               .star_mass = star_mass,
                               .step_days = step_days,
                               .engine = engine};
    timed *sorted = malloc((n_times + 1) * sizeof *sorted);
    made->time_days = malloc((n_times + 1) * sizeof *made->time_days);
    made->order = malloc((n_times + 1) * sizeof *made->order);
    if (!sorted || !made->time_days || !made->order) {
        free(sorted);
        nbody_velocities_free(made);
        return status_out_of_memory();
    }
    for (size_t k = 0; k < n_times; k++)
        sorted[k] = (timed){time_days[k] - epoch_days, k};
    qsort(sorted, n_times, sizeof *sorted, compare_timed);
    for (size_t k = 0; k < n_times; k++) {
        made->time_days[k] = sorted[k].days;
        made->order[k] = sorted[k].index;
    }
    free(sorted);
    return EQUANT_SUCCESS;
}

void nbody_velocities_free(nbody_velocities *own)
{
    free(own->time_days);
    free(own->order);
    own->time_days = NULL;
    own->order = NULL;
}

static backend_nbody_plan plan_of(const nbody_velocities *own)
{
    return (backend_nbody_plan){.n_planets = own->n_planets,
                                .step_days = own->step_days,
                                .n_times = own->n_times,
                                .time_days = own->time_days};
}

/* From the order of time to that of the caller. */
static void put_back(const nbody_velocities *own, const double *sorted, double *values)
{
    for (size_t k = 0; k < own->n_times; k++)
        values[own->order[k]] = sorted[k];
}

/* Systems that are none are integrated as planets without mass would be, and their results are
 * NaN. */
static void make_harmless(size_t n_planets, double *system)
{
    memset(system, 0, (1 + NBODY_STATE * n_planets) * sizeof *system);
    system[0] = 1.0;
    for (size_t p = 0; p < n_planets; p++) {
        double a = 1e3 * (double)(p + 1);
        system[1 + p * NBODY_STATE + 1] = a;
        system[1 + p * NBODY_STATE + 5] = sqrt(NBODY_GRAVITY / a);
    }
}

static void spoil(size_t n, double *values)
{
    for (size_t k = 0; k < n; k++)
        values[k] = NAN;
}

equant_status nbody_velocities_evaluate(const nbody_velocities *own, size_t n_systems,
                                        const double *elements, double *velocities_m_s,
                                        equant_nbody_end *ends)
{
    const size_t n = own->n_planets, stride = 1 + NBODY_STATE * n;
    double *systems = calloc(n_systems * stride + 1, sizeof *systems);
    double *sorted = malloc((n_systems * own->n_times + 1) * sizeof *sorted);
    int *backend_ends = malloc((n_systems + 1) * sizeof *backend_ends);
    equant_status status =
        systems && sorted && backend_ends ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t s = 0; status == EQUANT_SUCCESS && s < n_systems; s++) {
        double *system = systems + s * stride;
        ends[s] = EQUANT_NBODY_FINE;
        if (!nbody_elements_to_system(own->star_mass, n, elements + s * n * NBODY_N_ELEMENTS,
                                      system)) {
            ends[s] = EQUANT_NBODY_INVALID;
            make_harmless(n, system);
        }
    }
    if (status == EQUANT_SUCCESS) {
        backend_nbody_plan plan = plan_of(own);
        status = nbody_run(own->engine, &plan, n_systems, systems, sorted, NULL, backend_ends);
    }
    for (size_t s = 0; status == EQUANT_SUCCESS && s < n_systems; s++) {
        double *values = velocities_m_s + s * own->n_times;
        put_back(own, sorted + s * own->n_times, values);
        if (ends[s] == EQUANT_NBODY_INVALID)
            spoil(own->n_times, values);
        else
            ends[s] = (equant_nbody_end)backend_ends[s];
    }
    free(systems);
    free(sorted);
    free(backend_ends);
    return status;
}

equant_status nbody_velocities_differentiate(const nbody_velocities *own, const double *elements,
                                             size_t n_directions, const double *changes,
                                             double *velocities_m_s, double *jacobian,
                                             equant_nbody_end *end)
{
    const size_t n = own->n_planets, n_rows = 1 + n_directions;
    double system[1 + NBODY_STATE * EQUANT_NBODY_MAX_PLANETS];
    if (own->transits)
        nbody_transits_clear(own->transits);
    if (!nbody_elements_to_system(own->star_mass, n, elements, system)) {
        *end = EQUANT_NBODY_INVALID;
        spoil(own->n_times, velocities_m_s);
        spoil(n_directions * own->n_times, jacobian);
        return EQUANT_SUCCESS;
    }
    double *directions = malloc((n_directions * n * NBODY_STATE + 1) * sizeof *directions);
    double *sorted = malloc((n_rows * own->n_times + 1) * sizeof *sorted);
    equant_status status = directions && sorted ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        int backend_end;
        backend_nbody_plan plan = plan_of(own);
        plan.transits = own->transits ? &own->transits->wanted : NULL;
        nbody_elements_to_directions(own->star_mass, n, elements, n_directions, changes,
                                     directions);
        status = nbody_run_differentiate(own->engine, &plan, 1, system, n_directions, directions,
                                         sorted, sorted + own->n_times, &backend_end);
        if (status == EQUANT_SUCCESS) {
            *end = (equant_nbody_end)backend_end;
            if (own->transits && *end == EQUANT_NBODY_FINE &&
                !nbody_transits_are_there(own->transits))
                *end = EQUANT_NBODY_NO_TRANSIT;
            put_back(own, sorted, velocities_m_s);
            for (size_t d = 0; d < n_directions; d++)
                put_back(own, sorted + (1 + d) * own->n_times, jacobian + d * own->n_times);
        }
    }
    free(directions);
    free(sorted);
    return status;
}
