#include "inference/sample/evidence/walker_guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/draws/modes.h"
#include "inference/sample/evidence/guide_space.h"
#include "inference/sample/evidence/mode_guide.h"
#include "parallel/parallel_for.h"

enum { MOST_ROWS = 8192, NUMBERS_A_STEP_BITS = 14 };
#define PRIOR_SHARE 0.05
#define LEAST_WEIGHT 0.005 /* of a mode */
/* Draws of the prior are numbered from here on, by step and walker. */
#define FIRST_PRIOR_DRAW ((uint64_t)1 << 50)

struct walker_guide {
    walker_guide_options options;
    size_t d, n_parameters;
    size_t n_alike, n_block; /* planets that may change places, and coordinates of one */
    draws *seen, *followed;
    mode_guide *mixture; /* of what is followed; NULL: none */
    sampler_guide moves;
    int n_threads;
    double *scratch; /* [n_threads][n_scratch] */
    size_t n_scratch;
};

/* ---- the density ----------------------------------------------------------------- */

static double *scratch_of(const walker_guide *guide)
{
    return guide->scratch + guide->n_scratch * (size_t)parallel_thread();
}

static void swap_blocks(size_t n, double *a, double *b)
{
    for (size_t i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Planets by their first coordinate, which rises with the period. */
static void sort_planets(const walker_guide *guide, double *x)
{
    const size_t n = guide->n_block;
    for (size_t i = 1; i < guide->n_alike; i++)
        for (size_t j = i; j > 0 && x[j * n] < x[(j - 1) * n]; j--)
            swap_blocks(n, x + j * n, x + (j - 1) * n);
}

static bool are_sorted(const walker_guide *guide, const double *x)
{
    for (size_t i = 1; i < guide->n_alike; i++)
        if (!(x[i * guide->n_block] >= x[(i - 1) * guide->n_block]))
            return false;
    return true;
}

/* Each order as probable as any other. */
static void shuffle_planets(const walker_guide *guide, random_stream stream, uint64_t first,
                            double *x)
{
    for (size_t i = guide->n_alike; i > 1; i--) {
        double u = random_uniforms_at(stream, first + i).half[0];
        size_t other = (size_t)(u * (double)i);
        if (other < i - 1)
            swap_blocks(guide->n_block, x + (i - 1) * guide->n_block, x + other * guide->n_block);
    }
}

static double log_density(const void *context, const double *coordinates)
{
    const walker_guide *guide = context;
    double *x = scratch_of(guide), *parameters = x + guide->d,
           *more = parameters + guide->n_parameters;
    memcpy(x, coordinates, guide->d * sizeof *x);
    sort_planets(guide, x);
    double by_prior =
        log(PRIOR_SHARE) + posterior_density_prepare(guide->options.density, x, parameters);
    double log_volume = guide_space_enter(guide->options.density, x);
    double by_modes = log(1.0 - PRIOR_SHARE) + mode_guide_log_density(guide->mixture, x, more) +
                      log_volume - lgamma((double)guide->n_alike + 1.0); /* orders */
    double largest = fmax(by_modes, by_prior);
    return largest + log(exp(by_modes - largest) + exp(by_prior - largest));
}

static bool draw(const void *context, random_stream stream, uint64_t first, double *coordinates)
{
    const walker_guide *guide = context;
    const posterior_density *density = guide->options.density;
    if (random_uniforms_at(stream, first).half[0] < PRIOR_SHARE) {
        uint64_t step = first >> NUMBERS_A_STEP_BITS;
        posterior_density_draw(density, stream.seed,
                               FIRST_PRIOR_DRAW + (step << 32) + stream.substream, coordinates);
        return true;
    }
    mode_guide_draw(guide->mixture, stream, first + 1 + guide->n_alike + 1, coordinates,
                    scratch_of(guide));
    guide_space_leave(density, coordinates);
    for (size_t i = 0; i < guide->d; i++)
        if (!isfinite(coordinates[i]))
            return false;
    if (!are_sorted(guide, coordinates))
        return false;
    shuffle_planets(guide, stream, first + 1, coordinates);
    return true;
}

/* ---- creation ----------------------------------------------------------------------- */

static size_t count_block(const posterior_density *density)
{
    const unsigned char *subset = posterior_density_subset(density);
    size_t n = 0;
    while (n < posterior_density_n_coordinates(density) && subset[n] == 0)
        n++;
    return n;
}

equant_status walker_guide_create(const walker_guide_options *options, walker_guide **made)
{
    walker_guide *guide = calloc(1, sizeof *guide);
    if (!guide)
        return status_out_of_memory();
    guide->options = *options;
    guide->d = posterior_density_n_coordinates(options->density);
    guide->n_parameters = posterior_density_n_parameters(options->density);
    guide->n_alike = options->shape.n_planets;
    guide->n_block = count_block(options->density);
    guide->n_threads = placement_threads(options->n_threads);
    guide->n_scratch = 3 * guide->d + guide->n_parameters;
    guide->scratch = malloc((size_t)guide->n_threads * guide->n_scratch * sizeof *guide->scratch);
    guide->moves = (sampler_guide){.context = guide, .draw = draw, .log_density = log_density};
    equant_status status = guide->scratch ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = draws_create(&options->shape, &guide->seen);
    if (status == EQUANT_SUCCESS)
        status = draws_create(&options->shape, &guide->followed);
    if (status == EQUANT_SUCCESS)
        *made = guide;
    else
        walker_guide_free(guide);
    return status;
}

void walker_guide_free(walker_guide *guide)
{
    if (!guide)
        return;
    draws_free(guide->seen);
    draws_free(guide->followed);
    mode_guide_free(guide->mixture);
    free(guide->scratch);
    free(guide);
}

const sampler_guide *walker_guide_moves(const walker_guide *guide)
{
    return guide && guide->mixture ? &guide->moves : NULL;
}

/* ---- what is followed ----------------------------------------------------------------- */

equant_status walker_guide_see(walker_guide *guide, uint64_t step, const double *parameters,
                               const double *log_likelihood, const double *log_prior)
{
    equant_status status = draws_append(guide->seen, step, parameters, log_likelihood, log_prior);
    if (status == EQUANT_SUCCESS && guide->seen->n_steps > 1 && draws_n(guide->seen) > MOST_ROWS)
        draws_halve(guide->seen);
    return status;
}

/* Rows of what is followed in coordinates of the guide, with their modes. */
static size_t take_rows(const walker_guide *guide, const modes *found, double *coordinates,
                        uint32_t *labels)
{
    size_t n_all = draws_n(guide->followed), n = n_all < MOST_ROWS ? n_all : MOST_ROWS;
    for (size_t i = 0; i < n; i++) {
        size_t place = (2 * i + 1) * n_all / (2 * n);
        posterior_density_coordinates_of(guide->options.density,
                                         draws_at(guide->followed, place).parameters,
                                         coordinates + i * guide->d);
        guide_space_enter(guide->options.density, coordinates + i * guide->d);
        labels[i] = found->of_draw[place];
    }
    return n;
}

/* Draws that are too few for a guide leave none. */
static equant_status fit(walker_guide *guide)
{
    modes *found = NULL;
    mode_guide_free(guide->mixture);
    guide->mixture = NULL;
    if (guide->followed->n_steps == 0)
        return EQUANT_SUCCESS;
    double *coordinates = malloc(MOST_ROWS * guide->d * sizeof *coordinates);
    uint32_t *labels = malloc(MOST_ROWS * sizeof *labels);
    equant_status status = coordinates && labels ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = modes_find(guide->followed, guide->options.n_planets, guide->options.span_days,
                            LEAST_WEIGHT, &found);
    if (status == EQUANT_SUCCESS) {
        mode_guide_request request = {.n_coordinates = guide->d,
                                      .is_angle =
                                          posterior_density_is_angle(guide->options.density),
                                      .coordinates = coordinates,
                                      .n_modes = found->n,
                                      .mode = labels};
        request.n_draws = take_rows(guide, found, coordinates, labels);
        status = mode_guide_create(&request, &guide->mixture);
    }
    modes_free(found);
    free(coordinates);
    free(labels);
    return status == EQUANT_ERROR_UNAVAILABLE ? EQUANT_SUCCESS : status;
}

equant_status walker_guide_renew(walker_guide *guide)
{
    draws *followed = guide->seen;
    guide->seen = guide->followed;
    guide->followed = followed;
    draws_drop(guide->seen, guide->seen->n_steps);
    return fit(guide);
}

/* ---- interruption ------------------------------------------------------------------------ */

static size_t bytes_of_population(const draws *kept)
{
    return kept->n_steps * kept->shape.n_walkers * kept->shape.n_parameters *
           sizeof *kept->population->parameters;
}

static size_t bytes_of(const draws *kept)
{
    return sizeof(uint64_t) + kept->n_steps * sizeof *kept->step +
           kept->shape.n_populations * bytes_of_population(kept);
}

size_t walker_guide_bytes(const walker_guide *guide)
{
    return bytes_of(guide->seen) + bytes_of(guide->followed);
}

static char *save(const draws *kept, char *to)
{
    uint64_t n_steps = kept->n_steps;
    memcpy(to, &n_steps, sizeof n_steps);
    to += sizeof n_steps;
    if (n_steps > 0)
        memcpy(to, kept->step, kept->n_steps * sizeof *kept->step);
    to += kept->n_steps * sizeof *kept->step;
    for (size_t p = 0; p < kept->shape.n_populations && n_steps > 0; p++) {
        memcpy(to, kept->population[p].parameters, bytes_of_population(kept));
        to += bytes_of_population(kept);
    }
    return to;
}

void walker_guide_save(const walker_guide *guide, void *blob)
{
    save(guide->followed, save(guide->seen, blob));
}

/* Reads one of both from *from, of *n_left bytes, and moves these on. */
static equant_status restore(draws *kept, const char **from, size_t *n_left)
{
    const size_t n_walkers = kept->shape.n_walkers;
    const size_t a_step = sizeof *kept->step + kept->shape.n_populations * n_walkers *
                                                   kept->shape.n_parameters * sizeof(double);
    uint64_t n_steps;
    if (*n_left < sizeof n_steps)
        return status_fail(EQUANT_ERROR_FORMAT, "the saved guide of the walkers is incomplete");
    memcpy(&n_steps, *from, sizeof n_steps);
    *from += sizeof n_steps;
    *n_left -= sizeof n_steps;
    if (n_steps > *n_left / a_step)
        return status_fail(EQUANT_ERROR_FORMAT, "the saved guide of the walkers is incomplete");
    draws_drop(kept, kept->n_steps);
    equant_status status = draws_reserve(kept, n_steps);
    if (status != EQUANT_SUCCESS || n_steps == 0)
        return status;
    kept->n_steps = n_steps;
    memcpy(kept->step, *from, n_steps * sizeof *kept->step);
    *from += n_steps * sizeof *kept->step;
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        draws_population *population = &kept->population[p];
        memcpy(population->parameters, *from, bytes_of_population(kept));
        memset(population->log_likelihood, 0, n_steps * n_walkers * sizeof(double));
        memset(population->log_prior, 0, n_steps * n_walkers * sizeof(double));
        *from += bytes_of_population(kept);
    }
    *n_left -= n_steps * a_step;
    return EQUANT_SUCCESS;
}

equant_status walker_guide_restore(walker_guide *guide, const void *blob, size_t n_bytes)
{
    const char *from = blob;
    equant_status status = restore(guide->seen, &from, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = restore(guide->followed, &from, &n_bytes);
    if (status == EQUANT_SUCCESS && n_bytes > 0)
        status = status_fail(EQUANT_ERROR_FORMAT, "the saved guide of the walkers is too long");
    return status == EQUANT_SUCCESS ? fit(guide) : status;
}
