#include "inference/sample/target/dense_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/dense_likelihood_object.h"
#include "model/circle.h"
#include "model/nights.h"
#include "parallel/parallel_for.h"
#include "statistics/noise_terms.h"

enum { TOGETHER = NOISE_TRIDIAGONAL_TOGETHER };

bool dense_likelihood_is_needed(const noise_kinds *noise)
{
    for (int i = 0; i < noise->n; i++)
        if (noise_kind_is_whole(noise->kind[i]))
            return true;
    return false;
}

void dense_likelihood_free(dense_likelihood *dense)
{
    if (!dense)
        return;
    for (int i = 0; dense->workers && i < dense->n_threads; i++) {
        noise_factor_free(&dense->workers[i].factor);
        free(dense->workers[i].variances);
        free(dense->workers[i].jacobian);
        noise_slopes_free(&dense->workers[i].slopes);
    }
    equant_evaluator_free(dense->evaluator);
    equant_model_free(dense->white);
    noise_tridiagonal_free(dense->fixed);
    free(dense->begins_night);
    free(dense->night_place);
    free(dense->workers);
    free(dense->sets);
    free(dense->residuals);
    free(dense->rotated);
    free(dense);
}

/* ---- creation ----------------------------------------------------------------------------------
 */

static equant_status create_evaluator(const dense_likelihood_options *options,
                                      dense_likelihood *dense)
{
    const parameter_layout *layout = dense->layout;
    equant_model_options shape = {.struct_size = sizeof shape,
                                  .n_planets = layout->n_planets,
                                  .n_instruments = layout->n_instruments,
                                  .trend = trend_order_name(layout->trend_order),
                                  .offset_columns = options->marginalise_offsets
                                                        ? EQUANT_NUISANCE_SOLVED
                                                        : EQUANT_NUISANCE_GIVEN,
                                  .trend_columns = EQUANT_NUISANCE_GIVEN,
                                  .with_jitter = 1};
    equant_status status = equant_model_create(&shape, &dense->white);
    if (status != EQUANT_SUCCESS)
        return status;
    dense->n_inner = equant_model_n_parameters(dense->white);
    return equant_evaluator_create(options->dataset, dense->white, options->engine,
                                   &dense->evaluator);
}

static equant_status find_nights(dense_likelihood *dense)
{
    const equant_dataset *dataset = dense->dataset;
    size_t n = dataset->n_obs;
    int n_instruments;
    dense->begins_night = malloc(n * sizeof *dense->begins_night);
    dense->night_place = malloc(n * sizeof *dense->night_place);
    if (!dense->begins_night || !dense->night_place)
        return status_out_of_memory();
    equant_status status = nights_find(n, dataset->time_days, dataset->instrument,
                                       dense->begins_night, &n_instruments);
    if (status == EQUANT_ERROR_OUT_OF_MEMORY)
        return status_out_of_memory();
    if (status != EQUANT_SUCCESS)
        return status_fail(status, "nights are told apart for at most %d instruments",
                           (int)NIGHTS_MOST_INSTRUMENTS);
    nights_places(n, dataset->instrument, dense->begins_night, dense->night_place,
                  &dense->n_night_places);
    return EQUANT_SUCCESS;
}

static equant_status check_blocks(const dense_likelihood *dense)
{
    int n_blocks = 0;
    for (int i = 0; i < dense->layout->noise.n; i++)
        n_blocks += noise_terms_blocks(dense->layout->noise.kind[i], dense->n_night_places);
    if (n_blocks <= NOISE_PROCESS_MOST_PARTS)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "this noise has %d parts, nights counted as often as they overlap; %d are "
                       "the most",
                       n_blocks, (int)NOISE_PROCESS_MOST_PARTS);
}

noise_factor_rows dense_likelihood_rows(const dense_likelihood *dense)
{
    return (noise_factor_rows){.n = dense->dataset->n_obs,
                               .time_days = dense->dataset->time_days,
                               .instruments = dense->night_place,
                               .begins_night = dense->begins_night,
                               .owners = dense->dataset->instrument};
}

/* The values of noise where the priors fix all of them; false where one is free. */
static bool are_fixed(const dense_likelihood_options *options, double *values)
{
    const parameter_layout *all = priors_layout(options->priors);
    size_t first = parameter_layout_first(all, TERM_NOISE);
    for (size_t i = first; i < all->n_parameters; i++) {
        const prior_density *prior = priors_of_column(options->priors, i);
        if (prior->kind != PRIOR_FIXED)
            return false;
        values[i - first] = prior->first;
    }
    return true;
}

static equant_status create_fixed(const double *values, dense_likelihood *dense)
{
    const noise_factor_rows rows = dense_likelihood_rows(dense);
    noise_process process;
    if (!noise_kinds_allow(&dense->layout->noise, values))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no noise has the parameters that the priors fix");
    double *variances = malloc(rows.n * sizeof *variances);
    if (!variances)
        return status_out_of_memory();
    for (size_t k = 0; k < rows.n; k++)
        variances[k] = dense->dataset->uncertainty_m_s[k] * dense->dataset->uncertainty_m_s[k];
    noise_terms_expand(&process, &dense->layout->noise, values, dense->n_night_places);
    equant_status status = noise_tridiagonal_create(&process, &rows, variances, &dense->fixed);
    free(variances);
    return status;
}

static equant_status create_factors(dense_likelihood *dense)
{
    size_t n = dense->dataset->n_obs;
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < dense->n_threads && status == EQUANT_SUCCESS; i++) {
        dense_worker *own = &dense->workers[i];
        status = noise_factor_create(n, 1, true, &own->factor);
        own->variances = malloc(n * sizeof *own->variances);
        if (status == EQUANT_SUCCESS && !own->variances)
            status = status_out_of_memory();
    }
    return status;
}

/* The noise of the model itself. */
static equant_status create_noise(const dense_likelihood_options *options, dense_likelihood *dense)
{
    double values[NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS];
    bool is_shared = dense->layout->n_instruments == 1 && are_fixed(options, values);
    if (options->marginalise_offsets && !is_shared)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "beside noise terms offsets are sampled, not integrated out");
    equant_status status = find_nights(dense);
    if (status == EQUANT_SUCCESS)
        status = check_blocks(dense);
    if (status != EQUANT_SUCCESS)
        return status;
    return is_shared ? create_fixed(values, dense) : create_factors(dense);
}

static equant_status create_buffers(dense_likelihood *dense)
{
    size_t n_obs = dense->dataset->n_obs;
    dense->sets = malloc(DENSE_BATCH * (dense->n_inner + 1) * sizeof *dense->sets);
    dense->residuals = malloc(DENSE_BATCH * n_obs * sizeof *dense->residuals);
    dense->rotated = malloc(DENSE_BATCH * n_obs * sizeof *dense->rotated);
    return dense->sets && dense->residuals && dense->rotated ? EQUANT_SUCCESS
                                                             : status_out_of_memory();
}

equant_status dense_likelihood_create(const dense_likelihood_options *options,
                                      dense_likelihood **made)
{
    dense_likelihood *dense = calloc(1, sizeof *dense);
    if (!dense)
        return status_out_of_memory();
    dense->dataset = options->dataset;
    dense->layout = &options->model->layout;
    dense->is_marginal = options->marginalise_offsets != 0;
    dense->n_threads = options->n_threads;
    equant_status status = create_evaluator(options, dense);
    dense->workers = calloc((size_t)dense->n_threads, sizeof *dense->workers);
    if (status == EQUANT_SUCCESS && !dense->workers)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = create_noise(options, dense);
    if (status == EQUANT_SUCCESS)
        status = create_buffers(dense);
    if (status != EQUANT_SUCCESS) {
        dense_likelihood_free(dense);
        return status;
    }
    *made = dense;
    return EQUANT_SUCCESS;
}

/* ---- likelihood --------------------------------------------------------------------------------
 */

const double *dense_likelihood_jitters(const dense_likelihood *dense, size_t set)
{
    return parameter_layout_values(&dense->white->layout, TERM_JITTERS,
                                   dense->sets + set * dense->n_inner);
}

/* Sets first ... of the batch, under a covariance that they share. */
static void evaluate_shared(const dense_likelihood *dense, size_t first, size_t n,
                            double *log_likelihood)
{
    size_t n_obs = dense->dataset->n_obs;
    double jitters[TOGETHER];
    for (size_t s = 0; s < n; s++)
        jitters[s] = *dense_likelihood_jitters(dense, first + s);
    noise_tridiagonal_log_likelihood(dense->fixed, dense->is_marginal, n,
                                     dense->residuals + first * n_obs, jitters,
                                     dense->rotated + first * n_obs, log_likelihood + first);
}

bool dense_likelihood_process(const dense_likelihood *dense, size_t set, const double *noise,
                              noise_process *process, double *variances)
{
    const equant_dataset *dataset = dense->dataset;
    const double *jitters = dense_likelihood_jitters(dense, set);
    if (isnan(dense->residuals[set * dataset->n_obs]) ||
        !noise_kinds_allow(&dense->layout->noise, noise))
        return false;
    for (size_t k = 0; k < dataset->n_obs; k++) {
        double jitter = jitters[dataset->instrument[k]], sigma = dataset->uncertainty_m_s[k];
        variances[k] = sigma * sigma + jitter * jitter;
    }
    noise_terms_expand(process, &dense->layout->noise, noise, dense->n_night_places);
    return true;
}

/* A set of the batch, under a factor of its own. */
static double evaluate_own(const dense_likelihood *dense, size_t set, const double *noise,
                           dense_worker *with)
{
    const noise_factor_rows rows = dense_likelihood_rows(dense);
    double *whitened = dense->rotated + set * rows.n;
    noise_process process;
    if (!dense_likelihood_process(dense, set, noise, &process, with->variances) ||
        !noise_factor_make(&with->factor, &process, &rows, with->variances))
        return -INFINITY;
    memcpy(whitened, dense->residuals + set * rows.n, rows.n * sizeof *whitened);
    return noise_factor_log_likelihood(&with->factor,
                                       noise_factor_square(&with->factor, whitened, NULL));
}

typedef struct batch {
    const dense_likelihood *dense;
    size_t n, at_once; /* sets; those that one step does */
    const double *parameters;
    double *log_likelihood;
} batch;

static void evaluate_some(void *context, size_t first, size_t end, int thread)
{
    const batch *of = context;
    const dense_likelihood *dense = of->dense;
    const size_t width = dense->layout->n_parameters;
    const double *noise = of->parameters + parameter_layout_first(dense->layout, TERM_NOISE);
    for (size_t step = first; step < end; step++) {
        size_t s = step * of->at_once, left = of->n - s;
        if (dense->fixed)
            evaluate_shared(dense, s, left < of->at_once ? left : of->at_once, of->log_likelihood);
        else
            of->log_likelihood[s] =
                evaluate_own(dense, s, noise + s * width, &dense->workers[thread]);
    }
}

static void evaluate_batch(dense_likelihood *dense, size_t n, const double *parameters,
                           double *log_likelihood)
{
    const size_t at_once = dense->fixed ? TOGETHER : 1;
    batch of = {dense, n, at_once, parameters, log_likelihood};
    parallel_for(dense->n_threads, (n + at_once - 1) / at_once, 1, evaluate_some, &of);
    for (size_t s = 0; s < n; s++)
        if (!isfinite(log_likelihood[s]))
            log_likelihood[s] = -INFINITY;
}

equant_status dense_likelihood_subtract(dense_likelihood *dense, size_t n, const double *sets)
{
    const size_t width = dense->layout->n_parameters, n_inner = dense->n_inner;
    const equant_results wanted = {.struct_size = sizeof wanted, .residuals = dense->residuals};
    for (size_t s = 0; s < n; s++)
        memcpy(dense->sets + s * n_inner, sets + s * width, n_inner * sizeof *sets);
    return equant_evaluator_evaluate(dense->evaluator, n, dense->sets, &wanted);
}

equant_status dense_likelihood_evaluate(dense_likelihood *dense, size_t n_sets,
                                        const double *parameters, double *log_likelihood)
{
    const size_t width = dense->layout->n_parameters;
    for (size_t done = 0; done < n_sets; done += DENSE_BATCH) {
        size_t n = n_sets - done < DENSE_BATCH ? n_sets - done : DENSE_BATCH;
        const double *sets = parameters + done * width;
        equant_status status = dense_likelihood_subtract(dense, n, sets);
        if (status != EQUANT_SUCCESS)
            return status;
        evaluate_batch(dense, n, sets, log_likelihood + done);
    }
    return EQUANT_SUCCESS;
}
