/* equant/fit.h: the fit. The planets of a star, without a starting guess. */
#ifndef EQUANT_FIT_H
#define EQUANT_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/model.h"
#include "equant/progress.h"
#include "equant/quantities.h"
#include "equant/star.h"
#include "equant/states.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum equant_fit_method {
    EQUANT_FIT_SCAN = 0, /* exact scans, one planet more at a time           */
    EQUANT_FIT_DE = 1    /* differential evolution of all planets together   */
} equant_fit_method;

/* The noise of fits that ask for none and whose n_planets is 0, with or without states. Of fits
 * with a number of planets, of fits without jitters and of searches it is white. */
#define EQUANT_DEFAULT_NOISE "auto"

typedef struct equant_fit_options {
    size_t struct_size;
    const equant_engine_options *engine; /* of the scans, as in equant_search_options */
    int exact_precision;
    equant_fit_method method;
    int n_planets;                           /* 0: as many as the data ask for; -1: none */
    int max_planets;                         /* where n_planets is 0; 0: 10              */
    double false_alarm_max;                  /* for one planet more; 0: 1e-3             */
    double period_min_days, period_max_days; /* 0: 0.5 days, twice the span; a planet found at
                                                that end is followed up to eight times it  */
    double eccentricity_max;                 /* of the scans; 0: 0.9                     */
    equant_trend trend;
    size_t n_known;      /* planets to start from, refined with the rest            */
    const double *known; /* [n_known][EQUANT_N_ELEMENTS]                            */
    size_t n_fixed;      /* the first n_fixed of them stay as they are              */
    int no_jitter;       /* 1: uncertainties are taken as they are                  */
    double star_mass;    /* solar masses, for m sin i and a; 0: unknown             */
    uint64_t seed;
    equant_progress progress; /* may be NULL                                        */
    void *progress_context;
    const char *noise;      /* beside jitters: "white"; "auto": what the data ask for of
                               nights, rotation, slow drifts and the indicators of the data set; or
                               terms that every model has, "rotation(period=20:30, decay=60), night":
                               a value fixes a parameter, a range bounds it, the others have their
                               usual ranges. NULL: EQUANT_DEFAULT_NOISE                            */
    const char *indicators; /* that velocities follow: NULL or "auto": those of the data set that
                               the data ask for, where noise is not "white"; "none"; or names,
                               "fwhm,bis", which every model has as they were measured       */
    const char *outliers;   /* observations and nights that the rest does not predict: "auto" widens
                               the errors of those that are hardly chance; "none"; or the share of
                               them that is to be expected, "0.05". NULL: "auto" where noise is,
                               else "none"                                                    */
    double probability_min; /* that a planet is there, where the fit decides how many there are:
                               what has less is a candidate; 0: it is not asked for         */
    double budget_s;        /* seconds that it may take: after half of them no planet more is
                               looked for, and what was found is judged until nine tenths are
                               over; a remark and the `end` of the summary say so.
                               The one thing on which a result depends beside data, options and
                               seed; 0: as long as it takes                                 */
    int indicators_as_series; /* 1: indicators, those that `indicators` names or all, are series
                               of one process with the velocities (equant_fitted_series); 0: they
                               are columns that velocities may follow                       */
    const equant_star *star;  /* what else is known of the star, with errors; its mass, where it has
                               one, counts instead of star_mass. NULL: nothing              */
    const equant_states *states; /* what is known of parameters, or NULL. Planets that they name
                               are there: `known` stays empty, and n_planets 0 means no more than
                               these. The fit is the maximum of likelihood and priors together;
                               the default of `noise` is the same as without states          */
    const char *basis;    /* coordinates of orbits in which the final optimisation goes, as those of
                                  equant_sample_options; it ends at the same maximum in all of them.
                                  NULL: as the fit likes                                        */
    int no_probabilities; /* 1: planets stand by their false alarms and, where noise could be in
                             their place, by the evidence, each with the period that it was found
                             with; probabilities, aliases and numbers of planets are not known. 0:
                             all that is said quickly */
    int keeps_partial;    /* 1: a fit that is cancelled is EQUANT_SUCCESS with what was found until
                             then, and the `end` of its summary says so; EQUANT_ERROR_CANCELLED
                             before anything was. 0: EQUANT_ERROR_CANCELLED in any case */
} equant_fit_options;

/* How a fit ended. Of one that was cut off, what was not worked out any more is NaN: false alarms,
 * gains and probabilities. Values are pinned. */
typedef enum equant_fit_end {
    EQUANT_FIT_FINISHED = 0,
    EQUANT_FIT_SECONDS = 1,  /* its budget was over */
    EQUANT_FIT_CANCELLED = 2 /* by its progress callback */
} equant_fit_end;

/* Activity indicators as series of one process G, the spots of a star that turns: an indicator is
 * c G with c > 0, a bisector span c G + d G', each with an offset and a jitter for each instrument.
 * Its period, decay and width are learnt from the indicators alone (a rotation, mep), and what they
 * say of G and of its derivative at the velocities becomes two indicators of a new data set, which
 * velocities may follow as they follow any other: v = a G + b G' (Rajpaul et al. 2015). Where the
 * indicators say nothing, both are zero. */
#define EQUANT_SPOTS "spots"
#define EQUANT_SPOTS_RATE "spots_rate"

typedef struct equant_spots_options {
    size_t struct_size;
    const char *indicators; /* names of those to learn from, "fwhm,bis"; NULL or "auto": all that
                               have 20 values of an instrument, not all the same; up to eight
                               series are taken                                                 */
    double period_min_days, period_max_days; /* of the rotation; 0: 5 days, and 150 or half the
                                                span of the data                                */
    equant_progress progress;                /* may be NULL                                     */
    void *progress_context;
} equant_spots_options;

/* What was learnt; the gain in ln L is that over indicators of white noise. */
typedef struct equant_spots {
    size_t struct_size;
    double period_days, decay_days, width;
    double log_likelihood_gain;
    size_t n_series, n_values;
    size_t n_without_uncertainty; /* values of which the jitter of their series is all the error */
} equant_spots;

/* The data with the indicators EQUANT_SPOTS and EQUANT_SPOTS_RATE beside their own, for the caller
 * to free; options and found may be NULL. EQUANT_ERROR_INVALID_ARGUMENT where there is nothing to
 * learn from, or where the BIC prefers white noise. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_spots_learn(const equant_dataset *dataset,
                                                                const equant_spots_options *options,
                                                                equant_spots *found,
                                                                equant_dataset **made);

/* Whether a fit understands these words of noise; which terms data can carry, only a fit of them
 * says. */
EQUANT_API equant_status equant_fit_check_noise(const char *noise);

/* The planets of a star and everything fitted along with them. */
typedef struct equant_fit equant_fit;

/* Why a planet more was not taken: the first condition of these that it does not meet. Values are
 * pinned. */
typedef enum equant_refusal {
    EQUANT_REFUSED_NOT = 0,
    EQUANT_REFUSED_FALSE_ALARM = 1,      /* its false-alarm probability is too large      */
    EQUANT_REFUSED_BIC = 2,              /* the BIC is lower without it                   */
    EQUANT_REFUSED_FEW_OBSERVATIONS = 3, /* few observations share in its signal: it is not
                                            probable enough beside their being wrong      */
    EQUANT_REFUSED_UNDETERMINED = 4,     /* the data leave its orbit open                 */
    EQUANT_REFUSED_IMPROBABLE = 5,       /* the probability that it is there is too small */
    EQUANT_REFUSED_CYCLE = 6             /* its period is the day's or the year's, and its
                                            amplitude of the size of the noise            */
} equant_refusal;

/* A fixed word for it: "not", "false_alarm", "bic", "few_observations", "undetermined",
 * "improbable", "cycle". Never NULL. */
EQUANT_API const char *equant_refusal_name(equant_refusal because);

/* The end of the range of periods at which a planet was found, if any. The likelihood still grows
 * there, so that its period has a bound instead of an error. */
typedef enum equant_limit {
    EQUANT_LIMIT_NONE = 0,
    EQUANT_LIMIT_SHORTEST = 1,
    EQUANT_LIMIT_LONGEST = 2
} equant_limit;

/* What most callers want of a planet; equant_fit_quantity has everything. */
typedef struct equant_planet {
    size_t struct_size;
    double period_days, period_days_err;
    double k_m_s, k_m_s_err;
    double eccentricity, eccentricity_err;
    double omega_rad, omega_rad_err;
    double m0_rad, m0_rad_err; /* at the data set's reference time                    */
    double t_peri, t_peri_err; /* passage of pericentre next to the reference time    */
    double t_conj, t_conj_err; /* inferior conjunction (transit, if any) next to it   */
    double m_sin_i_jupiter, m_sin_i_jupiter_err; /* NaN where the star's mass is unknown */
    double a_au, a_au_err;
    double false_alarm;             /* of log_likelihood_gain: analytic                 */
    double log_likelihood_gain;     /* what the final model loses without it, all else
                                        refitted                                         */
    double delta_bic;               /* by how much the BIC grows without it              */
    equant_limit at_limit;          /* then period_days_err and a_au_err are NaN, and all that
                                        hangs on the period is as open as it is           */
    double period_days_bound;       /* the period is at least (EQUANT_LIMIT_LONGEST) or at most
                                        this: ln L is lower by 1/2 there; NaN without a limit,
                                        and where the data set no bound                   */
    equant_refusal refused_because; /* of the candidate; of planets EQUANT_REFUSED_NOT */
    double probability;           /* that the planet is there, at any period of its aliases: by the
                                     evidences of the models with and without it; NaN where it was
                                     given or not judged                               */
    double false_inclusion;       /* that it is not, to its own digits                 */
    double k_m_s_low, k_m_s_high; /* where few observations share in the signal, or the error of K
                                     is larger than K, so that errors say
                                     little: 68.3 % of the probability lie between; infinite
                                     where the data set no upper end; else NaN   */
    double eccentricity_low, eccentricity_high; /* likewise; an upper end of 1: there is none */
} equant_planet;

/* Needs more observations than instruments. Same data, options and seed: same
 * result, on any number of threads. */
EQUANT_API equant_status equant_fit_star(const equant_dataset *dataset,
                                         const equant_fit_options *options, equant_fit **fit);
EQUANT_API void equant_fit_free(equant_fit *fit);

/* Planets by period. */
EQUANT_API size_t equant_fit_n_planets(const equant_fit *fit);
/* An orbit in the coordinates of a basis, "per tc secosw sesinw k", in the order P, K, both of the
 * shape, phase; parts that no word names are as logper, k, ecosw, esinw and lambda have them.
 * Events are those next to the reference time, angles are in radians. With the covariance of the
 * elements, [5][5], or NULL, their standard errors, which may be NULL then. */
EQUANT_API equant_status equant_orbit_coordinates(const char *basis, double reference_time_days,
                                                  const double elements[EQUANT_N_ELEMENTS],
                                                  const double *covariance,
                                                  double values[EQUANT_N_ELEMENTS],
                                                  double errors[EQUANT_N_ELEMENTS]);
/* The word of coordinate `index`, "secosw"; NULL where there is none. */
EQUANT_API const char *equant_basis_word(const char *basis, size_t index);

/* The letter of a planet: as states say, else b, c, ...; '\0' when out of range. */
EQUANT_API char equant_fit_letter(const equant_fit *fit, size_t index);
/* 1: states have said them. */
EQUANT_API int equant_fit_has_letters(const equant_fit *fit);
/* The mass of a planet in Jupiters, where states know its inclination and the mass of the star is
 * known, with its error, which may be NULL; else NaN. */
EQUANT_API double equant_fit_mass_jupiter(const equant_fit *fit, size_t index, double *err);
EQUANT_API equant_status equant_fit_planet(const equant_fit *fit, size_t index,
                                           equant_planet *planet);
/* When it will be, or was, at an event, "t_conj" (a transit, if any), "t_sup" (an occultation) or
 * "t_peri": that which is `number` periods behind the one next to the reference time, with its
 * standard error, which may be NULL. */
EQUANT_API equant_status equant_fit_predict(const equant_fit *fit, size_t index, const char *event,
                                            int64_t number, double *time_days,
                                            double *time_days_err);
/* The candidate that was tried last and refused; EQUANT_ERROR_UNAVAILABLE when there
 * is none. Where it would have taken the place of a trend, false_alarm compares it with a model
 * that has neither, and delta_bic with the trend. */
EQUANT_API equant_status equant_fit_candidate(const equant_fit *fit, equant_planet *planet);
/* Why it was refused, as a clause with its figures that can follow "it was refused: "; "" when
 * there is none. Valid until the fit is freed. */
EQUANT_API const char *equant_fit_refusal(const equant_fit *fit);

/* How many planets the data show, quickly: all sets of those that were found or refused as chance
 * are added up, and those that the caller gave are in each. Before the data all numbers of planets
 * are as probable, as for equant_compare, which samples the number of all: planets too weak to show
 * are not counted here, so that a star may have more. The largest number that was looked at, and
 * the probability of n: NaN beyond it, where a planet was not judged, and where only one number
 * was weighed, so that there is nothing to compare. */
EQUANT_API size_t equant_fit_max_planets(const equant_fit *fit);
EQUANT_API double equant_fit_number_probability(const equant_fit *fit, size_t n);

/* How the probabilities of planets and of their number came about: "quick"; "full" where
 * equant_fit_take_comparison has put sampled ones in their place; "none". */
EQUANT_API const char *equant_fit_probabilities(const equant_fit *fit);

/* A model that differs from the fit by one planet, or the fit itself. */
typedef struct equant_fitted_neighbour {
    size_t struct_size;
    size_t n_planets;
    size_t without;     /* the planet of the fit that it lacks, from 1; 0: none of several   */
    int with_candidate; /* 1: it has the candidate, too                                      */
    int is_fit;
    double log_likelihood, bic;
    double delta_log_evidence; /* ln Z less that of the fit, from the probability of the planet;
                                  0 of the fit; NaN: unknown                                */
} equant_fitted_neighbour;
/* Without planets, without one of several, the fit, with the candidate. None where the fit has
 * nothing to be compared with, or was cut off before it was. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_fit_n_neighbours(const equant_fit *fit);
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_fit_neighbour(const equant_fit *fit, size_t index, equant_fitted_neighbour *neighbour);

/* The best of the models that the fit has seen and that say otherwise: of a planet the best without
 * a planet of its period, of the candidate that was refused the best with it. */
typedef struct equant_fitted_rival {
    size_t struct_size;
    double period_days;         /* of that planet, or of the candidate              */
    int is_of_candidate;        /* 1: the rival has it; 0: it lacks it              */
    size_t n_planets;           /* of the rival                                     */
    const double *planets_days; /* [n_planets], their periods, in order             */
    const char *noise;          /* its terms beside jitters, "night, mep"; "white"  */
    size_t n_outliers;
    equant_trend trend;
    double delta_lnl;     /* its ln L less that of the fit                            */
    double delta_score;   /* the same of ln of its evidence and prior: below 0 where the fit is
                             more probable; above, where the fit was preferred for another reason */
    const char *sentence; /* what it says, as a whole sentence; texts and periods live as long as
                             the fit                                                 */
} equant_fitted_rival;
/* Planets that were found, in order of period, and the candidate; none where the number of planets
 * was given, or probabilities were not asked for. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_fit_n_rivals(const equant_fit *fit);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_fit_rival(const equant_fit *fit, size_t index,
                                                              equant_fitted_rival *rival);

/* A period that the signal of a planet may have. Observations repeat with the day, the month and
 * the year, and show a planet also at sums and differences of its frequency with theirs: these
 * aliases are fitted in its place, everything else with them, and share its probability by their
 * evidence, with periods log-uniform and eccentricities as Kipping (2013) found them. */
typedef struct equant_alias {
    size_t struct_size;
    double period_days;
    double probability; /* among all of them                                             */
    double delta_lnl;   /* of the best model with it, less that of the planet: negative where it
                           fits worse                                                    */
    double overlap;     /* share of the planet's signal that it explains too: near 1 the data
                           cannot tell the two apart; 1 for the planet itself            */
} equant_alias;
/* The most probable first, which is the planet itself: one, where no other period comes near; zero
 * for planets that the caller gave. */
EQUANT_API size_t equant_fit_n_aliases(const equant_fit *fit, size_t planet);
EQUANT_API equant_status equant_fit_alias(const equant_fit *fit, size_t planet, size_t index,
                                          equant_alias *alias);

/* Two planets whose periods would both be others: models in which each has the period of one of
 * its aliases, fitted anew, where neither alias does as well alone. */
typedef struct equant_alias_pair {
    size_t struct_size;
    size_t first, second; /* planets, from 0 */
    double first_period_days, second_period_days;
    double probability; /* among all periods of the two, one changed or both; those of
                           equant_fit_alias have it in their sums */
    double delta_lnl;   /* of the best model with both, less that of the fit */
} equant_alias_pair;
/* Those that were fitted, the most probable first. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_fit_n_alias_pairs(const equant_fit *fit);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_fit_alias_pair(const equant_fit *fit,
                                                                   size_t index,
                                                                   equant_alias_pair *pair);

/* Everything that a fit knows with its standard error, by the names of the catalogue: planet by
 * planet, then offsets, trend, jitters and noise. What needs the mass of the star is there where it
 * is known. */
typedef struct equant_fitted_quantity {
    size_t struct_size;
    const char *name;          /* "period_days_1"; valid as long as the fit        */
    size_t kind;               /* index in the catalogue                           */
    size_t planet, instrument; /* from 1; 0: of none                               */
    double value, err;
} equant_fitted_quantity;
EQUANT_API size_t equant_fit_n_quantities(const equant_fit *fit);
EQUANT_API equant_status equant_fit_quantity(const equant_fit *fit, size_t index,
                                             equant_fitted_quantity *quantity);
/* The same of the refused candidate alone, under the name of planet 1; none without one. */
EQUANT_API size_t equant_fit_n_candidate_quantities(const equant_fit *fit);
EQUANT_API equant_status equant_fit_candidate_quantity(const equant_fit *fit, size_t index,
                                                       equant_fitted_quantity *quantity);

/* The model that was fitted, with offsets, trend, jitters and parameters of noise as columns, and
 * without indicators, its parameter set and the covariance of that, [n_parameters][n_parameters]
 * (elements as in EQUANT_BASIS_ELEMENTS), n_parameters = equant_model_n_parameters(model). What was
 * not fitted, fixed planets and jitters that were left out, has its columns too: its covariance is
 * zero, as is that of a jitter of zero. Valid until the fit is freed. */
EQUANT_API const equant_model *equant_fit_model(const equant_fit *fit);
EQUANT_API const double *equant_fit_parameters(const equant_fit *fit);
EQUANT_API const double *equant_fit_covariance(const equant_fit *fit);
/* Never EQUANT_TREND_DEFAULT. */
EQUANT_API equant_trend equant_fit_trend(const equant_fit *fit);
/* Velocities of that model at the observations, offsets and trend included, and what was observed
 * minus these, [n_obs] in the order of the data set. Valid until the fit is freed. */
EQUANT_API const double *equant_fit_velocities_m_s(const equant_fit *fit);
EQUANT_API const double *equant_fit_residuals_m_s(const equant_fit *fit);

/* Noise beside jitters, as the fit chose it or as it was asked for (include/equant/noise.h has the
 * terms): its parameters term by term. Errors of those that are fixed, or at an end of their range,
 * are zero. */
typedef struct equant_fitted_noise_parameter {
    size_t struct_size;
    const char *term, *name, *unit; /* "mep", or "mep@HARPS" of one instrument; "period", "d"; valid
                                       as long as the fit */
    double value, err;
    int is_fixed; /* by the caller */
} equant_fitted_noise_parameter;
EQUANT_API size_t equant_fit_n_noise_parameters(const equant_fit *fit);
EQUANT_API equant_status equant_fit_noise_parameter(const equant_fit *fit, size_t index,
                                                    equant_fitted_noise_parameter *parameter);

/* Terms that were offered, and what each is worth to the final model, all else refitted. */
typedef struct equant_fitted_noise_trial {
    size_t struct_size;
    const char *term;
    int is_chosen;
    double log_likelihood_gain; /* with it less without it                            */
    double delta_bic;           /* by how much the BIC grows without it               */
    int is_given;               /* it was asked for: all models have it              */
} equant_fitted_noise_trial;
EQUANT_API size_t equant_fit_n_noise_trials(const equant_fit *fit);
EQUANT_API equant_status equant_fit_noise_trial(const equant_fit *fit, size_t index,
                                                equant_fitted_noise_trial *trial);

/* Indicators that the velocities of an instrument follow: slope (x - mean) / deviation. They are
 * part of the model's velocities. */
typedef struct equant_fitted_indicator {
    size_t struct_size;
    size_t indicator, instrument; /* of the data set, from 0 */
    double slope_m_s, slope_m_s_err, mean, deviation;
    double smoothing_days; /* over which x was averaged first, against magnetic cycles; 0: it
                              was not                                                 */
} equant_fitted_indicator;
EQUANT_API size_t equant_fit_n_indicators(const equant_fit *fit);
EQUANT_API equant_status equant_fit_indicator(const equant_fit *fit, size_t index,
                                              equant_fitted_indicator *indicator);

/* Indicators that were offered or asked for, and what each is worth to the final model, all else
 * refitted; of those that it has not, all but the noise. */
typedef struct equant_fitted_indicator_trial {
    size_t struct_size;
    size_t indicator, instrument; /* of the data set, from 0 */
    double smoothing_days;
    int is_chosen, is_given;
    double log_likelihood_gain, delta_bic; /* as of terms */
} equant_fitted_indicator_trial;
EQUANT_API size_t equant_fit_n_indicator_trials(const equant_fit *fit);
EQUANT_API equant_status equant_fit_indicator_trial(const equant_fit *fit, size_t index,
                                                    equant_fitted_indicator_trial *trial);

/* An indicator that is a series of one process G with the velocities (Rajpaul et al. 2015), where
 * indicators_as_series was asked for. H is dG/dt times a radian of the rotation, its period over
 * 2 pi, and G has the variance 1:
 *   velocity = amplitude (cos x G + sin x H),  indicator = scale G + rate H + offset,
 * amplitude, period, decay and width those of the term mep, and x the part of a turn by which
 * velocities are ahead. The likelihood of the fit is that of all series together, offsets of
 * indicators at their best. */
typedef struct equant_fitted_series {
    size_t struct_size;
    size_t indicator, instrument; /* of the data set, from 0 */
    double scale, scale_err; /* in the unit of the indicator, as the next; rates are zero but of
                                bisector spans */
    double rate, rate_err, jitter, jitter_err;
} equant_fitted_series;
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_fit_n_series(const equant_fit *fit);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_fit_series(const equant_fit *fit, size_t index,
                                                               equant_fitted_series *series);
/* By how many days velocities are ahead of what G does, x / 2 pi periods, with the error, which may
 * be NULL; NaN without series. */
EQUANT_EXPERIMENTAL EQUANT_API double equant_fit_lead_days(const equant_fit *fit, double *err);

/* The column of the model that an indicator is, (x - mean) / deviation, x averaged over
 * smoothing_days first: at the observations of its instrument that have it, 0 at the others,
 * [n_obs]. */
EQUANT_API equant_status equant_fit_indicator_column(const equant_dataset *dataset,
                                                     const equant_fitted_indicator *indicator,
                                                     double *column);

/* Whole sentences about what the fit did with the data: indicators that it left out, or that are
 * missing in some rows. NULL when out of range; valid until the fit is freed. */
EQUANT_API size_t equant_fit_n_remarks(const equant_fit *fit);
EQUANT_API const char *equant_fit_remark(const equant_fit *fit, size_t index);

/* Observations and nights that the rest of the data, noise and planets do not predict: their errors
 * are widened in all that the fit says. */
typedef struct equant_fitted_outlier {
    size_t struct_size;
    size_t n_rows;      /* observations that belong to it                                */
    const size_t *rows; /* [n_rows], of the data set, from 0; valid as long as the fit   */
    size_t instrument;  /* of the data set, from 0                                       */
    int is_night;       /* all observations of a night, several                          */
    double time_days;   /* their mean                                                    */
    double deviation_m_s, expected_m_s; /* observed less predicted, and the standard deviation
                                           that this was expected to have                */
    double widening_m_s; /* that is added in squares to their uncertainties              */
} equant_fitted_outlier;
/* By time. */
EQUANT_API size_t equant_fit_n_outliers(const equant_fit *fit);
EQUANT_API equant_status equant_fit_outlier(const equant_fit *fit, size_t index,
                                            equant_fitted_outlier *outlier);
/* The uncertainties of all observations, those of outliers widened, without jitters, [n_obs]. Valid
 * until the fit is freed. */
EQUANT_API const double *equant_fit_uncertainties_m_s(const equant_fit *fit);
/* Whether a fit understands these words of outliers. */
EQUANT_API equant_status equant_fit_check_outliers(const char *outliers);

/* What correlated noise contributes to the residuals, its expectation at each observation, [n_obs];
 * zeros where there is none. */
EQUANT_API const double *equant_fit_noise_m_s(const equant_fit *fit);

/* In how many days the star turns, with the error, which may be NULL. NaN where the noise does not
 * determine it: where it has no rotation, where noise of the same memory without a period has more
 * than 5 per cent of the probability, or where the error is larger than a fifth of the period. */
EQUANT_API double equant_fit_rotation_days(const equant_fit *fit, double *err);
/* The probability that the rotation of the noise has a period, against noise of any memory without
 * one; 1 for a rotation that was asked for, NaN without a rotation. */
EQUANT_API double equant_fit_rotation_probability(const equant_fit *fit);
/* After how many days the correlation of noise of days to months has fallen to 1/e, with the error,
 * which may be NULL; NaN without such noise, or where it is a determined rotation. */
EQUANT_API double equant_fit_memory_days(const equant_fit *fit, double *err);

typedef struct equant_fit_summary {
    size_t struct_size;
    size_t n_obs;
    size_t n_fitted; /* parameters that were free: columns of the model without fixed planets, and
                        without jitters where none are fitted                         */
    double chi_square, log_likelihood, bic, rms_m_s, reference_time_days;
    double log_likelihood_without_planets, bic_without_planets;
    double period_min_days, period_max_days; /* that a planet could have in the end */
    equant_fit_end end;
} equant_fit_summary;
EQUANT_API equant_status equant_fit_summarize(const equant_fit *fit, equant_fit_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
