/* equant/sample.h: sampling. The posterior: how well the planets are known. */
#ifndef EQUANT_SAMPLE_H
#define EQUANT_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/model.h"
#include "equant/noise.h"
#include "equant/priors.h"
#include "equant/progress.h"
#include "equant/star.h"
#include "equant/states.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where walkers begin. */
typedef enum equant_start {
    EQUANT_START_FIT = 0,  /* around the best fit and its rivals at other periods, further
                              apart than the posterior is wide                        */
    EQUANT_START_PRIOR = 1 /* anywhere in the prior: wants temperatures and patience  */
} equant_start;

/* Zeros mean the defaults. */
typedef struct equant_sample_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                               */
    size_t n_planets;
    equant_trend trend;
    const equant_priors *priors; /* of the same planets and trend; NULL: "ford-gregory"  */
    int marginalise_offsets;     /* 1: integrated out; their priors must be uniform      */
    double star_mass;            /* solar masses, for m sin i and a; 0: unknown          */
    equant_start start;
    size_t n_known;      /* planets to begin the fit with, refined with the rest         */
    const double *known; /* [n_known][EQUANT_N_ELEMENTS]                                 */
    uint64_t seed;
    size_t n_populations;      /* independent of each other; 0: 4                      */
    size_t n_walkers;          /* of a population, an even number; 0: by the model     */
    size_t n_temperatures;     /* 0: 1, no tempering; several give the evidence        */
    uint64_t n_burn_in;        /* steps before draws are kept; 0: 400, or 3200 tempered */
    uint64_t thinning;         /* steps from one kept to the next, to begin with; 0: 4 */
    size_t max_draws;          /* every other one is dropped beyond; 0: 200,000        */
    double max_rhat;           /* to be reached by every quantity; 0: 1.01             */
    double min_ess;            /* bulk and tail, by every quantity; 0: 1000            */
    uint64_t max_steps;        /* burn-in included; 0: 1,000,000                       */
    double max_seconds;        /* of this call; 0: no limit                            */
    const char *path;          /* of the file of the run; NULL: none                   */
    double checkpoint_seconds; /* between two writings of it; 0: 60                    */
    equant_progress progress;  /* may be NULL                                          */
    void *progress_context;
    const char *star_name;   /* kept with the run, for reports; NULL: unknown            */
    const char *command;     /* that makes the run, kept likewise; NULL: unknown         */
    const char *noise;       /* as in equant_priors_options, to be sampled with everything else;
                                NULL: that of the priors. Offsets are then sampled too, but
                                beside a "qp" of fixed parameters and one instrument      */
    const char *outliers;    /* as in equant_fit_options: those of a fit of as many planets beside
                                the same noise have wider errors in the run, which its provenance
                                says under "outliers". NULL: "none"                       */
    const equant_star *star; /* as in equant_fit_options; each draw has a star of its own  */
    const equant_states *states; /* what is known of parameters, or NULL: values and priors take the
                              place of those in `priors`, what follows from an orbit multiplies
                              the likelihood. Planet 1 has the first of their letters. n_planets
                              and trend are at least what they name                     */
    const char *basis; /* coordinates of orbits in which walkers move, a word of each of these:
                          "logper" or "per"; "logk" or "k"; "secosw", "ecosw" (with its sine) or
                          "e" (with omega); "lambda", "m0", "tc" or "tp"; what is left out is as
                          usual. Priors are what they are, so that the posterior is the same.
                          NULL: "logper logk secosw lambda", or tc where a conjunction is known */
} equant_sample_options;

/* What a run has found. */
typedef struct equant_posterior equant_posterior;

/* Draws from the posterior by ensembles of walkers: differential evolution in several
 * populations, with parallel tempering where several temperatures are asked for, until the
 * goals are met or a limit is reached; which of them equant_posterior_summarize tells.
 *
 * Same data, options and seed: same draws, on any number of threads. A named file is
 * written whole at every checkpoint and at the end; whatever happens on the way, the file of
 * the last checkpoint stands. A cancelled run answers EQUANT_ERROR_CANCELLED. */
EQUANT_API equant_status equant_sample(const equant_dataset *dataset,
                                       const equant_sample_options *options,
                                       equant_posterior **posterior);

/* Goes on with the run of a file, to the draws that it would have made without interruption,
 * bit for bit on the same backend. Data and options come from the file, and from `options`
 * (NULL: nothing) alone what decides how long to go on and whom to tell: the number of threads
 * of the engine, max_rhat, min_ess, max_steps, max_seconds, checkpoint_seconds, progress. Zeros
 * leave them as they were. */
EQUANT_API equant_status equant_sample_resume(const char *path,
                                              const equant_sample_options *options,
                                              equant_posterior **posterior);

/* What the run of a file has found so far; nothing is sampled, and the machine that made the run
 * is not needed. EQUANT_ERROR_UNAVAILABLE while no draw has been kept. */
EQUANT_API equant_status equant_posterior_open(const char *path, equant_posterior **posterior);
/* The observations of the run of a file alone, without its draws: quick also where these are many.
 * The caller frees *dataset. */
EQUANT_API equant_status equant_posterior_read_dataset(const char *path, equant_dataset **dataset);
EQUANT_API void equant_posterior_free(equant_posterior *posterior);

/* Writes the file of the run, as its last checkpoint does: whole or not at all, to be opened or
 * resumed. The posterior of a file may be saved again. */
EQUANT_API equant_status equant_posterior_save(const equant_posterior *posterior, const char *path);

/* The observations of the run, and how it was made, in words: "seed", "prior_period_days_1",
 * "version", "star_name" and "command" where they were given; NULL when out of range. All valid
 * as long as the posterior. */
EQUANT_API const equant_dataset *equant_posterior_dataset(const equant_posterior *posterior);
EQUANT_API size_t equant_posterior_n_provenance(const equant_posterior *posterior);
EQUANT_API const char *equant_posterior_provenance_name(const equant_posterior *posterior,
                                                        size_t index);
EQUANT_API const char *equant_posterior_provenance_text(const equant_posterior *posterior,
                                                        size_t index);

/* Why a run ended. */
typedef enum equant_sample_end {
    EQUANT_END_CONVERGED = 0, /* all goals are met */
    EQUANT_END_STEPS = 1,     /* max_steps           */
    EQUANT_END_SECONDS = 2,   /* max_seconds         */
    EQUANT_END_NONE = 3       /* it may go on: of equant_posterior_open alone */
} equant_sample_end;

/* What a run must have to be called converged, of every quantity that equant_posterior_quantity
 * tells, derived ones included. */
typedef enum equant_sample_criterion {
    EQUANT_CRITERION_NONE = 0,        /* nothing is lacking                                  */
    EQUANT_CRITERION_RHAT = 1,        /* R-hat at most max_rhat                              */
    EQUANT_CRITERION_ESS = 2,         /* bulk and tail effective sizes at least min_ess       */
    EQUANT_CRITERION_TURNOVER = 3,    /* each walker has forgotten where it was ten times by the
                                         effective size for the median, five times by those for
                                         the 1, 5, 50, 95 and 99 % quantiles; three times as often
                                         where walkers began no wider than the posterior      */
    EQUANT_CRITERION_BURN_IN = 4,     /* eight autocorrelation times before the first kept draw */
    EQUANT_CRITERION_DRIFT = 5,       /* early and late half agree at the 1, 5, 50, 95 and 99 %
                                         quantiles, within 4 standard errors                  */
    EQUANT_CRITERION_POPULATIONS = 6, /* and so do populations                               */
    EQUANT_CRITERION_ROUND_TRIPS = 7  /* of walkers through the ladder of temperatures, ten in each
                                         population                                           */
} equant_sample_criterion;

typedef struct equant_posterior_summary {
    size_t struct_size;
    equant_sample_end end;
    size_t n_planets;
    size_t n_parameters; /* columns of a parameter set, with what the priors fix among them */
    size_t n_populations, n_walkers, n_kept; /* draws: their product                        */
    size_t n_temperatures;
    uint64_t n_steps, n_burn_in;     /* of the sampler, and those before the first kept one      */
    double rhat, ess_bulk, ess_tail; /* the worst of all quantities                         */
    double turnover;                 /* how often a walker has forgotten where it was, at worst  */
    double acceptance;               /* share of proposals accepted                              */
    double seconds;                  /* that this call took; NaN of equant_posterior_open        */
    double reference_time_days;
    const char *backend;
    double log_evidence, log_evidence_err; /* by a bridge to a mixture over the modes; NaN without
                                              temperatures; the error is that of a mean over
                                              populations                                   */
    double round_trips;    /* of walkers between the ends of the ladder                */
    size_t n_fitted;       /* parameters that were sampled: columns without those that priors fix */
    double evidence_k_hat; /* how heavy the tail of the importance weights is: above 0.7 the
                              evidence is not to be trusted; NaN where there are no weights */
    double evidence_spread;        /* of ln Z between populations                              */
    int evidence_is_sound;         /* 1: k_hat at most 0.7, populations within 0.3            */
    double drift;                  /* between the halves of the run, in standard errors, at worst */
    double discord;                /* between populations, as a normal deviate, at worst      */
    double start_width;            /* of the walkers' starts over that of the draws, at worst;
                                      NaN: not known                                          */
    equant_sample_criterion lacks; /* what is missed by most                           */
    size_t lacks_quantity;         /* and of which quantity; SIZE_MAX: of none         */
    double lacks_found, lacks_wanted; /* its number, and what it should be             */
} equant_posterior_summary;
EQUANT_API equant_status equant_posterior_summarize(const equant_posterior *posterior,
                                                    equant_posterior_summary *summary);

/* One quantity of the posterior: a parameter of the model, planets by period, or what follows from
 * them. */
typedef struct equant_sampled_quantity {
    size_t struct_size;
    const char *name, *unit; /* "period_days_1", "d"; valid as long as the posterior         */
    int is_angle, is_derived;
    size_t planet, instrument;       /* from 1; 0: of none                                        */
    const char *instrument_name;     /* NULL where it is of none */
    double median, low, high;        /* 68.3 % of the draws lie between low and high              */
    double mode;                     /* where draws are densest                                   */
    double best;                     /* in the draw of the highest density                        */
    double rhat, ess_bulk, ess_tail; /* NaN for a parameter that the prior fixes            */
    size_t kind;                     /* index in the catalogue of quantities                      */
    double turnover, drift, discord, start_width; /* as in equant_posterior_summary               */
} equant_sampled_quantity;
EQUANT_API size_t equant_posterior_n_quantities(const equant_posterior *posterior);
EQUANT_API equant_status equant_posterior_quantity(const equant_posterior *posterior, size_t index,
                                                   equant_sampled_quantity *quantity);
/* Its values in all draws, [n_populations][n_kept][n_walkers]. */
EQUANT_API equant_status equant_posterior_values(const equant_posterior *posterior, size_t index,
                                                 double *values);
/* Log-likelihoods of all draws, in the same order. */
EQUANT_API equant_status equant_posterior_log_likelihoods(const equant_posterior *posterior,
                                                          double *values);

/* Groups of draws with other periods, such as aliases, the heaviest first. */
typedef struct equant_posterior_mode_info {
    size_t struct_size;
    double weight, weight_err; /* share of the draws; the error is the scatter of populations */
    const double *period_days; /* [n_planets] medians; valid as long as the posterior         */
} equant_posterior_mode_info;
EQUANT_API size_t equant_posterior_n_modes(const equant_posterior *posterior);
EQUANT_API equant_status equant_posterior_mode(const equant_posterior *posterior, size_t index,
                                               equant_posterior_mode_info *mode);

#ifdef __cplusplus
}
#endif
#endif
