#include "astrometry/catalogue/sky_screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* A source is fitted where noise does as well with a probability below so many times the limit,
 * the gain counted a tenth higher: nodes miss that much of an orbit between them. */
#define GENEROUS_CHANCE 3.0
#define GENEROUS_GAIN 1.1
/* Rows that an orbit must have beyond the parameters: those of the ladder of models. */
enum { LEAST_ROWS_MORE = 7 + 3 };

void sky_screen_free(sky_screen *screen)
{
    free(screen->memory);
    *screen = (sky_screen){0};
}

double sky_screen_gain(const sky_screen *screen, double fall)
{
    double n = (double)screen->source.n_rows, share = fall / screen->residual_square;
    if (!screen->has_jitter || !(screen->residual_square > 0.0))
        return 0.5 * fall;
    return share < 1.0 ? -0.5 * n * log1p(-share) : INFINITY;
}

/* Directions, times, residual and base, copied from where the refinement left them. */
static equant_status copy_source(const sky_refiner *refiner, sky_screen *screen)
{
    const sky_design *design = refiner->design;
    size_t n = design->n_rows, n_base = refiner->system.n_columns;
    double *memory = malloc((4 + n_base) * n * sizeof *memory);
    if (memory == NULL)
        return status_out_of_memory();
    double *time = memory, *sine = memory + n, *cosine = memory + 2 * n, *residual = memory + 3 * n;
    double total = 0.0, mean = 0.0, variance = 0.0;
    for (size_t k = 0; k < n; k++) {
        double weight = refiner->root_weight[k];
        time[k] = k < design->data->n_rows ? design->data->time_days[k] : 0.0;
        sine[k] = design->sine[k] * weight;
        cosine[k] = design->cosine[k] * weight;
        residual[k] = refiner->residual[k];
        screen->residual_square += residual[k] * residual[k];
        if (k >= design->data->n_rows)
            continue;
        total += weight * weight;
        mean += weight * weight * time[k];
        variance += weight * weight * time[k] * time[k];
    }
    memcpy(memory + 4 * n, refiner->system.q, n_base * n * sizeof *memory);
    screen->effective_span_days =
        sqrt(2.0 * SKY_ORBIT_TWO_PI * (variance / total - pow(mean / total, 2.0)));
    screen->memory = memory;
    screen->source = (sky_scan_source){.n_rows = n,
                                       .time_days = time,
                                       .sine = sine,
                                       .cosine = cosine,
                                       .residual = residual,
                                       .n_base = n_base,
                                       .base = memory + 4 * n};
    return EQUANT_SUCCESS;
}

/* The fall of chi-square by the columns that a model has beyond the base, and their number. */
static equant_status fall_of(const sky_refiner *refiner, const sky_screen *screen,
                             const sky_model *model, double *fall, size_t *n_more)
{
    const sky_design *design = refiner->design;
    size_t n = screen->source.n_rows, n_base = screen->source.n_base;
    sky_system system;
    equant_status status = sky_system_create(n, n_base + SKY_MODEL_MAX_COLUMNS, &system);
    if (status != EQUANT_SUCCESS)
        return status;
    *fall = 0.0;
    *n_more = 0;
    for (size_t j = 0; j < n_base; j++)
        sky_system_add(&system, screen->source.base + j * n);
    for (size_t j = 0; j < sky_model_n_columns(model); j++) {
        const char *name = sky_model_column_name(model, j);
        if (sky_model_column_index(&design->model, name) != SIZE_MAX)
            continue;
        for (size_t k = 0; k < n; k++)
            refiner->scratch[k] =
                k < design->data->n_sky
                    ? refiner->root_weight[k] * sky_model_value(model, &design->data->rows, j, k)
                    : 0.0;
        if (!sky_system_add(&system, refiner->scratch))
            continue;
        const double *own = system.q + (system.n_columns - 1) * n;
        double share = 0.0;
        for (size_t k = 0; k < n; k++)
            share += own[k] * screen->source.residual[k];
        *fall += share * share;
        ++*n_more;
    }
    sky_system_free(&system);
    return EQUANT_SUCCESS;
}

/* Acceleration, acceleration and jerk, harmonics: the least chance that noise does as well. */
static equant_status weigh_columns(const sky_refiner *refiner, sky_screen *screen)
{
    sky_model models[3] = {refiner->design->model, refiner->design->model, refiner->design->model};
    models[0].order = 2;
    models[1].order = 3;
    models[2].n_harmonics = SKY_MODEL_MAX_HARMONICS;
    screen->columns_chance = 1.0;
    for (int i = 0; i < 3; i++) {
        double fall;
        size_t n_more;
        equant_status status = fall_of(refiner, screen, &models[i], &fall, &n_more);
        if (status != EQUANT_SUCCESS)
            return status;
        if (i == 2)
            screen->row.chi_square_scan_angle = screen->row.chi_square_5p - fall;
        if (n_more < 2)
            continue;
        double chance =
            sky_false_alarm_columns(n_more / 2 * 2, screen->has_jitter ? screen->source.n_rows : 0,
                                    screen->source.n_base, sky_screen_gain(screen, fall));
        screen->columns_chance = fmin(screen->columns_chance, chance);
    }
    return EQUANT_SUCCESS;
}

static void tell_motion(const sky_solution *solution, equant_sky_catalogue_row *row)
{
    row->is_solved = 1;
    row->verdict = EQUANT_SKY_5P;
    row->chi_square_5p = solution->chi_square;
    row->parallax_mas = sky_solution_column(solution, "parallax", &row->parallax_mas_err);
    if (solution->lacks_parallax)
        row->parallax_mas = row->parallax_mas_err = NAN;
    row->pm_ra_mas_yr = sky_solution_column(solution, "pm_ra", &row->pm_ra_mas_yr_err);
    row->pm_dec_mas_yr = sky_solution_column(solution, "pm_dec", &row->pm_dec_mas_yr_err);
}

static equant_status solve(const sky_data *data, const sky_limits *limits, const sky_model *model,
                           sky_solution *solution, sky_screen *screen)
{
    sky_design design = {0};
    sky_refiner refiner = {0};
    *solution = sky_solution_make(data, model, 0);
    equant_status status = sky_design_create(data, model, &design);
    if (status == EQUANT_SUCCESS)
        status = sky_refiner_create(&design, &refiner);
    if (status == EQUANT_SUCCESS)
        status = sky_refine(&refiner, limits, true, solution);
    screen->is_solved = status == EQUANT_SUCCESS;
    if (screen->is_solved) {
        tell_motion(solution, &screen->row);
        screen->has_jitter = solution->jitter[0] > 0.0;
        status = copy_source(&refiner, screen);
    }
    if (screen->is_solved && status == EQUANT_SUCCESS)
        status = weigh_columns(&refiner, screen);
    sky_refiner_free(&refiner);
    sky_design_free(&design);
    return status;
}

void sky_screen_start_row(const equant_astrometry *source, equant_sky_catalogue_row *row)
{
    *row = (equant_sky_catalogue_row){.struct_size = sizeof *row,
                                      .source_id = equant_astrometry_source_id(source),
                                      .n_transits = equant_astrometry_n_transits(source)};
    double *const numbers[] = {
        &row->parallax_mas,          &row->parallax_mas_err, &row->pm_ra_mas_yr,
        &row->pm_ra_mas_yr_err,      &row->pm_dec_mas_yr,    &row->pm_dec_mas_yr_err,
        &row->chi_square_5p,         &row->chi_square_orbit, &row->gain,
        &row->chi_square_scan_angle, &row->false_alarm,      &row->period_days,
        &row->eccentricity,          &row->a0_mas,           &row->a0_mas_err};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = NAN;
    strcpy(row->flags, "unsolved");
}

equant_status sky_screen_create(const equant_astrometry *source, const sky_limits *limits,
                                bool has_colour, sky_screen *screen)
{
    sky_data data;
    *screen = (sky_screen){0};
    sky_screen_start_row(source, &screen->row);
    sky_solution *solution = malloc(sizeof *solution);
    equant_status status =
        solution ? sky_data_create(source, false, NULL, &data) : status_out_of_memory();
    if (status != EQUANT_SUCCESS) {
        free(solution);
        return status == EQUANT_ERROR_OUT_OF_MEMORY ? status : EQUANT_SUCCESS;
    }
    const sky_model model = {.order = 1,
                             .has_parallax = data.has_parallax,
                             .has_colour = data.has_colour && has_colour,
                             .has_second_frame = data.has_second_frame};
    sky_limits own = *limits;
    if (!(own.period_max_days > 0.0))
        own.period_max_days = 20.0 * data.span_days;
    size_t n_least = sky_model_n_columns(&model) + LEAST_ROWS_MORE;
    if (!data.has_companion_rows)
        status = solve(&data, &own, &model, solution, screen);
    screen->span_days = data.span_days;
    if (status == EQUANT_SUCCESS && screen->is_solved && data.n_rows >= n_least &&
        own.period_max_days > own.period_min_days &&
        sky_grid_check(data.span_days, &own) == EQUANT_SUCCESS) {
        screen->is_scanned = true;
        screen->grid = sky_grid_make(data.span_days, &own);
        screen->source.first_frequency_per_day = screen->grid.first_frequency_per_day;
        screen->source.bin_width_per_day = screen->grid.step_per_day;
        screen->source.n_bins = screen->grid.n_bins;
    }
    free(solution);
    sky_data_free(&data);
    if (status == EQUANT_SUCCESS || status == EQUANT_ERROR_OUT_OF_MEMORY)
        return status;
    screen->is_solved = false; /* what is wrong with a source is told in its row */
    return EQUANT_SUCCESS;
}

double sky_screen_chance(const sky_screen *screen, double gain)
{
    const sky_false_alarm search = {.effective_span_days = screen->effective_span_days,
                                    .n_bands = screen->grid.n_bands,
                                    .bands = screen->grid.bands,
                                    .n_rows = screen->has_jitter ? screen->source.n_rows : 0,
                                    .n_base = screen->source.n_base};
    return sky_false_alarm_probability(&search, gain);
}

bool sky_screen_judge(sky_screen *screen, const sky_scan_node *best, double false_alarm_max)
{
    equant_sky_catalogue_row *row = &screen->row;
    double generous = sky_screen_gain(screen, GENEROUS_GAIN * best->gain);
    row->flags[0] = '\0';
    row->gain = sky_screen_gain(screen, best->gain);
    row->chi_square_orbit = row->chi_square_5p - best->gain;
    row->false_alarm = sky_screen_chance(screen, row->gain);
    double chance = fmin(sky_screen_chance(screen, generous), screen->columns_chance);
    return chance < GENEROUS_CHANCE * false_alarm_max;
}
