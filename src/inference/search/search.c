/* equant_search: the periodogram of a star, by a scan behind what is known of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/search/next_planet.h"
#include "inference/search/peak_list.h"
#include "inference/search/aliases.h"
#include "inference/search/significance.h"
#include "inference/search/periodogram.h"
#include "inference/priors/stated_noise.h"
#include "inference/priors/stated_scan.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "inference/likelihood/noise_indicators.h"
#include "inference/optimise/trend.h"
#include "model/orbit_elements.h"
#include "model/period_resolution.h"
#include "parallel/parallel_for.h"
#include "statistics/random_draw.h"

/* Peaks refined for each that is reported: refining changes their order. */
enum { REFINED_PER_REPORTED = 3, DEFAULT_PEAKS = 10 };
enum { WINDOW_PIECE = 16384 }; /* frequencies */
enum { MORE_SETTINGS = 2 };    /* of the noise, beside the best, behind which is scanned */

#define OPTION(member) OPTION_OR_ZERO(options, equant_search_options, member)

static equant_status check_states(const equant_dataset *dataset,
                                  const equant_search_options *options)
{
    host_star host = host_star_of(OPTION(star), 0.0);
    equant_status status = equant_star_check(OPTION(star));
    if (status == EQUANT_SUCCESS &&
        OPTION(n_known) + equant_states_n_planets(OPTION(states)) >= STATE_LIST_MOST_PLANETS)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a search takes up to %d planets",
                             STATE_LIST_MOST_PLANETS - 1);
    return status == EQUANT_SUCCESS && OPTION(states)
               ? state_list_check_star(OPTION(states), dataset, host_star_has_mass(&host))
               : status;
}

static equant_status check_options(const equant_search_options *options)
{
    double e = OPTION(eccentricity_max);
    if (!(e >= 0.0 && e <= 0.95))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities can be searched up to 0.95, not %g", e);
    if (OPTION(n_known) >= STUDY_MAX_PLANETS || (OPTION(n_known) > 0 && !OPTION(known)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a search takes up to %d known planets, with their elements",
                           STUDY_MAX_PLANETS - 1);
    if (OPTION(n_peaks) > PERIODOGRAM_MOST_PEAKS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "at most %d peaks can be reported",
                           PERIODOGRAM_MOST_PEAKS);
    equant_status status = trend_order_check(OPTION(trend));
    if (status == EQUANT_SUCCESS)
        status = equant_fit_check_noise(OPTION(noise));
    if (status == EQUANT_SUCCESS)
        status = equant_fit_check_outliers(OPTION(outliers));
    return status == EQUANT_SUCCESS ? study_check_planets(OPTION(n_known), OPTION(known)) : status;
}

static equant_status choose_noise(study *star, size_t n_fixed, solution *background)
{
    equant_status status = study_report(star, "choosing the noise", 0.0);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_improve(star, n_fixed, background);
    return status == EQUANT_SUCCESS
               ? maximum_likelihood_solution(star, n_fixed, POLISH_TO_PUBLISH, background)
               : status;
}

/* States come before the option. */
static equant_trend trend_of(const equant_search_options *options)
{
    int stated = state_list_trend(OPTION(states));
    return stated >= 0 ? trend_order_name(stated) : OPTION(trend);
}

/* The model that new planets are measured against. */
static equant_status make_background(study *star, const equant_search_options *options,
                                     stated_scan *stated, solution *background)
{
    equant_trend trend = trend_of(options);
    equant_status status = solution_create(star, background);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_set_trend(star, background, trend_order_of(trend));
    status = stated_scan_begin(star, stated, background);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_fixed = stated->star.n_located;
    for (size_t p = 0; p < OPTION(n_known); p++) {
        double known[N_ELEMENTS];
        memcpy(known, options->known + N_ELEMENTS * p, sizeof known);
        study_orbits_to_epoch(star, 1, known);
        solution_add_planet(star, background, known);
    }
    status = noise_choice_begin(star, background);
    if (status == EQUANT_SUCCESS)
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_PUBLISH, background);
    if (status == EQUANT_SUCCESS && trend == EQUANT_TREND_DEFAULT)
        status = trend_choose(star, n_fixed, background);
    if (status == EQUANT_SUCCESS && star->chooses_noise)
        status = choose_noise(star, n_fixed, background);
    return status == EQUANT_SUCCESS ? stated_scan_settle(star, stated, background) : status;
}

static equant_status keep_curves(const planet_scan *scan, equant_periodogram *made)
{
    size_t n = scan->grid.n_bins;
    double *piece = malloc(PERIODOGRAM_CURVES * n * sizeof *piece);
    if (!piece)
        return status_out_of_memory();
    made->n = n;
    periodogram_place_curves(made, piece);
    double whole = scan->base.chi_square;
    for (size_t b = 0; b < n; b++) {
        double f = scan_grid_frequency(&scan->grid, b);
        made->frequency[b] = f;
        made->power[b] = whole > 0.0 ? scan->best[b].improvement / whole : 0.0;
        made->circular[b] = whole > 0.0 ? scan->circular[b].improvement / whole : 0.0;
        made->eccentricity[b] = scan->best[b].eccentricity;
    }
    return EQUANT_SUCCESS;
}

typedef struct window_piece {
    const base_columns *base;
    const double *frequency;
    double *window;
} window_piece;

static void fill_some(void *context, size_t first, size_t end, int thread)
{
    const window_piece *of = context;
    const base_columns *base = of->base;
    (void)thread;
    for (size_t b = first; b < end; b++)
        of->window[b] =
            aliases_window(base->n_obs, base->time_days, base->root_weight, of->frequency[b]);
}

/* The window function, in pieces between which progress is reported: where periods of an hour
 * are looked for, its sines take longer than the scan. */
static equant_status fill_window(study *star, const base_columns *base, equant_periodogram *made)
{
    const int n_threads = placement_threads(star->scan_engine.n_threads);
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = 0; first < made->n && status == EQUANT_SUCCESS; first += WINDOW_PIECE) {
        size_t end = made->n - first < WINDOW_PIECE ? made->n : first + WINDOW_PIECE;
        window_piece of = {base, made->frequency + first, made->window + first};
        parallel_for(n_threads, end - first, 0, fill_some, &of);
        status = study_report(star, "looking at the times", (double)end / (double)made->n);
    }
    return status;
}

/* The highest power next to a frequency: a refined peak may have left its bin. */
static double power_near(const equant_periodogram *made, const scan_grid *grid, double frequency)
{
    enum { NEAR = 3 }; /* half the resolution of the data */
    size_t bin = planet_scan_bin(grid, frequency), first = bin > NEAR ? bin - NEAR : 0;
    double highest = 0.0;
    for (size_t b = first; b < made->n && b <= bin + NEAR; b++)
        highest = fmax(highest, made->power[b]);
    return highest;
}

/* Says of a weaker peak which stronger one it repeats. */
static void write_remark(const equant_periodogram *made, double span_days, size_t peak)
{
    reported_peak *weaker = &made->peaks[peak];
    double frequency = 1.0 / weaker->peak.period_days, one_peak = PERIOD_ONE_PEAK / span_days;
    if (aliases_is_drift(frequency, span_days))
        decimal_text_print(weaker->remark, sizeof weaker->remark, "alias of a drift with the day");
    for (size_t i = 0; i < peak; i++) {
        double stronger = made->peaks[i].peak.period_days;
        const char *name = aliases_name(frequency, 1.0 / stronger, one_peak);
        double ratio = stronger / weaker->peak.period_days, whole = floor(ratio + 0.5);
        if (fabs(frequency - 1.0 / stronger) < PERIOD_SIDE_LOBES / span_days) {
            decimal_text_print(weaker->remark, sizeof weaker->remark, "side lobe of %.6g days",
                               stronger);
            return;
        }
        if (name) {
            decimal_text_print(weaker->remark, sizeof weaker->remark, "alias of %.6g days with %s",
                               stronger, name);
            return;
        }
        if (whole >= 2.0 && whole <= 4.0 && fabs(frequency - whole / stronger) < one_peak) {
            decimal_text_print(weaker->remark, sizeof weaker->remark, "harmonic of %.6g days",
                               stronger);
            return;
        }
    }
}

/* Peaks with all that was said of other planets and of the noise. */
static equant_status refine_with_states(study *star, stated_scan *stated, peak_list *list)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < list->n && status == EQUANT_SUCCESS; i++)
        status = stated_scan_refine(star, stated, &list->found[i]);
    peak_list_sort(list);
    return status;
}

static equant_status keep_peaks(study *star, const planet_scan *scan, const solution *background,
                                stated_scan *stated, size_t n_wanted, equant_periodogram *made)
{
    peak_list list;
    size_t n_fixed = stated->star.n_located;
    equant_status status = peak_list_create(star, n_wanted, &list);
    made->peaks = calloc(n_wanted, sizeof *made->peaks);
    if (status == EQUANT_SUCCESS && !made->peaks)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status =
            next_planet_refine(star, scan, background, n_fixed, REFINED_PER_REPORTED * n_wanted,
                               false, n_wanted, list.found, &list.n);
    for (size_t i = 0; i < list.n && status == EQUANT_SUCCESS; i++)
        status =
            scan->circles_only
                ? maximum_likelihood_circle(star, n_fixed, POLISH_TO_PUBLISH, &list.found[i])
                : maximum_likelihood_solution(star, n_fixed, POLISH_TO_PUBLISH, &list.found[i]);
    peak_list_sort(&list);
    if (status == EQUANT_SUCCESS && !stated->others)
        status = peak_list_add_settings(star, scan, background, MORE_SETTINGS, &list);
    if (status == EQUANT_SUCCESS)
        status = refine_with_states(star, stated, &list);
    const solution *found = list.found;
    made->n_peaks = list.n;
    for (size_t i = 0; i < made->n_peaks && status == EQUANT_SUCCESS; i++) {
        double elements[N_ELEMENTS];
        memcpy(elements, found[i].set + N_ELEMENTS * background->n_planets, sizeof elements);
        study_orbits_to_reference(star, 1, elements);
        double gain = found[i].log_likelihood - background->log_likelihood;
        made->peaks[i].peak = (equant_peak){
            .struct_size = sizeof(equant_peak),
            .period_days = elements[ELEMENT_PERIOD],
            .k_m_s = elements[ELEMENT_K],
            .eccentricity = elements[ELEMENT_ECCENTRICITY],
            .omega_rad = elements[ELEMENT_OMEGA],
            .m0_rad = elements[ELEMENT_M0],
            .power = power_near(made, &scan->grid, 1.0 / elements[ELEMENT_PERIOD]),
            .log_likelihood_gain = gain,
            .false_alarm =
                significance_of_planet(star, &made->significance, &found[i], background,
                                       elements[ELEMENT_PERIOD], elements[ELEMENT_ECCENTRICITY]),
            .false_alarm_drawn = NAN,
        };
        write_remark(made, star->span_days, i);
    }
    peak_list_free(&list);
    return status;
}

/* Noise at the true epochs, whitened and with what the background explains taken out. Noise of any
 * covariance C = L L' is L times white numbers, and whitening takes L away again: behind a factor
 * as without one the draw is white, and the factor is in the base and in the columns of the nodes
 * alone. */
static void draw_noise(const base_columns *base, uint64_t seed, uint64_t draw, double *residual)
{
    random_stream stream = {.seed = seed, .purpose = RANDOM_PURPOSE_FALSE_ALARM, .substream = 1};
    uint64_t n_indices = (base->n_obs + 1) / 2;
    for (size_t k = 0; k < base->n_obs; k += 2) {
        random_uniforms drawn = random_uniforms_at(stream, draw * n_indices + k / 2);
        residual[k] = random_normal_quantile(drawn.half[0]);
        if (k + 1 < base->n_obs)
            residual[k + 1] = random_normal_quantile(drawn.half[1]);
    }
    base_columns_project(base, residual);
}

/* Scans noise n_draws times over the very same grid and counts, for each peak, how often it
 * does as well somewhere. */
static equant_status draw_false_alarms(study *star, const planet_scan *scan, uint64_t seed,
                                       size_t n_draws, equant_periodogram *made)
{
    const scan_grid *grid = &scan->grid;
    double *residual = malloc(scan->base.n_obs * sizeof *residual);
    backend_scan_node *best = malloc(grid->n_bins * sizeof *best);
    double *exceeded = calloc(made->n_peaks + 1, sizeof *exceeded);
    equant_status status = residual && best && exceeded ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t d = 0; d < n_draws && status == EQUANT_SUCCESS; d++) {
        draw_noise(&scan->base, seed, d, residual);
        status = planet_scan_run(star, &scan->base, residual, grid, "scanning noise",
                                 (double)d / (double)n_draws, (double)(d + 1) / (double)n_draws,
                                 best, NULL);
        double whole = 0.0, highest = 0.0;
        for (size_t k = 0; k < scan->base.n_obs; k++)
            whole += residual[k] * residual[k];
        for (size_t b = 0; b < grid->n_bins; b++)
            highest = fmax(highest, best[b].improvement / whole);
        for (size_t i = 0; i < made->n_peaks; i++)
            exceeded[i] += highest >= made->peaks[i].peak.power;
    }
    for (size_t i = 0; i < made->n_peaks && status == EQUANT_SUCCESS; i++)
        made->peaks[i].peak.false_alarm_drawn = (exceeded[i] + 1.0) / ((double)n_draws + 1.0);
    free(residual);
    free(best);
    free(exceeded);
    return status;
}

/* False alarms under the noise of the background. */
static equant_status judge(study *star, const scan_grid *grid, const solution *background,
                           significance *made)
{
    noise_factor factor = {.n_rows = 0};
    const base_terms terms = {.factor = &factor};
    if (background->noise.terms == 0)
        return significance_create(star, grid, background, NULL, made);
    equant_status status = base_columns_factor(star, background, &factor);
    if (status == EQUANT_SUCCESS)
        status = significance_create(star, grid, background, &terms, made);
    noise_factor_free(&factor);
    return status;
}

/* The noise of the background in words. */
static void keep_noise(const study *star, const solution *background, equant_periodogram *made)
{
    size_t first = study_first_correlated(star, background->n_planets, background->trend_order);
    made->remarks = star->menu.remarks;
    noise_menu_write(&star->menu, background->noise, background->set + first, sizeof made->noise,
                     made->noise);
    for (size_t i = 0; i < star->menu.n_indicators; i++) {
        if (!(background->noise.indicators >> i & 1))
            continue;
        noise_indicators_write(star->dataset, &star->menu.indicators[i], sizeof made->indicators,
                               made->indicators);
        noise_indicators_remark(star->dataset, &star->menu.indicators[i], &made->remarks);
        made->n_base++;
    }
    outlier_set_remark(&star->book, background->noise.outliers, &made->remarks);
}

static equant_status search_star(study *star, const equant_search_options *options,
                                 stated_scan *stated, equant_periodogram *made)
{
    solution background;
    planet_scan scan;
    double most = OPTION(eccentricity_max) > 0.0 ? OPTION(eccentricity_max) : 0.9;
    if (stated->largest_e > 0.0)
        most = fmin(most, stated->largest_e);
    scan_grid grid = scan_grid_make(star->span_days, star->period_min_days, star->period_max_days,
                                    stated->is_circle ? 0.0 : most);
    size_t n_peaks = OPTION(n_peaks) > 0 ? OPTION(n_peaks) : DEFAULT_PEAKS;
    equant_status status = make_background(star, options, stated, &background);
    if (status == EQUANT_SUCCESS)
        status = judge(star, &grid, &background, &made->significance);
    const base_terms terms = {.n_columns = stated->n_columns, .columns = stated->columns};
    double start = wall_clock_s();
    if (status == EQUANT_SUCCESS)
        status = planet_scan_create(star, &background, stated->star.n_located, &terms, &grid,
                                    "scanning", &scan);
    if (status != EQUANT_SUCCESS) {
        solution_free(&background);
        return status;
    }
    made->seconds = wall_clock_s() - start;
    scan.circles_only = stated->is_circle;
    made->n_nodes = scan_grid_n_nodes(&grid);
    made->n_known = background.n_planets;
    made->is_circular = stated->is_circle;
    made->n_base = star->n_instruments + (size_t)background.trend_order + stated->n_columns +
                   N_ELEMENTS * (background.n_planets - stated->star.n_located);
    keep_noise(star, &background, made);
    status = keep_curves(&scan, made);
    if (status == EQUANT_SUCCESS)
        status = fill_window(star, &scan.base, made);
    if (status == EQUANT_SUCCESS)
        status = keep_peaks(star, &scan, &background, stated, n_peaks, made);
    if (status == EQUANT_SUCCESS && OPTION(n_draws) > 0)
        status = draw_false_alarms(star, &scan, OPTION(seed), OPTION(n_draws), made);
    planet_scan_free(&scan);
    solution_free(&background);
    return status;
}

/* Periods of the planet that is looked for, as options and states have them. */
static equant_status narrow_periods(const stated_scan *stated, study_options *kept)
{
    bool is_stated = stated->period_min_days > 0.0 || stated->period_max_days > 0.0;
    double lower = fmax(kept->period_min_days, stated->period_min_days),
           upper = kept->period_max_days;
    if (stated->period_max_days > 0.0)
        upper = upper > 0.0 ? fmin(upper, stated->period_max_days) : stated->period_max_days;
    if (is_stated && upper > 0.0 && !(lower < upper))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the periods that are searched and those that %c.period_days leaves "
                           "have nothing in common",
                           stated->letter);
    kept->period_min_days = lower;
    kept->period_max_days = upper;
    return EQUANT_SUCCESS;
}

static equant_status search_study(const equant_dataset *dataset, const study_options *kept,
                                  const equant_search_options *options, stated_scan *stated,
                                  equant_periodogram *made)
{
    study star;
    equant_status status = study_create(&star, dataset, kept);
    if (status == EQUANT_SUCCESS)
        status = stated_noise_narrow(OPTION(states), &star);
    if (status == EQUANT_SUCCESS)
        status = search_star(&star, options, stated, made);
    study_free(&star);
    return status;
}

equant_status equant_search(const equant_dataset *dataset, const equant_search_options *options,
                            equant_periodogram **out)
{
    if (!dataset || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a search needs a data set and a place to put its periodogram");
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = check_options(options);
    if (status == EQUANT_SUCCESS)
        status = check_states(dataset, options);
    if (status != EQUANT_SUCCESS)
        return status;
    stated_scan stated;
    study_options kept = {.engine = OPTION(engine),
                          .keeps_reference_time = state_list_needs_reference_time(OPTION(states)),
                          .exact_precision = OPTION(exact_precision) != 0,
                          .noise = OPTION(noise),
                          .indicators = OPTION(indicators),
                          .outliers = OPTION(outliers),
                          .period_min_days = OPTION(period_min_days),
                          .period_max_days = OPTION(period_max_days),
                          .progress = OPTION(progress),
                          .progress_context = OPTION(progress_context)};
    equant_periodogram *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    status = stated_scan_create(OPTION(states), host_star_of(OPTION(star), 0.0).value[STAR_MASS],
                                OPTION(circular_only) != 0, &stated);
    if (status == EQUANT_SUCCESS)
        status = narrow_periods(&stated, &kept);
    if (status == EQUANT_SUCCESS)
        status = search_study(dataset, &kept, options, &stated, made);
    stated_scan_free(&stated);
    if (status != EQUANT_SUCCESS) {
        equant_periodogram_free(made);
        return status;
    }
    *out = made;
    return EQUANT_SUCCESS;
}
