/* The public equant_sky_catalogue: many sources through one scan, the promising ones through a fit
 * of their own. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/catalogue/sky_crowd.h"
#include "astrometry/catalogue/sky_joint.h"
#include "core/engine.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"

#define USUAL_FALSE_ALARM 1e-3
#define USUAL_PERIOD_MIN_DAYS 10.0
#define SHORTEST_PERIOD_DAYS 0.01 /* the bins of decades of data can be counted */
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
    sky_joint_settings joint; /* of sources with velocities */
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
    made->joint = (sky_joint_settings){
        .false_alarm_max = made->false_alarm_max,
        .has_colour = made->has_colour,
        .fits_all = made->fits_all,
        .limits = made->limits,
        .velocity_period_min_days =
            OPTION_OR_ZERO(options, equant_sky_catalogue_options, period_min_days),
        .velocity_period_max_days = made->limits.period_max_days,
        .velocity_eccentricity_max =
            OPTION_OR_ZERO(options, equant_sky_catalogue_options, eccentricity_max)};
    if (!(made->limits.period_min_days > 0.0) || !(made->limits.period_max_days >= 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "periods of orbits are above zero");
    if (made->limits.period_min_days < SHORTEST_PERIOD_DAYS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a period of %g days; catalogues are searched from %g days on",
                           made->limits.period_min_days, SHORTEST_PERIOD_DAYS);
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
    equant_status status = equant_sky_fit_summarize(fit, &summary);
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

/* On one thread of a processor, in double: the fits of others run beside it. star and joint may be
 * NULL. */
static equant_status fit_source(const equant_sky_catalogue *catalogue,
                                const equant_astrometry *source, const equant_sky_star *star,
                                equant_sky_catalogue_row *row, equant_sky_joint_row *joint)
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
                                            .max_companions = 1,
                                            .star_mass = star ? star->star_mass : 0.0,
                                            .star_mass_err = star ? star->star_mass_err : 0.0,
                                            .parallax_zero_point_mas =
                                                star ? star->parallax_bias_mas : 0.0};
    equant_sky_fit *fit = NULL;
    equant_status status = equant_sky_fit_create(source, &options, &fit);
    if (status == EQUANT_SUCCESS)
        status = tell_fit(fit, row);
    if (status == EQUANT_SUCCESS && joint != NULL)
        status = sky_joint_take_sky(fit, joint);
    equant_sky_fit_free(fit);
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? status : EQUANT_SUCCESS;
}

/* ---- many sources ------------------------------------------------------------ */

static sky_crowd crowd_of(const equant_sky_catalogue *catalogue)
{
    return (sky_crowd){.scan = catalogue->scan,
                       .limits = catalogue->limits,
                       .has_colour = catalogue->has_colour,
                       .n_threads = catalogue->n_threads};
}

/* Rows on their way, and which of the sources are to be fitted. */
typedef struct row_list {
    const equant_sky_catalogue *catalogue;
    size_t n;
    const equant_astrometry *const *sources;
    const equant_sky_star *stars; /* NULL: nothing is known beside, and there are no joint rows */
    equant_sky_catalogue_row *rows;
    equant_sky_joint_row *joint;
    bool *is_wanted;
    size_t *place; /* of the sources that there are, in the list of all */
} row_list;

/* Sources with too few rows for a scan are fitted, which takes no time; those that five parameters
 * cannot be found for stay as they are. */
static void take_row(void *context, size_t number, sky_screen *screen, const sky_scan_node *best)
{
    row_list *list = context;
    size_t place = list->place[number];
    list->is_wanted[place] = best == NULL ||
                             sky_screen_judge(screen, best, list->catalogue->false_alarm_max) ||
                             list->catalogue->fits_all;
    list->rows[place] = screen->row;
}

/* A star whose mass is found from its magnitude, if need be. */
static equant_sky_star star_of(const equant_sky_star *known, const equant_sky_catalogue_row *row)
{
    equant_sky_star star = *known;
    star.parallax_bias_mas = isfinite(star.parallax_bias_mas) ? star.parallax_bias_mas : 0.0;
    double error, mass = equant_sky_mass_from_ks(
                      star.ks_mag, row->parallax_mas - star.parallax_bias_mas, &error);
    if (!(star.star_mass > 0.0) && star.ks_mag != 0.0 && mass > 0.0) {
        star.star_mass = mass;
        star.star_mass_err = error;
    }
    star.star_mass = star.star_mass > 0.0 ? star.star_mass : 0.0;
    star.star_mass_err = star.star_mass_err > 0.0 ? star.star_mass_err : 0.0;
    return star;
}

static equant_status finish_row(const row_list *list, size_t i)
{
    equant_sky_star made, *star = NULL;
    equant_sky_joint_row *joint = list->joint ? list->joint + i : NULL;
    equant_status status = EQUANT_SUCCESS;
    if (joint != NULL) {
        made = star_of(list->stars + i, &list->rows[i]);
        star = &made;
        sky_joint_start(star, joint);
    }
    if (list->is_wanted[i])
        status = fit_source(list->catalogue, list->sources[i], star, &list->rows[i], joint);
    if (status == EQUANT_SUCCESS && star != NULL && star->velocities != NULL)
        status =
            sky_joint_add(&list->catalogue->joint, list->sources[i], star, &list->rows[i], joint);
    return status;
}

typedef struct finishing {
    const row_list *list;
    atomic_int n_failures;
} finishing;

static void finish_some(void *context, size_t first, size_t end, int thread)
{
    finishing *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++)
        if (finish_row(of->list, i) != EQUANT_SUCCESS)
            atomic_fetch_add(&of->n_failures, 1);
}

static equant_status finish_rows(const row_list *list)
{
    finishing of = {.list = list};
    parallel_for(list->catalogue->n_threads, list->n, 1, finish_some, &of);
    return atomic_load(&of.n_failures) == 0 ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Screens and scans the sources that there are, then fits what is worth it. */
static equant_status run(row_list *list)
{
    const sky_crowd crowd = crowd_of(list->catalogue);
    const equant_astrometry **there = malloc((list->n + 1) * sizeof *there);
    size_t n_there = 0;
    list->is_wanted = calloc(list->n, sizeof *list->is_wanted);
    list->place = malloc(list->n * sizeof *list->place);
    equant_status status =
        there && list->is_wanted && list->place ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; status == EQUANT_SUCCESS && i < list->n; i++) {
        if (list->sources[i] == NULL) {
            sky_screen_start_row(NULL, &list->rows[i]);
            continue;
        }
        list->place[n_there] = i;
        there[n_there++] = list->sources[i];
    }
    if (status == EQUANT_SUCCESS && n_there > 0)
        status = sky_crowd_run(&crowd, n_there, there, take_row, list);
    if (status == EQUANT_SUCCESS)
        status = finish_rows(list);
    free((void *)there);
    free(list->is_wanted);
    free(list->place);
    return status;
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
    row_list list = {.catalogue = catalogue, .n = n_sources, .sources = sources, .rows = rows};
    return run(&list);
}

equant_status equant_sky_catalogue_run_joint(equant_sky_catalogue *catalogue, size_t n_sources,
                                             const equant_astrometry *const *sources,
                                             const equant_sky_star *stars,
                                             equant_sky_catalogue_row *rows,
                                             equant_sky_joint_row *joint)
{
    if (catalogue == NULL ||
        (n_sources > 0 && (sources == NULL || stars == NULL || rows == NULL || joint == NULL)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a catalogue, sources, what is known of their stars and places for "
                           "their rows are needed");
    if (n_sources == 0)
        return EQUANT_SUCCESS;
    if (rows->struct_size != sizeof *rows || joint->struct_size != sizeof *joint ||
        stars->struct_size != sizeof *stars)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the first star and the first rows say nothing about their size; set "
                           "struct_size");
    for (size_t i = 0; i < n_sources; i++)
        if (sources[i] == NULL && stars[i].velocities == NULL)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "source %zu has neither astrometry nor velocities", i);
    row_list list = {.catalogue = catalogue,
                     .n = n_sources,
                     .sources = sources,
                     .stars = stars,
                     .rows = rows,
                     .joint = joint};
    return run(&list);
}

static void take_signal(void *context, size_t number, sky_screen *screen, const sky_scan_node *best)
{
    equant_sky_signal *signal = (equant_sky_signal *)context + number;
    *signal = (equant_sky_signal){.struct_size = sizeof *signal,
                                  .false_alarm = 1.0,
                                  .period_days = NAN,
                                  .eccentricity = NAN,
                                  .m0_rad = NAN};
    if (best == NULL)
        return;
    signal->is_searched = 1;
    signal->gain = sky_screen_gain(screen, best->gain);
    signal->false_alarm = sky_screen_chance(screen, signal->gain);
    signal->period_days = 1.0 / best->frequency_per_day;
    signal->eccentricity = best->eccentricity;
    signal->m0_rad = best->m0_rad;
}

equant_status equant_sky_catalogue_search(equant_sky_catalogue *catalogue, size_t n_sources,
                                          const equant_astrometry *const *sources,
                                          equant_sky_signal *signals)
{
    if (catalogue == NULL || (n_sources > 0 && (sources == NULL || signals == NULL)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a catalogue, sources and a place for their signals are needed");
    if (n_sources == 0)
        return EQUANT_SUCCESS;
    if (signals->struct_size != sizeof *signals)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the first signal says nothing about its size; set struct_size");
    const sky_crowd crowd = crowd_of(catalogue);
    return sky_crowd_run(&crowd, n_sources, sources, take_signal, signals);
}
