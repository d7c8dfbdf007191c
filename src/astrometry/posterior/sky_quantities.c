#include "astrometry/posterior/sky_quantities.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "astrometry/orbit/sky_elements.h"
#include "physics/orbit.h"

/* Where the next value goes. */
typedef struct listing {
    double *values;
    sky_quantities_column *columns; /* NULL: values alone */
    size_t n;
} listing;

enum { IS_PLAIN = 0, IS_ANGLE = 1, IS_DERIVED = 2 };

static void tell(listing *list, double value, const char *name, const char *unit, size_t planet,
                 size_t instrument, int flags)
{
    list->values[list->n] = value;
    if (list->columns != NULL) {
        sky_quantities_column *column = list->columns + list->n;
        size_t number = planet > 0 ? planet : instrument;
        *column = (sky_quantities_column){.planet = planet,
                                          .instrument = instrument,
                                          .is_angle = (flags & IS_ANGLE) != 0,
                                          .is_derived = (flags & IS_DERIVED) != 0};
        snprintf(column->unit, sizeof column->unit, "%s", unit);
        if (number > 0)
            snprintf(column->name, sizeof column->name, "%s_%zu", name, number);
        else
            snprintf(column->name, sizeof column->name, "%s", name);
    }
    list->n++;
}

static sky_elements elements_of(const sky_solution *solution, size_t orbit)
{
    sky_constants constants = sky_solution_constants(solution, orbit);
    return sky_elements_of(&constants);
}

/* Whether velocities speak for the node beyond half a turn. */
static bool is_turned(const sky_solution *solution, size_t orbit, const sky_elements *elements)
{
    const double *own = solution->value + sky_solution_amplitudes(solution, orbit);
    if (sky_solution_n_amplitudes(solution) == 6)
        return own[4] * sin(elements->omega) + own[5] * cos(elements->omega) < 0.0;
    return solution->is_tied && solution->side[orbit] < 0.0;
}

/* omega and node: without velocities those of the two next to the solution that others are near
 * to. */
static void turn(const sky_quantities_frame *frame, const sky_solution *solution, size_t orbit,
                 sky_elements *elements)
{
    bool is_other;
    if (solution->has_velocities) {
        is_other = is_turned(solution, orbit, elements);
    } else {
        sky_elements near = elements_of(frame->near, orbit);
        is_other = cos(elements->Omega - near.Omega) < 0.0;
    }
    double half_turn = is_other ? SKY_ORBIT_PI : 0.0;
    elements->omega = sky_orbit_full_turn(elements->omega + half_turn);
    elements->Omega = sky_orbit_full_turn(elements->Omega + half_turn);
}

/* The star's orbit in astronomical units; NaN where nothing tells. */
static double star_axis(const sky_quantities_frame *frame, const sky_solution *solution,
                        size_t orbit, const sky_elements *elements, double period)
{
    if (sky_solution_n_amplitudes(solution) == 6) {
        const double *own = solution->value + sky_solution_amplitudes(solution, orbit);
        return hypot(own[4], own[5]) * period / (sin(elements->i) * SKY_SOLUTION_AU_PER_DAY);
    }
    if (solution->has_scale)
        return elements->a0 *
               exp(solution->value[sky_solution_shape(solution, solution->n_orbits) + orbit]);
    double parallax = sky_solution_distance_parallax(solution, frame->parallax_zero_point_mas);
    return parallax > 0.0 ? elements->a0 / parallax : NAN;
}

/* Whether a solution of this kind has sizes at all. */
static bool has_sizes(const sky_solution *solution)
{
    return sky_solution_n_amplitudes(solution) == 6 || solution->has_scale ||
           (!solution->lacks_parallax &&
            sky_model_column_index(&solution->model, "parallax") != SIZE_MAX);
}

static void tell_sizes(const sky_quantities_frame *frame, const sky_solution *solution,
                       size_t orbit, const sky_elements *elements, double e, double mass_deviate,
                       listing *list)
{
    double period = exp(solution->value[sky_solution_shape(solution, orbit)]);
    double axis = star_axis(frame, solution, orbit, elements, period);
    double years = period / ORBIT_DAYS_PER_GAUSSIAN_YEAR;
    size_t planet = orbit + 1;
    tell(list,
         SKY_SOLUTION_AU_PER_DAY * axis * sin(elements->i) / (period * sqrt((1.0 - e) * (1.0 + e))),
         "k_m_s", "m/s", planet, 0, IS_DERIVED);
    tell(list, axis, "a1_au", "au", planet, 0, IS_DERIVED);
    if (!(frame->star_mass > 0.0) && solution->has_ratio) { /* both orbits are known */
        double whole =
            axis * exp(solution->value[sky_solution_shape(solution, solution->n_orbits) + orbit]);
        tell(list, axis * whole * whole / (years * years) * ORBIT_JUPITER_PER_SUN, "mass_jupiter",
             "M_jup", planet, 0, IS_DERIVED);
        tell(list, whole, "a_au", "au", planet, 0, IS_DERIVED);
    }
    if (!(frame->star_mass > 0.0))
        return;
    double star =
        fmax(frame->star_mass + mass_deviate * frame->star_mass_err, 0.01 * frame->star_mass);
    double mass = sky_elements_dark_mass(axis * axis * axis / (years * years), star);
    tell(list, mass * ORBIT_JUPITER_PER_SUN, "mass_jupiter", "M_jup", planet, 0, IS_DERIVED);
    tell(list, cbrt((star + mass) * years * years), "a_au", "au", planet, 0, IS_DERIVED);
}

static void tell_orbit(const sky_quantities_frame *frame, const sky_solution *solution,
                       size_t orbit, double mass_deviate, listing *list)
{
    static const char *const constants[4] = {"A_mas", "B_mas", "F_mas", "G_mas"};
    const double *shape = solution->value + sky_solution_shape(solution, orbit);
    const double *near = frame->near->value + sky_solution_shape(frame->near, orbit);
    double e = hypot(shape[1], shape[2]), M0 = atan2(shape[2], shape[1]), period = exp(shape[0]);
    double passage = -exp(near[0]) * atan2(near[2], near[1]) / SKY_ORBIT_TWO_PI;
    double own_passage = -period * M0 / SKY_ORBIT_TWO_PI;
    sky_elements elements = elements_of(solution, orbit);
    size_t planet = orbit + 1;
    turn(frame, solution, orbit, &elements);
    own_passage += period * round((passage - own_passage) / period);
    tell(list, period, "period_days", "d", planet, 0, IS_PLAIN);
    tell(list, e, "eccentricity", "", planet, 0, IS_PLAIN);
    tell(list, sky_orbit_full_turn(M0), "m0_rad", "rad", planet, 0, IS_ANGLE);
    tell(list, frame->reference_jd + own_passage, "t_peri", "d", planet, 0, IS_DERIVED);
    tell(list, elements.a0, "a0_mas", "mas", planet, 0, IS_DERIVED);
    tell(list, elements.i, "inclination_rad", "rad", planet, 0, IS_DERIVED | IS_ANGLE);
    tell(list, elements.omega, "omega_rad", "rad", planet, 0, IS_DERIVED | IS_ANGLE);
    tell(list, elements.Omega, "node_rad", "rad", planet, 0, IS_DERIVED | IS_ANGLE);
    for (size_t j = 0; j < 4; j++)
        tell(list, solution->value[sky_solution_amplitudes(solution, orbit) + j], constants[j],
             "mas", planet, 0, IS_PLAIN);
    if (solution->has_ratio)
        tell(list, exp(solution->value[sky_solution_shape(solution, solution->n_orbits) + orbit]),
             "axis_ratio", "", planet, 0, IS_PLAIN);
    if (has_sizes(solution))
        tell_sizes(frame, solution, orbit, &elements, e, mass_deviate, list);
}

void sky_quantities_name_column(const char *column, char name[SKY_QUANTITIES_NAME_SIZE],
                                const char **unit)
{
    static const struct {
        const char *column, *name, *unit;
    } known[] = {{"ra", "ra_mas", "mas"},
                 {"dec", "dec_mas", "mas"},
                 {"parallax", "parallax_mas", "mas"},
                 {"pm_ra", "pm_ra_mas_yr", "mas/yr"},
                 {"pm_dec", "pm_dec_mas_yr", "mas/yr"},
                 {"acceleration_ra", "acceleration_ra_mas_yr2", "mas/yr^2"},
                 {"acceleration_dec", "acceleration_dec_mas_yr2", "mas/yr^2"},
                 {"jerk_ra", "jerk_ra_mas_yr3", "mas/yr^3"},
                 {"jerk_dec", "jerk_dec_mas_yr3", "mas/yr^3"},
                 {"colour", "colour_per_um", "1/um"}};
    *unit = "mas";
    snprintf(name, SKY_QUANTITIES_NAME_SIZE, "%s_mas", column); /* "cos3_mas" */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].column, column) == 0) {
            snprintf(name, SKY_QUANTITIES_NAME_SIZE, "%s", known[i].name);
            *unit = known[i].unit;
        }
}

static void tell_column(const sky_solution *solution, size_t j, listing *list)
{
    char name[SKY_QUANTITIES_NAME_SIZE];
    const char *unit;
    sky_quantities_name_column(sky_model_column_name(&solution->model, j), name, &unit);
    tell(list, solution->value[j], name, unit, 0, 0, IS_PLAIN);
}

size_t sky_quantities_fill(const sky_quantities_frame *frame, const sky_solution *solution,
                           double mass_deviate, double values[SKY_QUANTITIES_MOST],
                           sky_quantities_column *columns)
{
    listing list = {values, columns, 0};
    size_t n_columns = sky_model_n_columns(&solution->model);
    for (size_t p = 0; p < solution->n_orbits; p++)
        tell_orbit(frame, solution, p, mass_deviate, &list);
    for (size_t j = 0; j < n_columns; j++)
        tell_column(solution, j, &list);
    if (frame->has_star)
        tell(&list, solution->jitter[0], "jitter_mas", "mas", 0, 0, IS_PLAIN);
    if (solution->model.has_second_frame)
        tell(&list, solution->jitter[1 + solution->n_instruments], "jitter_2_mas", "mas", 0, 0,
             IS_PLAIN);
    for (size_t i = 0; i < solution->n_instruments; i++)
        tell(&list, solution->value[n_columns + i], "offset_m_s", "m/s", 0, i + 1, IS_PLAIN);
    for (size_t i = 0; i < solution->n_instruments; i++)
        tell(&list, solution->jitter[1 + i], "jitter_m_s", "m/s", 0, i + 1, IS_PLAIN);
    return list.n;
}

/* ---- from a file ----------------------------------------------------------------------------- */

bool sky_quantities_recognise(const char *name, const char *unit, sky_quantities_column *column)
{
    static const char *const derived[] = {"t_peri",    "a0_mas",       "inclination_rad",
                                          "omega_rad", "node_rad",     "k_m_s",
                                          "a1_au",     "mass_jupiter", "a_au"};
    const char *last = strrchr(name, '_');
    size_t n_digits = last != NULL ? strspn(last + 1, "0123456789") : 0;
    bool is_numbered = n_digits > 0 && n_digits < 4 && last[1 + n_digits] == '\0';
    size_t number = 0, n_base = is_numbered ? (size_t)(last - name) : strlen(name);
    if (strlen(name) >= sizeof column->name || strlen(unit) >= sizeof column->unit)
        return false;
    *column = (sky_quantities_column){.is_angle = strcmp(unit, "rad") == 0};
    memcpy(column->name, name, strlen(name));
    memcpy(column->unit, unit, strlen(unit));
    for (size_t i = 0; i < n_digits && is_numbered; i++)
        number = 10 * number + (size_t)(last[1 + i] - '0');
    bool is_of_instrument =
        (n_base == strlen("offset_m_s") && strncmp(name, "offset_m_s", n_base) == 0) ||
        (n_base == strlen("jitter_m_s") && strncmp(name, "jitter_m_s", n_base) == 0);
    *(is_of_instrument ? &column->instrument : &column->planet) = number;
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++)
        column->is_derived |=
            n_base == strlen(derived[i]) && strncmp(name, derived[i], n_base) == 0;
    return true;
}
