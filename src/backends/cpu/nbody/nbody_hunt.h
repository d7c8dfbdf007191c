/* Transits of one system that is in all lanes, while it is integrated: behind every kick, Kepler
 * motion says whether a planet passes in front of the star before the next one; then the middle is
 * found from the nearer end of a step by Newton's method with the whole motion. */
#include "physics/nbody_map.h"
#include "physics/nbody_transit.h"

enum { HUNT_ITERATIONS = 8 };
/* Of a step: how far outside of it a transit may seem to be that is in it, how far apart two are at
 * least, and what a correction may be that is the last one. */
#define HUNT_MARGIN 0.1
#define HUNT_APART 3.0
#define HUNT_SMALL 1e-6
/* Integrations end behind so many times the expected time of the last transit. */
#define HUNT_LONGEST 1.5

/* One side of the epoch. */
typedef struct nbody_hunt {
    const backend_nbody_transits *wanted;
    size_t n_directions;
    double h, limit_days; /* without sign */
    struct {
        bool is_counted, is_done;
        int number;  /* of the last transit */
        double time; /* of it */
    } planet[NBODY_MOST_PLANETS];
} nbody_hunt;

static double nbody_first_lane(f64 a)
{
    double row[F64_LANES];
    f64_store(row, a);
    return row[0];
}

/* Expected time of a transit on the side of h, days from the epoch; not positive on the other. */
static double hunt_expected(const backend_nbody_transits *wanted, size_t p, bool is_forwards)
{
    const struct backend_nbody_numbers *own = &wanted->planet[p];
    double number = own->first + (is_forwards ? (double)own->n - 1.0 : 0.0);
    double time = own->zero_days + number * own->period_days;
    return is_forwards ? time : -time;
}

static void hunt_begin(const backend_nbody_transits *wanted, size_t n_planets, size_t n_directions,
                       double h, nbody_hunt *own)
{
    *own = (nbody_hunt){.wanted = wanted, .n_directions = n_directions, .h = h};
    for (size_t p = 0; p < n_planets; p++) {
        double period = wanted->planet[p].period_days;
        double expected = hunt_expected(wanted, p, h > 0.0);
        own->planet[p].is_done = wanted->planet[p].n == 0 || expected < -period;
        if (!own->planet[p].is_done)
            own->limit_days =
                fmax(own->limit_days, HUNT_LONGEST * fmax(expected, 0.0) + 2.0 * period);
    }
}

static bool hunt_goes_on(const nbody_hunt *own, int n_planets, double t)
{
    bool is_done = true;
    for (int p = 0; p < n_planets; p++)
        is_done = is_done && own->planet[p].is_done;
    return !is_done && fabs(t) < own->limit_days;
}

/* The number of a transit, and the row that it goes to, -1 where it is not wanted. */
static int hunt_count(nbody_hunt *own, int p, double t)
{
    const struct backend_nbody_numbers *wanted = &own->wanted->planet[p];
    int way = own->h > 0.0 ? 1 : -1, number = own->planet[p].number + way;
    if (!own->planet[p].is_counted)
        number = (int)rint((t - wanted->zero_days) / wanted->period_days);
    own->planet[p].is_counted = true;
    own->planet[p].number = number;
    own->planet[p].time = t;
    int last = wanted->first + (int)wanted->n - 1;
    own->planet[p].is_done = way > 0 ? number >= last : number <= wanted->first;
    bool is_wanted = wanted->n > 0 && number >= wanted->first && number <= last;
    return is_wanted ? wanted->rows[number - wanted->first] : -1;
}

static void hunt_store(const nbody_hunt *own, const nbody_motion *here, int p,
                       const nbody_sight *at, double t, size_t row)
{
    const size_t n = own->n_directions;
    double *value = own->wanted->values + row * BACKEND_NBODY_TRANSIT;
    value[0] = t;
    value[1] = sqrt(nbody_first_lane(lane_fma(at->x[0], at->x[0], at->x[1] * at->x[1])));
    value[2] = sqrt(nbody_first_lane(lane_fma(at->v[0], at->v[0], at->v[1] * at->v[1])));
    for (int g = 0; g < here->n_groups; g++) {
        f64 change[NBODY_OF_TRANSIT];
        nbody_transit_tangent(&here->system, &here->tangents[g], p, at, change);
        for (size_t k = 0; k < NBODY_OF_TRANSIT; k++) {
            double lanes[F64_LANES];
            f64_store(lanes, change[k]);
            for (size_t lane = 0; lane < F64_LANES; lane++) {
                size_t d = (size_t)g * F64_LANES + lane;
                if (d < n)
                    own->wanted->slopes[(row * n + d) * BACKEND_NBODY_TRANSIT + k] = lanes[lane];
            }
        }
    }
}

/* The middle of a transit about dt after real coordinates `from` at time t. */
static void hunt_refine(const nbody_hunt *own, nbody_motion *from, int p, double t, double dt,
                        size_t row)
{
    nbody_tangent tangents[NBODY_MOST_GROUPS];
    nbody_motion there;
    nbody_sight at;
    for (int iteration = 0; iteration < HUNT_ITERATIONS; iteration++) {
        there = (nbody_motion){.system = from->system};
        nbody_move(&there, F64(dt));
        at = nbody_see(&there.system, p);
        double step = -nbody_first_lane(at.g) / nbody_first_lane(at.g_slope);
        if (!(fabs(dt + step) < fabs(own->h)))
            return;
        dt += step;
        if (fabs(step) < HUNT_SMALL * fabs(own->h))
            break;
    }
    there = (nbody_motion){from->system, from->n_groups, tangents};
    for (int g = 0; g < from->n_groups; g++)
        tangents[g] = from->tangents[g];
    nbody_move(&there, F64(dt));
    at = nbody_see(&there.system, p);
    dt -= nbody_first_lane(at.g) / nbody_first_lane(at.g_slope);
    from->system.nearest = there.system.nearest;
    hunt_store(own, &there, p, &at, t + dt, row);
}

/* Newton's step to the middle of a transit of planet p by Kepler motion; beyond the step h where
 * there is none. */
static double hunt_newton(const nbody_system *own, int p, double dt, double h)
{
    f64 a[NBODY_MOST_PLANETS][3];
    nbody_kepler_accelerations(own, p + 1, a);
    nbody_sight at = nbody_sight_of(own, p, (const f64(*)[3])a);
    double slope = nbody_first_lane(at.g_slope), step = -nbody_first_lane(at.g) / slope;
    bool is_near =
        slope > 0.0 && nbody_first_lane(at.x[2]) > 0.0 && fabs(dt + step - 0.5 * h) < 1.5 * fabs(h);
    return is_near ? step : 2.0 * h;
}

/* When planet p would be in the middle of a transit by Kepler motion, from now; beyond the step
 * where it would not be before the end of the step. */
static double hunt_guess(const nbody_motion *own, int p, double h)
{
    double dt = hunt_newton(&own->system, p, 0.0, h);
    if (dt == 2.0 * h)
        return dt;
    nbody_motion moved = {.system = own->system};
    nbody_drift(&moved, F64(dt));
    for (int iteration = 0; iteration < 2; iteration++) {
        double step = hunt_newton(&moved.system, p, dt, h);
        if (step == 2.0 * h)
            return step;
        dt += step;
        if (iteration == 0)
            nbody_drift(&moved, F64(step));
    }
    return dt;
}

/* Behind the kick in the middle of a step at time t, or, before the first one, at the epoch: the
 * transits before the next kick, which is `part` of a step away. */
static void hunt_step(nbody_hunt *own, nbody_motion *motion, double t, double part)
{
    const double h = own->h;
    for (int p = 0; p < motion->system.n_planets; p++) {
        double dt = own->planet[p].is_done ? 2.0 * h : hunt_guess(motion, p, h);
        if (!(dt / h > -HUNT_MARGIN && dt / h < part + HUNT_MARGIN) ||
            (own->planet[p].is_counted &&
             fabs(t + dt - own->planet[p].time) < HUNT_APART * fabs(h)))
            continue;
        int row = hunt_count(own, p, t + dt);
        if (row < 0)
            continue;
        nbody_tangent tangents[NBODY_MOST_GROUPS];
        nbody_motion here = {motion->system, motion->n_groups, tangents};
        double ahead = part < 1.0 ? 0.0 : 0.5 * h; /* to the end of the step */
        for (int g = 0; g < motion->n_groups; g++)
            tangents[g] = motion->tangents[g];
        if (ahead != 0.0)
            nbody_drift(&here, F64(ahead));
        nbody_correct(&here, h, 1);
        hunt_refine(own, &here, p, t + ahead, dt - ahead, (size_t)row);
        motion->system.nearest = here.system.nearest;
    }
}
