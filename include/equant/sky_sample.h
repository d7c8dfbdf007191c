/* equant/sky_sample.h: sampling of astrometry. How well an orbit on the sky is known. */
#ifndef EQUANT_SKY_SAMPLE_H
#define EQUANT_SKY_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "equant/astrometry.h"
#include "equant/progress.h"
#include "equant/sample.h"
#include "equant/sky_fit.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zeros mean the defaults. */
typedef struct equant_sky_sample_options {
    size_t struct_size;
    const equant_sky_fit_options *fit; /* data, range and star as a fit has them: walkers begin at
                                          its orbit, whatever noise could do. NULL: defaults     */
    uint64_t seed;
    size_t n_populations; /* independent of each other; 0: 4                                    */
    size_t n_walkers;     /* of a population, an even number; 0: by the model                   */
    uint64_t n_burn_in;   /* steps before draws are kept; 0: 400                                */
    uint64_t thinning;    /* steps from one kept to the next, to begin with; 0: 4               */
    size_t max_draws;     /* every other one is dropped beyond; 0: 40,000                       */
    double max_rhat;      /* to be reached by every coordinate; 0: 1.01                         */
    double min_ess;       /* bulk and tail, by every coordinate; 0: 1000                        */
    uint64_t max_steps;   /* burn-in included; 0: 1,000,000                                     */
    double max_seconds;   /* of the sampling; 0: no limit                                       */
    equant_progress progress; /* may be NULL                                                    */
    void *progress_context;
    const char *path;          /* of a file from which the run can go on; NULL: none             */
    double checkpoint_seconds; /* between two writings of it; 0: 60                              */
    int resume;                /* 1: goes on from that file, with the same data and options but
                                  for goals, steps and seconds, to the draws of one that was not
                                  interrupted; numbers of walkers and steps that are 0 are those
                                  of the file                                                    */
} equant_sky_sample_options;

/* Orbits, and all that follows from them, drawn from their posterior. */
typedef struct equant_sky_posterior equant_sky_posterior;

/* Draws from the posterior of the orbits that a fit finds. Walkers move in the shapes of orbits and
 * in jitters alone: position, parallax, motion, Thiele and Innes's constants and offsets of
 * velocities are linear, are integrated exactly, and drawn from their normal distribution behind
 * every draw. Where velocities are tied to the orbit on the sky, A, B, F, G and the parallax are
 * sampled too.
 *
 * Before the data ln P, e, M0 are uniform within the range of the fit; A, B, F, G normal around
 * zero with a scale whose logarithm is uniform; jitters uniform in ln(1 + jitter/u), u the median
 * uncertainty; everything else that is linear is uniform, but for Gaia's colour.
 *
 * Same data, options and seed: same draws, on any number of threads. A cancelled run answers
 * EQUANT_ERROR_CANCELLED; the last thing that it did was to write its file. A file of other data or
 * options is EQUANT_ERROR_INVALID_ARGUMENT, a damaged one EQUANT_ERROR_FORMAT. The caller frees
 * *posterior. */
EQUANT_API equant_status equant_sky_sample(const equant_astrometry *source,
                                           const equant_sky_sample_options *options,
                                           equant_sky_posterior **posterior);
EQUANT_API void equant_sky_posterior_free(equant_sky_posterior *posterior);

/* As of velocities; n_parameters counts what was sampled, reference_time_days is a Julian date. */
EQUANT_API equant_status equant_sky_posterior_summarize(const equant_sky_posterior *posterior,
                                                        equant_posterior_summary *summary);

/* "period_days_1", "a0_mas_1", "inclination_rad_1", "node_rad_1", "mass_jupiter_1" and so on of
 * each companion, then "parallax_mas", "jitter_mas", ... Their `kind` is SIZE_MAX: they are not in
 * the catalogue of quantities. Draws whose parallax is not above zero have no sizes and masses:
 * these are NaN, and the summary is of the others. */
EQUANT_API size_t equant_sky_posterior_n_quantities(const equant_sky_posterior *posterior);
EQUANT_API equant_status equant_sky_posterior_quantity(const equant_sky_posterior *posterior,
                                                       size_t index,
                                                       equant_sampled_quantity *quantity);
/* Values in all draws, [n_populations][n_kept][n_walkers]. */
EQUANT_API equant_status equant_sky_posterior_values(const equant_sky_posterior *posterior,
                                                     size_t index, double *values);
/* Of all draws, with everything linear integrated, in the same order. */
EQUANT_API equant_status equant_sky_posterior_log_likelihoods(const equant_sky_posterior *posterior,
                                                              double *values);

/* What was fitted: rows of the sky, means of transits or CCDs as they were asked for, and the
 * velocities of the same star, NULL where there were none. Valid until the posterior is freed. */
EQUANT_API const equant_astrometry *
equant_sky_posterior_source(const equant_sky_posterior *posterior);
EQUANT_API const equant_dataset *
equant_sky_posterior_velocities(const equant_sky_posterior *posterior);
/* A text about how the run was made: "version", "seed", "name", "rows", ... NULL: there is none. */
EQUANT_API const char *equant_sky_posterior_provenance(const equant_sky_posterior *posterior,
                                                       const char *name);

/* Writes all draws as NetCDF, as ArviZ and xarray open it: a variable (chain, draw) for each
 * quantity. Such a file cannot be resumed: the one of options.path can. */
EQUANT_API equant_status equant_sky_posterior_save(const equant_sky_posterior *posterior,
                                                   const char *path);
/* Reads such a file back, draws and observations to the bit; passages are counted anew. One that is
 * damaged, or of something else, is EQUANT_ERROR_FORMAT. The caller frees *posterior. */
EQUANT_API equant_status equant_sky_posterior_open(const char *path,
                                                   equant_sky_posterior **posterior);
/* 1 when a file holds draws of astrometry, and not of velocities; else 0, also when it cannot be
 * read. */
EQUANT_API int equant_sky_posterior_recognises(const char *path);

#ifdef __cplusplus
}
#endif
#endif
