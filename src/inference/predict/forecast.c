#include "inference/predict/forecast.h"

#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/forecasts/device_forecast.h"
#include "core/status_fail.h"
#include "model/nights.h"
#include "noise/noise_predict.h"
#include "parallel/parallel_for.h"
#include "statistics/noise_terms.h"

struct forecast {
    draw_sets sets;
    noise_factor_rows rows;
    bool *begins_night;      /* [n_obs] */
    double *residuals;       /* [n_draws][n_obs] */
    noise_forecast *process; /* [n_draws]; NULL: the noise is white */
    double *states;          /* behind f and s of all of them */
    double *own_variance;    /* [n_draws][n_instruments]: of the process, without data */
    double *last_night;      /* [n_instruments] */
    bool has_state;
};

/* ---- creation ---------------------------------------------------------------------------------
 */

static equant_status number_nights(forecast *made, const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_obs(dataset);
    int n_instruments = 0;
    double *night = malloc(n * sizeof *night);
    made->begins_night = malloc(n * sizeof *made->begins_night);
    made->last_night = malloc(made->sets.n_instruments * sizeof *made->last_night);
    equant_status status =
        night && made->begins_night && made->last_night ? EQUANT_SUCCESS : status_out_of_memory();
    made->rows = (noise_factor_rows){.n = n,
                                     .time_days = equant_dataset_times_days(dataset),
                                     .instruments = equant_dataset_instruments(dataset),
                                     .begins_night = made->begins_night,
                                     .owners = equant_dataset_instruments(dataset)};
    if (status == EQUANT_SUCCESS &&
        (nights_find(n, made->rows.time_days, made->rows.instruments, made->begins_night,
                     &n_instruments) != EQUANT_SUCCESS ||
         nights_number(n, made->rows.time_days, made->rows.instruments, n, made->rows.time_days,
                       made->rows.instruments, night) != EQUANT_SUCCESS))
        status = status_out_of_memory();
    for (size_t i = 0; i < made->sets.n_instruments && status == EQUANT_SUCCESS; i++)
        made->last_night[i] = NAN;
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
        made->last_night[made->rows.instruments[k]] = night[k];
    free(night);
    return status;
}

static void write_variances(const forecast *of, size_t draw, double *variances)
{
    const double *sigma =
        equant_dataset_uncertainties_m_s(equant_posterior_dataset(of->sets.posterior));
    const double *jitters = of->sets.jitters + draw * of->sets.n_instruments;
    for (size_t k = 0; k < of->rows.n; k++) {
        double jitter = jitters[of->rows.instruments[k]];
        variances[k] = sigma[k] * sigma[k] + jitter * jitter;
    }
}

typedef struct recursions {
    forecast *made;
    double *variances; /* [n_threads][n_obs] */
    atomic_bool have_failed;
} recursions;

static void run_some(void *context, size_t first, size_t end, int thread)
{
    recursions *of = context;
    forecast *made = of->made;
    size_t n_obs = made->rows.n, n_states = (size_t)made->process[0].process.n_states;
    double *room = of->variances + (size_t)thread * n_obs;
    for (size_t i = first; i < end; i++) {
        noise_forecast *own = &made->process[i];
        own->f = made->states + i * n_states * (n_states + 1);
        own->s = own->f + n_states;
        write_variances(made, i, room);
        if (!noise_forecast_make(&made->rows, made->residuals + i * n_obs, room, own))
            atomic_store(&of->have_failed, true);
    }
}

static equant_status run_recursions(forecast *made)
{
    size_t n_obs = made->rows.n, n_states = (size_t)made->process[0].process.n_states;
    int n_threads = made->sets.n_threads;
    double *variances = malloc((size_t)n_threads * n_obs * sizeof *variances);
    made->states = malloc((made->sets.n * n_states * (n_states + 1) + 1) * sizeof *made->states);
    if (!variances || !made->states) {
        free(variances);
        return status_out_of_memory();
    }
    recursions of = {.made = made, .variances = variances};
    parallel_for(n_threads, made->sets.n, 0, run_some, &of);
    free(variances);
    return atomic_load(&of.have_failed)
               ? status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "rounding has eaten the covariance of a draw's noise: there is "
                             "nothing to predict")
               : EQUANT_SUCCESS;
}

static noise_place place_at(double time_days, double night, int instrument)
{
    return (noise_place){.time_days = time_days,
                         .night = night,
                         .alpha = 1.0,
                         .instrument = instrument,
                         .owner = instrument};
}

static equant_status make_processes(forecast *made)
{
    const parameter_layout *layout = made->sets.layout;
    size_t m = made->sets.n_instruments, n_obs = made->rows.n;
    made->process = calloc(made->sets.n, sizeof *made->process);
    made->residuals = malloc(made->sets.n * n_obs * sizeof *made->residuals);
    made->own_variance = malloc(made->sets.n * m * sizeof *made->own_variance);
    if (!made->process || !made->residuals || !made->own_variance)
        return status_out_of_memory();
    for (size_t i = 0; i < made->sets.n; i++) {
        noise_process *own = &made->process[i].process;
        noise_terms_expand(own, &layout->noise,
                           draw_sets_parameters(&made->sets, i) + layout->columns[TERM_NOISE].first,
                           (int)m);
        for (size_t k = 0; k < m; k++) {
            noise_place somewhere = place_at(0.0, 0.0, (int)k);
            made->own_variance[i * m + k] = noise_covariance(own, &somewhere, &somewhere);
        }
    }
    made->has_state = !noise_covariance_is_whole(&made->process[0].process);
    equant_status status = draw_sets_residuals(&made->sets, made->residuals);
    if (status == EQUANT_SUCCESS && made->has_state)
        status = run_recursions(made);
    return status;
}

equant_status forecast_create(const equant_posterior *posterior,
                              const equant_engine_options *engine, size_t most_draws,
                              forecast **out)
{
    forecast *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    equant_status status = draw_sets_create(posterior, engine, most_draws, &made->sets);
    if (status == EQUANT_SUCCESS)
        status = number_nights(made, equant_posterior_dataset(posterior));
    if (status == EQUANT_SUCCESS && made->sets.layout->noise.n > 0)
        status = make_processes(made);
    if (status != EQUANT_SUCCESS) {
        forecast_free(made);
        return status;
    }
    *out = made;
    return EQUANT_SUCCESS;
}

void forecast_free(forecast *of)
{
    if (!of)
        return;
    draw_sets_free(&of->sets);
    free(of->begins_night);
    free(of->residuals);
    free(of->process);
    free(of->states);
    free(of->own_variance);
    free(of->last_night);
    free(of);
}

const draw_sets *forecast_sets(const forecast *of)
{
    return &of->sets;
}

bool forecast_has_process(const forecast *of)
{
    return of->process != NULL;
}

bool forecast_has_state(const forecast *of)
{
    return !of->process || of->has_state;
}

double forecast_end_days(const forecast *of)
{
    return of->rows.time_days[of->rows.n - 1];
}

/* ---- what is predicted -------------------------------------------------------------------------
 */

static equant_status nights_of(const forecast *of, const forecast_times *times, double **nights)
{
    *nights = malloc((times->n + 1) * sizeof **nights);
    if (!*nights || nights_number(of->rows.n, of->rows.time_days, of->rows.instruments, times->n,
                                  times->time_days, times->instruments, *nights) != EQUANT_SUCCESS)
        return status_out_of_memory();
    return EQUANT_SUCCESS;
}

typedef struct forecast_request {
    const forecast *of;
    const forecast_times *times;
    const double *nights;
    double *means, *variances;
    atomic_int failed;
} forecast_request;

static void fill_some_ahead(void *context, size_t first, size_t end, int thread)
{
    const forecast_request *asked = context;
    const forecast *of = asked->of;
    const forecast_nights last = {of->sets.n_instruments, of->last_night};
    size_t n = of->sets.n, m = of->sets.n_instruments;
    (void)thread;
    for (size_t t = first; t < end; t++) {
        double p[NOISE_PROCESS_MOST_STATES];
        int instrument = asked->times->instruments[t];
        noise_place at = place_at(asked->times->time_days[t], asked->nights[t], instrument);
        for (size_t i = 0; i < n; i++) {
            const noise_forecast *own = &of->process[i];
            noise_forecast_look(own, &last, &at, p);
            asked->means[t * n + i] += noise_forecast_mean(own, p);
            double left =
                of->own_variance[i * m + (size_t)instrument] - noise_forecast_known(own, p, p);
            asked->variances[t * n + i] = left > 0.0 ? left : 0.0;
        }
    }
}

/* By the states at the end of the data. */
static void fill_ahead(const forecast *of, const forecast_times *times, const double *nights,
                       double *means, double *variances)
{
    forecast_request asked = {of, times, nights, means, variances, 0};
    parallel_for(of->sets.n_threads, times->n, 0, fill_some_ahead, &asked);
}

static equant_status fill_draw(const forecast_request *asked, size_t i, double *room)
{
    const forecast *of = asked->of;
    const forecast_times *times = asked->times;
    const noise_factor_rows at = {.n = times->n,
                                  .time_days = times->time_days,
                                  .instruments = times->instruments,
                                  .owners = times->instruments};
    size_t n = of->sets.n, n_obs = of->rows.n;
    double *mean = room + n_obs, *variance = mean + times->n;
    write_variances(of, i, room);
    equant_status status = noise_predict_rows(&of->process[i].process, &of->rows,
                                              of->residuals + i * n_obs, room, &at, mean, variance);
    for (size_t t = 0; t < times->n && status == EQUANT_SUCCESS; t++) {
        asked->means[t * n + i] += mean[t];
        asked->variances[t * n + i] = variance[t];
    }
    return status;
}

static void fill_some_among(void *context, size_t first, size_t end, int thread)
{
    forecast_request *asked = context;
    double *room = malloc((asked->of->rows.n + 2 * asked->times->n) * sizeof *room);
    (void)thread;
    if (!room)
        parallel_keep_larger(&asked->failed, EQUANT_ERROR_OUT_OF_MEMORY);
    for (size_t i = first; i < end && room; i++)
        parallel_keep_larger(&asked->failed, (int)fill_draw(asked, i, room));
    free(room);
}

/* Among the data, draw by draw. */
static equant_status fill_among(const forecast *of, const forecast_times *times, double *means,
                                double *variances)
{
    forecast_request asked = {of, times, NULL, means, variances, 0};
    parallel_for(of->sets.n_threads, of->sets.n, 8, fill_some_among, &asked);
    return atomic_load(&asked.failed) == EQUANT_SUCCESS ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Orbits, trend and offset of all draws, time by time. */
static equant_status fill_orbits(const forecast *of, const forecast_times *times, double *means)
{
    size_t n = of->sets.n, m = of->sets.n_instruments;
    double *velocities = malloc((n * times->n + 1) * sizeof *velocities);
    equant_status status =
        velocities ? draw_sets_velocities(&of->sets, times->n, times->time_days, velocities)
                   : status_out_of_memory();
    for (size_t t = 0; t < times->n && status == EQUANT_SUCCESS; t++)
        for (size_t i = 0; i < n; i++)
            means[t * n + i] = velocities[i * times->n + t] +
                               of->sets.offsets[i * m + (size_t)times->instruments[t]];
    free(velocities);
    return status;
}

equant_status forecast_fill(const forecast *of, const forecast_times *times, double *means,
                            double *variances)
{
    double *nights = NULL;
    equant_status status = fill_orbits(of, times, means);
    if (status != EQUANT_SUCCESS)
        return status;
    memset(variances, 0, times->n * of->sets.n * sizeof *variances);
    if (!of->process)
        return EQUANT_SUCCESS;
    status = nights_of(of, times, &nights);
    if (status == EQUANT_SUCCESS && of->has_state && times->time_days[0] >= forecast_end_days(of))
        fill_ahead(of, times, nights, means, variances);
    else if (status == EQUANT_SUCCESS)
        status = fill_among(of, times, means, variances);
    free(nights);
    return status;
}

equant_status forecast_begins_night(const forecast *of, const forecast_times *times, int *begins)
{
    const forecast_nights last = {of->sets.n_instruments, of->last_night};
    double *nights = NULL;
    equant_status status = nights_of(of, times, &nights);
    for (size_t t = 0; t < times->n && status == EQUANT_SUCCESS; t++) {
        noise_place at = place_at(times->time_days[t], nights[t], times->instruments[t]);
        begins[t] = !noise_forecast_is_same_night(&last, &at);
    }
    free(nights);
    return status;
}

equant_status forecast_lend(const forecast *of, backend_forecast *lent, noise_block **blocks)
{
    *lent = (backend_forecast){.n_draws = of->sets.n,
                               .n_instruments = of->sets.n_instruments,
                               .offsets = of->sets.offsets,
                               .jitters = of->sets.jitters,
                               .end_days = forecast_end_days(of)};
    *blocks = NULL;
    if (!of->process)
        return EQUANT_SUCCESS;
    size_t n = (size_t)of->process[0].process.n_blocks;
    *blocks = malloc((of->sets.n * n + 1) * sizeof **blocks);
    if (!*blocks)
        return status_out_of_memory();
    for (size_t i = 0; i < of->sets.n; i++)
        memcpy(*blocks + i * n, of->process[i].process.block, n * sizeof **blocks);
    lent->n_blocks = n;
    lent->n_states = (size_t)of->process[0].process.n_states;
    lent->blocks = *blocks;
    lent->states = of->states;
    lent->own_variances = of->own_variance;
    return EQUANT_SUCCESS;
}

typedef struct covariance_request {
    const forecast *of;
    const forecast_times *times;
    const double *nights;
    noise_place chosen;
    double *covariances;
} covariance_request;

static void fill_covariances(void *context, size_t first, size_t end, int thread)
{
    const covariance_request *asked = context;
    const forecast *of = asked->of;
    const forecast_times *times = asked->times;
    const forecast_nights last = {of->sets.n_instruments, of->last_night};
    (void)thread;
    for (size_t i = first; i < end; i++) {
        const noise_forecast *own = &of->process[i];
        double p[NOISE_PROCESS_MOST_STATES], q[NOISE_PROCESS_MOST_STATES];
        noise_forecast_look(own, &last, &asked->chosen, q);
        for (size_t t = 0; t < times->n; t++) {
            noise_place at = place_at(times->time_days[t], asked->nights[t], times->instruments[t]);
            noise_forecast_look(own, &last, &at, p);
            asked->covariances[t * of->sets.n + i] =
                noise_covariance(&own->process, &at, &asked->chosen) -
                noise_forecast_known(own, p, q);
        }
    }
}

equant_status forecast_covariances(const forecast *of, const forecast_times *times,
                                   double time_days, int instrument, double *covariances)
{
    const forecast_times one = {1, &time_days, &instrument};
    double *nights = NULL, *night = NULL;
    equant_status status = nights_of(of, times, &nights);
    if (status == EQUANT_SUCCESS)
        status = nights_of(of, &one, &night);
    if (status == EQUANT_SUCCESS) {
        covariance_request asked = {of, times, nights, place_at(time_days, *night, instrument),
                                    covariances};
        parallel_for(of->sets.n_threads, of->sets.n, 0, fill_covariances, &asked);
    }
    free(nights);
    free(night);
    return status;
}
