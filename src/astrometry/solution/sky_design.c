#include "astrometry/solution/sky_design.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* Below it the derivative by M0 at fixed amplitudes is one of theirs, divided by nothing. */
#define SMALLEST_ECCENTRICITY 1e-6

/* Of a catalogue's motion, or of its parallax. */
static double motion_value(const sky_design *design, size_t j, size_t row)
{
    static const char *const names[3] = {"pm_ra", "pm_dec", "parallax"};
    for (int i = 0; i < 3; i++)
        if (j == sky_model_column_index(&design->model, names[i]))
            return design->data->motions.base[row][i];
    return 0.0;
}

static double base_value(const sky_design *design, size_t j, size_t k)
{
    const sky_data *data = design->data;
    size_t n_sky_columns = sky_model_n_columns(&design->model);
    if (k == data->n_rows)
        return j == sky_model_column_index(&design->model, "colour") ? 1.0 : 0.0;
    if (k >= data->n_sky + data->n_velocities)
        return motion_value(design, j, k - data->n_sky - data->n_velocities);
    if (k >= data->n_sky)
        return j >= n_sky_columns && data->instrument[k] == (int)(j - n_sky_columns) ? 1.0 : 0.0;
    return j < n_sky_columns ? sky_model_value(&design->model, &data->rows, j, k) : 0.0;
}

equant_status sky_design_create(const sky_data *data, const sky_model *model, sky_design *design)
{
    size_t n = data->n_rows + (model->has_colour ? 1 : 0);
    size_t n_base = sky_model_n_columns(model) + data->n_instruments;
    double *memory = calloc((n_base + 2) * n, sizeof *memory);
    *design = (sky_design){data, *model, n, n_base, memory, NULL, NULL};
    if (memory == NULL)
        return status_out_of_memory();
    design->sine = memory + n_base * n;
    design->cosine = design->sine + n;
    for (size_t j = 0; j < n_base; j++)
        for (size_t k = 0; k < n; k++)
            design->base[j * n + k] = base_value(design, j, k);
    for (size_t k = 0; k < data->n_sky; k++) {
        design->sine[k] = sin(data->rows.angle_rad[k]);
        design->cosine[k] = cos(data->rows.angle_rad[k]);
    }
    return EQUANT_SUCCESS;
}

void sky_design_free(sky_design *design)
{
    free(design->base);
    *design = (sky_design){0};
}

void sky_design_weigh(const sky_design *design, const double jitter[SKY_DATA_MAX_GROUPS],
                      double *root_weight)
{
    const sky_data *data = design->data;
    for (size_t k = 0; k < data->n_rows; k++) {
        double more = data->group[k] >= 0 ? jitter[data->group[k]] : 0.0;
        root_weight[k] = 1.0 / hypot(data->uncertainty[k], more);
    }
    if (design->model.has_colour)
        root_weight[data->n_rows] = 1.0 / SKY_MODEL_COLOUR_PRIOR;
}

/* An orbit as rows ask for it: everything that does not depend on the time. */
typedef struct orbit_view {
    double frequency, e, M0, cos_m0, sin_m0;
    const double *amplitude; /* A, B, F, G, and c, h where they are free */
    double by_c, by_h;       /* of the velocity: factors of dX/dM and dY/dM */
    double c_by[4], h_by[4]; /* and how they move with A, B, F, G, where they are tied */
    double parallax, ratio;
    double scale; /* astronomical units of a mas */
    bool is_tied, has_ratio, has_scale;
} orbit_view;

/* C and H of the line of sight times what makes them velocities. */
static void tie(const sky_solution *solution, size_t orbit, orbit_view *view)
{
    sky_constants own = sky_solution_constants(solution, orbit);
    sky_elements elements = sky_elements_of(&own);
    sky_elements_slopes slopes = sky_elements_derive(&own);
    double factor = solution->side[orbit] * SKY_SOLUTION_AU_PER_DAY * view->frequency * view->scale;
    double sin_w = sin(elements.omega), cos_w = cos(elements.omega);
    double sin_i = sin(elements.i), cos_i = cos(elements.i), a0 = elements.a0;
    view->by_c = factor * a0 * sin_w * sin_i;
    view->by_h = factor * a0 * cos_w * sin_i;
    for (int k = 0; k < 4; k++) {
        double a = slopes.by[0][k], i = slopes.by[1][k], w = slopes.by[2][k];
        view->c_by[k] =
            factor * (a * sin_w * sin_i + a0 * cos_w * sin_i * w + a0 * sin_w * cos_i * i);
        view->h_by[k] =
            factor * (a * cos_w * sin_i - a0 * sin_w * sin_i * w + a0 * cos_w * cos_i * i);
    }
}

static orbit_view view_of(const sky_solution *solution, size_t orbit)
{
    const double *shape = solution->value + sky_solution_shape(solution, orbit);
    double e = fmax(hypot(shape[1], shape[2]), SMALLEST_ECCENTRICITY),
           M0 = atan2(shape[2], shape[1]);
    orbit_view view = {.frequency = exp(-shape[0]),
                       .e = e,
                       .M0 = M0,
                       .cos_m0 = cos(M0),
                       .sin_m0 = sin(M0),
                       .amplitude = solution->value + sky_solution_amplitudes(solution, orbit),
                       .is_tied = solution->is_tied && solution->has_velocities,
                       .parallax =
                           sky_solution_distance_parallax(solution, solution->parallax_zero_point),
                       .ratio = -1.0};
    double extra = solution->value[sky_solution_shape(solution, solution->n_orbits) + orbit];
    view.has_ratio = solution->has_ratio;
    view.has_scale = solution->has_scale;
    if (view.has_ratio)
        view.ratio = -exp(extra);
    view.scale = view.has_scale ? exp(extra) : 1.0 / view.parallax;
    if (view.is_tied) {
        tie(solution, orbit, &view);
    } else if (solution->has_velocities) {
        view.by_c = view.amplitude[4];
        view.by_h = view.amplitude[5];
    }
    return view;
}

/* Derivatives by A, B, F, G, c, h, ln P, e cos M0, e sin M0, the ratio and the parallax. */
enum { BY_SHAPE = 6, BY_RATIO = 9, BY_PARALLAX = 10, N_BY = 11 };

/* With those by M and by e, the three of the shape; `phase` is M - M0. */
static void by_shape(const orbit_view *view, double phase, double by_m, double by_e, double *by)
{
    double by_m0 = by_m / view->e;
    by[BY_SHAPE] = -by_m * phase;
    by[BY_SHAPE + 1] = by_e * view->cos_m0 - by_m0 * view->sin_m0;
    by[BY_SHAPE + 2] = by_e * view->sin_m0 + by_m0 * view->cos_m0;
}

/* What an orbit adds along a direction at a time; adds its derivatives. */
static double seen_along(const orbit_view *view, double time_days, double sine, double cosine,
                         double *by)
{
    const double *own = view->amplitude;
    double phase = SKY_ORBIT_TWO_PI * view->frequency * time_days, of_shape[N_BY] = {0.0};
    sky_place at = sky_place_at(phase + view->M0, view->e);
    double to_x = own[0] * cosine + own[1] * sine, to_y = own[2] * cosine + own[3] * sine;
    by[0] += at.X * cosine;
    by[1] += at.X * sine;
    by[2] += at.Y * cosine;
    by[3] += at.Y * sine;
    by_shape(view, phase, to_x * at.X_M + to_y * at.Y_M, to_x * at.X_e + to_y * at.Y_e, of_shape);
    for (int j = BY_SHAPE; j < BY_RATIO; j++)
        by[j] += of_shape[j];
    return to_x * at.X + to_y * at.Y;
}

static double sky_row(const orbit_view *view, const sky_design *design, size_t k, double *by)
{
    bool is_star = design->data->group[k] != SKY_DATA_NO_GROUP;
    double scale = is_star ? 1.0 : view->ratio;
    double seen = seen_along(view, design->data->time_days[k], scale * design->sine[k],
                             scale * design->cosine[k], by);
    by[BY_RATIO] = is_star || !view->has_ratio ? 0.0 : seen;
    return seen;
}

/* A catalogue's motion: a sum over places of the star. */
static double motion_row(const orbit_view *view, const sky_path *path, double *by)
{
    double sum = 0.0;
    for (size_t i = 0; i < path->n; i++)
        sum += seen_along(view, path->time_days[i], path->sine[i], path->cosine[i], by);
    return sum;
}

static double velocity_row(const orbit_view *view, const sky_data *data, size_t k, double *by)
{
    double phase = SKY_ORBIT_TWO_PI * view->frequency * data->time_days[k];
    sky_place at = sky_place_at(phase + view->M0, view->e);
    double seen = view->by_c * at.X_M + view->by_h * at.Y_M;
    by[4] = at.X_M;
    by[5] = at.Y_M;
    for (int j = 0; j < 4 && view->is_tied; j++)
        by[j] = view->c_by[j] * at.X_M + view->h_by[j] * at.Y_M;
    by_shape(view, phase, view->by_c * at.X_MM + view->by_h * at.Y_MM,
             view->by_c * at.X_Me + view->by_h * at.Y_Me, by);
    if (view->is_tied) {
        by[BY_SHAPE] -= seen; /* a shorter period is a faster star */
        by[BY_PARALLAX] = -seen / view->parallax;
        by[BY_RATIO] = view->has_scale ? seen : 0.0;
    }
    return seen;
}

/* Where derivatives of an orbit go among the parameters; SIZE_MAX: nowhere. */
static void places(const sky_solution *solution, size_t orbit, size_t place[N_BY])
{
    size_t amplitudes = sky_solution_amplitudes(solution, orbit);
    size_t n_amplitudes = sky_solution_n_amplitudes(solution);
    size_t shape = sky_solution_shape(solution, orbit);
    for (size_t j = 0; j < BY_SHAPE; j++)
        place[j] = j < n_amplitudes ? amplitudes + j : SIZE_MAX;
    for (size_t j = 0; j < 3; j++)
        place[BY_SHAPE + j] = shape + j;
    place[BY_RATIO] = solution->has_ratio || solution->has_scale
                          ? sky_solution_shape(solution, solution->n_orbits) + orbit
                          : SIZE_MAX;
    place[BY_PARALLAX] = solution->is_tied && solution->has_velocities && !solution->has_scale
                             ? sky_model_column_index(&solution->model, "parallax")
                             : SIZE_MAX;
}

static void add_orbit(const sky_design *design, const sky_solution *solution, size_t orbit,
                      size_t n_columns, double *columns, double *residual)
{
    const sky_data *data = design->data;
    size_t n = design->n_rows, place[N_BY];
    orbit_view view = view_of(solution, orbit);
    places(solution, orbit, place);
    for (size_t k = 0; k < data->n_rows; k++) {
        double by[N_BY] = {0.0};
        size_t n_measured = data->n_sky + data->n_velocities;
        double seen = k < data->n_sky ? sky_row(&view, design, k, by)
                      : k < n_measured
                          ? velocity_row(&view, data, k, by)
                          : motion_row(&view, data->motions.path + (k - n_measured), by);
        if (residual != NULL)
            residual[k] -= seen;
        for (size_t j = 0; j < N_BY && columns != NULL; j++)
            if (place[j] < n_columns)
                columns[place[j] * n + k] += by[j];
    }
}

void sky_design_fill(const sky_design *design, const sky_solution *solution, size_t n_columns,
                     double *columns, double *residual)
{
    size_t n = design->n_rows, n_given = design->n_base < n_columns ? design->n_base : n_columns;
    if (columns != NULL) {
        memcpy(columns, design->base, n_given * n * sizeof *columns);
        memset(columns + n_given * n, 0, (n_columns - n_given) * n * sizeof *columns);
    }
    if (residual != NULL) {
        memset(residual, 0, n * sizeof *residual);
        memcpy(residual, design->data->value, design->data->n_rows * sizeof *residual);
        for (size_t j = 0; j < design->n_base; j++)
            for (size_t k = 0; k < n; k++)
                residual[k] -= design->base[j * n + k] * solution->value[j];
    }
    for (size_t p = 0; p < solution->n_orbits; p++)
        add_orbit(design, solution, p, n_columns, columns, residual);
}
