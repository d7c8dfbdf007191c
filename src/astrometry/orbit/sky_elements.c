#include "astrometry/orbit/sky_elements.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "physics/orbit.h"

/* Parameters of a solution that elements follow from: A, B, F, G, ln P, e cos M0, e sin M0, the
 * parallax, the amplitudes of velocities where these are free, the scale where there is one. */
enum { FROM_SHAPE = 4, FROM_PARALLAX = 7, FROM_VELOCITY = 8, FROM_SCALE = 10, N_FROM = 11 };
enum { N_TOLD = EQUANT_SKY_N_ELEMENTS };

/* Elements that are told, and how they move with the parameters. */
typedef struct told {
    double value, by[N_FROM];
} told;

static void gather(const sky_solution *solution, size_t orbit, double covariance[N_FROM][N_FROM])
{
    size_t n = sky_solution_n_parameters(solution), at[N_FROM];
    for (size_t j = 0; j < 4; j++)
        at[j] = sky_solution_amplitudes(solution, orbit) + j;
    for (size_t j = 0; j < 3; j++)
        at[FROM_SHAPE + j] = sky_solution_shape(solution, orbit) + j;
    at[FROM_PARALLAX] = sky_model_column_index(&solution->model, "parallax");
    for (size_t j = 0; j < 2; j++)
        at[FROM_VELOCITY + j] = sky_solution_n_amplitudes(solution) == 6 ? at[0] + 4 + j : SIZE_MAX;
    at[FROM_SCALE] = solution->has_scale || solution->has_ratio
                         ? sky_solution_shape(solution, solution->n_orbits) + orbit
                         : SIZE_MAX;
    for (int i = 0; i < N_FROM; i++)
        for (int j = 0; j < N_FROM; j++)
            covariance[i][j] = at[i] == SIZE_MAX || at[j] == SIZE_MAX
                                   ? 0.0
                                   : solution->covariance[at[i] * n + at[j]];
}

static double product(const double covariance[N_FROM][N_FROM], const told *a, const told *b)
{
    double sum = 0.0;
    for (int i = 0; i < N_FROM; i++)
        for (int j = 0; j < N_FROM; j++)
            if (a->by[i] != 0.0 && b->by[j] != 0.0)
                sum += a->by[i] * covariance[i][j] * b->by[j];
    return sum;
}

static double error_of(const double covariance[N_FROM][N_FROM], const told *a)
{
    return sqrt(product(covariance, a, a));
}

/* A product of powers of others: its logarithm is their sum. */
static told power_product(size_t n, const told *const *factors, const double *powers, double scale)
{
    told made = {.value = scale};
    for (size_t i = 0; i < n; i++)
        made.value *= pow(factors[i]->value, powers[i]);
    for (size_t i = 0; i < n; i++)
        for (int j = 0; j < N_FROM; j++)
            made.by[j] += made.value * powers[i] * factors[i]->by[j] / factors[i]->value;
    return made;
}

double sky_elements_dark_mass(double mass_function, double star_mass)
{
    double m = cbrt(mass_function * star_mass * star_mass) + mass_function;
    for (int step = 0; step < 60; step++) {
        double sum = star_mass + m, miss = m * m * m - mass_function * sum * sum;
        m -= miss / (3.0 * m * m - 2.0 * mass_function * sum);
    }
    return m;
}

static void tell_masses(const double covariance[N_FROM][N_FROM], const told *function,
                        const told *period, double mass, double mass_err, equant_sky_companion *out)
{
    double m = sky_elements_dark_mass(function->value, mass), sum = mass + m;
    double by_function = 1.0 / (3.0 / m - 2.0 / sum), by_mass = by_function * 2.0 / sum;
    told companion = {.value = m}, axis;
    for (int j = 0; j < N_FROM; j++)
        companion.by[j] = by_function * function->by[j] / function->value;
    out->mass_jupiter = m * ORBIT_JUPITER_PER_SUN;
    out->mass_jupiter_err =
        ORBIT_JUPITER_PER_SUN * hypot(error_of(covariance, &companion), by_mass * mass_err);
    double years = period->value / ORBIT_DAYS_PER_GAUSSIAN_YEAR;
    axis.value = cbrt(sum * years * years);
    for (int j = 0; j < N_FROM; j++)
        axis.by[j] =
            axis.value / 3.0 * (companion.by[j] / sum + 2.0 * period->by[j] / period->value);
    double by_star = axis.value / 3.0 * (1.0 + by_mass) / sum;
    out->a_au = axis.value;
    out->a_au_err = hypot(error_of(covariance, &axis), by_star * mass_err);
}

/* The star's orbit in astronomical units: from its size on the sky and the parallax, or, where
 * velocities are free of that, from them. False where neither tells. */
static bool star_axis(const sky_solution *solution, size_t orbit, const told list[N_TOLD],
                      const told *sine, double zero_point, told *axis)
{
    told other = list[7];
    if (sky_solution_n_amplitudes(solution) == 6) { /* K sqrt(1 - e^2) is what they span */
        const double *own = solution->value + sky_solution_amplitudes(solution, orbit);
        other = (told){.value = hypot(own[4], own[5])};
        other.by[FROM_VELOCITY] = own[4] / other.value;
        other.by[FROM_VELOCITY + 1] = own[5] / other.value;
        *axis = power_product(3, (const told *const[]){&other, &list[0], sine},
                              (const double[]){1, 1, -1}, 1.0 / SKY_SOLUTION_AU_PER_DAY);
        return true;
    }
    if (solution->has_scale) {
        other =
            (told){.value = exp(
                       solution->value[sky_solution_shape(solution, solution->n_orbits) + orbit])};
        other.by[FROM_SCALE] = other.value;
        *axis =
            power_product(2, (const told *const[]){&list[3], &other}, (const double[]){1, 1}, 1.0);
        return true;
    }
    other.value = sky_solution_distance_parallax(solution, zero_point);
    if (!(other.value > 0.0))
        return false;
    *axis = power_product(2, (const told *const[]){&list[3], &other}, (const double[]){1, -1}, 1.0);
    return true;
}

/* With both orbits known the masses follow: a = ratio a1, m = a1 a^2 / P^2. */
static void tell_dynamical(const sky_solution *solution, size_t orbit,
                           const double covariance[N_FROM][N_FROM], const told *axis,
                           const told *period, equant_sky_companion *out)
{
    told ratio = {
        .value = exp(solution->value[sky_solution_shape(solution, solution->n_orbits) + orbit])};
    ratio.by[FROM_SCALE] = ratio.value;
    told whole = power_product(2, (const told *const[]){axis, &ratio}, (const double[]){1, 1}, 1.0);
    told mass =
        power_product(3, (const told *const[]){axis, &whole, period}, (const double[]){1, 2, -2},
                      ORBIT_DAYS_PER_GAUSSIAN_YEAR * ORBIT_DAYS_PER_GAUSSIAN_YEAR);
    out->a_au = whole.value;
    out->a_au_err = error_of(covariance, &whole);
    out->mass_jupiter = mass.value * ORBIT_JUPITER_PER_SUN;
    out->mass_jupiter_err = error_of(covariance, &mass) * ORBIT_JUPITER_PER_SUN;
}

/* The star's orbit in astronomical units, its velocity, masses. */
static void tell_sizes(const sky_solution *solution, size_t orbit,
                       const double covariance[N_FROM][N_FROM], const told list[N_TOLD],
                       double zero_point, double star_mass, double star_mass_err,
                       equant_sky_companion *out)
{
    const told *period = &list[0], *e = &list[1], *i = &list[4];
    told axis, function, velocity, sine = {.value = sin(i->value)};
    told shape = {.value = 1.0 - e->value * e->value};
    out->a1_au = out->a1_au_err = out->k_m_s = out->k_m_s_err = out->mass_jupiter =
        out->mass_jupiter_err = out->a_au = out->a_au_err = out->mass_function_sun = NAN;
    for (int j = 0; j < N_FROM; j++) {
        sine.by[j] = cos(i->value) * i->by[j];
        shape.by[j] = -2.0 * e->value * e->by[j];
    }
    if (!star_axis(solution, orbit, list, &sine, zero_point, &axis))
        return;
    function = power_product(2, (const told *const[]){&axis, period}, (const double[]){3, -2},
                             ORBIT_DAYS_PER_GAUSSIAN_YEAR * ORBIT_DAYS_PER_GAUSSIAN_YEAR);
    velocity = power_product(4, (const told *const[]){&axis, &sine, period, &shape},
                             (const double[]){1, 1, -1, -0.5}, SKY_SOLUTION_AU_PER_DAY);
    out->a1_au = axis.value;
    out->a1_au_err = error_of(covariance, &axis);
    out->k_m_s = velocity.value;
    out->k_m_s_err = error_of(covariance, &velocity);
    out->mass_function_sun = function.value;
    if (star_mass > 0.0)
        tell_masses(covariance, &function, period, star_mass, star_mass_err, out);
    else if (solution->has_ratio)
        tell_dynamical(solution, orbit, covariance, &axis, period, out);
}

/* Whether velocities speak for the other node: free ones by the signs of their amplitudes, c as sin
 * omega and h as cos omega. */
static bool is_other_node(const sky_solution *solution, size_t orbit, double omega)
{
    const double *own = solution->value + sky_solution_amplitudes(solution, orbit);
    if (sky_solution_n_amplitudes(solution) == 6)
        return own[4] * sin(omega) + own[5] * cos(omega) < 0.0;
    return solution->is_tied && solution->side[orbit] < 0.0;
}

/* Period, eccentricity, M0, a0, inclination, omega, node, parallax. */
static void list_elements(const sky_solution *solution, size_t orbit, told list[N_TOLD])
{
    sky_constants constants = sky_solution_constants(solution, orbit);
    sky_elements elements = sky_elements_of(&constants);
    sky_elements_slopes slopes = sky_elements_derive(&constants);
    const double *shape = solution->value + sky_solution_shape(solution, orbit);
    double e = hypot(shape[1], shape[2]), period = exp(shape[0]);
    bool is_other = is_other_node(solution, orbit, elements.omega);
    double half_turn = is_other ? SKY_ORBIT_PI : 0.0;
    memset(list, 0, N_TOLD * sizeof *list);
    list[0].value = period;
    list[0].by[FROM_SHAPE] = period;
    list[1].value = e;
    list[1].by[FROM_SHAPE + 1] = shape[1] / e;
    list[1].by[FROM_SHAPE + 2] = shape[2] / e;
    list[2].value = sky_orbit_full_turn(atan2(shape[2], shape[1]));
    list[2].by[FROM_SHAPE + 1] = -shape[2] / (e * e);
    list[2].by[FROM_SHAPE + 2] = shape[1] / (e * e);
    const double values[4] = {elements.a0, elements.i,
                              sky_orbit_full_turn(elements.omega + half_turn),
                              sky_orbit_full_turn(elements.Omega + half_turn)};
    for (int k = 0; k < 4; k++) {
        list[3 + k].value = values[k];
        for (int j = 0; j < 4; j++)
            list[3 + k].by[j] = slopes.by[k][j];
    }
    list[7].value = sky_solution_column(solution, "parallax", NULL);
    list[7].by[FROM_PARALLAX] = 1.0;
}

static void tell_pericentre(const double covariance[N_FROM][N_FROM], const told list[N_TOLD],
                            double reference_jd, equant_sky_companion *out)
{
    double turn = orbit_nearest_turn(list[2].value) / ORBIT_TWO_PI;
    told passage = {.value = -turn * list[0].value};
    for (int j = 0; j < N_FROM; j++)
        passage.by[j] = -turn * list[0].by[j] - list[0].value / ORBIT_TWO_PI * list[2].by[j];
    out->t_peri_jd = reference_jd + passage.value;
    out->t_peri_jd_err = error_of(covariance, &passage);
}

equant_sky_companion sky_elements_tell(const sky_solution *solution, size_t orbit,
                                       double reference_jd, double parallax_zero_point_mas,
                                       double star_mass, double star_mass_err)
{
    double covariance[N_FROM][N_FROM];
    told list[N_TOLD];
    equant_sky_companion out = {.node_is_known = solution->has_velocities};
    gather(solution, orbit, covariance);
    list_elements(solution, orbit, list);
    double *const places[7][2] = {{&out.period_days, &out.period_days_err},
                                  {&out.eccentricity, &out.eccentricity_err},
                                  {&out.m0_rad, &out.m0_rad_err},
                                  {&out.a0_mas, &out.a0_mas_err},
                                  {&out.inclination_rad, &out.inclination_rad_err},
                                  {&out.omega_rad, &out.omega_rad_err},
                                  {&out.node_rad, &out.node_rad_err}};
    for (int k = 0; k < 7; k++) {
        *places[k][0] = list[k].value;
        *places[k][1] = error_of(covariance, &list[k]);
    }
    for (int i = 0; i < N_TOLD; i++)
        for (int j = 0; j < N_TOLD; j++)
            out.covariance[i * N_TOLD + j] = product(covariance, &list[i], &list[j]);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            out.covariance_linear[i * 7 + j] = covariance[i][j];
    const double *amplitudes = solution->value + sky_solution_amplitudes(solution, orbit);
    for (int j = 0; j < 4; j++) {
        out.thiele_innes_mas[j] = amplitudes[j];
        out.thiele_innes_mas_err[j] = sqrt(covariance[j][j]);
    }
    tell_pericentre(covariance, list, reference_jd, &out);
    tell_sizes(solution, orbit, covariance, list, parallax_zero_point_mas, star_mass, star_mass_err,
               &out);
    return out;
}
