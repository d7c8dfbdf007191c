/* Aliases: the mass of orbits near a frequency against plain sums over a fine grid, which share no
 * code with it, and families of planets seen once a night. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/search/aliases.h"
#include "inference/select/aliases/alias_families.h"
#include "inference/select/orbits/circular_orbit.h"
#include "inference/select/orbits/orbit_mass.h"
#include "oracle/plain_orbit.h"
#include "unit/studied_star.h"

enum { N = 50 };
#define TWO_PI 6.283185307179586476925286766559

/* Fifty nights, an observation in each within three hours, 2 m/s good; noise that is random enough
 * comes from sines of large numbers. */
static equant_dataset *nightly_star(double period, double k, double e)
{
    double times[N], velocities[N], uncertainties[N];
    int instruments[N];
    const char *names[] = {"a"};
    equant_dataset *dataset = NULL;
    for (int i = 0; i < N; i++) {
        double night = 4.0 * i + (i % 3), wiggle = sin(1000.0 * i * i + 7.0 * i);
        times[i] = night + 0.06 * wiggle;
        double nu = plain_true_anomaly(fmod(TWO_PI * times[i] / period + 0.3, TWO_PI), e);
        velocities[i] = k * (cos(nu + 0.7) + e * cos(0.7)) + 2.0 * sin(777.0 * i * i + i);
        uncertainties[i] = 2.0;
        instruments[i] = 0;
    }
    equant_dataset_options options = {.struct_size = sizeof options};
    assert_int_equal(equant_dataset_from_arrays(N, times, velocities, uncertainties, instruments, 1,
                                                names, &options, &dataset),
                     EQUANT_SUCCESS);
    return dataset;
}

/* The model of one planet, fitted from a circle of this period. */
static void fit_planet(study *star, double period, solution *fitted)
{
    base_columns base;
    double elements[N_ELEMENTS], gain;
    assert_int_equal(solution_create(star, fitted), EQUANT_SUCCESS);
    assert_int_equal(base_columns_create(star, fitted, 0, NULL, &base), EQUANT_SUCCESS);
    assert_int_equal(circular_orbit_best(star, &base, 1.0 / period, elements, &gain),
                     EQUANT_SUCCESS);
    base_columns_free(&base);
    solution_add_planet(star, fitted, elements);
    assert_int_equal(maximum_likelihood_solution(star, 0, POLISH_TO_PUBLISH, fitted),
                     EQUANT_SUCCESS);
}

/* Products of an orbit's columns beside an offset, all weights being w. */
static void plain_products(const study *star, const double *residual, double w, double f, double e,
                           double m0, double p[5])
{
    const double *time = equant_dataset_times_days(star->dataset);
    double reference = equant_dataset_reference_time_days(star->dataset);
    double x[N], y[N], mean_x = 0.0, mean_y = 0.0;
    for (int i = 0; i < N; i++) {
        double nu =
            plain_true_anomaly(remainder(m0 + TWO_PI * f * (time[i] - reference), TWO_PI), e);
        x[i] = cos(nu), y[i] = sin(nu);
        mean_x += x[i] / N, mean_y += y[i] / N;
    }
    for (int j = 0; j < 5; j++)
        p[j] = 0.0;
    for (int i = 0; i < N; i++) {
        double a = x[i] - mean_x, b = y[i] - mean_y;
        p[0] += w * a * a, p[1] += w * a * b, p[2] += w * b * b;
        p[3] += w * a * residual[i], p[4] += w * b * residual[i];
    }
}

/* Twice 1/2 b' F^-1 b with 1/tau^2 beside F. */
static double plain_gain(const double p[5], double precision)
{
    double xx = p[0] + precision, yy = p[2] + precision, det = xx * yy - p[1] * p[1];
    return 0.5 * (p[3] * p[3] * yy - 2.0 * p[3] * p[4] * p[1] + p[4] * p[4] * xx) / det;
}

static double plain_evidence(const double p[5], double smallest, double gain)
{
    double sum = 0.0;
    for (int i = 0; i < 8; i++) {
        double precision = 1.0 / pow(smallest * (1 << i), 2.0);
        double det = (p[0] + precision) * (p[2] + precision) - p[1] * p[1];
        sum += exp(plain_gain(p, precision) - gain) * precision / sqrt(det) / 8.0;
    }
    return sum;
}

/* A fine grid around an orbit: eccentricities from the smallest to 0.97, phases and frequencies
 * within `reach` of those of the orbit. */
typedef struct fine_grid {
    int n_e, n_m, n_f;
    double smallest_e, reach_rad, reach_per_day;
} fine_grid;

/* ln of the share by a plain sum. */
static double plain_share(const study *star, const solution *fitted, fine_grid grid)
{
    double residual[N], p[5], sum = 0.0, norm = 0.0, mean = 0.0;
    double jitter = solution_values(star, fitted, TERM_JITTERS)[0];
    double w = 1.0 / (4.0 + jitter * jitter), smallest = 0.25 * sqrt(2.0 / (w * N));
    const double *velocity = equant_dataset_velocities_m_s(star->dataset);
    for (int i = 0; i < N; i++)
        mean += velocity[i] / N;
    for (int i = 0; i < N; i++)
        residual[i] = velocity[i] - mean;
    plain_products(star, residual, w, 1.0 / fitted->set[0], fitted->set[2], fitted->set[4], p);
    double gain = plain_gain(p, 0.0), step = 2.0 * grid.reach_per_day / grid.n_f,
           turn = 2.0 * grid.reach_rad / grid.n_m;
    for (int i = 0; i < grid.n_e; i++) {
        double e = (i + 0.5) / grid.n_e, share = pow(e, 0.867 - 1.0) * pow(1.0 - e, 2.03);
        norm += share;
        for (int j = 0; j < grid.n_f && e > grid.smallest_e && e < 0.97; j++)
            for (int m = 0; m < grid.n_m; m++) {
                double f = 1.0 / fitted->set[0] - grid.reach_per_day + (j + 0.5) * step;
                double m0 = fitted->set[4] - grid.reach_rad + (m + 0.5) * turn;
                plain_products(star, residual, w, f, e, m0, p);
                sum += share * plain_evidence(p, smallest, gain) * step / f * turn / TWO_PI;
            }
    }
    return log(sum / norm);
}

static void check_share(equant_dataset *dataset, double period, fine_grid grid, double within)
{
    study star;
    solution fitted, without;
    base_columns base;
    double log_share;
    study_star(&star, dataset, 0.5, 400.0);
    fit_planet(&star, period, &fitted);
    assert_int_equal(solution_create(&star, &without), EQUANT_SUCCESS);
    solution_copy(&star, &fitted, &without);
    solution_remove_planet(&star, &without, 0);
    assert_int_equal(base_columns_create(&star, &without, 0, NULL, &base), EQUANT_SUCCESS);
    assert_int_equal(orbit_mass_near(&star, &base, fitted.set, &log_share), EQUANT_SUCCESS);
    double expected = plain_share(&star, &fitted, grid);
    if (fabs(log_share - expected) > within)
        print_message("e %.3f: ln of the share %.4f, by a fine grid %.4f\n", fitted.set[2],
                      log_share, expected);
    assert_true(fabs(log_share - expected) < within);
    base_columns_free(&base);
    solution_free(&fitted);
    solution_free(&without);
    study_free(&star);
    equant_dataset_free(dataset);
}

static void mass_is_the_sum_over_a_fine_grid(void **state)
{
    (void)state;
    check_share(nightly_star(11.3, 4.0, 0.2), 11.3,
                (fine_grid){40, 32, 41, 0.0, 0.5 * TWO_PI, 0.0045}, 0.1);
}

/* A pericentre that hardly an observation saw: the gain is large and the shape open, so that errors
 * of the best orbit do not tell the share. */
static void mass_of_a_pericentre_that_few_saw(void **state)
{
    (void)state;
    check_share(nightly_star(163.0, 20.0, 0.85), 163.0, (fine_grid){100, 40, 41, 0.5, 0.6, 0.0012},
                0.2);
}

/* One observation a night: 41.7 and 0.9766 days look alike. */
static void family_has_the_alias(void **state)
{
    (void)state;
    const double periods[] = {41.7, 1.0 / (1.0 + 1.0 / 41.7)};
    for (int i = 0; i < 2; i++) {
        equant_dataset *dataset = nightly_star(41.7, 4.0, 0.0);
        study star;
        solution fitted;
        alias_family family;
        double sum = 0.0;
        bool has_both[2] = {false, false}, has_changed = false;
        study_star(&star, dataset, 0.5, 400.0);
        fit_planet(&star, periods[i], &fitted);
        assert_int_equal(
            alias_families_resolve(&star, 0, 0, 0, NULL, &fitted, &family, &has_changed),
            EQUANT_SUCCESS);
        for (size_t m = 0; m < family.n; m++) {
            sum += family.members[m].probability;
            for (int j = 0; j < 2; j++)
                has_both[j] = has_both[j] || fabs(1.0 / family.members[m].period_days -
                                                  1.0 / periods[j]) < 1.0 / 200.0;
        }
        assert_true(has_both[0] && has_both[1]);
        assert_true(fabs(sum - 1.0) < 1e-12);
        assert_true(fabs(family.members[0].period_days - 41.7) < 2.0);
        assert_true(fabs(fitted.set[0] - family.members[0].period_days) < 1e-9);
        assert_true(family.members[1].overlap > 0.5 && family.members[1].overlap <= 1.0);
        solution_free(&fitted);
        study_free(&star);
        equant_dataset_free(dataset);
    }
}

/* Families of all planets at once on threads, one after the other without: also where a planet
 * turns out to have another period, and those behind it are looked at again. */
static void threads_change_no_family(void **state)
{
    (void)state;
    const double alias = 1.0 / (1.0 + 1.0 / 41.7);
    alias_family families[2][2];
    solution fitted[2];
    memset(families, 0, sizeof families);
    for (int i = 0; i < 2; i++) {
        equant_dataset *dataset = nightly_star(41.7, 4.0, 0.0);
        study star;
        bool has_changed = false;
        const double beside[5] = {7.3, 0.5, 0.0, 0.0, 1.0};
        study_star(&star, dataset, 0.5, 400.0);
        star.fit_engine.n_threads = i == 0 ? 1 : 4;
        fit_planet(&star, alias, &fitted[i]);
        solution_add_planet(&star, &fitted[i], beside);
        assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_RANK, &fitted[i]),
                         EQUANT_SUCCESS);
        assert_int_equal(
            alias_families_resolve(&star, 0, 0, 0, NULL, &fitted[i], families[i], &has_changed),
            EQUANT_SUCCESS);
        assert_true(has_changed);
        assert_true(fabs(fitted[i].set[0] - 41.7) < 2.0);
        study_free(&star);
        equant_dataset_free(dataset);
    }
    assert_memory_equal(fitted[0].set, fitted[1].set, 10 * sizeof fitted[0].set[0]);
    for (int p = 0; p < 2; p++) {
        assert_int_equal(families[0][p].n, families[1][p].n);
        assert_memory_equal(families[0][p].members, families[1][p].members,
                            families[0][p].n * sizeof families[0][p].members[0]);
    }
    solution_free(&fitted[0]);
    solution_free(&fitted[1]);
}

/* Families beside a planet of another period, then without it: what is carried over is what
 * comparing anew gives, to the bit where the other was one of the periods of the first. The second
 * of the families is made up: a planet that never was in the model touches nothing. */
static void families_are_carried_over(void **state)
{
    (void)state;
    equant_dataset *dataset = nightly_star(41.7, 4.0, 0.0);
    const double beside[2] = {7.3, 1.0 / (1.0 - 1.0 / 41.7)};
    alias_family families[2], before, anew;
    study star;
    solution fitted;
    bool has_changed = false;
    study_star(&star, dataset, 0.5, 400.0);
    fit_planet(&star, 41.7, &fitted);
    assert_int_equal(alias_families_resolve(&star, 0, 0, 0, NULL, &fitted, &anew, &has_changed),
                     EQUANT_SUCCESS);
    for (int i = 0; i < 2; i++) {
        before = anew;
        before.members[0].log_weight += 0.01; /* which only comparing would change */
        families[0] = before;
        families[1] = (alias_family){.n = 1, .members = {{.period_days = beside[i]}}};
        has_changed = false;
        assert_int_equal(
            alias_families_resolve(&star, 0, 0, 2, NULL, &fitted, families, &has_changed),
            EQUANT_SUCCESS);
        assert_false(has_changed);
        assert_int_equal(families[0].n, anew.n);
        assert_true(families[0].members[0].log_weight ==
                    (i == 0 ? before : anew).members[0].log_weight);
        if (i == 1)
            assert_memory_equal(families[0].members, anew.members, anew.n * sizeof *anew.members);
    }
    /* Noise that has grown: differences of ln L are worth less, and all is compared anew. */
    families[0] = before;
    for (size_t m = 0; m < before.n; m++)
        families[0].members[m].log_likelihood += 10.0;
    assert_int_equal(alias_families_resolve(&star, 0, 0, 1, NULL, &fitted, families, &has_changed),
                     EQUANT_SUCCESS);
    assert_memory_equal(families[0].members, anew.members, anew.n * sizeof *anew.members);
    solution_free(&fitted);
    study_free(&star);
    equant_dataset_free(dataset);
}

static void aliases_are_distinct_and_in_range(void **state)
{
    (void)state;
    double family[ALIASES_FAMILY_MAX];
    size_t n = aliases_family(1.0 / 41.7, 2.0, 1e-3, family);
    bool has_daily = false;
    assert_true(n > 20 && n <= ALIASES_FAMILY_MAX);
    for (size_t i = 0; i < n; i++) {
        assert_true(family[i] >= 0.0 && family[i] < 2.0);
        has_daily = has_daily || fabs(family[i] - (1.0 + 1.0 / 41.7)) < 1e-3;
        for (size_t j = 0; j < i; j++)
            assert_true(fabs(family[i] - family[j]) >= 1e-3);
    }
    assert_true(has_daily);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_are_distinct_and_in_range),
        cmocka_unit_test(mass_is_the_sum_over_a_fine_grid),
        cmocka_unit_test(mass_of_a_pericentre_that_few_saw),
        cmocka_unit_test(family_has_the_alias),
        cmocka_unit_test(threads_change_no_family),
        cmocka_unit_test(families_are_carried_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
