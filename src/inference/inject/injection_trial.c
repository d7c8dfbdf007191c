/* A planet is named by its posterior probability among the models that explain its signal: those
 * with one planet more, at its period or at an alias, those without it, and those with another term
 * of the trend. Other signals of the star are left alone: a fit would find both. The evidence of a
 * model with a planet near a frequency is an integral over all orbits there (orbit_mass.h) at the
 * noise of the star. Where jitters are fitted, a model that leaves more in the residuals has larger
 * errors: with all of them scaled by s, ln L = -N ln s - chi^2 / (2 s^2) has its maximum at s^2 =
 * chi^2 / N, and is higher there than at s = 1 by
 *
 *   (chi^2 - N - N ln(chi^2 / N)) / 2. */
#include "inference/inject/injection_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/select/aliases/alias_family.h"
#include "inference/select/aliases/planet_odds.h"
#include "inference/select/orbits/circular_orbit.h"
#include "inference/select/orbits/neighbourhood.h"
#include "inference/select/orbits/orbit_columns.h"
#include "inference/select/orbits/orbit_mass.h"
#include "model/circle.h"

/* Peaks of the spectrum that are looked at, the injected planet first, and how much less than its
 * own a rival may gain, in ln L. */
enum { MOST_PEAKS = 8 };
#define NO_RIVAL 12.0
/* No planet is named that gains less, in ln L: the prior of its orbit alone takes more. */
#define HOPELESS_GAIN 4.0

/* ---- the scene ------------------------------------------------------------------------------ */

void injection_scene_free(injection_scene *scene)
{
    circle_spectrum_free(&scene->spectrum);
    base_columns_free(&scene->base);
    free(scene->trend);
    *scene = (injection_scene){0};
}

/* Powers of time that the model has not, beside it and each other. */
static equant_status add_trend(study *star, int order, int most, injection_scene *made)
{
    base_columns *base = &made->base;
    size_t n = base->n_obs;
    if (order >= most)
        return EQUANT_SUCCESS;
    made->trend = malloc((size_t)(most - order) * n * sizeof *made->trend);
    if (!made->trend)
        return status_out_of_memory();
    for (int power = order + 1; power <= most; power++) {
        double *column = made->trend + made->n_trend * n;
        for (size_t k = 0; k < n; k++)
            column[k] = pow(base->time_days[k] / star->span_days, power);
        base_columns_whiten(base, column);
        base_columns_project(base, column);
        for (size_t j = 0; j < made->n_trend; j++) {
            double share = orbit_columns_dot(n, made->trend + j * n, column);
            for (size_t k = 0; k < n; k++)
                column[k] -= share * made->trend[j * n + k];
        }
        double size = sqrt(orbit_columns_dot(n, column, column));
        if (!(size > 0.0))
            continue;
        for (size_t k = 0; k < n; k++)
            column[k] /= size;
        made->n_trend++;
    }
    return EQUANT_SUCCESS;
}

equant_status injection_scene_create(study *star, const solution *best, size_t n_fixed,
                                     int most_trend_terms, double probability_min,
                                     injection_scene *made)
{
    *made = (injection_scene){.n_found = best->n_planets,
                              .has_jitter = star->with_jitter,
                              .probability_min = probability_min};
    equant_status status = base_columns_create(star, best, n_fixed, NULL, &made->base);
    if (status == EQUANT_SUCCESS)
        status = add_trend(star, best->trend_order, most_trend_terms, made);
    if (status == EQUANT_SUCCESS)
        status = circle_spectrum_create(star, &made->base, &made->spectrum);
    return status;
}

/* ---- residuals ------------------------------------------------------------------------------ */

/* The whitened velocity of an injected planet, beside the model, added to a residual. */
static equant_status add_planet(study *star, const base_columns *base,
                                const double elements[N_ELEMENTS], double *residual)
{
    orbit_columns work;
    size_t n = base->n_obs;
    double a = elements[ELEMENT_K] * cos(elements[ELEMENT_OMEGA]),
           b = -elements[ELEMENT_K] * sin(elements[ELEMENT_OMEGA]);
    equant_status status = orbit_columns_create(n, 1, &work);
    if (status == EQUANT_SUCCESS)
        status = orbit_columns_set(star, base, 1.0 / elements[ELEMENT_PERIOD],
                                   elements[ELEMENT_ECCENTRICITY], &elements[ELEMENT_M0], &work);
    if (status == EQUANT_SUCCESS) {
        for (size_t k = 0; k < n; k++)
            work.x[k] = a * work.x[k] + b * work.y[k];
        base_columns_project(base, work.x);
        for (size_t k = 0; k < n; k++)
            residual[k] += work.x[k];
    }
    orbit_columns_free(&work);
    return status;
}

/* C^-1 times the residual whose whitened form is given. */
static void make_dual(const base_columns *base, const double *residual, double *state, double *dual)
{
    size_t n = base->n_obs;
    memcpy(dual, residual, n * sizeof *dual);
    if (base->factor) {
        noise_factor_colour(base->factor, 1, dual, state);
        noise_factor_solve(base->factor, dual, state);
    } else {
        for (size_t k = 0; k < n; k++)
            dual[k] *= base->root_weight[k];
    }
}

/* ---- rivals --------------------------------------------------------------------------------- */

/* A period that a planet may have, with what the data say of it. */
typedef struct candidate {
    double elements[N_ELEMENTS];
    double gain;                /* in ln L, of the best circle or of the injected orbit */
    double log_odds;            /* against no planet more */
    bool is_injected, is_rival; /* aliases are */
} candidate;

typedef struct candidate_list {
    size_t n;
    candidate list[MOST_PEAKS];
} candidate_list;

static bool is_near(const study *star, double one_days, double other_days)
{
    return fabs(1.0 / one_days - 1.0 / other_days) * star->span_days < 1.0;
}

/* The highest peak of one of the eight spectra that no candidate has; the number of frequencies
 * where no peak is as high as `least`. */
static size_t next_peak(const study *star, const circle_spectrum *spectrum, const double8 *gain,
                        size_t lane, double least, const candidate_list *all)
{
    size_t at = spectrum->n;
    for (size_t i = 0; i < spectrum->n; i++) {
        bool is_there = !(gain[i][lane] > least);
        double period = 1.0 / circle_spectrum_frequency(spectrum, i);
        for (size_t c = 0; c < all->n && !is_there; c++)
            is_there = is_near(star, period, all->list[c].elements[ELEMENT_PERIOD]);
        if (is_there)
            continue;
        least = gain[i][lane];
        at = i;
    }
    return at;
}

/* Peaks that are high enough to be rivals; those that do not share the signal of the injected
 * planet are marked. */
static equant_status add_peaks(const study *star, const base_columns *base,
                               const circle_spectrum *spectrum, const double8 *gain, size_t lane,
                               candidate_list *all)
{
    double least = fmax(HOPELESS_GAIN, all->list[0].gain - NO_RIVAL);
    double own = 1.0 / all->list[0].elements[ELEMENT_PERIOD], overlap;
    equant_status status = EQUANT_SUCCESS;
    while (all->n < MOST_PEAKS && status == EQUANT_SUCCESS) {
        size_t at = next_peak(star, spectrum, gain, lane, least, all);
        if (at == spectrum->n)
            break;
        double frequency = circle_spectrum_frequency(spectrum, at);
        candidate *found = &all->list[all->n++];
        *found = (candidate){.gain = gain[at][lane], .log_odds = -INFINITY};
        found->elements[ELEMENT_PERIOD] = 1.0 / frequency;
        status = circular_orbit_overlap(star, base, own, frequency, &overlap);
        found->is_rival = status == EQUANT_SUCCESS && overlap > ALIAS_FAMILY_OVERLAP;
    }
    return status;
}

/* ---- judgement ------------------------------------------------------------------------------ */

/* By how much ln L rises where errors follow a chi-square. */
static double of_errors(const injection_scene *scene, double chi_square)
{
    double n = scene->base.chi_square;
    if (!scene->has_jitter || !(n > 0.0) || !(chi_square > n))
        return 0.0;
    return 0.5 * (chi_square - n - n * log(chi_square / n));
}

static double log_add(double one, double other)
{
    double larger = fmax(one, other), smaller = fmin(one, other);
    return smaller == -INFINITY ? larger : larger + log1p(exp(smaller - larger));
}

/* ln of the odds of a planet near a candidate against none. */
static equant_status weigh(study *star, const injection_scene *scene, const base_columns *base,
                           candidate *made)
{
    double log_share, gain = made->gain;
    equant_status status = EQUANT_SUCCESS;
    if (!made->is_injected)
        status = circular_orbit_best(star, base, 1.0 / made->elements[ELEMENT_PERIOD],
                                     made->elements, &gain);
    if (status == EQUANT_SUCCESS)
        status = orbit_mass_near(star, base, made->elements, &log_share);
    if (status != EQUANT_SUCCESS)
        return status;
    double prior = log(log(star->period_max_days / star->period_min_days));
    double rest = base->chi_square - 2.0 * gain;
    made->log_odds = planet_odds_of_one(gain + log_share - prior, scene->n_found + 1) +
                     of_errors(scene, rest) - of_errors(scene, base->chi_square);
    return EQUANT_SUCCESS;
}

/* ln of the odds of more terms of a trend against none: what each costs is that of the BIC. */
static double weigh_trend(const injection_scene *scene, const base_columns *base)
{
    double gain = 0.0, log_odds = -INFINITY;
    for (size_t j = 0; j < scene->n_trend; j++) {
        double share =
            orbit_columns_dot(base->n_obs, scene->trend + j * base->n_obs, base->residual);
        gain += 0.5 * share * share;
        double odds = gain - 0.5 * (double)(j + 1) * log((double)base->n_obs) +
                      of_errors(scene, base->chi_square - 2.0 * gain) -
                      of_errors(scene, base->chi_square);
        log_odds = log_add(log_odds, odds);
    }
    return log_odds;
}

/* The injected orbit as a candidate. */
static equant_status add_injected(study *star, const base_columns *base,
                                  const injected_planet *planet, candidate_list *all)
{
    neighbourhood around;
    candidate *own = &all->list[0];
    *own = (candidate){.is_injected = true, .log_odds = -INFINITY};
    memcpy(own->elements, planet->elements, sizeof own->elements);
    all->n = 1;
    return neighbourhood_find(star, base, own->elements, own->elements[ELEMENT_K], &around,
                              &own->gain);
}

/* A signal that the star shows without the injected planet is not recovered: where its probability
 * is enough already, the odds must rise by as much as it takes from even odds. */
static equant_status compare_with_star(study *star, const injection_scene *scene, double log_odds,
                                       injected_planet *planet)
{
    candidate_list own;
    double least = log(scene->probability_min / (1.0 - scene->probability_min));
    equant_status status = add_injected(star, &scene->base, planet, &own);
    if (status == EQUANT_SUCCESS && own.list[0].gain > HOPELESS_GAIN)
        status = weigh(star, scene, &scene->base, &own.list[0]);
    double before = own.list[0].log_odds;
    planet->is_recovered = before < least || log_odds - before >= least;
    return status;
}

static equant_status judge(study *star, const injection_scene *scene, const base_columns *base,
                           const double8 *gain, size_t lane, injected_planet *planet)
{
    candidate_list all;
    equant_status status = add_injected(star, base, planet, &all);
    double together =
        0.0; /* ln of the sum of the odds of all models, that without a planet first */
    planet->probability = 0.0;
    planet->is_recovered = false;
    if (status != EQUANT_SUCCESS || !(all.list[0].gain > HOPELESS_GAIN))
        return status;
    status = add_peaks(star, base, &scene->spectrum, gain, lane, &all);
    for (size_t c = 0; c < all.n && status == EQUANT_SUCCESS; c++) {
        if (c > 0 && !all.list[c].is_rival)
            continue;
        status = weigh(star, scene, base, &all.list[c]);
        together = log_add(together, all.list[c].log_odds);
    }
    together = log_add(together, weigh_trend(scene, base));
    planet->probability = exp(all.list[0].log_odds - together);
    if (status == EQUANT_SUCCESS && planet->probability >= scene->probability_min)
        status = compare_with_star(star, scene, all.list[0].log_odds, planet);
    return status;
}

/* ---- eight of them -------------------------------------------------------------------------- */

typedef struct trial_room {
    double *residuals; /* [DOUBLE8][n_obs], whitened */
    double *state;
    double8 *dual, *gain; /* [n_obs], [spectrum.n] */
    fft work;
} trial_room;

static void room_free(trial_room *room)
{
    free(room->residuals);
    free(room->dual);
    free(room->gain);
    fft_free(&room->work);
}

static equant_status room_create(const injection_scene *scene, trial_room *room)
{
    size_t n = scene->base.n_obs;
    *room = (trial_room){0};
    room->residuals =
        calloc((DOUBLE8 + 1) * n + 2 * (NOISE_PROCESS_MOST_STATES + 1), sizeof(double));
    room->dual = double8_create_zero(n);
    room->gain = double8_create(scene->spectrum.n);
    if (!room->residuals || !room->dual || !room->gain)
        return status_out_of_memory();
    room->state = room->residuals + (DOUBLE8 + 1) * n;
    return nonuniform_fft_work(&scene->spectrum.plan, &room->work);
}

static equant_status fill_residuals(study *star, const injection_scene *scene, size_t n_planets,
                                    const double *noise, const injected_planet *planets,
                                    trial_room *room)
{
    const base_columns *base = &scene->base;
    size_t n = base->n_obs;
    double *spare = room->residuals + DOUBLE8 * n;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n_planets && status == EQUANT_SUCCESS; i++) {
        double *residual = room->residuals + i * n;
        memcpy(residual, noise ? noise + i * n : base->residual, n * sizeof *residual);
        if (noise)
            base_columns_project(base, residual);
        status = add_planet(star, base, planets[i].elements, residual);
        make_dual(base, residual, room->state, spare);
        for (size_t k = 0; k < n; k++)
            room->dual[k][i] = spare[k];
    }
    return status;
}

equant_status injection_trial_run(study *star, const injection_scene *scene, size_t n_planets,
                                  const double *noise, injected_planet *planets)
{
    trial_room room;
    size_t n = scene->base.n_obs;
    equant_status status = room_create(scene, &room);
    if (status == EQUANT_SUCCESS)
        status = fill_residuals(star, scene, n_planets, noise, planets, &room);
    if (status == EQUANT_SUCCESS)
        circle_spectrum_run(&scene->spectrum, room.dual, &room.work, room.gain);
    for (size_t i = 0; i < n_planets && status == EQUANT_SUCCESS; i++) {
        base_columns own = scene->base; /* but for what is left */
        own.residual = room.residuals + i * n;
        own.chi_square = orbit_columns_dot(n, own.residual, own.residual);
        status = judge(star, scene, &own, room.gain, i, &planets[i]);
        if (status == EQUANT_SUCCESS)
            status = study_still_wanted(star);
    }
    room_free(&room);
    return status;
}
