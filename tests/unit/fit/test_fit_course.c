/* How far a fit has come: stages begin anew for each planet, but what is told of the whole only
 * grows, ends with the fit, and is near the time that the stages take. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "inference/fit/fit_course.h"
#include "unit/simulated_star.h"

/* When stages began in a fit of 47 UMa that chose its noise, by a clock beside it. */
typedef struct stage_time {
    const char *stage;
    double s;
} stage_time;

static const stage_time uma[] = {
    {"choosing the noise", 0.0},      {"searching for planet 1", 0.10},
    {"refining candidates", 0.14},    {"searching for planet 2", 0.31},
    {"searching for planet 2", 0.47}, {"mapping pairs of frequencies", 0.64},
    {"checking planets", 0.80},       {"searching for planet 1", 1.44},
    {"searching for planet 2", 2.64}, {"searching for planet 3", 3.07},
    {"searching for planet 3", 3.31}, {"weighing planets", 3.9},
    {"searching for planet 2", 4.1},  {"comparing aliases", 4.8},
    {"weighing planets", 5.8},
};
enum { N_STAGES = sizeof uma / sizeof uma[0] };
static const double uma_took_s = 6.9;

/* Looks at a clock that ticks ten times a second; began at 1000. */
static void follow(fit_course *course, double scale, double *worst)
{
    double last = 0.0;
    size_t stage = 0;
    *worst = 1.0;
    for (double s = 0.0; s < uma_took_s; s += 0.1) {
        while (stage + 1 < N_STAGES && uma[stage + 1].s <= s + 1e-9)
            stage++;
        double done, left;
        fit_course_reach(course, uma[stage].stage, 1000.0 + scale * s, &done, &left);
        assert_true(isnan(done) == isnan(left));
        if (isnan(done))
            continue;
        assert_true(done >= last && done > 0.0 && done <= 1.0);
        last = done;
        double factor = scale * (uma_took_s - s) / left;
        if (s > 0.1 * uma_took_s && s < 0.9 * uma_took_s)
            *worst = fmax(*worst, fmax(factor, 1.0 / factor));
    }
    assert_true(last > 0.9);
}

static void the_time_left_is_one_estimate(void **state)
{
    (void)state;
    const equant_fit_options options = {.struct_size = sizeof options};
    double worst;
    for (double scale = 0.01; scale < 1e4; scale *= 100.0) {
        fit_course course = fit_course_begin(&options, 1000.0);
        follow(&course, scale, &worst);
        assert_true(worst < 2.0);
    }
}

static void budgets_end_it(void **state)
{
    (void)state;
    const equant_fit_options options = {.struct_size = sizeof options, .budget_s = 3.0};
    fit_course course = fit_course_begin(&options, 1000.0);
    double done, left;
    for (size_t i = 0; i < 8; i++)
        fit_course_reach(&course, uma[i].stage, 1000.0 + uma[i].s, &done, &left);
    assert_true(left > 0.0 && left <= 3.0 - uma[7].s);
    fit_course_reach(&course, uma[7].stage, 1004.0, &done, &left);
    assert_true(left == 0.0);
}

/* Planets of a number that is given share the time. */
static void given_numbers_share_it(void **state)
{
    (void)state;
    const equant_fit_options options = {.struct_size = sizeof options, .n_planets = 4};
    fit_course course = fit_course_begin(&options, 0.0);
    char stage[32];
    for (int planet = 1; planet <= 4; planet++) {
        snprintf(stage, sizeof stage, "searching for planet %d", planet);
        double done, left;
        fit_course_reach(&course, stage, 10.0 * planet - 10.0, &done, &left);
        assert_true(planet == 1 ? isnan(done) : fabs(done - 0.25 * (planet - 1)) < 0.05);
    }
}

typedef struct heard {
    int n, n_known;
    double last;
} heard;

static int hear(const equant_progress_report *report, void *context)
{
    heard *all = context;
    all->n++;
    assert_true(report->struct_size == sizeof *report);
    if (!isnan(report->call_done)) {
        all->n_known++;
        assert_true(report->call_done >= all->last && report->call_done <= 1.0);
        assert_true(report->seconds_left >= 0.0);
        all->last = report->call_done;
    }
    return 0;
}

/* What a caller hears of a whole fit, whatever its options are. */
static void callers_hear_it(void **state)
{
    (void)state;
    const double planets[10] = {12.3, 15.0, 0.2, 1.0, 2.0, 31.0, 20.0, 0.3, 4.0, 1.0};
    equant_dataset *dataset = simulate_star(2, 40, 100.0, 2, planets, 2.0);
    const char *const noises[] = {NULL, "white", "rotation"};
    for (size_t i = 0; i < 3; i++) {
        heard all = {0};
        equant_fit *made = NULL;
        const equant_fit_options options = {.struct_size = sizeof options,
                                            .noise = noises[i],
                                            .max_planets = 3,
                                            .period_min_days = 5.0,
                                            .progress = hear,
                                            .progress_context = &all};
        assert_int_equal(equant_fit_star(dataset, &options, &made), EQUANT_SUCCESS);
        assert_true(all.n > 3 && all.n_known > 0);
        equant_fit_free(made);
    }
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_left_is_one_estimate),
        cmocka_unit_test(budgets_end_it),
        cmocka_unit_test(given_numbers_share_it),
        cmocka_unit_test(callers_hear_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
