#include "inference/fit/fit_course.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/fit/fit_options.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_fit_options, member)

/* Medians over 14 stars of two to 200 observations a year (HD 217107, GJ 876, 47 UMa, ...), with
 * noise chosen. They are within a factor of 1.5 of each star's own, and count for nothing but for
 * what a person is told. */
enum { N_TIMED = 3 }; /* planets; each later one takes as much as the third */
static const double white_share[N_TIMED + 1] = {0.01, 0.05, 0.12, 0.15};
static const double noisy_share[N_TIMED + 1] = {0.24, 0.40, 0.45, 0.48};
#define SHARE_OF_WEIGHING 0.60
#define SHARE_OF_ALIASES 0.76
#define SHARE_OF_LAST_WEIGHING 0.88
/* With noise that is given, all that follows the search takes a twentieth. */
#define SHARE_OF_GIVEN_SEARCH 0.95

fit_course fit_course_begin(const equant_fit_options *options, double now_s)
{
    return (fit_course){.chooses_noise =
                            strcmp(fit_options_of_study(options).noise, EQUANT_DEFAULT_NOISE) == 0,
                        .n_planets = OPTION(n_planets) > 0 ? (size_t)OPTION(n_planets) : 0,
                        .begun_s = now_s,
                        .end_s = OPTION(budget_s) > 0.0 ? now_s + OPTION(budget_s) : INFINITY,
                        .next_share = 1.0,
                        .reached_s = now_s};
}

/* Where the search for a planet begins, counted from 1. */
static double share_of_search(const fit_course *course, size_t planet)
{
    if (!course->chooses_noise) {
        double part = course->n_planets > 0 ? ((double)planet - 1.0) / (double)course->n_planets
                                            : 1.0 - 1.0 / (double)planet;
        return SHARE_OF_GIVEN_SEARCH * fmin(part, 1.0);
    }
    const double *shares = course->n_searches > 1 ? noisy_share : white_share;
    double last = course->n_searches > 1 ? SHARE_OF_WEIGHING : noisy_share[0];
    size_t later = planet > N_TIMED ? planet - N_TIMED : 0;
    double step = shares[N_TIMED] - shares[N_TIMED - 1];
    double share = later > 0 ? shares[N_TIMED - 1] + step * (double)later : shares[planet - 1];
    return fmin(share, last);
}

/* The number at the end of "searching for planet 3"; 0: another stage. */
static size_t planet_of_stage(const char *stage)
{
    static const char begin[] = "searching for planet ";
    size_t planet = 0;
    if (strncmp(stage, begin, sizeof begin - 1) != 0)
        return 0;
    for (const char *digit = stage + sizeof begin - 1; *digit >= '0' && *digit <= '9'; digit++)
        planet = 10 * planet + (size_t)(*digit - '0');
    return planet;
}

/* The share at which the named stage begins and that of what comes next; false where nobody
 * knows. */
static bool find_share(fit_course *course, const char *stage, double *share, double *next)
{
    size_t planet = planet_of_stage(stage);
    if (planet > 0) {
        bool is_new = planet != course->n_looked_for;
        course->n_searches += course->n_searches == 0 || planet < course->n_looked_for;
        course->n_looked_for = planet;
        *share = share_of_search(course, planet);
        *next = share_of_search(course, planet + 1);
        return is_new;
    }
    if (!course->chooses_noise)
        return false;
    if (strcmp(stage, "comparing aliases") == 0) {
        course->has_compared = true;
        *share = SHARE_OF_ALIASES;
        *next = SHARE_OF_LAST_WEIGHING;
    } else if (strcmp(stage, "weighing planets") == 0) {
        *share = course->has_compared ? SHARE_OF_LAST_WEIGHING : SHARE_OF_WEIGHING;
        *next = course->has_compared ? 1.0 : SHARE_OF_ALIASES;
    } else
        return false;
    return true;
}

/* Until the next stage begins the fit goes on as fast as it went until this one. */
static double share_at(const fit_course *course, double now_s)
{
    double until_then = course->reached_s - course->begun_s, now = now_s - course->begun_s;
    if (course->share == 0.0 || !(until_then > 0.0))
        return NAN;
    return fmin(course->share * fmax(now / until_then, 1.0), course->next_share);
}

void fit_course_reach(fit_course *course, const char *stage, double now_s, double *done,
                      double *seconds_left)
{
    double share, next;
    if (find_share(course, stage, &share, &next) && share > course->share) {
        course->share = share;
        course->next_share = next > share ? next : 1.0;
        course->reached_s = now_s;
    }
    *done = share_at(course, now_s);
    *seconds_left = isnan(*done) ? NAN
                                 : fmin((now_s - course->begun_s) * (1.0 - *done) / *done,
                                        fmax(course->end_s - now_s, 0.0));
}
