/* The public equant_sky_orbits_check: a published orbit taken out of the epochs of its source,
 * beside the orbit that these have by themselves. */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "equant.h"
#include "model/period_resolution.h"
#include "parallel/parallel_for.h"
#include "physics/sky_orbit.h"
#include "statistics/cholesky.h"

#define USUAL_FALSE_ALARM 1e-3
#define SAME_IN_ERRORS 5.0

enum { N = EQUANT_SKY_N_PUBLISHED };

const char *equant_sky_judgement_name(equant_sky_judgement judgement)
{
    static const char *const names[] = {"unchecked",    "agrees",     "other_geometry",
                                        "other_period", "scan_angle", "nothing"};
    return (size_t)judgement < sizeof names / sizeof *names ? names[judgement] : names[0];
}

/* ---- the published orbit ----------------------------------------------------------------------
 */

/* The same source, its star moved back by the orbit. */
static equant_status take_out(const equant_astrometry *source, const equant_sky_published *orbit,
                              equant_astrometry **left)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_status status = equant_astrometry_rows(source, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    double jd = equant_astrometry_reference_jd(source);
    double *abscissa = malloc((rows.n_rows + 1) * sizeof *abscissa);
    if (abscissa == NULL)
        return status_out_of_memory();
    const double *own = orbit->thiele_innes_mas;
    for (size_t k = 0; k < rows.n_rows; k++) {
        double turns = (rows.time_days[k] + jd - orbit->t_peri_jd) / orbit->period_days;
        sky_place place = sky_place_at(SKY_ORBIT_TWO_PI * turns, orbit->eccentricity);
        abscissa[k] = rows.abscissa_mas[k] -
                      (own[1] * place.X + own[3] * place.Y) * sin(rows.angle_rad[k]) -
                      (own[0] * place.X + own[2] * place.Y) * cos(rows.angle_rad[k]);
    }
    rows.abscissa_mas = abscissa;
    status = equant_astrometry_create(&rows, jd, equant_astrometry_name(source), left);
    free(abscissa);
    return status;
}

/* Five parameters: with a jitter of their own, or with a given one. */
static equant_status solve(const equant_astrometry *source, const equant_sky_fit_options *options,
                           const double *jitter_mas, equant_sky_solution_summary *summary)
{
    const equant_sky_solve_options how = {
        .struct_size = sizeof how,
        .no_colour = OPTION_OR_ZERO(options, equant_sky_fit_options, no_colour),
        .as_ccds = OPTION_OR_ZERO(options, equant_sky_fit_options, as_ccds),
        .with_jitter = jitter_mas == NULL,
        .excess_noise_mas = jitter_mas ? *jitter_mas : 0.0};
    equant_sky_solution *found = NULL;
    *summary = (equant_sky_solution_summary){.struct_size = sizeof *summary};
    equant_status status = equant_sky_solve(source, &how, &found);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_solution_summarize(found, summary);
    equant_sky_solution_free(found);
    return status;
}

/* ---- two orbits -------------------------------------------------------------------------------
 */

/* Elements as the fit has them, A, B, F, G, ln P, e cos M0, e sin M0, and how they follow from
 * those of the table. */
static void turn(const equant_sky_published *orbit, double jd, double own[N], double by[N][N])
{
    double period = orbit->period_days, e = orbit->eccentricity;
    double days = jd - orbit->t_peri_jd, m = SKY_ORBIT_TWO_PI * days / period;
    memcpy(own, orbit->thiele_innes_mas, 4 * sizeof *own);
    own[4] = log(period);
    own[5] = e * cos(m);
    own[6] = e * sin(m);
    memset(by, 0, N * sizeof *by);
    for (int i = 0; i < 4; i++)
        by[i][i] = 1.0;
    by[4][4] = 1.0 / period;
    const double slope[2] = {-e * sin(m), e * cos(m)}, shape[2] = {cos(m), sin(m)};
    for (int i = 0; i < 2; i++) {
        by[5 + i][4] = -slope[i] * m / period;
        by[5 + i][5] = shape[i];
        by[5 + i][6] = -slope[i] * SKY_ORBIT_TWO_PI / period;
    }
}

/* Their distance by both covariances; NaN where these are none. The number of whole turns between
 * the two times of reference is the same for both. */
static double distance_of(const equant_sky_published *orbit, const equant_sky_companion *found,
                          double jd)
{
    double own[N], by[N][N], both[N * N], apart[N], distance = 0.0;
    turn(orbit, jd, own, by);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = found->covariance_linear[i * N + j];
            for (int k = 0; k < N; k++)
                for (int l = 0; l < N; l++)
                    sum += by[i][k] * orbit->covariance[k * N + l] * by[j][l];
            both[i * N + j] = sum;
        }
    memcpy(apart, found->thiele_innes_mas, 4 * sizeof *apart);
    apart[4] = log(found->period_days);
    apart[5] = found->eccentricity * cos(found->m0_rad);
    apart[6] = found->eccentricity * sin(found->m0_rad);
    for (int i = 0; i < N; i++)
        apart[i] -= own[i];
    if (!cholesky_factor(N, 0.0, both))
        return NAN;
    cholesky_solve_lower(N, both, apart);
    for (int i = 0; i < N; i++)
        distance += apart[i] * apart[i];
    return distance;
}

/* How often chi-square with seven degrees of freedom is as large. */
static double chance_of(double distance)
{
    double x = distance, root = sqrt(x);
    return erfc(root / sqrt(2.0)) +
           sqrt(2.0 / SKY_ORBIT_PI) * exp(-0.5 * x) * root * (1.0 + x / 3.0 + x * x / 15.0);
}

static bool is_same_period(const equant_sky_published *orbit, const equant_sky_companion *found,
                           double span_days)
{
    double error = hypot(found->period_days_err, sqrt(orbit->covariance[4 * N + 4]));
    return period_resolution_is_same(orbit->period_days, found->period_days, span_days) ||
           fabs(orbit->period_days - found->period_days) < SAME_IN_ERRORS * error;
}

/* ---- the check --------------------------------------------------------------------------------
 */

static void judge(const equant_sky_published *orbit, const equant_sky_fit *fit,
                  const equant_sky_summary *summary, double false_alarm_max,
                  equant_sky_check *check)
{
    equant_sky_companion found = {.struct_size = sizeof found};
    if (summary->verdict != EQUANT_SKY_ORBIT ||
        equant_sky_fit_companion(fit, 0, &found) != EQUANT_SUCCESS) {
        bool is_worth = 2.0 * check->gain_published > N * log((double)summary->n_rows);
        check->judgement = summary->verdict == EQUANT_SKY_SCAN_ANGLE ? EQUANT_SKY_IS_SCAN_ANGLE
                           : is_worth                                ? EQUANT_SKY_AGREES
                                                                     : EQUANT_SKY_NOTHING;
        return;
    }
    check->period_days = found.period_days;
    check->period_days_err = found.period_days_err;
    check->eccentricity = found.eccentricity;
    check->a0_mas = found.a0_mas;
    if (!is_same_period(orbit, &found, summary->span_days)) {
        check->judgement = EQUANT_SKY_OTHER_PERIOD;
        return;
    }
    check->distance_square = distance_of(orbit, &found, summary->reference_jd);
    check->chance = chance_of(check->distance_square);
    /* Next to a circle the distance says little, as pericentre may be anywhere. */
    bool is_as_likely = chance_of(2.0 * fmax(check->log_ratio, 0.0)) >= false_alarm_max;
    check->judgement = check->chance < false_alarm_max && !is_as_likely ? EQUANT_SKY_OTHER_GEOMETRY
                                                                        : EQUANT_SKY_AGREES;
}

static equant_status compare(const equant_astrometry *source, const equant_astrometry *left,
                             const equant_sky_published *orbit,
                             const equant_sky_fit_options *options, equant_sky_check *check)
{
    equant_sky_summary summary = {.struct_size = sizeof summary};
    equant_sky_solution_summary plain, taken, weighed;
    double limit = OPTION_OR_ZERO(options, equant_sky_fit_options, false_alarm_max);
    equant_sky_fit *fit = NULL;
    equant_status status = solve(source, options, NULL, &plain);
    if (status == EQUANT_SUCCESS)
        status = solve(left, options, NULL, &taken);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_fit_create(source, options, &fit);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_fit_summarize(fit, &summary);
    if (status == EQUANT_SUCCESS) {
        check->verdict = summary.verdict;
        check->gain_published = taken.log_likelihood - plain.log_likelihood;
        check->log_ratio = summary.log_likelihood - taken.log_likelihood;
        check->chi_square_best = summary.chi_square;
        check->false_alarm = summary.false_alarm;
        judge(orbit, fit, &summary, limit > 0.0 ? limit : USUAL_FALSE_ALARM, check);
        status = solve(source, options, &summary.jitter_mas, &weighed);
        check->chi_square_5p = weighed.chi_square;
    }
    if (status == EQUANT_SUCCESS)
        status = solve(left, options, &summary.jitter_mas, &weighed);
    if (status == EQUANT_SUCCESS)
        check->chi_square_published = weighed.chi_square;
    equant_sky_fit_free(fit);
    return status;
}

/* A source that cannot be fitted is unchecked, unless memory ran out. */
static equant_status check_one(const equant_astrometry *source, const equant_sky_published *orbit,
                               const equant_sky_fit_options *options, equant_sky_check *check)
{
    equant_astrometry *left = NULL;
    *check = (equant_sky_check){.struct_size = sizeof *check};
    for (double *number = &check->log_ratio; number <= &check->false_alarm; number++)
        *number = NAN;
    if (!orbit->is_on_sky)
        return EQUANT_SUCCESS;
    equant_status status = take_out(source, orbit, &left);
    if (status == EQUANT_SUCCESS)
        status = compare(source, left, orbit, options, check);
    equant_astrometry_free(left);
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? status : EQUANT_SUCCESS;
}

/* What threads share. */
typedef struct checking {
    const equant_astrometry *const *sources;
    const equant_sky_published *orbits;
    const equant_sky_fit_options *options;
    equant_sky_check *checks;
    atomic_size_t n_failures;
} checking;

static void check_some(void *context, size_t first, size_t end, int thread)
{
    checking *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++)
        if (check_one(of->sources[i], of->orbits + i, of->options, of->checks + i) !=
            EQUANT_SUCCESS)
            atomic_fetch_add(&of->n_failures, 1);
}

equant_status equant_sky_orbits_check(size_t n, const equant_astrometry *const *sources,
                                      const equant_sky_published *orbits,
                                      const equant_sky_fit_options *options,
                                      equant_sky_check *checks)
{
    if (n > 0 && (sources == NULL || orbits == NULL || checks == NULL))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "sources, their published orbits and a place for checks are needed");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS || n == 0)
        return status;
    if (OPTION_OR_ZERO(options, equant_sky_fit_options, velocities) != NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "published orbits are checked by astrometry, without velocities");
    if (checks->struct_size != sizeof *checks || orbits->struct_size != sizeof *orbits)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the first orbit or check says nothing about its size; set "
                           "struct_size");
    const equant_engine_options *engine = OPTION_OR_ZERO(options, equant_sky_fit_options, engine);
    const equant_engine_options one = {.struct_size = sizeof one, .backend = "cpu", .n_threads = 1};
    equant_sky_fit_options own = {.struct_size = sizeof own};
    if (options != NULL)
        memcpy(&own, options,
               options->struct_size < sizeof own ? options->struct_size : sizeof own);
    own.struct_size = sizeof own;
    own.engine = &one;
    own.max_companions = 1;
    int n_threads = placement_threads(OPTION_OR_ZERO(engine, equant_engine_options, n_threads));
    checking of = {.sources = sources, .orbits = orbits, .options = &own, .checks = checks};
    parallel_for(n_threads, n, 1, check_some, &of);
    return atomic_load(&of.n_failures) == 0 ? EQUANT_SUCCESS : status_out_of_memory();
}
