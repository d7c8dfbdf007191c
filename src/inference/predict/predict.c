/* equant_predict: what a posterior says of other times. */
#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/predict/forecast_device.h"
#include "inference/predict/predictive_summary.h"
#include "inference/predict/next_instrument.h"
#include "inference/predict/prediction_time.h"
#include "parallel/parallel_for.h"

enum { BLOCK = 128, TIMES_PER_THREAD = 8, MOST_TIMES = FORECAST_DEVICE_MOST_TIMES };

typedef struct predicted_time {
    equant_predicted_time facts;
    mixture_mode modes[PREDICTIVE_MOST_MODES];
} predicted_time;

struct equant_prediction {
    size_t n, instrument, n_draws;
    double uncertainty_m_s;
    predicted_time *times;
};

typedef struct prediction_work {
    const equant_predict_options *options;
    const double *time_days;
    equant_predicted what;
    forecast *draws;
    forecast_device *gpu;      /* NULL: processors alone */
    int *instruments;          /* [MOST_TIMES] */
    double *white;             /* [MOST_TIMES]: variances without jitter */
    double *means, *variances; /* [BLOCK][n_draws] */
    mixture_grid *grids;       /* [n_threads] */
} prediction_work;

static void work_free(prediction_work *work)
{
    for (int i = 0; work->grids && i < forecast_sets(work->draws)->n_threads; i++)
        mixture_grid_free(&work->grids[i]);
    free(work->grids);
    free(work->instruments);
    free(work->white);
    free(work->means);
    free(work->variances);
    forecast_device_free(work->gpu);
    forecast_free(work->draws);
}

static equant_status work_create(const equant_posterior *posterior, prediction_work *work,
                                 const equant_prediction *made)
{
    const equant_predict_options *options = work->options;
    size_t most = OPTION_OR_ZERO(options, equant_predict_options, max_draws);
    equant_status status =
        forecast_create(posterior, OPTION_OR_ZERO(options, equant_predict_options, engine),
                        most > 0 ? most : PREDICTIVE_USUAL_DRAWS, &work->draws);
    if (status != EQUANT_SUCCESS)
        return status;
    const draw_sets *sets = forecast_sets(work->draws);
    work->grids = calloc((size_t)sets->n_threads, sizeof *work->grids);
    work->instruments = malloc(MOST_TIMES * sizeof *work->instruments);
    work->white = malloc(MOST_TIMES * sizeof *work->white);
    work->means = malloc(BLOCK * sets->n * sizeof *work->means);
    work->variances = malloc(BLOCK * sets->n * sizeof *work->variances);
    if (!work->grids || !work->instruments || !work->white || !work->means || !work->variances)
        return status_out_of_memory();
    for (size_t i = 0; i < MOST_TIMES; i++) {
        work->instruments[i] = (int)made->instrument;
        work->white[i] = made->uncertainty_m_s * made->uncertainty_m_s;
    }
    return work->what == EQUANT_PREDICTED_OBSERVATION
               ? forecast_device_create(work->draws,
                                        OPTION_OR_ZERO(options, equant_predict_options, engine),
                                        made->n, &work->gpu)
               : EQUANT_SUCCESS;
}

/* White noise of the draws, or a little smoothing where there is none. */
static void add_white(const prediction_work *work, const equant_prediction *made,
                      const double *means, double *variances)
{
    const draw_sets *sets = forecast_sets(work->draws);
    size_t n = sets->n, m = sets->n_instruments;
    if (work->what == EQUANT_PREDICTED_OBSERVATION) {
        for (size_t i = 0; i < n; i++) {
            double jitter = sets->jitters[i * m + made->instrument];
            variances[i] += made->uncertainty_m_s * made->uncertainty_m_s + jitter * jitter;
        }
        return;
    }
    double least = predictive_summary_smoothing(n, means);
    for (size_t i = 0; i < n; i++)
        variances[i] += least;
}

/* What a mixture says, whoever has made it. */
static void tell(const prediction_work *work, const mixture_facts *facts, const mixture_grid *grid,
                 predicted_time *out)
{
    predictive_summary own = predictive_summary_of(facts, grid);
    out->facts.mean_m_s = own.mean;
    out->facts.sd_m_s = own.deviation;
    out->facts.low_95_m_s = own.low_95;
    out->facts.low_68_m_s = own.low_68;
    out->facts.median_m_s = own.median;
    out->facts.high_68_m_s = own.high_68;
    out->facts.high_95_m_s = own.high_95;
    out->facts.entropy = own.entropy;
    out->facts.information = work->what == EQUANT_PREDICTED_OBSERVATION ? own.information : NAN;
    out->facts.n_modes = own.n_modes;
    memcpy(out->modes, own.modes, sizeof out->modes);
}

static equant_status describe(const prediction_work *work, const equant_prediction *made,
                              size_t in_block, mixture_grid *grid, predicted_time *out)
{
    size_t n = forecast_sets(work->draws)->n;
    double *means = work->means + in_block * n, *variances = work->variances + in_block * n;
    mixture_facts facts;
    add_white(work, made, means, variances);
    const mixture of = {.n = n, .means = means, .variances = variances};
    equant_status status = mixture_describe(&of, grid, &facts);
    if (status == EQUANT_SUCCESS)
        tell(work, &facts, grid, out);
    return status;
}

/* Times of a block, from `first` of all on. */
typedef struct block_request {
    const prediction_work *work;
    size_t first, from; /* and from this one of the block on */
    equant_prediction *made;
    const forecast_times *times;
    equant_status of_gpu;
    atomic_int failed;
} block_request;

static void take_from_gpu(void *context, size_t first, size_t end, int thread)
{
    const block_request *of = context;
    (void)thread;
    for (size_t t = first; t < end; t++) {
        predicted_time *own = &of->made->times[of->first + t];
        mixture_grid grid;
        mixture_facts facts = forecast_device_facts(of->work->gpu, t, &grid);
        own->facts.time_days = of->times->time_days[t];
        if (of->of_gpu == EQUANT_SUCCESS)
            tell(of->work, &facts, &grid, own);
    }
}

static void describe_times(void *context, size_t first, size_t end, int thread)
{
    block_request *of = context;
    for (size_t t = of->from + first; t < of->from + end; t++) {
        predicted_time *own = &of->made->times[of->first + t];
        own->facts.time_days = of->work->time_days[of->first + t];
        parallel_keep_larger(&of->failed,
                             (int)describe(of->work, of->made, t, &of->work->grids[thread], own));
    }
}

/* Times after the data, by a GPU; false where processors have to do them. */
static bool fill_on_gpu(prediction_work *work, size_t first, size_t n, equant_prediction *made,
                        equant_status *status)
{
    const forecast_times times = {n, work->time_days + first, work->instruments};
    if (!work->gpu || times.time_days[0] < forecast_end_days(work->draws) ||
        !forecast_device_run(work->gpu, &times, work->white, status))
        return false;
    block_request of = {work, first, 0, made, &times, *status, 0};
    parallel_for(forecast_sets(work->draws)->n_threads, n, 0, take_from_gpu, &of);
    return true;
}

/* The caller hears how far it is, and may end it. */
static equant_status tell_progress(const prediction_work *work, size_t done, size_t n)
{
    return progress_report_tell(
        OPTION_OR_ZERO(work->options, equant_predict_options, progress),
        OPTION_OR_ZERO(work->options, equant_predict_options, progress_context), "predicting",
        (double)done / (double)n);
}

/* Some times of a block, on all threads. */
static equant_status describe_some(const prediction_work *work, size_t first, size_t from,
                                   size_t to, equant_prediction *made)
{
    block_request of = {work, first, from, made, NULL, EQUANT_SUCCESS, 0};
    parallel_for(forecast_sets(work->draws)->n_threads, to - from, 1, describe_times, &of);
    int failed = atomic_load(&of.failed);
    return failed == EQUANT_SUCCESS ? EQUANT_SUCCESS : mixture_fail((equant_status)failed);
}

/* A mixture far wider than its components takes a tenth of a second, so that progress is told
 * within a block. */
static equant_status fill_block(prediction_work *work, size_t first, size_t n,
                                equant_prediction *made)
{
    const forecast_times times = {n, work->time_days + first, work->instruments};
    equant_status status = forecast_fill(work->draws, &times, work->means, work->variances);
    size_t some = TIMES_PER_THREAD * (size_t)forecast_sets(work->draws)->n_threads;
    for (size_t from = 0; from < n && status == EQUANT_SUCCESS; from += some) {
        if (from > 0)
            status = tell_progress(work, first + from, made->n);
        if (status == EQUANT_SUCCESS)
            status = describe_some(work, first, from, from + some < n ? from + some : n, made);
    }
    return status;
}

/* Blocks do not reach over the end of the data: what comes after it is fast. */
static size_t block_at(const prediction_work *work, size_t first, size_t n, size_t most)
{
    size_t length = n - first < most ? n - first : most;
    double end = forecast_end_days(work->draws);
    if (work->time_days[first] >= end)
        return length;
    size_t before = 1;
    while (before < length && work->time_days[first + before] < end)
        before++;
    return before;
}

static equant_status fill_all(prediction_work *work, equant_prediction *made)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = 0, n; first < made->n && status == EQUANT_SUCCESS; first += n) {
        status = tell_progress(work, first, made->n);
        if (status != EQUANT_SUCCESS)
            return status;
        n = block_at(work, first, made->n, work->gpu ? MOST_TIMES : BLOCK);
        if (fill_on_gpu(work, first, n, made, &status))
            continue;
        n = block_at(work, first, made->n, BLOCK);
        status = fill_block(work, first, n, made);
    }
    return status;
}

static equant_status check(const equant_posterior *posterior, size_t n_times,
                           const double *time_days, const equant_predict_options *options)
{
    if (!posterior || n_times == 0 || !time_days)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a prediction takes a posterior and times");
    for (size_t k = 0; k < n_times; k++) {
        equant_status status = prediction_time_check("time", k + 1, time_days[k]);
        if (status != EQUANT_SUCCESS)
            return status;
        if (k > 0 && time_days[k] < time_days[k - 1])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "time %zu is earlier than the one before", k + 1);
    }
    return OPTIONS_CHECK(options);
}

equant_status equant_predict(const equant_posterior *posterior, size_t n_times,
                             const double *time_days, const equant_predict_options *options,
                             equant_prediction **prediction)
{
    equant_status status = check(posterior, n_times, time_days, options);
    if (status != EQUANT_SUCCESS)
        return status;
    prediction_work work = {.options = options,
                            .time_days = time_days,
                            .what = OPTION_OR_ZERO(options, equant_predict_options, what)};
    equant_prediction *made = calloc(1, sizeof *made);
    if (made)
        made->times = calloc(n_times, sizeof *made->times);
    if (!made || !made->times) {
        equant_prediction_free(made);
        return status_out_of_memory();
    }
    made->n = n_times;
    made->instrument = OPTION_OR_ZERO(options, equant_predict_options, instrument);
    made->uncertainty_m_s = OPTION_OR_ZERO(options, equant_predict_options, uncertainty_m_s);
    status = next_instrument_choose(equant_posterior_dataset(posterior), &made->instrument,
                                    &made->uncertainty_m_s);
    if (status == EQUANT_SUCCESS)
        status = work_create(posterior, &work, made);
    if (status == EQUANT_SUCCESS) {
        made->n_draws = forecast_sets(work.draws)->n;
        status = fill_all(&work, made);
    }
    if (work.draws)
        work_free(&work);
    if (status == EQUANT_SUCCESS)
        *prediction = made;
    else
        equant_prediction_free(made);
    return status;
}

/* ---- what it says -----------------------------------------------------------------------------
 */

void equant_prediction_free(equant_prediction *prediction)
{
    if (!prediction)
        return;
    free(prediction->times);
    free(prediction);
}

size_t equant_prediction_n(const equant_prediction *prediction)
{
    return prediction ? prediction->n : 0;
}

equant_status equant_prediction_at(const equant_prediction *prediction, size_t index,
                                   equant_predicted_time *out)
{
    if (!prediction)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no prediction");
    equant_status status = STATUS_CHECK_ITEM(out, "times", prediction->n, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_predicted_time known = prediction->times[index].facts;
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

equant_status equant_prediction_mode(const equant_prediction *prediction, size_t index,
                                     size_t number, double *velocity_m_s, double *share)
{
    if (!prediction)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no prediction");
    if (index >= prediction->n)
        return status_fail_range("times", prediction->n, index);
    const predicted_time *own = &prediction->times[index];
    if (number >= own->facts.n_modes)
        return status_fail_range("modes", own->facts.n_modes, number);
    *velocity_m_s = own->modes[number].value;
    *share = own->modes[number].weight;
    return EQUANT_SUCCESS;
}

size_t equant_prediction_instrument(const equant_prediction *prediction)
{
    return prediction ? prediction->instrument + 1 : 0;
}

double equant_prediction_uncertainty_m_s(const equant_prediction *prediction)
{
    return prediction ? prediction->uncertainty_m_s : NAN;
}

size_t equant_prediction_n_draws(const equant_prediction *prediction)
{
    return prediction ? prediction->n_draws : 0;
}
