#include "sky/sky_star.h"

#include <math.h>
#include <string.h>

#include "terminal/angles.h"
#include "terminal/messages.h"

#define DAYS_PER_YEAR 365.25

const double sky_star_false_alarms[SKY_STAR_N_LEVELS] = {0.1, 0.01, 0.001};

/* ---- places ------------------------------------------------------------------------------ */

static double eccentric_anomaly(const equant_sky_companion *own, double time_days)
{
    double mean = TWO_PI * time_days / own->period_days + own->m0_rad, eccentric = NAN;
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    mean = remainder(mean, TWO_PI);
    equant_kepler_solve(1, &mean, &own->eccentricity, &engine, &eccentric, NULL, NULL);
    return eccentric;
}

void sky_star_orbit(const equant_sky_companion *own, double time_days, double place[2])
{
    double eccentric = eccentric_anomaly(own, time_days), e = own->eccentricity;
    double x = cos(eccentric) - e, y = sqrt(1.0 - e * e) * sin(eccentric);
    const double *constants = own->thiele_innes_mas; /* A, B, F, G */
    place[0] = constants[1] * x + constants[3] * y;
    place[1] = constants[0] * x + constants[2] * y;
}

void sky_star_orbits(const struct sky_star *star, double time_days, double place[2])
{
    place[0] = place[1] = 0.0;
    for (size_t i = 0; i < star->n_companions; i++) {
        double own[2];
        sky_star_orbit(&star->companions[i], time_days, own);
        place[0] += own[0];
        place[1] += own[1];
    }
}

double sky_star_column(const struct sky_star *star, const char *name)
{
    for (size_t j = 0; j < star->n_columns; j++)
        if (strcmp(star->columns[j].name, name) == 0)
            return star->columns[j].value;
    return 0.0;
}

static double along(const struct sky_star *star, const char *axis, double years)
{
    static const char *const names[] = {"%s", "pm_%s", "acceleration_%s", "jerk_%s"};
    double place = 0.0, power = 1.0;
    for (int order = 0; order < 4; order++) {
        char name[24];
        snprintf(name, sizeof name, names[order], axis);
        place += sky_star_column(star, name) * power;
        power *= years / (order + 1);
    }
    return place;
}

void sky_star_motion(const struct sky_star *star, double time_days, bool has_parallax,
                     double place[2])
{
    place[0] = along(star, "ra", time_days / DAYS_PER_YEAR);
    place[1] = along(star, "dec", time_days / DAYS_PER_YEAR);
    if (has_parallax && star->parallax.is_known) {
        double factors[2], parallax = sky_star_column(star, "parallax");
        parallax_path_factors(&star->parallax, star->summary.reference_jd + time_days, factors);
        place[0] += parallax * factors[0];
        place[1] += parallax * factors[1];
    }
}

double sky_star_velocity(const struct sky_star *star, double time_days)
{
    double sum = 0.0;
    for (size_t i = 0; i < star->n_companions; i++) {
        const equant_sky_companion *own = &star->companions[i];
        double eccentric = eccentric_anomaly(own, time_days), e = own->eccentricity;
        double r = 1.0 - e * cos(eccentric);
        double cosine = (cos(eccentric) - e) / r, sine = sqrt(1.0 - e * e) * sin(eccentric) / r;
        sum += own->k_m_s * (cosine * cos(own->omega_rad) - sine * sin(own->omega_rad) +
                             e * cos(own->omega_rad));
    }
    return sum;
}

bool sky_star_is_relative(const struct sky_star *star)
{
    for (size_t k = 0; k < star->scans.n_rows; k++)
        if (star->scans.column[SKY_SCAN_COMPANION][k] == 0.0)
            return false;
    return star->scans.n_rows > 0;
}

/* What the model says of the rows is the told orbit along their directions, times a number. */
double sky_star_stretch(const struct sky_star *star)
{
    double product = 0.0, square = 0.0;
    if (!sky_star_is_relative(star))
        return 1.0;
    for (size_t k = 0; k < star->scans.n_rows; k++) {
        double *const *column = star->scans.column, place[2];
        double psi = column[SKY_SCAN_ANGLE][k] * RADIANS_PER_DEGREE;
        sky_star_orbits(star, column[SKY_SCAN_TIME][k], place);
        double told = place[0] * sin(psi) + place[1] * cos(psi);
        product += told * (column[SKY_SCAN_ABSCISSA][k] - column[SKY_SCAN_RESIDUAL][k]);
        square += told * told;
    }
    return square > 0.0 ? product / square : -1.0;
}

bool sky_star_is_residual(const struct sky_star *star)
{
    return star->summary.reference_jd == EQUANT_SKY_HIPPARCOS_JD;
}

void sky_star_find_parallax(struct sky_star *star)
{
    star->parallax = parallax_path_find(
        star->scans.n_rows, star->summary.reference_jd, star->scans.column[SKY_SCAN_TIME],
        star->scans.column[SKY_SCAN_ANGLE], star->scans.column[SKY_SCAN_FACTOR]);
}

/* ---- from a fit ---------------------------------------------------------------------------- */

/* What five parameters alone leave of each row; NaN where they cannot be found. */
static int fill_plain(const equant_astrometry *source, const equant_sky_fit_options *options,
                      const equant_sky_rows *rows, double *plain)
{
    const equant_sky_solve_options wanted = {.struct_size = sizeof wanted,
                                             .as_ccds = options->as_ccds,
                                             .no_colour = options->no_colour,
                                             .with_jitter = !options->no_jitter};
    equant_sky_solution *solution = NULL;
    equant_status status = equant_sky_solve(source, &wanted, &solution);
    if (status == EQUANT_ERROR_OUT_OF_MEMORY)
        return messages_status(status);
    bool is_solved = status == EQUANT_SUCCESS;
    for (size_t k = 0; k < rows->n_rows; k++) {
        double s = sin(rows->angle_rad[k]), c = cos(rows->angle_rad[k]);
        double years = rows->time_days[k] / DAYS_PER_YEAR;
        double is_second = rows->frame[k] != 0 ? 1.0 : 0.0, is_first = 1.0 - is_second;
        plain[k] = is_solved ? rows->abscissa_mas[k] : NAN;
        for (size_t j = 0; j < equant_sky_solution_n_columns(solution); j++) {
            equant_sky_column column = {.struct_size = sizeof column, .name = ""};
            (void)equant_sky_solution_column(solution, j, &column);
            const char *name = column.name;
            double by = strcmp(name, "ra") == 0         ? s * is_first
                        : strcmp(name, "dec") == 0      ? c * is_first
                        : strcmp(name, "ra_2") == 0     ? s * is_second
                        : strcmp(name, "dec_2") == 0    ? c * is_second
                        : strcmp(name, "pm_ra") == 0    ? s * years
                        : strcmp(name, "pm_dec") == 0   ? c * years
                        : strcmp(name, "parallax") == 0 ? rows->parallax_factor[k]
                        : strcmp(name, "colour") == 0   ? -rows->colour_factor[k]
                                                        : 0.0;
            plain[k] -= column.value * by;
        }
    }
    equant_sky_solution_free(solution);
    return EXIT_CODE_OK;
}

static int fill_scans(const equant_astrometry *source, const equant_sky_fit_options *options,
                      const equant_sky_fit *fit, struct sky_star *star)
{
    equant_astrometry *means = NULL;
    equant_sky_rows rows = {.struct_size = sizeof rows};
    const double *residual, *uncertainty;
    size_t n_sky = 0;
    int code = EXIT_CODE_OK;
    if (!options->as_ccds)
        code = messages_status(equant_astrometry_transits(source, &means));
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_astrometry_rows(means != NULL ? means : source, &rows));
    if (code == EXIT_CODE_OK)
        code =
            messages_status(equant_sky_fit_residuals(fit, &n_sky, NULL, &residual, &uncertainty));
    if (code == EXIT_CODE_OK)
        code = number_table_create(rows.n_rows, SKY_N_SCAN_COLUMNS, &star->scans);
    if (code == EXIT_CODE_OK) {
        double **column = star->scans.column;
        for (size_t k = 0; k < rows.n_rows && k < n_sky; k++) {
            column[SKY_SCAN_TIME][k] = rows.time_days[k];
            column[SKY_SCAN_ANGLE][k] = rows.angle_rad[k] * DEGREES_PER_RADIAN;
            column[SKY_SCAN_FACTOR][k] = rows.parallax_factor[k];
            column[SKY_SCAN_ABSCISSA][k] = rows.abscissa_mas[k];
            column[SKY_SCAN_UNCERTAINTY][k] = uncertainty[k];
            column[SKY_SCAN_RESIDUAL][k] = residual[k];
            column[SKY_SCAN_COMPANION][k] = rows.kind[k] == EQUANT_SKY_COMPANION ? 1.0 : 0.0;
        }
        code = fill_plain(source, options, &rows, column[SKY_SCAN_PLAIN]);
        sky_star_find_parallax(star);
    }
    equant_astrometry_free(means);
    return code;
}

/* Behind the rows of the sky, and before those of proper motions. */
static int fill_velocities(const equant_sky_fit *fit, const equant_dataset *velocities,
                           struct sky_star *star)
{
    size_t n_sky = 0;
    const double *time_days, *residual, *uncertainty;
    equant_sky_fit_residuals(fit, &n_sky, &time_days, &residual, &uncertainty);
    size_t n = velocities != NULL ? equant_dataset_n_obs(velocities) : 0;
    int code = number_table_create(n, SKY_N_VELOCITY_COLUMNS, &star->velocities);
    for (size_t k = 0; k < n && code == EXIT_CODE_OK; k++) {
        double **column = star->velocities.column, time = time_days[n_sky + k];
        column[SKY_VELOCITY_TIME][k] = time;
        column[SKY_VELOCITY_VALUE][k] = residual[n_sky + k] + sky_star_velocity(star, time);
        column[SKY_VELOCITY_UNCERTAINTY][k] = uncertainty[n_sky + k];
        column[SKY_VELOCITY_RESIDUAL][k] = residual[n_sky + k];
    }
    return code;
}

/* A source that has none, by its rows, is told without one. */
static int fill_periodogram(const equant_astrometry *source, const equant_sky_fit_options *options,
                            struct sky_star *star)
{
    const equant_sky_periodogram_options wanted = {.struct_size = sizeof wanted,
                                                   .engine = options->engine,
                                                   .no_colour = options->no_colour,
                                                   .period_min_days = options->period_min_days,
                                                   .period_max_days = options->period_max_days,
                                                   .eccentricity_max = options->eccentricity_max};
    equant_sky_periodogram *made = NULL;
    equant_status status = equant_sky_periodogram_create(source, &wanted, &made);
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return number_table_create(0, SKY_N_PERIODOGRAM_COLUMNS, &star->periodogram);
    int code = messages_status(status);
    size_t n = code == EXIT_CODE_OK ? equant_sky_periodogram_n(made) : 0;
    if (code == EXIT_CODE_OK)
        code = number_table_create(n, SKY_N_PERIODOGRAM_COLUMNS, &star->periodogram);
    if (code == EXIT_CODE_OK) {
        const double *const columns[] = {equant_sky_periodogram_frequency_per_day(made),
                                         equant_sky_periodogram_gain(made),
                                         equant_sky_periodogram_eccentricity(made)};
        for (int j = 0; j < SKY_N_PERIODOGRAM_COLUMNS; j++)
            memcpy(star->periodogram.column[j], columns[j], n * sizeof(double));
        for (int i = 0; i < SKY_STAR_N_LEVELS; i++)
            star->levels[i] = equant_sky_periodogram_level(made, sky_star_false_alarms[i]);
    }
    equant_sky_periodogram_free(made);
    return code;
}

int sky_star_create_periodogram(const equant_astrometry *source,
                                const equant_sky_fit_options *options, struct sky_star *star)
{
    *star = (struct sky_star){.levels = {NAN, NAN, NAN}};
    return fill_periodogram(source, options, star);
}

static int fill_columns(const equant_sky_fit *fit, struct sky_star *star)
{
    equant_sky_solution *solution = NULL;
    int code = messages_status(equant_sky_fit_solution(fit, &solution));
    if (code != EXIT_CODE_OK)
        return code;
    size_t n = equant_sky_solution_n_columns(solution);
    star->n_columns = n < SKY_STAR_MOST_COLUMNS ? n : SKY_STAR_MOST_COLUMNS;
    for (size_t j = 0; j < star->n_columns; j++) {
        equant_sky_column column = {.struct_size = sizeof column, .name = ""};
        (void)equant_sky_solution_column(solution, j, &column);
        star->columns[j] = (struct sky_star_column){.value = column.value, .error = column.error};
        snprintf(star->columns[j].name, sizeof star->columns[j].name, "%s", column.name);
    }
    equant_sky_solution_free(solution);
    return EXIT_CODE_OK;
}

static void tell_models(const equant_sky_fit *fit, struct sky_star *star)
{
    for (size_t i = 0; i < equant_sky_fit_n_models(fit) && i < SKY_STAR_MOST_MODELS; i++) {
        equant_sky_model model = {.struct_size = sizeof model};
        if (equant_sky_fit_model(fit, i, &model) != EQUANT_SUCCESS)
            continue;
        struct sky_star_model *own = &star->models[star->n_models++];
        *own = (struct sky_star_model){.n_parameters = (double)model.n_parameters,
                                       .chi_square = model.chi_square,
                                       .bic = model.bic,
                                       .jitter_mas = model.jitter_mas};
        snprintf(own->name, sizeof own->name, "%s", model.name);
    }
}

int sky_star_create(const equant_astrometry *source, const equant_sky_fit_options *options,
                    const equant_sky_fit *fit, struct sky_star *star)
{
    *star = (struct sky_star){.summary = {.struct_size = sizeof star->summary},
                              .levels = {NAN, NAN, NAN}};
    int code = messages_status(equant_sky_fit_summarize(fit, &star->summary));
    for (size_t i = 0; i < star->summary.n_companions && i < SKY_STAR_MOST_COMPANIONS; i++) {
        star->companions[i].struct_size = sizeof star->companions[i];
        if (equant_sky_fit_companion(fit, i, &star->companions[i]) == EQUANT_SUCCESS)
            star->n_companions++;
    }
    snprintf(star->verdict, sizeof star->verdict, "%s",
             equant_sky_verdict_name(star->summary.verdict));
    snprintf(star->words, sizeof star->words, "%s", equant_sky_fit_words(fit));
    snprintf(star->flags, sizeof star->flags, "%s", equant_sky_fit_flags(fit));
    snprintf(star->source_id, sizeof star->source_id, "%lld",
             (long long)equant_astrometry_source_id(source));
    if (code == EXIT_CODE_OK)
        code = fill_columns(fit, star);
    tell_models(fit, star);
    for (size_t i = 0; i < equant_astrometry_n_remarks(source); i++)
        text_list_add(&star->remarks, "%s", equant_astrometry_remark(source, i));
    if (code == EXIT_CODE_OK)
        code = fill_scans(source, options, fit, star);
    if (code == EXIT_CODE_OK)
        code = fill_velocities(fit, options->velocities, star);
    if (code == EXIT_CODE_OK)
        code = fill_periodogram(source, options, star);
    return code == EXIT_CODE_OK && star->remarks.out_of_memory ? messages_out_of_memory() : code;
}

void sky_star_free(struct sky_star *star)
{
    text_list_free(&star->remarks);
    number_table_free(&star->scans);
    number_table_free(&star->velocities);
    number_table_free(&star->periodogram);
}
