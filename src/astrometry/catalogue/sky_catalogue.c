/* The public equant_sky_catalogue: many sources through one scan, the promising ones through a fit
 * of their own. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/catalogue/sky_screen.h"
#include "core/engine.h"
#include "core/status.h"

#define USUAL_FALSE_ALARM 1e-3
#define USUAL_PERIOD_MIN_DAYS 10.0
#define USUAL_ECCENTRICITY_MAX 0.95
/* Days of a grid so fine that the ends of its layers are those of all. */
#define FINE_SPAN_DAYS 1e5

struct equant_sky_catalogue {
    equant_engine_options engine;
    char *backend; /* of the engine, kept */
    int n_threads;
    sky_limits limits;
    double false_alarm_max;
    bool has_colour, fits_all;
    sky_scan_state *scan;
};

/* ---- settings --------------------------------------------------------------- */

#define OPTION_OR(options, member, usual)                                                          \
    (OPTION_OR_ZERO(options, equant_sky_catalogue_options, member) != 0.0                          \
         ? OPTION_OR_ZERO(options, equant_sky_catalogue_options, member)                           \
         : (usual))

static equant_status read_options(const equant_sky_catalogue_options *options,
                                  equant_sky_catalogue *made)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    const equant_engine_options *engine =
        OPTION_OR_ZERO(options, equant_sky_catalogue_options, engine);
    made->engine = (equant_engine_options){.struct_size = sizeof made->engine,
                                           .precision = EQUANT_PRECISION_MIXED};
    if (engine != NULL) {
        status = OPTIONS_CHECK(engine);
        if (status != EQUANT_SUCCESS)
            return status;
        size_t known =
            engine->struct_size < sizeof made->engine ? engine->struct_size : sizeof made->engine;
        made->engine = (equant_engine_options){0};
        memcpy(&made->engine, engine, known);
        made->engine.struct_size = sizeof made->engine;
    }
    if (made->engine.backend != NULL) {
        made->backend = strdup(made->engine.backend);
        made->engine.backend = made->backend;
        if (made->backend == NULL)
            return status_out_of_memory();
    }
    made->n_threads = placement_threads(made->engine.n_threads);
    made->limits = (sky_limits){
        .period_min_days = OPTION_OR(options, period_min_days, USUAL_PERIOD_MIN_DAYS),
        .period_max_days = OPTION_OR_ZERO(options, equant_sky_catalogue_options, period_max_days),
        .eccentricity_max = OPTION_OR(options, eccentricity_max, USUAL_ECCENTRICITY_MAX)};
    made->false_alarm_max = OPTION_OR(options, false_alarm_max, USUAL_FALSE_ALARM);
    made->has_colour = OPTION_OR_ZERO(options, equant_sky_catalogue_options, no_colour) == 0;
    made->fits_all = OPTION_OR_ZERO(options, equant_sky_catalogue_options, fit_all) != 0;
    if (!(made->limits.period_min_days > 0.0) || !(made->limits.period_max_days >= 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "periods of orbits are above zero");
    if (!(made->limits.eccentricity_max > 0.0 && made->limits.eccentricity_max <= 0.99))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities up to %g; the largest is between 0 and 0.99",
                           made->limits.eccentricity_max);
    if (!(made->false_alarm_max > 0.0 && made->false_alarm_max <= 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a false-alarm probability of %g; it is between 0 and 1",
                           made->false_alarm_max);
    return EQUANT_SUCCESS;
}

/* The layers of the search of one source, which end at a bin, made to end at a frequency. */
static equant_status open_scan(equant_sky_catalogue *made)
{
    sky_limits limits = made->limits;
    limits.period_max_days = FINE_SPAN_DAYS;
    sky_grid fine = sky_grid_make(FINE_SPAN_DAYS, &limits);
    for (size_t i = 0; i < fine.n_layers; i++) {
        sky_scan_layer *layer = &fine.layers[i];
        if (layer->n_bins < fine.n_bins)
            layer->highest_frequency_per_day =
                fine.first_frequency_per_day + ((double)layer->n_bins - 0.5) * fine.step_per_day;
        layer->n_bins = SIZE_MAX;
    }
    return sky_scan_open(NULL, &made->engine, fine.n_layers, fine.layers, &made->scan);
}

equant_status equant_sky_catalogue_create(const equant_sky_catalogue_options *options,
                                          equant_sky_catalogue **catalogue)
{
    if (catalogue == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a place for the catalogue is needed");
    equant_sky_catalogue *made = calloc(1, sizeof *made);
    equant_status status = made ? read_options(options, made) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = open_scan(made);
    if (status == EQUANT_SUCCESS)
        *catalogue = made;
    else
        equant_sky_catalogue_free(made);
    return status;
}

void equant_sky_catalogue_free(equant_sky_catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    sky_scan_close(catalogue->scan);
    free(catalogue->backend);
    free(catalogue);
}

/* ---- one source ------------------------------------------------------------- */

static double chi_square_of(const equant_sky_fit *fit, const char *name)
{
    for (size_t i = 0; i < equant_sky_fit_n_models(fit); i++) {
        equant_sky_model model = {.struct_size = sizeof model};
        if (equant_sky_fit_model(fit, i, &model) == EQUANT_SUCCESS && strcmp(model.name, name) == 0)
            return model.chi_square;
    }
    return NAN;
}

static equant_status tell_fit(const equant_sky_fit *fit, equant_sky_catalogue_row *row)
{
    equant_sky_summary summary = {.struct_size = sizeof summary};
    equant_status status = equant_sky_fit_summary(fit, &summary);
    if (status != EQUANT_SUCCESS)
        return status;
    row->is_solved = row->is_fitted = 1;
    row->verdict = summary.verdict;
    row->parallax_mas = summary.parallax_mas;
    row->parallax_mas_err = summary.parallax_mas_err;
    row->pm_ra_mas_yr = summary.pm_ra_mas_yr;
    row->pm_ra_mas_yr_err = summary.pm_ra_mas_yr_err;
    row->pm_dec_mas_yr = summary.pm_dec_mas_yr;
    row->pm_dec_mas_yr_err = summary.pm_dec_mas_yr_err;
    row->chi_square_5p = chi_square_of(fit, "5p");
    row->chi_square_orbit = chi_square_of(fit, "orbit");
    row->chi_square_scan_angle = chi_square_of(fit, "scan_angle");
    row->gain = summary.gain;
    row->false_alarm = summary.false_alarm;
    snprintf(row->flags, sizeof row->flags, "%s", equant_sky_fit_flags(fit));
    equant_sky_companion companion = {.struct_size = sizeof companion};
    if (summary.verdict != EQUANT_SKY_ORBIT ||
        equant_sky_fit_companion(fit, 0, &companion) != EQUANT_SUCCESS)
        return EQUANT_SUCCESS;
    row->period_days = companion.period_days;
    row->eccentricity = companion.eccentricity;
    row->a0_mas = companion.a0_mas;
    row->a0_mas_err = companion.a0_mas_err;
    return EQUANT_SUCCESS;
}

/* On one thread of a processor, in double: the fits of others run beside it. */
static equant_status fit_source(const equant_sky_catalogue *catalogue,
                                const equant_astrometry *source, equant_sky_catalogue_row *row)
{
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    const equant_sky_fit_options options = {.struct_size = sizeof options,
                                            .engine = &engine,
                                            .no_colour = !catalogue->has_colour,
                                            .false_alarm_max = catalogue->false_alarm_max,
                                            .period_min_days = catalogue->limits.period_min_days,
                                            .period_max_days = catalogue->limits.period_max_days,
                                            .eccentricity_max = catalogue->limits.eccentricity_max,
                                            .max_companions = 1};
    equant_sky_fit *fit = NULL;
    equant_status status = equant_sky_fit_create(source, &options, &fit);
    if (status == EQUANT_SUCCESS)
        status = tell_fit(fit, row);
    equant_sky_fit_free(fit);
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? status : EQUANT_SUCCESS;
}

/* ---- many sources ------------------------------------------------------------ */

/* Sources on their way. */
typedef struct crowd {
    size_t n, n_scanned;
    sky_screen *screens;      /* [n]         */
    sky_scan_source *sources; /* [n_scanned] */
    size_t *scanned;          /* [n_scanned]: which they are */
    sky_scan_node *peaks;     /* [n_scanned] */
    bool *is_wanted;          /* [n]: to be fitted */
} crowd;

static void crowd_free(crowd *own)
{
    for (size_t i = 0; own->screens && i < own->n; i++)
        sky_screen_free(&own->screens[i]);
    free(own->screens);
    free(own->sources);
    free(own->scanned);
    free(own->peaks);
    free(own->is_wanted);
}

static equant_status crowd_create(size_t n, crowd *own)
{
    *own = (crowd){.n = n,
                   .screens = calloc(n, sizeof *own->screens),
                   .sources = calloc(n, sizeof *own->sources),
                   .scanned = calloc(n, sizeof *own->scanned),
                   .peaks = calloc(n, sizeof *own->peaks),
                   .is_wanted = calloc(n, sizeof *own->is_wanted)};
    return own->screens && own->sources && own->scanned && own->peaks && own->is_wanted
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

static equant_status screen_all(const equant_sky_catalogue *catalogue,
                                const equant_astrometry *const *sources, crowd *own)
{
    size_t n_failures = 0;
#pragma omp parallel for num_threads(catalogue->n_threads) schedule(dynamic, 4)                    \
    reduction(+ : n_failures)
    for (size_t i = 0; i < own->n; i++)
        n_failures += sky_screen_create(sources[i], &catalogue->limits, catalogue->has_colour,
                                        &own->screens[i]) != EQUANT_SUCCESS;
    for (size_t i = 0; i < own->n; i++) {
        if (!own->screens[i].is_scanned)
            continue;
        own->sources[own->n_scanned] = own->screens[i].source;
        own->scanned[own->n_scanned++] = i;
    }
    return n_failures == 0 ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Sources with too few rows for a scan are fitted, which takes no time; those that five parameters
 * cannot be found for stay as they are. */
static void judge_all(const equant_sky_catalogue *catalogue, crowd *own)
{
    for (size_t i = 0; i < own->n; i++)
        own->is_wanted[i] = !own->screens[i].is_scanned || catalogue->fits_all;
    for (size_t i = 0; i < own->n_scanned; i++) {
        size_t number = own->scanned[i];
        if (sky_screen_judge(&own->screens[number], &own->peaks[i], catalogue->false_alarm_max))
            own->is_wanted[number] = true;
    }
}

static equant_status fit_all(const equant_sky_catalogue *catalogue,
                             const equant_astrometry *const *sources, crowd *own)
{
    size_t n_failures = 0;
#pragma omp parallel for num_threads(catalogue->n_threads) schedule(dynamic, 1)                    \
    reduction(+ : n_failures)
    for (size_t i = 0; i < own->n; i++)
        if (own->is_wanted[i])
            n_failures += fit_source(catalogue, sources[i], &own->screens[i].row) != EQUANT_SUCCESS;
    return n_failures == 0 ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status equant_sky_catalogue_run(equant_sky_catalogue *catalogue, size_t n_sources,
                                       const equant_astrometry *const *sources,
                                       equant_sky_catalogue_row *rows)
{
    if (catalogue == NULL || (n_sources > 0 && (sources == NULL || rows == NULL)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a catalogue, sources and a place for their rows are needed");
    if (n_sources == 0)
        return EQUANT_SUCCESS;
    if (rows->struct_size != sizeof *rows)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the first row says nothing about its size; set struct_size");
    crowd own;
    equant_status status = crowd_create(n_sources, &own);
    if (status == EQUANT_SUCCESS)
        status = screen_all(catalogue, sources, &own);
    if (status == EQUANT_SUCCESS && own.n_scanned > 0)
        status = sky_scan_peaks(catalogue->scan, own.n_scanned, own.sources, 1, 0, own.peaks);
    if (status == EQUANT_SUCCESS) {
        judge_all(catalogue, &own);
        status = fit_all(catalogue, sources, &own);
    }
    for (size_t i = 0; status == EQUANT_SUCCESS && i < n_sources; i++)
        rows[i] = own.screens[i].row;
    crowd_free(&own);
    return status;
}

equant_status sky_catalogue_scan(equant_sky_catalogue *catalogue, size_t n_sources,
                                 const equant_astrometry *const *sources, sky_screen_node *nodes)
{
    crowd own;
    equant_status status = crowd_create(n_sources, &own);
    if (status == EQUANT_SUCCESS)
        status = screen_all(catalogue, sources, &own);
    if (status == EQUANT_SUCCESS && own.n_scanned > 0)
        status = sky_scan_peaks(catalogue->scan, own.n_scanned, own.sources, 1, 0, own.peaks);
    for (size_t i = 0; i < n_sources; i++)
        nodes[i] = (sky_screen_node){.chance = 1.0};
    for (size_t i = 0; i < own.n_scanned && status == EQUANT_SUCCESS; i++) {
        const sky_screen *screen = &own.screens[own.scanned[i]];
        nodes[own.scanned[i]] = (sky_screen_node){
            .node = own.peaks[i],
            .chance = sky_screen_chance(screen, sky_screen_gain(screen, own.peaks[i].gain))};
    }
    crowd_free(&own);
    return status;
}
