#include "model/quantities.h"

#include <math.h>

#include "model/orbit_elements.h"

/* Which of the derived quantities; those from MASS on need the mass of the star. */
enum derived { LAMBDA, PERICENTRE, CONJUNCTION, MASS, AXIS };

static const quantity elements[N_ELEMENTS] = {
    {"P", "period_days", "d", "orbital period", .column = 0},
    {"K", "k_m_s", "m/s", "velocity semi-amplitude", .column = 1},
    {"e", "eccentricity", "", "eccentricity", .column = 2},
    {"omega", "omega_rad", "rad", "argument of pericentre of the star", .column = 3,
     .is_angle = true},
    {"M0", "m0_rad", "rad", "mean anomaly at the reference time", .column = 4, .is_angle = true},
};

static const quantity derived[] = {
    {"lambda", "lambda_rad", "rad", "mean longitude M0 + omega at the reference time",
     .column = LAMBDA, .is_angle = true},
    {"Tp", "t_peri", "d", "a passage of pericentre", .column = PERICENTRE},
    {"Tc", "t_conj", "d", "an inferior conjunction", .column = CONJUNCTION},
    {"msini", "m_sin_i_jupiter", "M_jup", "minimum mass", .column = MASS},
    {"a", "a_au", "au", "semi-major axis of the relative orbit", .column = AXIS},
};

static const quantity offset = {"gamma",
                                "offset_m_s",
                                "m/s",
                                "velocity offset of the instrument",
                                .axis = QUANTITY_PER_INSTRUMENT,
                                .stride = 1};
static const quantity trend[2] = {
    {"dvdt", "trend_m_s_day", "m/s/d", "linear trend", .n = 1},
    {"curv", "trend_m_s_day2", "m/s/d2", "quadratic trend", .n = 1},
};
static const quantity jitter = {"jitter", "jitter_m_s", "m/s",
                                "noise beyond the given uncertainties", .stride = 1};

size_t quantities_n_parameters(const quantities_shape *shape)
{
    return N_ELEMENTS * shape->n_planets + (shape->has_offsets ? shape->n_instruments : 0) +
           (size_t)shape->trend_order + shape->n_jitters;
}

/* Elements and what follows from them, one of each for each planet. */
static size_t list_planets(const quantities_shape *shape, quantity *list)
{
    size_t n = 0, n_derived = shape->star_mass > 0.0 ? AXIS + 1 : MASS;
    for (size_t i = 0; i < N_ELEMENTS + n_derived; i++) {
        list[n] = i < N_ELEMENTS ? elements[i] : derived[i - N_ELEMENTS];
        list[n].axis = QUANTITY_PER_PLANET;
        list[n].n = shape->n_planets;
        list[n].stride = N_ELEMENTS;
        list[n].is_derived = i >= N_ELEMENTS;
        n++;
    }
    return n;
}

size_t quantities_list(const quantities_shape *shape, quantity list[QUANTITIES_MOST])
{
    size_t n = shape->n_planets > 0 ? list_planets(shape, list) : 0;
    size_t column = N_ELEMENTS * shape->n_planets;
    if (shape->has_offsets) {
        list[n] = offset;
        list[n].n = shape->n_instruments;
        list[n].column = column;
        column += list[n++].n;
    }
    for (int i = 0; i < shape->trend_order; i++) {
        list[n] = trend[i];
        list[n++].column = column++;
    }
    if (shape->n_jitters > 0) {
        list[n] = jitter;
        list[n].axis =
            shape->n_jitters == shape->n_instruments ? QUANTITY_PER_INSTRUMENT : QUANTITY_ALONE;
        list[n].n = shape->n_jitters;
        list[n++].column = column;
    }
    return n;
}

/* The event at `days` after the reference time, or that many periods from it that it is next
 * to `wanted`. */
static double next_to(double days, double wanted, double period)
{
    return days + period * floor((wanted - days) / period + 0.5);
}

double quantity_value(const quantity *entry, size_t index, const double *parameters,
                      const quantities_frame *frame)
{
    if (!entry->is_derived)
        return parameters[entry->column + index * entry->stride];
    const double *own = parameters + N_ELEMENTS * index;
    const double *other = frame->reference + N_ELEMENTS * index;
    orbit_quantities follows =
        orbit_quantities_of(own, entry->column < MASS ? 0.0 : frame->star_mass);
    switch ((enum derived)entry->column) {
    case LAMBDA:
        return follows.lambda_rad;
    case PERICENTRE:
        return frame->reference_time_days +
               next_to(follows.to_pericentre_days,
                       orbit_quantities_of(other, 0.0).to_pericentre_days, own[0]);
    case CONJUNCTION:
        return frame->reference_time_days +
               next_to(follows.to_conjunction_days,
                       orbit_quantities_of(other, 0.0).to_conjunction_days, own[0]);
    case MASS:
        return follows.m_sin_i_jupiter;
    case AXIS:
        return follows.a_au;
    }
    return NAN;
}
