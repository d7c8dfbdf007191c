/* Integrations on the lanes that were included before: from an epoch forwards and backwards, with
 * velocities at the times that are wanted. */
#include <math.h>

#include "backends/cpu/nbody/cpu_nbody.h"
#include "backends/cpu/nbody/nbody_hunt.h"
#include "physics/nbody_map.h"
#if F64_LANES == 1
#include "physics/nbody_extrapolation.h"
#endif

/* Hill radii of two bodies within which they meet. */
#define NBODY_ENCOUNTER_HILL 1.0

/* Where results of lanes go. */
typedef struct nbody_output {
    size_t n_systems, n_directions, n_times, n_planets;
    double *velocities, *states, *jacobian;
} nbody_output;

static void nbody_load(size_t n_planets, size_t n_systems, const double *systems, double n_hill,
                       nbody_system *own)
{
    f64 roots[NBODY_MOST_PLANETS + 1];
    const size_t stride = 1 + BACKEND_NBODY_PLANET * n_planets;
    double row[1 + BACKEND_NBODY_PLANET * NBODY_MOST_PLANETS][F64_LANES];
    for (size_t lane = 0; lane < F64_LANES; lane++) {
        size_t s = lane < n_systems ? lane : n_systems - 1;
        for (size_t k = 0; k < stride; k++)
            row[k][lane] = systems[s * stride + k];
    }
    own->n_planets = (int)n_planets;
    own->star_mass = f64_load(row[0]);
    own->nearest = own->least_binding = F64(1e300);
    own->failed = F64(0.0);
    for (size_t i = 0; i < n_planets; i++) {
        nbody_planet *planet = &own->planet[i];
        const double(*from)[F64_LANES] =
            (const double(*)[F64_LANES])row + 1 + BACKEND_NBODY_PLANET * i;
        planet->mass = f64_load(from[0]);
        for (int k = 0; k < 3; k++) {
            planet->r[k] = f64_load(from[1 + k]);
            planet->v[k] = f64_load(from[4 + k]);
            planet->r_low[k] = planet->v_low[k] = F64(0.0);
        }
    }
    nbody_weigh(own);
    for (size_t i = 0; i <= n_planets; i++) {
        size_t mass = i == 0 ? 0 : 1 + BACKEND_NBODY_PLANET * (i - 1);
        for (size_t lane = 0; lane < F64_LANES; lane++)
            row[mass][lane] = cbrt(row[mass][lane]);
        roots[i] = f64_load(row[mass]);
    }
    nbody_find_encounters(own, roots, n_hill);
}

/* Direction d goes to lane d mod F64_LANES of group d / F64_LANES. */
static int nbody_load_directions(const nbody_system *own, size_t n_directions,
                                 const double *directions, nbody_tangent *tangents)
{
    const size_t n = (size_t)own->n_planets;
    int n_groups = (int)((n_directions + F64_LANES - 1) / F64_LANES);
    for (int g = 0; g < n_groups; g++) {
        for (size_t i = 0; i < n; i++) {
            f64 value[BACKEND_NBODY_PLANET];
            for (size_t k = 0; k < BACKEND_NBODY_PLANET; k++) {
                double row[F64_LANES];
                for (size_t lane = 0; lane < F64_LANES; lane++) {
                    size_t d = (size_t)g * F64_LANES + lane;
                    row[lane] =
                        d < n_directions ? directions[(d * n + i) * BACKEND_NBODY_PLANET + k] : 0.0;
                }
                value[k] = f64_load(row);
            }
            struct nbody_planet_tangent *change = &tangents[g].planet[i];
            change->mass = value[0];
            for (int k = 0; k < 3; k++) {
                change->r[k] = value[1 + k];
                change->v[k] = value[4 + k];
            }
        }
        nbody_weigh_tangent(own, &tangents[g]);
    }
    return n_groups;
}

static void nbody_store(const nbody_motion *own, size_t time, const nbody_output *to)
{
    double row[F64_LANES];
    if (to->velocities) {
        f64_store(row, nbody_star_velocity(&own->system) * F64(NBODY_M_S_PER_AU_DAY));
        for (size_t s = 0; s < to->n_systems; s++)
            to->velocities[s * to->n_times + time] = row[s];
    }
    for (size_t i = 0; to->states && i < to->n_planets; i++)
        for (size_t k = 0; k < 6; k++) {
            const nbody_planet *planet = &own->system.planet[i];
            f64_store(row, k < 3 ? planet->r[k] : planet->v[k - 3]);
            for (size_t s = 0; s < to->n_systems; s++)
                to->states[((s * to->n_times + time) * to->n_planets + i) * 6 + k] = row[s];
        }
    for (int g = 0; to->jacobian && g < own->n_groups; g++) {
        f64_store(row, nbody_star_velocity_tangent(&own->system, &own->tangents[g]) *
                           F64(NBODY_M_S_PER_AU_DAY));
        for (size_t lane = 0; lane < F64_LANES; lane++) {
            size_t d = (size_t)g * F64_LANES + lane;
            if (d < to->n_directions)
                to->jacobian[d * to->n_times + time] = row[lane];
        }
    }
}

/* What was noticed in a copy counts for the original. */
static void nbody_notice(nbody_system *own, const nbody_system *copy)
{
    own->nearest = copy->nearest;
    own->least_binding = copy->least_binding;
    own->failed = copy->failed;
}

/* How far an integration is. */
typedef struct nbody_course {
    double h; /* with the sign of the direction */
    double n_done;
    bool is_between;  /* behind a kick, half a drift before the end of the step */
    nbody_hunt *hunt; /* NULL: no transits are wanted */
} nbody_course;

static void nbody_advance(nbody_motion *own, nbody_course *at)
{
    nbody_drift(own, F64(at->is_between ? at->h : 0.5 * at->h));
    nbody_kick_ahead(own, F64(at->h));
    at->is_between = true;
    if (at->hunt)
        hunt_step(at->hunt, own, (at->n_done + 0.5) * at->h, 1.0);
    at->n_done += 1.0;
}

/* Times on one side of the epoch, in the order in which they are reached; h carries the sign of the
 * direction. own starts in real coordinates at the epoch. */
static void nbody_follow(const backend_nbody_plan *plan, double h, nbody_motion *own,
                         const nbody_output *to)
{
    const bool forwards = h > 0.0;
    nbody_tangent copies[NBODY_MOST_GROUPS];
    nbody_hunt hunt;
    nbody_course at = {.h = h, .hunt = plan->transits ? &hunt : NULL};
    nbody_correct(own, h, 0);
    if (plan->transits) {
        hunt_begin(plan->transits, plan->n_planets, to->n_directions, h, &hunt);
        hunt_step(&hunt, own, 0.0, 0.5);
    }
    for (size_t k = 0; k < plan->n_times; k++) {
        size_t time = forwards ? k : plan->n_times - 1 - k;
        double t = plan->time_days[time];
        if (forwards ? t < 0.0 : t >= 0.0)
            continue;
        double n_wanted = rint(t / h);
        while (at.n_done < n_wanted)
            nbody_advance(own, &at);
        nbody_motion here = *own;
        here.tangents = copies;
        for (int g = 0; g < own->n_groups; g++)
            copies[g] = own->tangents[g];
        if (at.is_between)
            nbody_drift(&here, F64(0.5 * h));
        nbody_correct(&here, h, 1);
        nbody_move(&here, F64(t - at.n_done * h));
        nbody_store(&here, time, to);
        nbody_notice(&own->system, &here.system);
    }
    while (plan->transits && hunt_goes_on(&hunt, own->system.n_planets, at.n_done * h))
        nbody_advance(own, &at);
}

static int nbody_end_of(double nearest, double least_binding, double failed, bool is_exact)
{
    if (failed != 0.0 || !isfinite(nearest) || !isfinite(least_binding))
        return BACKEND_NBODY_FAILED;
    if (least_binding <= 0.0)
        return BACKEND_NBODY_UNBOUND;
    if (nearest < 1.0)
        return is_exact ? BACKEND_NBODY_COLLISION : BACKEND_NBODY_ENCOUNTER;
    return BACKEND_NBODY_FINE;
}

static bool nbody_are_finite(size_t n, const double *values)
{
    double sum = 0.0;
    for (size_t k = 0; values && k < n; k++)
        sum += 0.0 * values[k];
    return sum == 0.0;
}

/* Results of systems that were lost are NaN, never numbers that mean nothing. */
static void nbody_finish(const nbody_system *own, const nbody_output *to, bool is_exact, int *ends)
{
    double nearest[F64_LANES], binding[F64_LANES], failed[F64_LANES];
    f64_store(nearest, own->nearest);
    f64_store(binding, own->least_binding);
    f64_store(failed, own->failed);
    for (size_t s = 0; s < to->n_systems; s++) {
        const size_t n = to->n_times, n_states = n * to->n_planets * 6;
        ends[s] = nbody_end_of(nearest[s], binding[s], failed[s], is_exact);
        if (!nbody_are_finite(n, to->velocities ? to->velocities + s * n : NULL) ||
            !nbody_are_finite(n_states, to->states ? to->states + s * n_states : NULL) ||
            !nbody_are_finite(n * to->n_directions, to->jacobian))
            ends[s] =
                ends[s] == BACKEND_NBODY_COLLISION ? BACKEND_NBODY_COLLISION : BACKEND_NBODY_FAILED;
        if (ends[s] == BACKEND_NBODY_FINE || ends[s] == BACKEND_NBODY_ENCOUNTER)
            continue;
        for (size_t k = 0; to->velocities && k < n; k++)
            to->velocities[s * n + k] = NAN;
        for (size_t k = 0; to->states && k < n_states; k++)
            to->states[s * n_states + k] = NAN;
        for (size_t k = 0; to->jacobian && k < n * to->n_directions; k++)
            to->jacobian[k] = NAN;
    }
}

/* Both sides of the epoch, from the same start. */
static void nbody_run(const backend_nbody_plan *plan, nbody_motion *start, const nbody_output *to,
                      int *ends)
{
    nbody_tangent tangents[NBODY_MOST_GROUPS];
    for (int side = 0; side < 2; side++) {
        nbody_motion own = *start;
        own.tangents = tangents;
        for (int g = 0; g < start->n_groups; g++)
            tangents[g] = start->tangents[g];
        nbody_follow(plan, side == 0 ? plan->step_days : -plan->step_days, &own, to);
        nbody_notice(&start->system, &own.system);
    }
    nbody_finish(&start->system, to, false, ends);
}

#if F64_LANES == 1
/* The same by extrapolation. A planet is bound where it ends. */
static void nbody_run_exactly(const backend_nbody_plan *plan, nbody_system *start,
                              const nbody_output *to, int *ends)
{
    for (int side = 0; side < 2; side++) {
        nbody_motion own = {.system = *start};
        double H = plan->step_days, t_before = 0.0;
        for (size_t k = 0; k < plan->n_times && own.system.failed == 0.0; k++) {
            size_t time = side == 0 ? k : plan->n_times - 1 - k;
            double t = plan->time_days[time];
            if (side == 0 ? t < 0.0 : t >= 0.0)
                continue;
            own.system.failed = !nbody_extrapolate(&own.system, t - t_before, &H);
            t_before = t;
            nbody_store(&own, time, to);
        }
        for (int i = 0; i < own.system.n_planets; i++) {
            kepler_step step;
            const nbody_planet *planet = &own.system.planet[i];
            kepler_step_begin(planet->r, planet->v, planet->mu, 0.0, &step);
            own.system.least_binding = lane_min(own.system.least_binding, step.beta);
        }
        nbody_notice(start, &own.system);
    }
    /* A step that became too short is that of bodies that fall into each other. */
    if (start->failed != 0.0 && isfinite(start->nearest)) {
        start->failed = 0.0;
        start->nearest = 0.0;
    }
    nbody_finish(start, to, true, ends);
}
#endif

static void nbody_integrate(const backend_nbody_plan *plan, size_t n_systems, const double *systems,
                            double *velocities_m_s, double *states, int *ends)
{
    const nbody_output to = {.n_systems = n_systems,
                             .n_times = plan->n_times,
                             .n_planets = plan->n_planets,
                             .velocities = velocities_m_s,
                             .states = states};
    nbody_motion start = {.n_groups = 0};
    nbody_load(plan->n_planets, n_systems, systems, plan->is_exact ? 0.0 : NBODY_ENCOUNTER_HILL,
               &start.system);
#if F64_LANES == 1
    if (plan->is_exact) {
        nbody_run_exactly(plan, &start.system, &to, ends);
        return;
    }
#endif
    nbody_run(plan, &start, &to, ends);
}

/* One system in all lanes, which differ in their directions. */
static void nbody_differentiate(const backend_nbody_plan *plan, const double *system,
                                size_t n_directions, const double *directions,
                                double *velocities_m_s, double *jacobian, int *end)
{
    const nbody_output to = {.n_systems = 1,
                             .n_directions = n_directions,
                             .n_times = plan->n_times,
                             .n_planets = plan->n_planets,
                             .velocities = velocities_m_s,
                             .jacobian = jacobian};
    nbody_tangent tangents[NBODY_MOST_GROUPS];
    nbody_motion start = {.tangents = tangents};
    nbody_load(plan->n_planets, 1, system, NBODY_ENCOUNTER_HILL, &start.system);
    start.n_groups = nbody_load_directions(&start.system, n_directions, directions, tangents);
    nbody_run(plan, &start, &to, end);
}

extern const cpu_nbody_kernels NBODY_KERNELS;
const cpu_nbody_kernels NBODY_KERNELS = {
    .n_lanes = F64_LANES,
    .integrate = nbody_integrate,
    .differentiate = nbody_differentiate,
};
