#include "inference/predict/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/forecasts/device_forecast.h"
#include "core/status_fail.h"
#include "model/nights.h"
#include "noise/noise_predict.h"
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

static equant_status run_recursions(forecast *made)
{
    size_t n_obs = made->rows.n, n_states = (size_t)made->process[0].process.n_states;
    int failed = 0, n_threads = made->sets.n_threads;
    double *variances = malloc((size_t)n_threads * n_obs * sizeof *variances);
    made->states = malloc((made->sets.n * n_states * (n_states + 1) + 1) * sizeof *made->states);
    if (!variances || !made->states) {
        free(variances);
        return status_out_of_memory();
    }
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(max : failed)
    for (int worker = 0; worker < n_threads; worker++)
        for (size_t i = (size_t)worker; i < made->sets.n; i += (size_t)n_threads) {
            noise_forecast *own = &made->process[i];
            double *room = variances + (size_t)worker * n_obs;
            own->f = made->states + i * n_states * (n_states + 1);
            own->s = own->f + n_states;
            write_variances(made, i, room);
            if (!noise_forecast_make(&made->rows, made->residuals + i * n_obs, room, own))
                failed = 1;
        }
    free(variances);
    return failed ? status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
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

/* By the states at the end of the data. */
static void fill_ahead(const forecast *of, const forecast_times *times, const double *nights,
                       double *means, double *variances)
{
    const forecast_nights last = {of->sets.n_instruments, of->last_night};
    size_t n = of->sets.n, m = of->sets.n_instruments;
#pragma omp parallel for num_threads(of->sets.n_threads) schedule(static)
    for (size_t t = 0; t < times->n; t++) {
        double p[NOISE_PROCESS_MOST_STATES];
        int instrument = times->instruments[t];
        noise_place at = place_at(times->time_days[t], nights[t], instrument);
        for (size_t i = 0; i < n; i++) {
            const noise_forecast *own = &of->process[i];
            noise_forecast_look(own, &last, &at, p);
            means[t * n + i] += noise_forecast_mean(own, p);
            double left =
                of->own_variance[i * m + (size_t)instrument] - noise_forecast_known(own, p, p);
            variances[t * n + i] = left > 0.0 ? left : 0.0;
        }
    }
}

/* Among the data, draw by draw. */
static equant_status fill_among(const forecast *of, const forecast_times *times, double *means,
                                double *variances)
{
    const noise_factor_rows at = {.n = times->n,
                                  .time_days = times->time_days,
                                  .instruments = times->instruments,
                                  .owners = times->instruments};
    size_t n = of->sets.n, n_obs = of->rows.n;
    int failed = EQUANT_SUCCESS;
#pragma omp parallel for num_threads(of->sets.n_threads) schedule(dynamic, 8) reduction(max        \
                                                                                        : failed)
    for (size_t i = 0; i < n; i++) {
        double *room = malloc((n_obs + 2 * times->n) * sizeof *room);
        double *mean = room ? room + n_obs : NULL, *variance = room ? mean + times->n : NULL;
        equant_status status = room ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
        if (room) {
            write_variances(of, i, room);
            status = noise_predict_rows(&of->process[i].process, &of->rows,
                                        of->residuals + i * n_obs, room, &at, mean, variance);
        }
        for (size_t t = 0; t < times->n && status == EQUANT_SUCCESS; t++) {
            means[t * n + i] += mean[t];
            variances[t * n + i] = variance[t];
        }
        failed = (int)status > failed ? (int)status : failed;
        free(room);
    }
    return failed == EQUANT_SUCCESS ? EQUANT_SUCCESS : status_out_of_memory();
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

equant_status forecast_covariances(const forecast *of, const forecast_times *times,
                                   double time_days, int instrument, double *covariances)
{
    const forecast_nights last = {of->sets.n_instruments, of->last_night};
    const forecast_times one = {1, &time_days, &instrument};
    size_t n = of->sets.n;
    double *nights = NULL, *night = NULL;
    equant_status status = nights_of(of, times, &nights);
    if (status == EQUANT_SUCCESS)
        status = nights_of(of, &one, &night);
    if (status == EQUANT_SUCCESS) {
        noise_place chosen = place_at(time_days, *night, instrument);
#pragma omp parallel for num_threads(of->sets.n_threads) schedule(static)
        for (size_t i = 0; i < n; i++) {
            const noise_forecast *own = &of->process[i];
            double p[NOISE_PROCESS_MOST_STATES], q[NOISE_PROCESS_MOST_STATES];
            noise_forecast_look(own, &last, &chosen, q);
            for (size_t t = 0; t < times->n; t++) {
                noise_place at = place_at(times->time_days[t], nights[t], times->instruments[t]);
                noise_forecast_look(own, &last, &at, p);
                covariances[t * n + i] =
                    noise_covariance(&own->process, &at, &chosen) - noise_forecast_known(own, p, q);
            }
        }
    }
    free(nights);
    free(night);
    return status;
}
