/* The public functions of equant/dynamics.h. */
#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "dynamics/nbody_velocities.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_nbody_options, member)

/* Steps that an integration may have: a day of a processor. */
#define MOST_STEPS 1e10

const char *equant_nbody_end_text(equant_nbody_end end)
{
    switch (end) {
    case EQUANT_NBODY_FINE:
        return "the orbits were integrated";
    case EQUANT_NBODY_CLOSE:
        return "two bodies come closer than their Hill radius";
    case EQUANT_NBODY_COLLISION:
        return "two bodies collide";
    case EQUANT_NBODY_UNBOUND:
        return "a planet leaves the star";
    case EQUANT_NBODY_FAILED:
        return "the step is too long for one of the orbits";
    case EQUANT_NBODY_INVALID:
        return "an eccentricity is not below 1, a mass is below zero or a period is not positive";
    }
    return "";
}

static equant_status check(size_t n_planets, size_t n_systems, const double *elements,
                           size_t n_times, const double *time_days, const double *velocities_m_s)
{
    if (n_planets < 1 || n_planets > EQUANT_NBODY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an integration has 1 to %d planets, not %zu", EQUANT_NBODY_MAX_PLANETS,
                           n_planets);
    if (n_systems > 0 && (!elements || (n_times > 0 && (!time_days || !velocities_m_s))))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an integration needs elements, times and a place for velocities");
    for (size_t k = 0; k < n_times; k++)
        if (!isfinite(time_days[k]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "time %zu is not finite", k + 1);
    return EQUANT_SUCCESS;
}

/* The step of a system: elements that are none get the one that makes the fewest steps. */
static double step_of(size_t n_planets, const double *elements, double asked_days, double span_days)
{
    double step = asked_days > 0.0 ? asked_days : nbody_elements_step(n_planets, elements);
    return step > 0.0 && isfinite(step) ? step : fmax(span_days, 1.0);
}

static equant_status integrate_one(const nbody_velocities *plan, const double *elements,
                                   double *velocities_m_s, double *jacobian, equant_nbody_end *end)
{
    const size_t n = plan->n_planets * NBODY_N_ELEMENTS;
    equant_status status = nbody_velocities_evaluate(plan, 1, elements, velocities_m_s, end);
    if (status != EQUANT_SUCCESS || !jacobian)
        return status;
    double *unit = calloc(n * n, sizeof *unit);
    double *again = malloc((plan->n_times + 1) * sizeof *again);
    status = unit && again ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        equant_nbody_end by_map;
        for (size_t k = 0; k < n; k++)
            unit[k * n + k] = 1.0;
        status = nbody_velocities_differentiate(plan, elements, n, unit, again, jacobian, &by_map);
        if (status == EQUANT_SUCCESS && *end == EQUANT_NBODY_FINE)
            *end = by_map;
    }
    free(unit);
    free(again);
    return status;
}

static equant_status check_steps(const nbody_velocities *plan, double span_days)
{
    if (span_days / plan->step_days > MOST_STEPS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%.3g days in steps of %.3g days are too many steps", span_days,
                           plan->step_days);
    return EQUANT_SUCCESS;
}

/* Systems that share a step, as many at a time as a processor has lanes. */
static equant_status integrate_batch(const nbody_velocities *plan, size_t n_systems,
                                     const double *elements, double span_days,
                                     double *velocities_m_s, equant_nbody_end *ends)
{
    equant_nbody_end *own = ends ? ends : malloc((n_systems + 1) * sizeof *own);
    equant_status status = own ? check_steps(plan, span_days) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = nbody_velocities_evaluate(plan, n_systems, elements, velocities_m_s, own);
    if (!ends)
        free(own);
    return status;
}

equant_status equant_nbody_velocities(size_t n_planets, size_t n_systems, const double *elements,
                                      size_t n_times, const double *time_days,
                                      const equant_nbody_options *options, double *velocities_m_s,
                                      double *jacobian, equant_nbody_end *ends)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = check(n_planets, n_systems, elements, n_times, time_days, velocities_m_s);
    double star_mass = OPTION(star_mass) != 0.0 ? OPTION(star_mass) : 1.0, span = 0.0;
    if (status == EQUANT_SUCCESS && !(star_mass > 0.0 && isfinite(star_mass)))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "the mass of the star, %g solar masses, is not positive", star_mass);
    for (size_t k = 0; status == EQUANT_SUCCESS && k < n_times; k++)
        span = fmax(span, fabs(time_days[k] - OPTION(epoch_days)));
    nbody_velocities plan;
    if (status == EQUANT_SUCCESS)
        status = nbody_velocities_create(n_planets, n_times, time_days, OPTION(epoch_days),
                                         star_mass, 0.0, OPTION(engine), &plan);
    if (status != EQUANT_SUCCESS)
        return status;
    const size_t n = n_planets * NBODY_N_ELEMENTS;
    const bool is_batch = OPTION(step_days) > 0.0 && !jacobian;
    if (is_batch) {
        plan.step_days = OPTION(step_days);
        status = integrate_batch(&plan, n_systems, elements, span, velocities_m_s, ends);
    }
    for (size_t s = 0; status == EQUANT_SUCCESS && !is_batch && s < n_systems; s++) {
        equant_nbody_end end;
        plan.step_days = step_of(n_planets, elements + s * n, OPTION(step_days), span);
        status = check_steps(&plan, span);
        if (status == EQUANT_SUCCESS)
            status = integrate_one(&plan, elements + s * n, velocities_m_s + s * n_times,
                                   jacobian ? jacobian + s * n * n_times : NULL, &end);
        if (status == EQUANT_SUCCESS && ends)
            ends[s] = end;
    }
    nbody_velocities_free(&plan);
    return status;
}
