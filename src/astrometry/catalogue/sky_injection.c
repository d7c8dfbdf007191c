/* The public equant_sky_injection: companions on the scans of a source, and which of them the scan
 * of a catalogue finds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/catalogue/sky_screen.h"
#include "astrometry/orbit/sky_elements.h"
#include "core/progress_report.h"
#include "core/status_fail.h"
#include "model/cell_edges.h"
#include "model/period_resolution.h"
#include "physics/orbit.h"
#include "physics/sky_orbit.h"

#define USUAL_FALSE_ALARM 1e-3
#define USUAL_PERIOD_MIN_DAYS 30.0
#define USUAL_ECCENTRICITY_MAX 0.5
#define SEARCH_PERIOD_MIN_DAYS 10.0
/* Around the error of a mean transit. */
#define SMALLEST_SIZE 0.1
#define LARGEST_SIZE 10.0
/* Relative error of a frequency that counts as recovered, where data could tell it apart at all. */
#define RECOVERED_ERROR 0.1

enum { USUAL_PERIODS = 12, USUAL_SIZES = 10, USUAL_DRAWS = 84, MOST_CELLS = 200, BATCH = 1024 };
/* Streams of random numbers, and what a companion takes of the first. */
enum { ORBIT_PURPOSE = 21, NOISE_PURPOSE = 22, N_UNIFORMS = 8 };

struct equant_sky_injection {
    size_t n_periods, n_sizes, n_draws;
    double *period_edges, *size_edges, *found, *recovered;
    double parallax_mas;
};

/* What companions are put on. */
typedef struct injection_scene {
    const equant_sky_injection_options *options;
    equant_astrometry *means;
    equant_sky_rows rows;
    double *error_mas; /* [n_rows], with jitter */
    double span_days, reference_jd, eccentricity_max, false_alarm_max;
    uint64_t seed;
} injection_scene;

typedef struct injected {
    double period_days, eccentricity, m0_rad;
    sky_constants constants;
} injected;

#define OPTION(options, member) OPTION_OR_ZERO(options, equant_sky_injection_options, member)

/* ---- settings ------------------------------------------------------------------ */

static double middle_error(const injection_scene *scene)
{
    double sum = 0.0;
    for (size_t k = 0; k < scene->rows.n_rows; k++)
        sum += 1.0 / (scene->error_mas[k] * scene->error_mas[k]);
    return sqrt((double)scene->rows.n_rows / sum);
}

static equant_status lay_out(const injection_scene *scene, equant_sky_injection *made)
{
    const equant_sky_injection_options *options = scene->options;
    size_t n_periods = OPTION(options, n_periods), n_sizes = OPTION(options, n_sizes);
    size_t n_draws = OPTION(options, n_draws);
    double from = OPTION(options, period_min_days), to = OPTION(options, period_max_days);
    double small = OPTION(options, a0_min_mas), large = OPTION(options, a0_max_mas);
    made->n_periods = n_periods > 0 ? n_periods : USUAL_PERIODS;
    made->n_sizes = n_sizes > 0 ? n_sizes : USUAL_SIZES;
    made->n_draws = n_draws > 0 ? n_draws : USUAL_DRAWS;
    from = from > 0.0 ? from : USUAL_PERIOD_MIN_DAYS;
    to = to > 0.0 ? to : 2.0 * scene->span_days;
    small = small > 0.0 ? small : SMALLEST_SIZE * middle_error(scene);
    large = large > 0.0 ? large : LARGEST_SIZE * middle_error(scene);
    if (made->n_periods > MOST_CELLS || made->n_sizes > MOST_CELLS || made->n_draws > 1000000)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%zu by %zu cells of %zu companions; there may be %d by %d of a million",
                           made->n_periods, made->n_sizes, made->n_draws, MOST_CELLS, MOST_CELLS);
    if (!(from < to && isfinite(to)) || !(small < large && isfinite(large)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "companions from %g to %g days and from %g to %g mas; the second number "
                           "is the larger one",
                           from, to, small, large);
    size_t n_cells = made->n_periods * made->n_sizes;
    made->period_edges =
        calloc(made->n_periods + made->n_sizes + 2 + 2 * n_cells, sizeof *made->period_edges);
    if (made->period_edges == NULL)
        return status_out_of_memory();
    made->size_edges = made->period_edges + made->n_periods + 1;
    made->found = made->size_edges + made->n_sizes + 1;
    made->recovered = made->found + n_cells;
    cell_edges_fill(made->n_periods, from, to, made->period_edges);
    cell_edges_fill(made->n_sizes, small, large, made->size_edges);
    return EQUANT_SUCCESS;
}

/* Scans and errors from a fit of the source. */
static equant_status set_scene(const equant_astrometry *source, injection_scene *scene,
                               double *parallax_mas)
{
    equant_sky_fit *fit = NULL;
    const equant_sky_fit_options asked = {.struct_size = sizeof asked,
                                          .engine = OPTION(scene->options, engine),
                                          .period_min_days = SEARCH_PERIOD_MIN_DAYS};
    equant_sky_summary summary = {.struct_size = sizeof summary};
    const double *uncertainty = NULL;
    equant_status status = equant_sky_fit_create(source, &asked, &fit);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_fit_summarize(fit, &summary);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_fit_residuals(fit, NULL, NULL, NULL, &uncertainty);
    if (status == EQUANT_SUCCESS)
        status = equant_astrometry_transits(source, &scene->means);
    scene->rows.struct_size = sizeof scene->rows;
    if (status == EQUANT_SUCCESS)
        status = equant_astrometry_rows(scene->means, &scene->rows);
    size_t n = scene->rows.n_rows;
    if (status == EQUANT_SUCCESS && (scene->error_mas = malloc(n * sizeof(double))) == NULL)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        memcpy(scene->error_mas, uncertainty, n * sizeof(double));
        scene->span_days = summary.span_days;
        *parallax_mas = summary.parallax_mas;
    }
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
        if (scene->rows.kind[k] != EQUANT_SKY_STAR)
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "companions are put on scans of a star, and these are not");
    equant_sky_fit_free(fit);
    return status;
}

/* ---- companions ------------------------------------------------------------------ */

static equant_status draw(const injection_scene *scene, const equant_sky_injection *map,
                          size_t number, injected *own)
{
    double u[N_UNIFORMS];
    size_t cell = number / map->n_draws, i = cell % map->n_periods, j = cell / map->n_periods;
    equant_status status = equant_random_uniform(scene->seed, ORBIT_PURPOSE,
                                                 (uint64_t)number * N_UNIFORMS, N_UNIFORMS, u);
    const double *periods = map->period_edges + i, *sizes = map->size_edges + j;
    const sky_elements elements = {.a0 = sizes[0] * pow(sizes[1] / sizes[0], u[1]),
                                   .i = acos(1.0 - 2.0 * u[2]),
                                   .omega = SKY_ORBIT_TWO_PI * u[3],
                                   .Omega = SKY_ORBIT_TWO_PI * u[4]};
    *own = (injected){.period_days = periods[0] * pow(periods[1] / periods[0], u[0]),
                      .eccentricity = scene->eccentricity_max * u[5],
                      .m0_rad = SKY_ORBIT_TWO_PI * u[6],
                      .constants = sky_constants_of(&elements)};
    return status;
}

static equant_status make_source(const injection_scene *scene, size_t number, const injected *own,
                                 double *value, equant_astrometry **made)
{
    size_t n = scene->rows.n_rows;
    equant_status status =
        equant_random_normal(scene->seed, NOISE_PURPOSE, (uint64_t)number * n, n, value);
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        double anomaly =
            SKY_ORBIT_TWO_PI * scene->rows.time_days[k] / own->period_days + own->m0_rad;
        sky_place at = sky_place_at(anomaly, own->eccentricity);
        double psi = scene->rows.angle_rad[k];
        value[k] = value[k] * scene->error_mas[k] +
                   (own->constants.B * at.X + own->constants.G * at.Y) * sin(psi) +
                   (own->constants.A * at.X + own->constants.F * at.Y) * cos(psi);
    }
    equant_sky_rows rows = scene->rows;
    rows.abscissa_mas = value;
    rows.uncertainty_mas = scene->error_mas;
    return status == EQUANT_SUCCESS
               ? equant_astrometry_create(&rows, scene->reference_jd, NULL, made)
               : status;
}

/* ---- the map --------------------------------------------------------------------- */

typedef struct injection_batch {
    equant_astrometry *sources[BATCH];
    injected orbits[BATCH];
    equant_sky_signal signals[BATCH];
} injection_batch;

static bool has_period(const injection_scene *scene, const equant_sky_signal *signal,
                       double period_days)
{
    double apart = period_resolution_apart(signal->period_days, period_days, scene->span_days);
    return apart <= fmax(RECOVERED_ERROR * scene->span_days / period_days, PERIOD_SAME);
}

static equant_status run_batch(const injection_scene *scene, equant_sky_catalogue *catalogue,
                               size_t first, size_t n, injection_batch *batch,
                               equant_sky_injection *map)
{
    equant_status status = EQUANT_SUCCESS;
    double *value = malloc(scene->rows.n_rows * sizeof *value);
    if (value == NULL)
        return status_out_of_memory();
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        status = draw(scene, map, first + i, &batch->orbits[i]);
        if (status == EQUANT_SUCCESS)
            status = make_source(scene, first + i, &batch->orbits[i], value, &batch->sources[i]);
    }
    free(value);
    batch->signals[0].struct_size = sizeof batch->signals[0];
    if (status == EQUANT_SUCCESS)
        status = equant_sky_catalogue_search(
            catalogue, n, (const equant_astrometry *const *)batch->sources, batch->signals);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        size_t cell = (first + i) / map->n_draws;
        bool is_found = batch->signals[i].false_alarm < scene->false_alarm_max;
        double share = 1.0 / (double)map->n_draws;
        map->found[cell] += is_found ? share : 0.0;
        if (is_found && has_period(scene, &batch->signals[i], batch->orbits[i].period_days))
            map->recovered[cell] += share;
    }
    for (size_t i = 0; i < n; i++) {
        equant_astrometry_free(batch->sources[i]);
        batch->sources[i] = NULL;
    }
    return status;
}

static equant_status run_all(const injection_scene *scene, equant_sky_injection *map)
{
    const equant_sky_catalogue_options search = {.struct_size = sizeof search,
                                                 .engine = OPTION(scene->options, engine),
                                                 .false_alarm_max = scene->false_alarm_max,
                                                 .period_min_days = SEARCH_PERIOD_MIN_DAYS};
    size_t n_all = map->n_periods * map->n_sizes * map->n_draws;
    equant_sky_catalogue *catalogue = NULL;
    injection_batch *batch = calloc(1, sizeof *batch);
    equant_status status =
        batch ? equant_sky_catalogue_create(&search, &catalogue) : status_out_of_memory();
    for (size_t first = 0; first < n_all && status == EQUANT_SUCCESS; first += BATCH) {
        size_t n = n_all - first < BATCH ? n_all - first : BATCH;
        status = progress_report_tell(OPTION(scene->options, progress),
                                      OPTION(scene->options, progress_context), "injections",
                                      (double)first / (double)n_all);
        if (status == EQUANT_SUCCESS)
            status = run_batch(scene, catalogue, first, n, batch, map);
    }
    equant_sky_catalogue_free(catalogue);
    free(batch);
    return status;
}

static equant_status check(const injection_scene *scene)
{
    if (!(scene->false_alarm_max > 0.0 && scene->false_alarm_max < 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a false-alarm probability of %g; it is between 0 and 1",
                           scene->false_alarm_max);
    if (!(scene->eccentricity_max > 0.0 && scene->eccentricity_max < 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities up to %g; the largest is between 0 and 1",
                           scene->eccentricity_max);
    return EQUANT_SUCCESS;
}

equant_status equant_sky_injection_create(const equant_astrometry *source,
                                          const equant_sky_injection_options *options,
                                          equant_sky_injection **injection)
{
    if (source == NULL || injection == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a source and a place for its map are needed");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    injection_scene scene = {.options = options,
                             .reference_jd = equant_astrometry_reference_jd(source),
                             .eccentricity_max = OPTION(options, eccentricity_max),
                             .false_alarm_max = OPTION(options, false_alarm_max),
                             .seed = OPTION(options, seed)};
    if (scene.eccentricity_max == 0.0)
        scene.eccentricity_max = USUAL_ECCENTRICITY_MAX;
    if (scene.false_alarm_max == 0.0)
        scene.false_alarm_max = USUAL_FALSE_ALARM;
    equant_sky_injection *made = calloc(1, sizeof *made);
    status = made ? check(&scene) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = set_scene(source, &scene, &made->parallax_mas);
    if (status == EQUANT_SUCCESS)
        status = lay_out(&scene, made);
    if (status == EQUANT_SUCCESS)
        status = run_all(&scene, made);
    equant_astrometry_free(scene.means);
    free(scene.error_mas);
    if (status == EQUANT_SUCCESS)
        *injection = made;
    else
        equant_sky_injection_free(made);
    return status;
}

void equant_sky_injection_free(equant_sky_injection *injection)
{
    if (injection == NULL)
        return;
    free(injection->period_edges);
    free(injection);
}

/* ---- what it tells ---------------------------------------------------------------- */

size_t equant_sky_injection_n_periods(const equant_sky_injection *injection)
{
    return injection ? injection->n_periods : 0;
}

size_t equant_sky_injection_n_sizes(const equant_sky_injection *injection)
{
    return injection ? injection->n_sizes : 0;
}

size_t equant_sky_injection_n_draws(const equant_sky_injection *injection)
{
    return injection ? injection->n_draws : 0;
}

const double *equant_sky_injection_period_edges_days(const equant_sky_injection *injection)
{
    return injection ? injection->period_edges : NULL;
}

const double *equant_sky_injection_a0_edges_mas(const equant_sky_injection *injection)
{
    return injection ? injection->size_edges : NULL;
}

const double *equant_sky_injection_found(const equant_sky_injection *injection)
{
    return injection ? injection->found : NULL;
}

const double *equant_sky_injection_recovered(const equant_sky_injection *injection)
{
    return injection ? injection->recovered : NULL;
}

double equant_sky_injection_parallax_mas(const equant_sky_injection *injection)
{
    return injection ? injection->parallax_mas : NAN;
}

double equant_sky_companion_mass(double a0_mas, double period_days, double parallax_mas,
                                 double star_mass)
{
    if (!(a0_mas > 0.0) || !(period_days > 0.0) || !(parallax_mas > 0.0) || !(star_mass > 0.0))
        return NAN;
    double years = period_days / ORBIT_DAYS_PER_GAUSSIAN_YEAR;
    double mass_function = pow(a0_mas / parallax_mas, 3.0) / (years * years);
    return ORBIT_JUPITER_PER_SUN * sky_elements_dark_mass(mass_function, star_mass);
}
