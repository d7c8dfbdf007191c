#include "inference/likelihood/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/evaluators/evaluator.h"
#include "core/period_range.h"
#include "core/placement.h"
#include "core/progress_report.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/likelihood/set_worker.h"
#include "inference/likelihood/noise_indicators.h"
#include "inference/likelihood/study_crew.h"
#include "model/quantity_catalogue.h"

/* Turns of the shortest period over the data: about six frequencies have to be tried for each. */
#define MOST_TURNS 1e7

static equant_status check_periods(const study *star)
{
    if (!(star->period_min_days > 0.0 && star->period_min_days < star->period_max_days &&
          isfinite(star->period_max_days)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods must satisfy 0 < minimum < maximum, not %g and %g days",
                           star->period_min_days, star->period_max_days);
    return period_range_check_turns(star->period_min_days, star->span_days, MOST_TURNS);
}

/* Names a backend for the evaluators: none of their batches may choose for itself. */
static equant_status settle_fit_engine(study *star)
{
    placement found;
    equant_status status =
        placement_find(NULL, &star->fit_engine, &placement_small_batches, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    star->gpu =
        (accelerator){.is_wanted = found.chosen->device || engine_is_automatic(&star->fit_engine),
                      .chosen = found.chosen->device ? found.chosen : NULL,
                      .device = found.engine.device};
    star->fit_engine.backend = placement_for_fits(&found)->name;
    if (found.chosen->device)
        star->fit_engine.paper = NULL; /* what only GPUs have */
    return status;
}

/* Observations by instrument, in their order within each. */
static equant_status sort_rows(study *star)
{
    const int *made_by = equant_dataset_instruments(star->dataset);
    size_t n = star->n_instruments;
    star->rows = malloc(star->n_obs * sizeof *star->rows);
    star->first_row = calloc(n + 2, sizeof *star->first_row);
    if (!star->rows || !star->first_row)
        return status_out_of_memory();
    size_t *next = star->first_row + 1; /* ends as the first row of the next instrument */
    for (size_t k = 0; k < star->n_obs; k++)
        next[made_by[k] + 1]++;
    for (size_t i = 0; i < n; i++)
        next[i + 1] += next[i];
    for (size_t k = 0; k < star->n_obs; k++)
        star->rows[next[made_by[k]]++] = k;
    return EQUANT_SUCCESS;
}

static bool is_word(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

/* The noise that models may or must have. White noise has no indicators but those named. */
static equant_status set_menu(study *star, const char *noise, const char *indicators,
                              bool as_series)
{
    noise_menu *menu = &star->menu;
    const equant_dataset *dataset = star->dataset;
    bool is_chosen = is_word(noise, "auto"), is_white = is_word(noise, "white");
    equant_status status = EQUANT_SUCCESS;
    if (is_chosen && star->with_jitter)
        noise_menu_offer(dataset, menu);
    else if (!is_chosen && !is_white)
        status = noise_menu_take(dataset, noise, menu);
    const equant_spots_options spots = {.struct_size = sizeof spots,
                                        .indicators = indicators,
                                        .progress = study_hear,
                                        .progress_context = star};
    if (status == EQUANT_SUCCESS && as_series)
        status = noise_menu_take_series(dataset, &spots, menu);
    else if (status == EQUANT_SUCCESS && is_word(indicators, "auto") && !is_white &&
             star->with_jitter)
        status = noise_indicators_offer(dataset, menu);
    else if (status == EQUANT_SUCCESS && !is_word(indicators, "auto") &&
             !is_word(indicators, "none"))
        status = noise_indicators_take(dataset, indicators, menu);
    const noise_choice all = {.terms = (1u << menu->n_terms) - 1,
                              .indicators = (1u << menu->n_indicators) - 1};
    star->chooses_noise = star->book.is_open || !noise_menu_is_least(menu, all);
    return status == EQUANT_SUCCESS ? noise_menu_check_room(dataset, star->with_jitter, menu)
                                    : status;
}

equant_status study_create(study *star, const equant_dataset *dataset, const study_options *options)
{
    memset(star, 0, sizeof *star);
    star->made = &star->own;
    const double *time = equant_dataset_times_days(dataset);
    star->at_own_epoch = options->keeps_reference_time ? *dataset : dataset_at_own_epoch(dataset);
    star->dataset = &star->at_own_epoch;
    star->reference_time_days = equant_dataset_reference_time_days(dataset);
    star->n_obs = equant_dataset_n_obs(dataset);
    star->n_instruments = equant_dataset_n_instruments(dataset);
    star->span_days = time[star->n_obs - 1] - time[0];
    if (!(star->span_days > 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "all observations have the same time: there is no orbit to look for");
    if (star->n_instruments > STUDY_MAX_INSTRUMENTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the observations name %zu instruments; a search takes at most %d, each "
                           "with an offset and a jitter of its own",
                           star->n_instruments, STUDY_MAX_INSTRUMENTS);
    star->period_min_days = options->period_min_days != 0.0 ? options->period_min_days : 0.5;
    star->period_max_days =
        options->period_max_days != 0.0 ? options->period_max_days : 2.0 * star->span_days;
    star->may_widen = options->period_max_days == 0.0;
    star->with_jitter = !options->no_jitter;
    star->progress = options->progress;
    star->progress_context = options->progress_context;
    star->deadline_s = INFINITY;
    star->fit_engine = (equant_engine_options){.struct_size = sizeof star->fit_engine};
    if (options->engine && options->engine->struct_size > 0) {
        size_t known = options->engine->struct_size < sizeof star->fit_engine
                           ? options->engine->struct_size
                           : sizeof star->fit_engine;
        memcpy(&star->fit_engine, options->engine, known);
        star->fit_engine.struct_size = sizeof star->fit_engine;
    }
    star->scan_engine = star->fit_engine;
    if (!options->exact_precision)
        star->scan_engine.precision = EQUANT_PRECISION_MIXED;
    star->fit_engine.precision = EQUANT_PRECISION_DOUBLE;
    equant_status status = check_periods(star);
    if (status == EQUANT_SUCCESS)
        status = settle_fit_engine(star);
    if (status == EQUANT_SUCCESS)
        status = sort_rows(star);
    if (status == EQUANT_SUCCESS)
        status = noise_menu_create(dataset, &star->menu);
    star->menu.class = prior_table_class(&options->star);
    if (status == EQUANT_SUCCESS)
        status =
            outlier_book_create(dataset, star->menu.begins_night, options->outliers, &star->book);
    return status == EQUANT_SUCCESS
               ? set_menu(star, options->noise ? options->noise : "white",
                          options->indicators ? options->indicators : "auto", options->as_series)
               : status;
}

void study_evaluators_free(study_evaluators *made)
{
    for (size_t n = 0; n <= STUDY_MAX_PLANETS; n++)
        for (size_t order = 0; order < STUDY_TREND_ORDERS; order++) {
            equant_evaluator_free(made->evaluators[n][order]);
            equant_model_free(made->models[n][order]);
        }
    set_worker_dismiss(made->worker);
}

void study_free(study *star)
{
    study_crew_free(star->crew);
    study_evaluators_free(&star->own);
    noise_menu_free(&star->menu);
    outlier_book_free(&star->book);
    free(star->rows);
    free(star->first_row);
}

equant_status study_evaluator(study *star, size_t n_planets, int trend_order,
                              equant_evaluator **evaluator)
{
    equant_model **model = &star->made->models[n_planets][trend_order];
    equant_evaluator **made = &star->made->evaluators[n_planets][trend_order];
    equant_status status = EQUANT_SUCCESS;
    if (!*model) {
        equant_model_options options = {.struct_size = sizeof options,
                                        .n_planets = n_planets,
                                        .n_instruments = star->n_instruments,
                                        .trend = trend_order_name(trend_order),
                                        .offset_columns = EQUANT_NUISANCE_GIVEN,
                                        .trend_columns = EQUANT_NUISANCE_GIVEN,
                                        .with_jitter = 1};
        status = equant_model_create(&options, model);
    }
    equant_engine_options engine = star->fit_engine;
    engine.n_threads =
        1; /* sets come one at a time; several threads have evaluators of their own */
    if (status == EQUANT_SUCCESS && !*made) {
        status = equant_evaluator_create(star->dataset, *model, &engine, made);
        if (status == EQUANT_SUCCESS)
            evaluator_lend(*made, star->gpu);
    }
    if (status == EQUANT_SUCCESS)
        *evaluator = *made;
    return status;
}

const double *study_uncertainties(const study *star, noise_choice noise)
{
    return equant_dataset_uncertainties_m_s(noise.outliers ? &noise.outliers->dataset
                                                           : star->dataset);
}

/* Lets m0 refer to a time that is later by some days. */
static void move_orbits(double days, size_t n_planets, double *elements)
{
    for (size_t p = 0; p < n_planets && days != 0.0; p++) {
        double *orbit = elements + N_ELEMENTS * p, period = orbit[ELEMENT_PERIOD];
        double m0 = orbit[ELEMENT_M0] + ORBIT_TWO_PI * (remainder(days, period) / period);
        m0 = orbit_nearest_turn(m0);
        orbit[ELEMENT_M0] = m0 < 0.0 ? m0 + ORBIT_TWO_PI : m0;
    }
}

void study_orbits_to_epoch(const study *star, size_t n_planets, double *elements)
{
    move_orbits(-study_days_to_reference(star), n_planets, elements);
}

void study_orbits_to_reference(const study *star, size_t n_planets, double *elements)
{
    move_orbits(study_days_to_reference(star), n_planets, elements);
}

double study_days_to_reference(const study *star)
{
    return star->reference_time_days - star->at_own_epoch.reference_time_days;
}

/* A person who presses Ctrl-C waits no longer than a few of these. */
#define SECONDS_WITHOUT_A_WORD 0.1

/* Of a piece of shared work only the caller's own thread asks the caller. */
static equant_status ask_whole(study *piece, const char *stage)
{
    if (!atomic_load(&piece->whole->is_cancelled))
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_CANCELLED, "cancelled while %s", stage);
}

equant_status study_still_wanted(study *star)
{
    if (star->whole)
        return star->worker == 0 ? study_still_wanted(star->whole) : ask_whole(star, star->stage);
    if (atomic_load(&star->is_cancelled) ||
        (star->deadline_s < INFINITY && wall_clock_s() > star->deadline_s))
        return study_report(star, star->stage, star->stage_done);
    if (star->stage[0] == '\0' || !star->progress ||
        wall_clock_s() - star->told_at_s < SECONDS_WITHOUT_A_WORD)
        return EQUANT_SUCCESS;
    return study_report(star, star->stage, star->stage_done);
}

equant_status study_report(study *star, const char *stage, double done)
{
    if (star->whole)
        return star->worker == 0 ? study_report(star->whole, stage, done) : ask_whole(star, stage);
    if (stage != star->stage) /* the caller's text may not live as long as the study */
        snprintf(star->stage, sizeof star->stage, "%s", stage);
    star->stage_done = done;
    star->told_at_s = wall_clock_s();
    if (atomic_load(&star->is_cancelled))
        return status_fail(EQUANT_ERROR_CANCELLED, "cancelled while %s", stage);
    if (star->told_at_s > star->deadline_s) {
        star->is_late = true;
        atomic_store(&star->is_cancelled, true);
        return status_fail(EQUANT_ERROR_CANCELLED, "the time was over while %s", stage);
    }
    equant_status status =
        progress_report_tell(star->progress, star->progress_context, stage, done);
    if (status != EQUANT_SUCCESS)
        atomic_store(&star->is_cancelled, true);
    return status;
}

int study_hear(const equant_progress_report *report, void *context)
{
    return study_report(context, report->stage, report->done) != EQUANT_SUCCESS;
}

void study_go_on(study *star)
{
    atomic_store(&star->is_cancelled, false);
    star->progress = NULL;
    star->deadline_s = INFINITY;
}

equant_status study_check_planets(size_t n_planets, const double *elements)
{
    for (size_t p = 0; p < n_planets; p++) {
        const double *orbit = elements + N_ELEMENTS * p;
        if (!(orbit[ELEMENT_PERIOD] > 0.0 && orbit[ELEMENT_K] >= 0.0 &&
              orbit[ELEMENT_ECCENTRICITY] >= 0.0 && orbit[ELEMENT_ECCENTRICITY] < 1.0 &&
              isfinite(orbit[ELEMENT_PERIOD]) && isfinite(orbit[ELEMENT_K]) &&
              isfinite(orbit[ELEMENT_OMEGA]) && isfinite(orbit[ELEMENT_M0])))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "planet %zu has no orbit: P > 0, K >= 0, 0 <= e < 1 and angles that "
                               "are numbers make one",
                               p + 1);
    }
    return EQUANT_SUCCESS;
}

/* The period of an orbit two solar radii wide around the Sun: pericentres stay outside that. */
#define CONTACT_PERIOD_DAYS 0.33

double study_largest_eccentricity(double period_days)
{
    double largest = 1.0 - pow(CONTACT_PERIOD_DAYS / period_days, 2.0 / 3.0);
    return fmax(0.0, fmin(largest, STUDY_MAX_ECCENTRICITY));
}

double study_shortest_period(double eccentricity)
{
    return CONTACT_PERIOD_DAYS / pow(1.0 - eccentricity, 1.5);
}

double study_longest_period(const study *star)
{
    const double most_spans = 8.0;
    return fmax(star->period_max_days, most_spans * star->span_days);
}

parameter_layout study_layout(const study *star, size_t n_planets, int trend_order)
{
    size_t n_instruments = star->n_instruments;
    parameter_layout layout =
        parameter_layout_all_given(n_planets, n_instruments, trend_order, n_instruments);
    layout.columns[TERM_JITTERS].first += star->menu.n_indicators;
    layout.n_parameters += star->menu.n_indicators + star->menu.n_parameters;
    return layout;
}

size_t study_first_indicator(const study *star, size_t n_planets, int trend_order)
{
    parameter_layout layout = study_layout(star, n_planets, trend_order);
    return layout.columns[TERM_JITTERS].first - star->menu.n_indicators;
}

size_t study_first_correlated(const study *star, size_t n_planets, int trend_order)
{
    parameter_layout layout = study_layout(star, n_planets, trend_order);
    return parameter_layout_end(&layout, TERM_JITTERS);
}
