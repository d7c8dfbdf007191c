/* The public functions of equant/dynamics.h. */
#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "dynamics/nbody_velocities.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_nbody_options, member)

/* Transit times of light planets need phases that velocities do not notice: the usual step makes
 * errors of 0.1 s in ten years, two thirds of it 0.03 s. */
#define TRANSIT_STEP_SHARE (2.0 / 3.0)

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
    case EQUANT_NBODY_NO_TRANSIT:
        return "a planet has no transit where one was observed";
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

/* All columns of the elements, a direction each. */
static void set_unit(size_t n, double *unit)
{
    for (size_t k = 0; k < n; k++)
        unit[k * n + k] = 1.0;
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
        set_unit(n, unit);
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

static equant_status find_star_mass(const equant_nbody_options *options, double *star_mass)
{
    *star_mass = OPTION(star_mass) != 0.0 ? OPTION(star_mass) : 1.0;
    if (*star_mass > 0.0 && isfinite(*star_mass))
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "the mass of the star, %g solar masses, is not positive", *star_mass);
}

equant_status equant_nbody_velocities(size_t n_planets, size_t n_systems, const double *elements,
                                      size_t n_times, const double *time_days,
                                      const equant_nbody_options *options, double *velocities_m_s,
                                      double *jacobian, equant_nbody_end *ends)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = check(n_planets, n_systems, elements, n_times, time_days, velocities_m_s);
    double star_mass = 1.0, span = 0.0;
    if (status == EQUANT_SUCCESS)
        status = find_star_mass(options, &star_mass);
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

/* Elements that are none make no steps. */
static equant_status integrate_transits(nbody_velocities *plan, const double *elements,
                                        bool has_jacobian, equant_nbody_end *end)
{
    const size_t n = plan->n_planets * NBODY_N_ELEMENTS;
    double *unit = calloc(n * n, sizeof *unit), none;
    equant_status status = unit ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        set_unit(n, unit);
        status = nbody_velocities_differentiate(plan, elements, has_jacobian ? n : 0, unit, &none,
                                                &none, end);
    }
    free(unit);
    return status;
}

/* Of transits that were found, or none. */
static void give_transits(const nbody_transits *found, double epoch_days, size_t n_columns,
                          bool is_fine, double *transits, double *jacobian)
{
    for (size_t k = 0; k < found->n * BACKEND_NBODY_TRANSIT; k++)
        transits[k] = is_fine ? found->wanted.values[k] : NAN;
    for (size_t k = 0; k < found->n; k++)
        transits[k * BACKEND_NBODY_TRANSIT] += epoch_days;
    for (size_t k = 0; jacobian && k < found->n * n_columns * BACKEND_NBODY_TRANSIT; k++)
        jacobian[k] = is_fine ? found->wanted.slopes[k] : NAN;
}

static equant_status check_transits(size_t n_planets, const double *elements,
                                    const double *zero_days, size_t n_transits, const int *planet,
                                    const int *number, const double *transits)
{
    if (n_planets < 1 || n_planets > EQUANT_NBODY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "transits are those of 1 to %d planets, not of %zu",
                           EQUANT_NBODY_MAX_PLANETS, n_planets);
    if (!elements || (n_transits > 0 && !(planet && number && transits)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "transits need elements, planets, numbers and a place for them");
    for (size_t p = 0; zero_days && p < n_planets; p++)
        if (!isfinite(zero_days[p]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the time of transit 0 of planet %zu is not finite", p + 1);
    return EQUANT_SUCCESS;
}

equant_status equant_nbody_transits(size_t n_planets, const double *elements,
                                    const double *zero_days, size_t n_transits, const int *planet,
                                    const int *number, const equant_nbody_options *options,
                                    double *transits, double *jacobian, equant_nbody_end *end)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status =
            check_transits(n_planets, elements, zero_days, n_transits, planet, number, transits);
    double star_mass = 1.0, zero[EQUANT_NBODY_MAX_PLANETS], period[EQUANT_NBODY_MAX_PLANETS];
    if (status == EQUANT_SUCCESS)
        status = find_star_mass(options, &star_mass);
    if (status != EQUANT_SUCCESS)
        return status;
    const double epoch = OPTION(epoch_days);
    const size_t n = n_planets * NBODY_N_ELEMENTS;
    double span = 0.0;
    for (size_t p = 0; p < n_planets; p++) {
        period[p] = elements[p * NBODY_N_ELEMENTS + NBODY_PERIOD];
        zero[p] = zero_days ? zero_days[p] - epoch : 0.0;
    }
    nbody_transits found;
    nbody_velocities plan;
    equant_nbody_end reached = EQUANT_NBODY_FINE;
    status = nbody_transits_create(n_planets, zero, period, n_transits, planet, number,
                                   jacobian ? n : 0, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t k = 0; k < n_transits; k++)
        span = fmax(span, fabs(zero[planet[k]] + number[k] * period[planet[k]]));
    status =
        nbody_velocities_create(n_planets, 0, NULL, epoch, star_mass, 0.0, OPTION(engine), &plan);
    plan.step_days = OPTION(step_days) > 0.0
                         ? OPTION(step_days)
                         : TRANSIT_STEP_SHARE * step_of(n_planets, elements, 0.0, span);
    plan.transits = &found;
    if (status == EQUANT_SUCCESS)
        status = check_steps(&plan, span);
    if (status == EQUANT_SUCCESS)
        status = integrate_transits(&plan, elements, jacobian != NULL, &reached);
    if (status == EQUANT_SUCCESS)
        give_transits(&found, epoch, n, reached == EQUANT_NBODY_FINE, transits, jacobian);
    if (status == EQUANT_SUCCESS && end)
        *end = reached;
    nbody_velocities_free(&plan);
    nbody_transits_free(&found);
    return status;
}
