/* Products of orbits of all phases: against orbits that are computed one by one at every
 * observation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/select/orbits/phase_products.h"
#include "oracle/plain_orbit.h"
#include "oracle/random_system.h"

enum { MOST_ROWS = 1100, MOST_BASE = 17, MOST_PHASES = 256 };

static const double circle = 6.283185307179586;

/* Any columns will do: nothing asks whether they are orthogonal. */
typedef struct star {
    double time[MOST_ROWS], weight[MOST_ROWS], residual[MOST_ROWS], basis[MOST_BASE * MOST_ROWS];
    base_columns base;
} star;

static void draw_star(random_system *random, size_t n, size_t n_base, star *made)
{
    made->base = (base_columns){.n_obs = n,
                                .n = n_base,
                                .time_days = made->time,
                                .root_weight = made->weight,
                                .residual = made->residual,
                                .basis = made->basis};
    for (size_t k = 0; k < n; k++) {
        made->time[k] = random_system_between(random, -900.0, 900.0);
        made->weight[k] = random_system_between(random, 0.1, 2.0);
        made->residual[k] = random_system_between(random, -1.0, 1.0);
        for (size_t b = 0; b < n_base; b++)
            made->basis[b * n + k] = random_system_between(random, -1.0, 1.0) / sqrt((double)n);
    }
}

static orbit_products plainly(const star *of, double frequency, double e, double m0)
{
    orbit_products p = {0};
    size_t n = of->base.n_obs;
    double on_x[MOST_BASE] = {0.0}, on_y[MOST_BASE] = {0.0};
    for (size_t k = 0; k < n; k++) {
        double mean = fmod(circle * frequency * of->time[k] + m0, circle);
        double v = plain_true_anomaly(mean, e);
        double x = of->weight[k] * cos(v), y = of->weight[k] * sin(v);
        p.xx += x * x;
        p.xy += x * y;
        p.yy += y * y;
        p.xr += x * of->residual[k];
        p.yr += y * of->residual[k];
        for (size_t b = 0; b < of->base.n; b++) {
            on_x[b] += x * of->basis[b * n + k];
            on_y[b] += y * of->basis[b * n + k];
        }
    }
    for (size_t b = 0; b < of->base.n; b++) {
        p.xx -= on_x[b] * on_x[b];
        p.xy -= on_x[b] * on_y[b];
        p.yy -= on_y[b] * on_y[b];
    }
    return p;
}

static void check_phases(const star *drawn, const harmonic_sums *sums, double frequency, double e,
                         size_t n_phases)
{
    static orbit_products found[MOST_PHASES];
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    phase_orbit orbit;
    assert_int_equal(phase_orbit_create(e, &engine, &orbit), EQUANT_SUCCESS);
    assert_int_equal(phase_products_find(sums, &orbit, n_phases, found), EQUANT_SUCCESS);
    phase_orbit_free(&orbit);
    for (size_t m = 0; m < n_phases; m += 5) {
        orbit_products p = plainly(drawn, frequency, e, circle * (double)m / (double)n_phases);
        double scale = 1e-7 * (p.xx + p.yy);
        assert_float_equal(found[m].xx, p.xx, scale);
        assert_float_equal(found[m].xy, p.xy, scale);
        assert_float_equal(found[m].yy, p.yy, scale);
        assert_float_equal(found[m].xr, p.xr, scale);
        assert_float_equal(found[m].yr, p.yr, scale);
    }
}

enum { N_ECCENTRICITIES = 5 };
static const double eccentricities[N_ECCENTRICITIES] = {0.0, 0.05, 0.3, 0.7, 0.95};
static const size_t rows[] = {7, 40, 512, 1033};
/* Residual and weight, which follow, lie within eight columns, or begin the next eight. */
static const size_t bases[] = {3, 6, 7, 8, 0, 17};
enum { N_BASES = sizeof bases / sizeof *bases };

static size_t phases_of(size_t j)
{
    return eccentricities[j] > 0.0 ? (size_t)16 << j : 1;
}

/* The sums of a frequency have just the harmonics of an eccentricity. */
static void all_phases_are_those_of_single_orbits(void **state)
{
    (void)state;
    static star drawn;
    random_system random = {21};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < N_ECCENTRICITIES; j++) {
            double e = eccentricities[j], frequency = random_system_between(&random, 0.001, 1.1);
            weighted_columns columns;
            harmonic_sums sums;
            draw_star(&random, rows[i], bases[(i + j) % N_BASES], &drawn);
            assert_int_equal(phase_columns_create(&drawn.base, &columns), EQUANT_SUCCESS);
            assert_int_equal(
                harmonic_sums_find(&columns, frequency, phase_orbit_harmonics(e), &sums),
                EQUANT_SUCCESS);
            check_phases(&drawn, &sums, frequency, e, phases_of(j));
            harmonic_sums_free(&sums);
            weighted_columns_free(&columns);
        }
}

/* All eccentricities take the sums that the largest needs. */
static void eccentricities_share_the_sums_of_a_frequency(void **state)
{
    (void)state;
    static star drawn;
    random_system random = {22};
    weighted_columns columns;
    harmonic_sums sums;
    double frequency = 0.173;
    draw_star(&random, 300, 3, &drawn);
    assert_int_equal(phase_columns_create(&drawn.base, &columns), EQUANT_SUCCESS);
    assert_int_equal(harmonic_sums_find(&columns, frequency, phase_orbit_harmonics(0.95), &sums),
                     EQUANT_SUCCESS);
    for (size_t j = 0; j < N_ECCENTRICITIES; j++)
        check_phases(&drawn, &sums, frequency, eccentricities[j], phases_of(j));
    harmonic_sums_free(&sums);
    weighted_columns_free(&columns);
}

/* Takes from a vector what it shares with the first n_before columns: twice, for the sake of
 * rounding. */
static void take_away(const star *of, size_t n_before, double *from)
{
    size_t n = of->base.n_obs;
    for (size_t i = 0; i < 2 * n_before; i++) {
        const double *other = of->basis + i % n_before * n;
        double shared = 0.0;
        for (size_t k = 0; k < n; k++)
            shared += from[k] * other[k];
        for (size_t k = 0; k < n; k++)
            from[k] -= shared * other[k];
    }
}

static void make_orthonormal(star *of)
{
    size_t n = of->base.n_obs;
    for (size_t b = 0; b < of->base.n; b++) {
        double *own = of->basis + b * n, length = 0.0;
        take_away(of, b, own);
        for (size_t k = 0; k < n; k++)
            length += own[k] * own[k];
        for (size_t k = 0; k < n; k++)
            own[k] /= sqrt(length);
    }
    take_away(of, of->base.n, of->residual);
}

/* A star whose base has an offset and a planet of a frequency, with amplitudes that change. */
static void draw_explained(double frequency, star *made)
{
    random_system random = {11};
    draw_star(&random, MOST_ROWS, 5, made);
    for (size_t k = 0; k < MOST_ROWS; k++) {
        double t = made->time[k], angle = circle * frequency * t;
        const double values[5] = {1.0, cos(angle), sin(angle), t * cos(angle), t * sin(angle)};
        made->weight[k] = 1.0;
        for (size_t b = 0; b < 5; b++)
            made->basis[b * MOST_ROWS + k] = values[b];
    }
    make_orthonormal(made);
}

/* A circle of nearly the frequency of another planet: what is left of it is far below what it has,
 * and holds nothing. */
static void what_another_planet_explains_holds_nothing(void **state)
{
    (void)state;
    enum { N_SCALES = 4 };
    const double frequency = 0.1, scales[N_SCALES] = {0.01, 0.5, 20.0, 1000.0};
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    static star drawn;
    phase_orbit orbit;
    weighted_columns columns;
    draw_explained(frequency, &drawn);
    assert_int_equal(phase_orbit_create(0.0, &engine, &orbit), EQUANT_SUCCESS);
    assert_int_equal(phase_columns_create(&drawn.base, &columns), EQUANT_SUCCESS);
    for (int i = 1; i <= 200; i++) {
        double near = frequency + 2e-5 * i / 1800.0;
        harmonic_sums sums;
        orbit_products found, p = plainly(&drawn, near, 0.0, 0.0);
        assert_int_equal(harmonic_sums_find(&columns, near, phase_orbit_harmonics(0.0), &sums),
                         EQUANT_SUCCESS);
        assert_int_equal(phase_products_find(&sums, &orbit, 1, &found), EQUANT_SUCCESS);
        harmonic_sums_free(&sums);
        assert_float_equal(orbit_products_evidence(found, N_SCALES, scales, NULL),
                           orbit_products_evidence(p, N_SCALES, scales, NULL), 1e-3);
    }
    weighted_columns_free(&columns);
    phase_orbit_free(&orbit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_phases_are_those_of_single_orbits),
        cmocka_unit_test(eccentricities_share_the_sums_of_a_frequency),
        cmocka_unit_test(what_another_planet_explains_holds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
