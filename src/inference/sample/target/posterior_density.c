#include "inference/sample/target/posterior_density.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/dense_likelihood.h"
#include "inference/sample/target/marginal_offsets.h"
#include "inference/priors/stated_prior.h"
#include "parallel/parallel_for.h"
#include "statistics/coordinate_draw.h"

struct posterior_density {
    equant_model *model;
    equant_evaluator *evaluator; /* NULL: the noise takes whole matrices */
    dense_likelihood *dense;     /* in its place */
    coordinate_map map;          /* of the two arrays below */
    prior_density *density;
    double *scale;
    size_t n_coordinates, n_obs, n_instruments;
    unsigned char *is_angle, *subset; /* [n_coordinates] */
    marginal_offsets *offsets;        /* NULL: they are parameters */
    const equant_states *states;      /* NULL: nothing is known */
    orbit_basis *basis;               /* [n_planets]; NULL: the usual one */
    double star_mass, reference_time_days;
    int n_threads;
};

/* ---- creation --------------------------------------------------------------- */

static bool is_dense(const posterior_density_options *options)
{
    return dense_likelihood_is_needed(&priors_layout(options->priors)->noise);
}

static equant_status check_terms(const posterior_density_options *options)
{
    bool has_terms = priors_layout(options->priors)->noise.n > 0;
    if (has_terms && options->marginalise_offsets && !is_dense(options))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "beside noise terms offsets are sampled, not integrated out");
    return EQUANT_SUCCESS;
}

static equant_status check(const posterior_density_options *options)
{
    const parameter_layout *layout = priors_layout(options->priors);
    size_t n_instruments = equant_dataset_n_instruments(options->dataset);
    if (layout->n_planets != options->n_planets || layout->trend_order != options->trend_order ||
        layout->n_instruments != n_instruments)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the priors are those of another model: %zu planets, %zu instruments "
                           "and a trend of order %d",
                           layout->n_planets, layout->n_instruments, layout->trend_order);
    return check_terms(options);
}

static equant_status create_evaluator(const posterior_density_options *options,
                                      posterior_density *p)
{
    char noise[NOISE_KINDS_TEXT_SIZE];
    noise_kinds_write_sorted(&priors_layout(options->priors)->noise, noise);
    equant_model_options shape = {.struct_size = sizeof shape,
                                  .n_planets = options->n_planets,
                                  .n_instruments = p->n_instruments,
                                  .trend = trend_order_name(options->trend_order),
                                  .offset_columns = options->marginalise_offsets
                                                        ? EQUANT_NUISANCE_SOLVED
                                                        : EQUANT_NUISANCE_GIVEN,
                                  .trend_columns = EQUANT_NUISANCE_GIVEN,
                                  .with_jitter = 1,
                                  .noise = noise};
    equant_status status = equant_model_create(&shape, &p->model);
    const dense_likelihood_options dense = {.dataset = options->dataset,
                                            .priors = options->priors,
                                            .model = p->model,
                                            .engine = options->engine,
                                            .marginalise_offsets = options->marginalise_offsets,
                                            .n_threads = p->n_threads};
    if (status == EQUANT_SUCCESS)
        status = is_dense(options) ? dense_likelihood_create(&dense, &p->dense)
                                   : equant_evaluator_create(options->dataset, p->model,
                                                             options->engine, &p->evaluator);
    if (status == EQUANT_SUCCESS && options->marginalise_offsets)
        status = marginal_offsets_create(options->dataset, options->priors, &p->offsets);
    return status;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Uses the memory given to it. */
static double median_uncertainty(const equant_dataset *dataset, double *sorted)
{
    size_t n = equant_dataset_n_obs(dataset);
    memcpy(sorted, equant_dataset_uncertainties_m_s(dataset), n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return sorted[n / 2];
}

/* Amplitudes become logarithmic at the knee of their prior: it is flat in that coordinate. Where
 * it has none, at the size of the noise. */
static double scale_of(const prior_density *prior, double noise_m_s)
{
    bool has_knee = prior->kind == PRIOR_MODIFIED_LOG_UNIFORM || prior->kind == PRIOR_FALLING_LIMIT;
    return has_knee ? prior->first : noise_m_s;
}

/* Whether a column of the priors is none of a parameter set: it is integrated out. */
static bool is_left_out(const posterior_density_options *options, size_t column)
{
    return options->marginalise_offsets &&
           parameter_layout_term(priors_layout(options->priors), column) == TERM_OFFSETS;
}

size_t posterior_density_count(const posterior_density_options *options)
{
    size_t n = 0;
    for (size_t i = 0; i < priors_layout(options->priors)->n_parameters; i++)
        n += !is_left_out(options, i) &&
             coordinate_map_is_free(priors_of_column(options->priors, i));
    return n;
}

/* The densities of all columns that the evaluator has. */
static void fill_densities(const posterior_density_options *options, double noise_m_s,
                           posterior_density *p)
{
    const parameter_layout *layout = priors_layout(options->priors);
    size_t n = 0;
    for (size_t i = 0; i < layout->n_parameters; i++) {
        if (is_left_out(options, i))
            continue;
        p->density[n] = *priors_of_column(options->priors, i);
        p->scale[n] = scale_of(&p->density[n], noise_m_s);
        n++;
    }
}

static void label_subsets(posterior_density *p)
{
    size_t at = 0;
    for (size_t i = 0; i < posterior_density_n_parameters(p); i++) {
        size_t end = parameter_layout_end(&p->map.layout, TERM_ORBITS);
        size_t planet = (i < end ? i : end) / N_ELEMENTS;
        if (coordinate_map_is_free(&p->density[i]))
            p->subset[at++] = (unsigned char)(planet < 255 ? planet : 255);
    }
}

static equant_status create_map(const posterior_density_options *options, posterior_density *p)
{
    size_t n = posterior_density_n_parameters(p);
    double *uncertainties = malloc(p->n_obs * sizeof *uncertainties);
    p->density = malloc(n * sizeof *p->density);
    p->scale = malloc(n * sizeof *p->scale);
    p->is_angle = malloc(n);
    p->subset = malloc(n);
    bool complete = uncertainties && p->density && p->scale && p->is_angle && p->subset;
    if (complete && options->basis) {
        p->basis = malloc((options->n_planets + 1) * sizeof *p->basis);
        complete = p->basis != NULL;
        for (size_t i = 0; i < options->n_planets && complete; i++)
            p->basis[i] = options->basis[i];
    }
    if (complete) {
        fill_densities(options, median_uncertainty(options->dataset, uncertainties), p);
        p->map = (coordinate_map){p->model->layout, p->density, p->scale, p->basis};
        p->n_coordinates = coordinate_map_layout(&p->map, p->is_angle);
        label_subsets(p);
    }
    free(uncertainties);
    if (!complete)
        return status_out_of_memory();
    if (p->n_coordinates == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the priors fix every parameter: there is nothing to sample");
    return EQUANT_SUCCESS;
}

equant_status posterior_density_create(const posterior_density_options *options,
                                       posterior_density **made)
{
    equant_status status = check(options);
    if (status != EQUANT_SUCCESS)
        return status;
    posterior_density *p = calloc(1, sizeof *p);
    if (!p)
        return status_out_of_memory();
    p->n_obs = equant_dataset_n_obs(options->dataset);
    p->n_instruments = equant_dataset_n_instruments(options->dataset);
    p->states = equant_states_n(options->states) > 0 ? options->states : NULL;
    p->star_mass = options->star_mass;
    p->reference_time_days = equant_dataset_reference_time_days(options->dataset);
    p->n_threads =
        placement_threads(OPTION_OR_ZERO(options->engine, equant_engine_options, n_threads));
    status = create_evaluator(options, p);
    if (status == EQUANT_SUCCESS)
        status = create_map(options, p);
    if (status != EQUANT_SUCCESS) {
        posterior_density_free(p);
        return status;
    }
    *made = p;
    return EQUANT_SUCCESS;
}

void posterior_density_free(posterior_density *p)
{
    if (!p)
        return;
    equant_evaluator_free(p->evaluator);
    dense_likelihood_free(p->dense);
    equant_model_free(p->model);
    marginal_offsets_free(p->offsets);
    free(p->density);
    free(p->scale);
    free(p->basis);
    free(p->is_angle);
    free(p->subset);
    free(p);
}

/* ---- what it consists of ----------------------------------------------------- */

size_t posterior_density_n_coordinates(const posterior_density *p)
{
    return p->n_coordinates;
}

const unsigned char *posterior_density_is_angle(const posterior_density *p)
{
    return p->is_angle;
}

const unsigned char *posterior_density_subset(const posterior_density *p)
{
    return p->subset;
}

size_t posterior_density_n_parameters(const posterior_density *p)
{
    return equant_model_n_parameters(p->model);
}

const char *posterior_density_parameter_name(const posterior_density *p, size_t column)
{
    return equant_model_parameter_name(p->model, column);
}

/* ---- the prior ---------------------------------------------------------------- */

double posterior_density_prepare(const posterior_density *p, const double *coordinates,
                                 double *parameters)
{
    return coordinate_map_prepare(&p->map, coordinates, parameters);
}

void posterior_density_coordinates_of(const posterior_density *p, const double *parameters,
                                      double *coordinates)
{
    coordinate_map_coordinates(&p->map, parameters, coordinates);
}

void posterior_density_draw(const posterior_density *p, uint64_t seed, uint64_t index,
                            double *coordinates)
{
    coordinate_draw(&p->map, seed, index, coordinates);
}

/* ---- the likelihood ------------------------------------------------------------ */

static const double *jitters_of(const posterior_density *p, const double *parameters)
{
    return parameter_layout_values(&p->model->layout, TERM_JITTERS, parameters);
}

typedef struct evaluated_sets {
    posterior_density *density;
    const double *parameters;
    double *log_likelihood;
} evaluated_sets;

static void add_offset_factors(void *context, size_t first, size_t end, int thread)
{
    const evaluated_sets *of = context;
    posterior_density *p = of->density;
    size_t n = posterior_density_n_parameters(p);
    (void)thread;
    for (size_t s = first; s < end; s++)
        if (isfinite(of->log_likelihood[s]))
            of->log_likelihood[s] +=
                marginal_offsets_log_factor(p->offsets, jitters_of(p, of->parameters + s * n));
}

static equant_status evaluator_log_likelihood(posterior_density *p, size_t n_sets,
                                              const double *parameters, double *log_likelihood)
{
    equant_results results = {.struct_size = sizeof results, .log_likelihood = log_likelihood};
    equant_status status = equant_evaluator_evaluate(p->evaluator, n_sets, parameters, &results);
    if (status != EQUANT_SUCCESS || !p->offsets)
        return status;
    evaluated_sets of = {p, parameters, log_likelihood};
    parallel_for(p->n_threads, n_sets, 0, add_offset_factors, &of);
    return EQUANT_SUCCESS;
}

static equant_status dense_log_likelihood(posterior_density *p, size_t n_sets,
                                          const double *parameters, double *log_likelihood)
{
    equant_status status = dense_likelihood_evaluate(p->dense, n_sets, parameters, log_likelihood);
    for (size_t s = 0; s < n_sets && p->offsets && status == EQUANT_SUCCESS; s++)
        log_likelihood[s] -= marginal_offsets_log_width(p->offsets);
    return status;
}

/* What is known of quantities that follow from orbits. */
static void add_states(void *context, size_t first, size_t end, int thread)
{
    const evaluated_sets *of = context;
    const posterior_density *p = of->density;
    size_t n = posterior_density_n_parameters(p), n_planets = p->map.layout.n_planets;
    (void)thread;
    for (size_t s = first; s < end; s++) {
        const double *own = of->parameters + s * n;
        double *sum = &of->log_likelihood[s];
        *sum += stated_prior_log_apart(p->states, n_planets, own);
        for (size_t i = 0; i < n_planets && isfinite(*sum); i++) {
            double added = stated_prior_log_derived(p->states, equant_states_letter(p->states, i),
                                                    p->reference_time_days, p->star_mass,
                                                    own + N_ELEMENTS * i);
            *sum += isnan(added) ? -INFINITY : added;
        }
    }
}

equant_status posterior_density_log_likelihood(posterior_density *p, size_t n_sets,
                                               const double *parameters, double *log_likelihood)
{
    equant_status status = p->dense
                               ? dense_log_likelihood(p, n_sets, parameters, log_likelihood)
                               : evaluator_log_likelihood(p, n_sets, parameters, log_likelihood);
    if (status == EQUANT_SUCCESS && p->states) {
        evaluated_sets of = {p, parameters, log_likelihood};
        parallel_for(p->n_threads, n_sets, 0, add_states, &of);
    }
    return status;
}

static equant_status evaluator_differentiate(posterior_density *p, size_t n_sets,
                                             const double *parameters, double *log_likelihood,
                                             double *gradient)
{
    const equant_derivatives wanted = {.struct_size = sizeof wanted,
                                       .log_likelihood = log_likelihood,
                                       .log_likelihood_gradient = gradient};
    size_t n = posterior_density_n_parameters(p),
           first = parameter_layout_first(&p->model->layout, TERM_JITTERS);
    equant_status status = equant_evaluator_differentiate(p->evaluator, EQUANT_BASIS_ELEMENTS,
                                                          n_sets, parameters, &wanted);
    for (size_t s = 0; s < n_sets && p->offsets && status == EQUANT_SUCCESS; s++) {
        const double *jitters = jitters_of(p, parameters + s * n);
        if (!isfinite(log_likelihood[s]))
            continue;
        log_likelihood[s] += marginal_offsets_log_factor(p->offsets, jitters);
        marginal_offsets_add_slopes(p->offsets, jitters, gradient + s * n + first);
    }
    return status;
}

equant_status posterior_density_differentiate(posterior_density *p, size_t n_sets,
                                              const double *parameters, double *log_likelihood,
                                              double *gradient)
{
    if (!p->dense)
        return evaluator_differentiate(p, n_sets, parameters, log_likelihood, gradient);
    equant_status status =
        dense_likelihood_differentiate(p->dense, n_sets, parameters, log_likelihood, gradient);
    for (size_t s = 0; s < n_sets && p->offsets && status == EQUANT_SUCCESS; s++)
        log_likelihood[s] -= marginal_offsets_log_width(p->offsets);
    return status;
}

/* The phase of a planet whose event is known is brought within a few widths of it. */
void posterior_density_keep_events(const posterior_density *p, double *coordinates)
{
    const double widths = 3.0;
    size_t at = 0;
    for (size_t i = 0; p->basis && i < parameter_layout_end(&p->map.layout, TERM_ORBITS); i++) {
        const orbit_basis *own = &p->basis[i / N_ELEMENTS];
        bool is_free = coordinate_map_is_free(&p->density[i]);
        if (is_free && i % N_ELEMENTS == ELEMENT_M0 && own->width_days > 0.0) {
            double period = prior_density_quantile(&p->density[i - ELEMENT_M0], 0.5),
                   most = TWO_PI * widths * own->width_days / period;
            coordinates[at] = fmod(sampling_wrap(coordinates[at]), most);
        }
        at += is_free;
    }
}

const coordinate_map *posterior_density_map(const posterior_density *p)
{
    return &p->map;
}

equant_evaluator *posterior_density_evaluator(const posterior_density *p)
{
    return p->offsets || p->states || p->basis ? NULL : p->evaluator;
}
