#include "inference/sample/evidence/guided_evidence.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/draws/modes.h"
#include "inference/sample/evidence/bridge.h"
#include "inference/sample/evidence/guide_space.h"
#include "inference/sample/evidence/mode_guide.h"
#include "inference/sample/evidence/pareto_tail.h"
#include "model/orbit_elements.h"
#include "parallel/parallel_for.h"

enum { POINTS = 8192, NUMBERS_A_POINT = 1 << 14 };
#define PRIOR_SHARE 0.05   /* of the guide */
#define LEAST_WEIGHT 0.005 /* of a mode */
#define MOST_K_HAT 0.7
#define MOST_DIFFERENCE 0.3 /* of populations, in ln Z */
/* Draws of the prior are numbered from here on: those of walkers are below. */
#define FIRST_PRIOR_DRAW ((uint64_t)1 << 48)

/* Points of one population: draws of the guide or of the posterior. */
typedef struct points {
    size_t n;
    double *coordinates; /* [POINTS][d], of the guide */
    double *parameters;  /* [POINTS][n_parameters] */
    double *log_prior;   /* [POINTS], in these coordinates */
    double *log_likelihood;
    double *log_ratio; /* ln p / q */
} points;

typedef struct finding {
    const guided_evidence_request *request;
    size_t d, n_parameters;
    int n_threads;
    modes *found;
    points at_guide, at_posterior;
    double *first; /* [POINTS][d]: coordinates of draws that the guide is fitted to */
    uint32_t *mode;
    double *scratch; /* [n_threads][n_scratch] */
    size_t n_scratch;
    double *weights; /* [n_populations][POINTS]: ln of importance weights */
} finding;

static bool make_points(const finding *own, points *made)
{
    made->coordinates = malloc(POINTS * own->d * sizeof *made->coordinates);
    made->parameters = malloc(POINTS * own->n_parameters * sizeof *made->parameters);
    made->log_prior = malloc(POINTS * sizeof *made->log_prior);
    made->log_likelihood = malloc(POINTS * sizeof *made->log_likelihood);
    made->log_ratio = malloc(POINTS * sizeof *made->log_ratio);
    return made->coordinates && made->parameters && made->log_prior && made->log_likelihood &&
           made->log_ratio;
}

static void free_points(points *made)
{
    free(made->coordinates);
    free(made->parameters);
    free(made->log_prior);
    free(made->log_likelihood);
    free(made->log_ratio);
}

static void free_finding(finding *own)
{
    free_points(&own->at_guide);
    free_points(&own->at_posterior);
    modes_free(own->found);
    free(own->first);
    free(own->mode);
    free(own->scratch);
    free(own->weights);
}

/* ---- draws of the posterior ---------------------------------------------------- */

/* Some of the draws of a population, evenly from `begin` to `end`, as coordinates of the guide,
 * with their modes where these are wanted. Returns how many. */
static size_t take_draws(finding *own, size_t population, size_t begin, size_t end,
                         double *coordinates, uint32_t *labels, points *into)
{
    const draws *kept = own->request->kept;
    const draws_population *from = &kept->population[population];
    size_t n_all = end - begin, n = n_all < POINTS ? n_all : POINTS,
           first = population * kept->n_steps * kept->shape.n_walkers;
    for (size_t i = 0; i < n; i++) {
        size_t place = begin + (2 * i + 1) * n_all / (2 * n);
        double *x = coordinates + i * own->d;
        posterior_density_coordinates_of(own->request->density,
                                         from->parameters + place * own->n_parameters, x);
        double log_volume = guide_space_enter(own->request->density, x);
        if (labels)
            labels[i] = own->found->of_draw[first + place];
        if (into) {
            into->log_prior[i] = from->log_prior[place] - log_volume;
            into->log_likelihood[i] = from->log_likelihood[place];
        }
    }
    return n;
}

/* ---- draws of the guide ---------------------------------------------------------- */

/* Whether planets that are alike stand by their periods, as draws have them. */
static bool is_in_order(const finding *own, const double *parameters)
{
    for (size_t p = 1; p < own->request->kept->shape.n_planets; p++)
        if (parameters[N_ELEMENTS * p] < parameters[N_ELEMENTS * (p - 1)])
            return false;
    return true;
}

/* Draw i of a population: its coordinates in either space. Returns ln of the volume between them.
 */
static double draw_point(finding *own, const mode_guide *guide, size_t population, size_t i,
                         double *of_walkers, double *of_guide)
{
    const posterior_density *density = own->request->density;
    random_stream stream = {own->request->seed, RANDOM_PURPOSE_EVIDENCE,
                            (uint32_t)(1 + population)};
    uint64_t first = (uint64_t)i * NUMBERS_A_POINT;
    if (random_uniforms_at(stream, first).half[0] < PRIOR_SHARE) {
        posterior_density_draw(density, own->request->seed,
                               FIRST_PRIOR_DRAW + population * POINTS + i, of_walkers);
        memcpy(of_guide, of_walkers, own->d * sizeof *of_guide);
        return guide_space_enter(density, of_guide);
    }
    mode_guide_draw(guide, stream, first + 1, of_guide, own->scratch);
    memcpy(of_walkers, of_guide, own->d * sizeof *of_walkers);
    return guide_space_leave(density, of_walkers);
}

static void draw_points(finding *own, const mode_guide *guide, size_t population)
{
    points *made = &own->at_guide;
    double *of_walkers = own->scratch + 2 * own->d;
    for (size_t i = 0; i < POINTS; i++) {
        double *parameters = made->parameters + i * own->n_parameters;
        double log_volume =
            draw_point(own, guide, population, i, of_walkers, made->coordinates + i * own->d);
        made->log_prior[i] =
            posterior_density_prepare(own->request->density, of_walkers, parameters) - log_volume;
        if (!(made->log_prior[i] < INFINITY && is_in_order(own, parameters)))
            made->log_prior[i] = -INFINITY;
    }
    made->n = POINTS;
}

/* Likelihoods of those within the prior. */
static equant_status evaluate_points(finding *own)
{
    points *made = &own->at_guide;
    size_t n = 0, width = own->n_parameters;
    for (size_t i = 0; i < made->n; i++)
        if (made->log_prior[i] > -INFINITY)
            memmove(made->parameters + width * n++, made->parameters + width * i,
                    width * sizeof *made->parameters);
    equant_status status = EQUANT_SUCCESS;
    if (n > 0)
        status = posterior_density_log_likelihood(own->request->density, n, made->parameters,
                                                  made->log_likelihood);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = made->n; i-- > 0;)
        made->log_likelihood[i] =
            made->log_prior[i] > -INFINITY ? made->log_likelihood[--n] : -INFINITY;
    return EQUANT_SUCCESS;
}

typedef struct filled_ratios {
    finding *own;
    const mode_guide *guide;
    points *made;
} filled_ratios;

static void fill_some(void *context, size_t first, size_t end, int thread)
{
    const filled_ratios *of = context;
    points *made = of->made;
    double *scratch = of->own->scratch + of->own->n_scratch * (size_t)thread;
    for (size_t i = first; i < end; i++) {
        double own_log_prior = made->log_prior[i];
        made->log_ratio[i] = -INFINITY;
        if (!(own_log_prior > -INFINITY && made->log_likelihood[i] > -INFINITY))
            continue;
        double by_guide =
            log(1.0 - PRIOR_SHARE) +
            mode_guide_log_density(of->guide, made->coordinates + i * of->own->d, scratch);
        double by_prior = log(PRIOR_SHARE) + own_log_prior, largest = fmax(by_guide, by_prior);
        made->log_ratio[i] = own_log_prior + made->log_likelihood[i] -
                             (largest + log(exp(by_guide - largest) + exp(by_prior - largest)));
    }
}

/* ln of prior and likelihood over the density of the guide, at points of either kind. */
static void fill_ratios(finding *own, const mode_guide *guide, points *made)
{
    filled_ratios of = {own, guide, made};
    parallel_for(own->n_threads, made->n, 0, fill_some, &of);
}

/* ---- populations ------------------------------------------------------------------ */

/* Independent draws that the second half of those of a population are worth. */
static double worth_of(const finding *own)
{
    double share = own->request->worth / (2.0 * (double)own->request->kept->shape.n_populations);
    return isnan(share) ? (double)own->at_posterior.n
                        : fmin(fmax(share, 1.0), (double)own->at_posterior.n);
}

static equant_status find_of_population(finding *own, size_t population, double *log_evidence)
{
    const draws *kept = own->request->kept;
    size_t n_draws = kept->n_steps * kept->shape.n_walkers,
           half = kept->n_steps / 2 * kept->shape.n_walkers;
    mode_guide_request request = {.n_coordinates = own->d,
                                  .is_angle = posterior_density_is_angle(own->request->density),
                                  .coordinates = own->first,
                                  .n_modes = own->found->n,
                                  .mode = own->mode};
    mode_guide *guide = NULL;
    *log_evidence = NAN;
    request.n_draws = take_draws(own, population, 0, half, own->first, own->mode, NULL);
    own->at_posterior.n = take_draws(own, population, half, n_draws, own->at_posterior.coordinates,
                                     NULL, &own->at_posterior);
    equant_status status = mode_guide_create(&request, &guide);
    if (status == EQUANT_ERROR_UNAVAILABLE)
        return EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS)
        return status;
    draw_points(own, guide, population);
    status = evaluate_points(own);
    if (status == EQUANT_SUCCESS) {
        fill_ratios(own, guide, &own->at_guide);
        fill_ratios(own, guide, &own->at_posterior);
        *log_evidence =
            bridge_log_evidence(own->at_posterior.n, own->at_posterior.log_ratio, worth_of(own),
                                own->at_guide.n, own->at_guide.log_ratio);
        memcpy(own->weights + population * POINTS, own->at_guide.log_ratio,
               POINTS * sizeof *own->weights);
    }
    mode_guide_free(guide);
    return status;
}

/* Alike planets may stand in any order, and the draws have one of these. */
static double log_orders(const draws *kept)
{
    return lgamma((double)kept->shape.n_planets + 1.0);
}

static void summarise(const finding *own, guided_evidence *found)
{
    double n = (double)found->n_populations, mean = 0.0, square = 0.0, low = INFINITY,
           high = -INFINITY;
    for (size_t p = 0; p < found->n_populations; p++) {
        found->by_population[p] += log_orders(own->request->kept);
        mean += found->by_population[p] / n;
        low = fmin(low, found->by_population[p]);
        high = fmax(high, found->by_population[p]);
    }
    for (size_t p = 0; p < found->n_populations; p++)
        square += pow(found->by_population[p] - mean, 2.0);
    found->log_evidence = mean;
    found->error = n > 1.0 ? sqrt(square / (n * (n - 1.0))) : NAN;
    found->spread = isfinite(mean) ? high - low : NAN;
    found->k_hat =
        isfinite(mean) ? pareto_tail_shape(found->n_populations * POINTS, own->weights) : NAN;
}

static equant_status prepare(finding *own)
{
    const guided_evidence_request *request = own->request;
    const size_t n_populations = request->kept->shape.n_populations;
    own->d = posterior_density_n_coordinates(request->density);
    own->n_parameters = posterior_density_n_parameters(request->density);
    own->n_threads = placement_threads(request->n_threads);
    own->n_scratch = 3 * own->d;
    own->first = malloc(POINTS * own->d * sizeof *own->first);
    own->mode = malloc(POINTS * sizeof *own->mode);
    own->scratch = malloc((size_t)own->n_threads * own->n_scratch * sizeof *own->scratch);
    own->weights = malloc(n_populations * POINTS * sizeof *own->weights);
    if (!(own->first && own->mode && own->scratch && own->weights &&
          make_points(own, &own->at_guide) && make_points(own, &own->at_posterior)))
        return status_out_of_memory();
    return modes_find(request->kept, request->n_planets, request->span_days, LEAST_WEIGHT,
                      &own->found);
}

equant_status guided_evidence_find(const guided_evidence_request *request, guided_evidence *found)
{
    finding own = {.request = request};
    *found = (guided_evidence){.log_evidence = NAN,
                               .error = NAN,
                               .spread = NAN,
                               .k_hat = NAN,
                               .n_populations = request->kept->shape.n_populations};
    found->by_population = calloc(found->n_populations, sizeof *found->by_population);
    if (!found->by_population)
        return status_out_of_memory();
    equant_status status = EQUANT_SUCCESS;
    if (request->kept->n_steps >= 2) {
        status = prepare(&own);
        for (size_t p = 0; p < found->n_populations && status == EQUANT_SUCCESS; p++)
            status = find_of_population(&own, p, &found->by_population[p]);
        if (status == EQUANT_SUCCESS)
            summarise(&own, found);
    }
    free_finding(&own);
    return status;
}

int guided_evidence_is_sound(double error, double spread, double k_hat)
{
    return error <= MOST_DIFFERENCE && !(spread > MOST_DIFFERENCE) && !(k_hat > MOST_K_HAT);
}

void guided_evidence_free(guided_evidence *evidence)
{
    free(evidence->by_population);
    *evidence = (guided_evidence){.log_evidence = NAN};
}
