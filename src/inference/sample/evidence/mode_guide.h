/* A density that resembles draws which fall into several modes, to draw from and to evaluate: for
 * each mode Student's t kernels of six degrees of freedom on some of its draws, all with the
 * covariance of the mode, narrower and drawn towards its centre so that together they have that
 * covariance (West 1993, JRSS B 55, 409). Coordinates that are angles wrap at 2 pi: kernels that
 * are narrow end half a turn from the centre of their mode, of wide ones neighbouring turns are
 * summed. */
#ifndef EQUANT_INFERENCE_SAMPLE_EVIDENCE_MODE_GUIDE_H
#define EQUANT_INFERENCE_SAMPLE_EVIDENCE_MODE_GUIDE_H

#include <stdint.h>

#include "equant.h"
#include "statistics/random_draw.h"

typedef struct mode_guide mode_guide;

typedef struct mode_guide_request {
    size_t n_coordinates;
    const unsigned char *is_angle; /* [n_coordinates] */
    size_t n_draws;
    const double *coordinates; /* [n_draws][n_coordinates] */
    size_t n_modes;
    const uint32_t *mode; /* [n_draws]: below n_modes, or in none */
} mode_guide_request;

/* EQUANT_ERROR_UNAVAILABLE where the draws are too few to span the space. */
equant_status mode_guide_create(const mode_guide_request *request, mode_guide **made);
void mode_guide_free(mode_guide *guide);

/* Both below take working memory of 2 n_coordinates doubles; threads may share a guide. */
double mode_guide_log_density(const mode_guide *guide, const double *coordinates, double *scratch);

/* A draw: a function of the stream and of the place in it, which takes up to 4 + n_coordinates / 2
 * indices. NaN where it falls beyond half a turn of a narrow mode. */
void mode_guide_draw(const mode_guide *guide, random_stream stream, uint64_t first,
                     double *coordinates, double *scratch);

#endif
