#include "astrometry/posterior/sky_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/sky_orbit.h"

static const double *find(const equant_sky_posterior *posterior, const char *base, size_t number)
{
    char name[SKY_QUANTITIES_NAME_SIZE];
    snprintf(name, sizeof name, "%s_%zu", base, number);
    return sky_posterior_column(posterior, name);
}

static sky_view_orbit orbit_of(const equant_sky_posterior *posterior, size_t number)
{
    return (sky_view_orbit){.period = find(posterior, "period_days", number),
                            .eccentricity = find(posterior, "eccentricity", number),
                            .m0 = find(posterior, "m0_rad", number),
                            .a = find(posterior, "A_mas", number),
                            .b = find(posterior, "B_mas", number),
                            .f = find(posterior, "F_mas", number),
                            .g = find(posterior, "G_mas", number),
                            .k = find(posterior, "k_m_s", number),
                            .omega = find(posterior, "omega_rad", number),
                            .axis_ratio = find(posterior, "axis_ratio", number),
                            .whole_axis = find(posterior, "a_au", number),
                            .of_star = find(posterior, "a1_au", number)};
}

static bool is_whole(const sky_view_orbit *orbit)
{
    return orbit->period && orbit->eccentricity && orbit->m0 && orbit->a && orbit->b && orbit->f &&
           orbit->g;
}

static bool has_column(const equant_sky_posterior *posterior, const char *column)
{
    char name[SKY_QUANTITIES_NAME_SIZE];
    const char *unit;
    sky_quantities_name_column(column, name, &unit);
    return sky_posterior_column(posterior, name) != NULL;
}

/* The model whose columns were told. */
static sky_model model_of(const equant_sky_posterior *posterior)
{
    static const char *const harmonics[SKY_MODEL_MAX_HARMONICS] = {"cos3", "cos5", "cos7"};
    sky_model made = {.has_parallax = has_column(posterior, "parallax"),
                      .has_colour = has_column(posterior, "colour"),
                      .has_second_frame = has_column(posterior, "ra_2"),
                      .recession_per_year = posterior->recession_per_year};
    made.order = has_column(posterior, "jerk_ra")           ? 3
                 : has_column(posterior, "acceleration_ra") ? 2
                 : has_column(posterior, "pm_ra")           ? 1
                                                            : 0;
    made.no_position = made.order > 0 && !has_column(posterior, "ra");
    while (made.n_harmonics < SKY_MODEL_MAX_HARMONICS &&
           has_column(posterior, harmonics[made.n_harmonics]))
        made.n_harmonics++;
    return made;
}

sky_view sky_view_of(const equant_sky_posterior *posterior)
{
    sky_view view = {.posterior = posterior,
                     .model = model_of(posterior),
                     .reference_jd = posterior->facts.reference_time_days};
    while (view.n_orbits < SKY_SOLUTION_MAX_ORBITS) {
        sky_view_orbit next = orbit_of(posterior, view.n_orbits + 1);
        if (!is_whole(&next))
            break;
        view.orbits[view.n_orbits++] = next;
    }
    for (size_t j = 0; j < sky_model_n_columns(&view.model); j++) {
        char name[SKY_QUANTITIES_NAME_SIZE];
        const char *unit;
        sky_quantities_name_column(sky_model_column_name(&view.model, j), name, &unit);
        view.columns[j] = sky_posterior_column(posterior, name);
    }
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (equant_astrometry_rows(posterior->source, &rows) == EQUANT_SUCCESS)
        for (size_t k = 0; k < rows.n_rows; k++)
            view.has_star |= rows.kind[k] == EQUANT_SKY_STAR;
    return view;
}

sky_view_place sky_view_light_of(const sky_view *view, size_t orbit, size_t draw, double days)
{
    const sky_view_orbit *own = view->orbits + orbit;
    double turned = SKY_ORBIT_TWO_PI * days / own->period[draw] + own->m0[draw];
    sky_place at = sky_place_at(sky_orbit_full_turn(turned), own->eccentricity[draw]);
    return (sky_view_place){own->b[draw] * at.X + own->g[draw] * at.Y,
                            own->a[draw] * at.X + own->f[draw] * at.Y};
}

sky_view_place sky_view_light(const sky_view *view, size_t draw, double days)
{
    sky_view_place sum = {0.0, 0.0};
    for (size_t p = 0; p < view->n_orbits; p++) {
        sky_view_place own = sky_view_light_of(view, p, draw, days);
        sum.ra += own.ra;
        sum.dec += own.dec;
    }
    return sum;
}

void sky_view_scan(const sky_view *view, double days, double angle_rad, double parallax_factor,
                   double factors[SKY_MODEL_MAX_COLUMNS])
{
    const double no_colour = 0.0;
    const equant_sky_rows scan = {.struct_size = sizeof scan,
                                  .n_rows = 1,
                                  .time_days = &days,
                                  .angle_rad = &angle_rad,
                                  .parallax_factor = &parallax_factor,
                                  .colour_factor = &no_colour};
    for (size_t j = 0; j < sky_model_n_columns(&view->model); j++)
        factors[j] = sky_model_value(&view->model, &scan, j, 0);
}

double sky_view_abscissa(const sky_view *view, size_t draw, double days, double angle_rad,
                         const double *factors)
{
    sky_view_place light = sky_view_light(view, draw, days);
    double sum = light.ra * sin(angle_rad) + light.dec * cos(angle_rad);
    for (size_t j = 0; j < sky_model_n_columns(&view->model); j++)
        sum += factors[j] * view->columns[j][draw];
    return sum;
}

bool sky_view_knows_companion(const sky_view *view, size_t orbit)
{
    const sky_view_orbit *own = view->orbits + orbit;
    return orbit < view->n_orbits &&
           (!view->has_star || own->axis_ratio || (own->whole_axis && own->of_star));
}

double sky_view_ratio(const sky_view *view, size_t orbit, size_t draw)
{
    const sky_view_orbit *own = view->orbits + orbit;
    if (!view->has_star) /* the orbit is that of the companion, seen from the other side */
        return 1.0;
    return own->axis_ratio ? own->axis_ratio[draw] : own->whole_axis[draw] / own->of_star[draw];
}

double sky_view_velocity(const sky_view *view, size_t draw, double days)
{
    double sum = 0.0;
    for (size_t p = 0; p < view->n_orbits; p++) {
        const sky_view_orbit *own = view->orbits + p;
        double turned = SKY_ORBIT_TWO_PI * days / own->period[draw] + own->m0[draw],
               e = own->eccentricity[draw];
        sky_place at = sky_place_at(sky_orbit_full_turn(turned), e);
        /* X_M and Y_M are those of a body of unit axis and unit mean motion. */
        double scale = own->k[draw] * sqrt((1.0 - e) * (1.0 + e));
        sum += scale * (sin(own->omega[draw]) * at.X_M + cos(own->omega[draw]) * at.Y_M);
    }
    return sum;
}
