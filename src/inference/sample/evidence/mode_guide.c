#include "inference/sample/evidence/mode_guide.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/walkers/guide.h"
#include "model/circle.h"
#include "statistics/ensemble_moves.h"

enum {
    FREEDOM = 6,       /* of the kernels */
    KERNELS = 200,     /* of all modes */
    LEAST_KERNELS = 8, /* a mode with fewer has one, on its centre */
    DRAWS_A_COORDINATE = 10,
    MOST_WIDE = 4 /* angles of a mode whose turns are summed */
};
#define WIDE_RAD 0.5 /* standard deviation from which an angle's turns are summed */

typedef struct guide_part {
    double log_share; /* ln of its share of the draws */
    double *centre;   /* [d] */
    double *factor;   /* packed lower triangle of the covariance's root */
    size_t n_kernels;
    double *kernels;   /* [n_kernels][d], whitened */
    double spread;     /* of a kernel, whitened */
    double log_height; /* ln of the density of one kernel at its centre */
    size_t n_wide, wide[MOST_WIDE];
} guide_part;

struct mode_guide {
    size_t d, n_parts;
    unsigned char *is_angle;
    guide_part *parts;
};

/* ---- creation --------------------------------------------------------------- */

static void free_part(guide_part *part)
{
    free(part->centre);
    free(part->factor);
    free(part->kernels);
}

void mode_guide_free(mode_guide *guide)
{
    if (!guide)
        return;
    for (size_t i = 0; i < guide->n_parts; i++)
        free_part(&guide->parts[i]);
    free(guide->parts);
    free(guide->is_angle);
    free(guide);
}

/* From coordinates to whitened ones: solves the triangle in place. */
static void whiten(size_t d, const double *factor, double *vector)
{
    for (size_t i = 0; i < d; factor += ++i) {
        for (size_t j = 0; j < i; j++)
            vector[i] -= factor[j] * vector[j];
        vector[i] /= factor[i];
    }
}

static void place_kernels(const mode_guide *guide, size_t n_wanted, size_t n_draws,
                          const double *draws, guide_part *part)
{
    const size_t d = guide->d;
    part->n_kernels = n_wanted < LEAST_KERNELS ? 1 : n_wanted < n_draws ? n_wanted : n_draws;
    part->spread = 1.0;
    if (part->n_kernels == 1) {
        memset(part->kernels, 0, d * sizeof *part->kernels);
        return;
    }
    part->spread =
        pow(4.0 / ((double)part->n_kernels * ((double)d + 2.0)), 1.0 / ((double)d + 4.0));
    double towards = sqrt(1.0 - fmin(part->spread * part->spread, 1.0));
    for (size_t k = 0; k < part->n_kernels; k++) {
        const double *draw = draws + (2 * k + 1) * n_draws / (2 * part->n_kernels) * d;
        double *kernel = part->kernels + k * d;
        for (size_t j = 0; j < d; j++)
            kernel[j] = ensemble_moves_between(guide->is_angle[j], part->centre[j], draw[j]);
        whiten(d, part->factor, kernel);
        for (size_t j = 0; j < d; j++)
            kernel[j] *= towards;
    }
}

static void find_wide(const mode_guide *guide, guide_part *part)
{
    const double *row = part->factor;
    for (size_t i = 0; i < guide->d; row += ++i) {
        double variance = 0.0;
        for (size_t j = 0; j <= i; j++)
            variance += row[j] * row[j];
        if (guide->is_angle[i] && sqrt(variance) > WIDE_RAD && part->n_wide < MOST_WIDE)
            part->wide[part->n_wide++] = i;
    }
}

static double log_height_of(size_t d, const guide_part *part)
{
    double dimension = (double)d, log_volume = dimension * log(part->spread);
    for (size_t i = 0; i < d; i++)
        log_volume += log(part->factor[i * (i + 1) / 2 + i]);
    return lgamma(0.5 * (FREEDOM + dimension)) - lgamma(0.5 * FREEDOM) -
           0.5 * dimension * log(0.5 * TWO_PI * FREEDOM) - log_volume;
}

/* A part of draws[n_draws][d], which are a share of all. */
static equant_status add_part(mode_guide *guide, double share, size_t n_draws, const double *draws)
{
    const size_t d = guide->d;
    guide_part *part = &guide->parts[guide->n_parts];
    size_t n_wanted = (size_t)(share * KERNELS + 0.5);
    *part = (guide_part){.log_share = log(share)};
    double *scratch = malloc(guide_scratch(d) * sizeof *scratch);
    part->centre = malloc(d * sizeof *part->centre);
    part->factor = malloc(d * (d + 1) / 2 * sizeof *part->factor);
    part->kernels = malloc((n_wanted + 1) * d * sizeof *part->kernels);
    bool is_complete = scratch && part->centre && part->factor && part->kernels;
    bool spans = is_complete &&
                 guide_fit(d, guide->is_angle, n_draws, draws, part->centre, part->factor, scratch);
    free(scratch);
    if (!spans) {
        free_part(part);
        return is_complete ? EQUANT_ERROR_UNAVAILABLE : status_out_of_memory();
    }
    place_kernels(guide, n_wanted, n_draws, draws, part);
    find_wide(guide, part);
    part->log_height = log_height_of(d, part);
    guide->n_parts++;
    return EQUANT_SUCCESS;
}

/* Collects the draws of a mode, or with mode = n_modes those of none that is large enough. */
static size_t collect(const mode_guide_request *request, const size_t *sizes, size_t mode,
                      size_t least, double *into)
{
    const size_t d = request->n_coordinates;
    size_t n = 0;
    for (size_t i = 0; i < request->n_draws; i++) {
        size_t own = request->mode[i] < request->n_modes ? request->mode[i] : request->n_modes;
        if (own < request->n_modes && sizes[own] < least)
            own = request->n_modes;
        if (own == mode)
            memcpy(into + d * n++, request->coordinates + d * i, d * sizeof *into);
    }
    return n;
}

/* Modes with too few draws are taken together with those that are in none; where these are too
 * few as well, they are left to the other parts, and where nothing else is, all are one. */
static equant_status add_parts(const mode_guide_request *request, mode_guide *guide,
                               const size_t *sizes, double *own)
{
    size_t least = DRAWS_A_COORDINATE * request->n_coordinates, n_taken = 0;
    for (size_t mode = 0; mode <= request->n_modes; mode++) {
        size_t n = collect(request, sizes, mode, least, own);
        if (n < least)
            continue;
        equant_status status = add_part(guide, (double)n / (double)request->n_draws, n, own);
        if (status != EQUANT_SUCCESS && status != EQUANT_ERROR_UNAVAILABLE)
            return status;
        n_taken += status == EQUANT_SUCCESS ? n : 0;
    }
    for (size_t i = 0; i < guide->n_parts; i++)
        guide->parts[i].log_share += log((double)request->n_draws / (double)n_taken);
    return guide->n_parts > 0 ? EQUANT_SUCCESS
                              : add_part(guide, 1.0, request->n_draws, request->coordinates);
}

equant_status mode_guide_create(const mode_guide_request *request, mode_guide **made)
{
    const size_t d = request->n_coordinates;
    mode_guide *guide = calloc(1, sizeof *guide);
    size_t *sizes = calloc(request->n_modes + 1, sizeof *sizes);
    double *own = malloc((request->n_draws * d + 1) * sizeof *own);
    equant_status status = guide && sizes && own ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        guide->d = d;
        guide->is_angle = malloc(d + 1);
        guide->parts = calloc(request->n_modes + 2, sizeof *guide->parts);
        if (!guide->is_angle || !guide->parts)
            status = status_out_of_memory();
    }
    if (status == EQUANT_SUCCESS) {
        memcpy(guide->is_angle, request->is_angle, d);
        for (size_t i = 0; i < request->n_draws; i++)
            sizes[request->mode[i] < request->n_modes ? request->mode[i] : request->n_modes]++;
        status = add_parts(request, guide, sizes, own);
    }
    free(sizes);
    free(own);
    if (status == EQUANT_SUCCESS)
        *made = guide;
    else
        mode_guide_free(guide);
    return status;
}

/* ---- density ------------------------------------------------------------------ */

/* Sum over the kernels of a part of their densities over that at a centre. */
static double sum_of_kernels(size_t d, const guide_part *part, const double *whitened)
{
    const double power = -0.5 * (FREEDOM + (double)d),
                 unit = 1.0 / (FREEDOM * part->spread * part->spread);
    double sum = 0.0;
    for (size_t k = 0; k < part->n_kernels; k++) {
        const double *kernel = part->kernels + k * d;
        double square = 0.0;
        for (size_t j = 0; j < d; j++)
            square += (whitened[j] - kernel[j]) * (whitened[j] - kernel[j]);
        sum += exp(power * log1p(square * unit));
    }
    return sum;
}

/* The same over the turns of wide angles: one to either side. */
static double sum_of_turns(size_t d, const guide_part *part, const double *from_centre,
                           double *whitened)
{
    size_t n_turns = 1;
    double sum = 0.0;
    for (size_t i = 0; i < part->n_wide; i++)
        n_turns *= 3;
    for (size_t turn = 0; turn < n_turns; turn++) {
        memcpy(whitened, from_centre, d * sizeof *whitened);
        for (size_t i = 0, left = turn; i < part->n_wide; i++, left /= 3)
            whitened[part->wide[i]] += TWO_PI * ((double)(left % 3) - 1.0);
        whiten(d, part->factor, whitened);
        sum += sum_of_kernels(d, part, whitened);
    }
    return sum;
}

double mode_guide_log_density(const mode_guide *guide, const double *coordinates, double *scratch)
{
    const size_t d = guide->d;
    double *from_centre = scratch, largest = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < guide->n_parts; i++) {
        const guide_part *part = &guide->parts[i];
        for (size_t j = 0; j < d; j++)
            from_centre[j] =
                ensemble_moves_between(guide->is_angle[j], part->centre[j], coordinates[j]);
        double height = part->log_share + part->log_height - log((double)part->n_kernels) +
                        log(sum_of_turns(d, part, from_centre, scratch + d));
        if (height > largest) {
            sum = sum * exp(largest - height) + 1.0;
            largest = height;
        } else if (height > -INFINITY) {
            sum += exp(height - largest);
        }
    }
    return sum > 0.0 ? largest + log(sum) : -INFINITY;
}

/* ---- draws -------------------------------------------------------------------- */

static const guide_part *choose_part(const mode_guide *guide, double uniform)
{
    for (size_t i = 0; i + 1 < guide->n_parts; i++) {
        uniform -= exp(guide->parts[i].log_share);
        if (uniform < 0.0)
            return &guide->parts[i];
    }
    return &guide->parts[guide->n_parts - 1];
}

/* The root of a chi-square over its mean, of FREEDOM = 6 degrees, from three uniform numbers. */
static double draw_spread(random_stream stream, uint64_t first)
{
    random_uniforms one = random_uniforms_at(stream, first),
                    other = random_uniforms_at(stream, first + 1);
    return sqrt(-2.0 * log(one.half[0] * one.half[1] * other.half[0]) / FREEDOM);
}

void mode_guide_draw(const mode_guide *guide, random_stream stream, uint64_t first,
                     double *coordinates, double *scratch)
{
    const size_t d = guide->d;
    random_uniforms which = random_uniforms_at(stream, first++);
    const guide_part *part = choose_part(guide, which.half[0]);
    size_t chosen = (size_t)(which.half[1] * (double)part->n_kernels);
    const double *kernel = part->kernels + d * (chosen < part->n_kernels ? chosen : 0);
    double scale = part->spread / draw_spread(stream, first);
    first += 2;
    for (size_t j = 0; j < d; j++) {
        random_uniforms pair = random_uniforms_at(stream, first + j / 2);
        scratch[j] = kernel[j] + scale * random_normal_quantile(pair.half[j % 2]);
    }
    const double *row = part->factor;
    for (size_t i = 0; i < d; row += ++i) {
        double from_centre = 0.0;
        for (size_t j = 0; j <= i; j++)
            from_centre += row[j] * scratch[j];
        coordinates[i] = part->centre[i] + from_centre;
        if (guide->is_angle[i]) {
            bool is_wide = false;
            for (size_t w = 0; w < part->n_wide; w++)
                is_wide = is_wide || part->wide[w] == i;
            double most = (is_wide ? 1.5 : 0.5) * TWO_PI;
            coordinates[i] = fabs(from_centre) <= most ? ensemble_moves_wrap(coordinates[i]) : NAN;
        }
    }
}
