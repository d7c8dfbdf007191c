/* Sampling coordinates: there and back, their volumes, and the density of a whole set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "statistics/coordinate_map.h"

static const double two_pi = 6.28318530717958647693;

/* One planet, an offset, a trend and a jitter, all free. */
enum { N_COLUMNS = 8 };

static prior_density density[N_COLUMNS];
static const double scale[N_COLUMNS] = {0, 2, 0, 0, 0, 0, 0, 3};

static coordinate_map map_with_all_free(void)
{
    density[0] = prior_density_log_uniform(1, 1000);
    density[1] = prior_density_falling_limit(2, 500, 1);
    density[2] = prior_density_beta(0.867, 3.03, 0, 1);
    density[3] = prior_density_normal(1, 2, 1 - two_pi / 2, 1 + two_pi / 2);
    density[4] = prior_density_uniform(0, two_pi);
    density[5] = prior_density_uniform(-50, 50);
    density[6] = prior_density_normal(0, 0.1, -5, 5);
    density[7] = prior_density_modified_log_uniform(3, 0, 99);
    return (coordinate_map){
        .layout = parameter_layout_all_given(1, 1, 1, 1), .density = density, .scale = scale};
}

static double apart(double a, double b)
{
    return fabs(remainder(a - b, two_pi));
}

static const double orbits[][N_COLUMNS] = {{8, 5, 0.3, 1, 2, 12, 0.01, 2},
                                           {999, 0, 0.95, 6.1, 0.01, -50, -0.3, 0},
                                           {1, 200, 1e-9, 3.2, 6.2, 0, 0, 99},
                                           {30, 1e-6, 0.5, 4, 3, 1, 1, 1e-9}};

enum { N_ORBITS = sizeof orbits / sizeof *orbits };

static void parameters_come_back(void **state)
{
    (void)state;
    coordinate_map map = map_with_all_free();
    for (size_t n = 0; n < N_ORBITS; n++) {
        double x[N_COLUMNS], back[N_COLUMNS];
        coordinate_map_coordinates(&map, orbits[n], x);
        assert_true(isfinite(coordinate_map_prepare(&map, x, back)));
        for (size_t i = 0; i < N_COLUMNS; i++) {
            double error =
                i == 3 || i == 4 ? apart(back[i], orbits[n][i]) : fabs(back[i] - orbits[n][i]);
            assert_true(error <= 1e-13 * fmax(1, fabs(orbits[n][i])));
        }
        assert_true(back[3] >= 0 && back[3] < two_pi && back[4] >= 0 && back[4] < two_pi);
    }
}

/* ln |d elements / d coordinates| from differences of fourth order, by elimination. */
static double log_volume_by_differences(const coordinate_map *map, const double *x)
{
    double matrix[5][5], parameters[4][N_COLUMNS], moved[N_COLUMNS];
    const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1}, h = 1e-4;
    for (int column = 0; column < 5; column++) {
        for (int k = 0; k < 4; k++) {
            memcpy(moved, x, sizeof moved);
            moved[column] += offset[k] * h;
            assert_true(isfinite(coordinate_map_prepare(map, moved, parameters[k])));
        }
        for (int row = 0; row < 5; row++) {
            matrix[row][column] = 0;
            for (int k = 0; k < 4; k++) {
                double change = parameters[k][row] - parameters[0][row];
                if (row >= 3)
                    change = remainder(change, two_pi);
                matrix[row][column] += weight[k] * change / (12 * h);
            }
        }
    }
    double log_determinant = 0;
    for (int i = 0; i < 5; i++) {
        int pivot = i;
        for (int r = i; r < 5; r++)
            if (fabs(matrix[r][i]) > fabs(matrix[pivot][i]))
                pivot = r;
        for (int c = 0; c < 5; c++) {
            double held = matrix[i][c];
            matrix[i][c] = matrix[pivot][c];
            matrix[pivot][c] = held;
        }
        log_determinant += log(fabs(matrix[i][i]));
        for (int r = i + 1; r < 5; r++)
            for (int c = 4; c >= i; c--)
                matrix[r][c] -= matrix[r][i] / matrix[i][i] * matrix[i][c];
    }
    return log_determinant;
}

/* The density in coordinates is that of the parameters times the volume. */
static void volumes_are_those_of_differences(void **state)
{
    (void)state;
    const double set[N_COLUMNS] = {8, 5, 0.3, 1, 2, 12, 0.01, 2};
    for (int n = 0; n < 40; n++) {
        coordinate_map map = map_with_all_free();
        double parameters[N_COLUMNS], x[N_COLUMNS], expected = 0;
        memcpy(parameters, set, sizeof parameters);
        parameters[0] = 2 + 20 * n;
        parameters[1] = 1 + 0.3 * n;
        parameters[2] = 0.02 + 0.02 * n;
        parameters[3] = fmod(0.7 * n, two_pi);
        coordinate_map_coordinates(&map, parameters, x);
        prior_density of_k = prior_density_at_orbit(&density[1], parameters[0], parameters[2]);
        expected += prior_density_log(&density[0], parameters[0]);
        expected += prior_density_log(&of_k, parameters[1]);
        expected += prior_density_log(&density[2], parameters[2]);
        expected += prior_density_log(&density[3], 1 + remainder(parameters[3] - 1, two_pi));
        expected -= log(two_pi) + log(100);
        expected += prior_density_log(&density[6], parameters[6]);
        expected += prior_density_log(&density[7], parameters[7]);
        expected += log(3 + parameters[7]); /* ds/dx = scale + s */
        expected += log_volume_by_differences(&map, x);
        double log_density = coordinate_map_prepare(&map, x, parameters);
        assert_true(fabs(log_density - expected) < 1e-8);
    }
}

/* Over the plane of e and omega, all else fixed, the density has the mass of the prior. */
static void the_plane_is_normalised(void **state)
{
    (void)state;
    const prior_density eccentricities[] = {
        prior_density_uniform(0, 1), prior_density_rayleigh(0.2, 0, 1),
        prior_density_beta(0.867, 3.03, 0, 1), prior_density_uniform(0.2, 0.6)};
    enum { N = 600 };
    for (size_t prior = 0; prior < 4; prior++) {
        coordinate_map map = map_with_all_free();
        const size_t fixed[] = {0, 1, 4, 5, 6, 7};
        for (size_t i = 0; i < 6; i++)
            density[fixed[i]] = prior_density_fixed(orbits[0][fixed[i]]);
        density[2] = eccentricities[prior];
        density[3] = prior_density_uniform(0, two_pi);
        unsigned char is_angle[N_COLUMNS];
        assert_int_equal(coordinate_map_layout(&map, is_angle), 2);
        assert_int_equal(is_angle[1], 0);
        double sum = 0, parameters[N_COLUMNS];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double x[2] = {2 * (i + 0.5) / N - 1, 2 * (j + 0.5) / N - 1};
                sum += 4.0 / N / N * exp(coordinate_map_prepare(&map, x, parameters));
            }
        /* The middle rule knows little of edges and of the peak at e = 0. */
        if (!(fabs(sum - 1) < 8e-3))
            fail_msg("prior %zu has the mass %g", prior, sum);
    }
}

static void assert_outside(const coordinate_map *map, const double *x)
{
    double parameters[N_COLUMNS];
    assert_true(coordinate_map_prepare(map, x, parameters) == -INFINITY);
    for (size_t i = 0; i < N_COLUMNS; i++)
        assert_true(isnan(parameters[i]));
}

static void outside_the_prior_is_outside(void **state)
{
    (void)state;
    const double wild[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 800, -800};
    coordinate_map map = map_with_all_free();
    unsigned char is_angle[N_COLUMNS];
    assert_int_equal(coordinate_map_layout(&map, is_angle), N_COLUMNS);
    double inside[N_COLUMNS], x[N_COLUMNS];
    coordinate_map_coordinates(&map, orbits[0], inside);
    for (size_t i = 0; i < N_COLUMNS; i++)
        for (size_t n = 0; n < sizeof wild / sizeof *wild; n++) {
            if (is_angle[i] && isfinite(wild[n]))
                continue;
            memcpy(x, inside, sizeof x);
            x[i] = wild[n];
            assert_outside(&map, x);
        }
    memcpy(x, inside, sizeof x);
    x[1] = -1e-3; /* K < 0 */
    assert_outside(&map, x);
    memcpy(x, inside, sizeof x);
    x[7] = -1e-3; /* jitter < 0 */
    assert_outside(&map, x);
    memcpy(x, inside, sizeof x);
    x[2] = x[3] = sqrt(0.5); /* e = 1 */
    x[2] *= 1 + 1e-15;
    assert_outside(&map, x);
}

/* Whole turns of an angle change nothing, however many. Where e is fixed, omega is a coordinate. */
static void angles_wrap(void **state)
{
    (void)state;
    coordinate_map map = map_with_all_free();
    density[2] = prior_density_fixed(orbits[0][2]);
    double x[N_COLUMNS], parameters[N_COLUMNS], turned[N_COLUMNS];
    coordinate_map_coordinates(&map, orbits[0], x);
    double log_density = coordinate_map_prepare(&map, x, parameters);
    x[2] -= 3 * two_pi;
    x[3] += 7 * two_pi;
    assert_true(fabs(coordinate_map_prepare(&map, x, turned) - log_density) < 1e-12);
    for (size_t i = 0; i < N_COLUMNS; i++)
        assert_true(fabs(turned[i] - parameters[i]) < 1e-12);
    x[3] = 1e300;
    assert_true(fabs(coordinate_map_prepare(&map, x, turned) - log_density) < 1e-12);
    assert_true(turned[4] >= 0 && turned[4] < two_pi);
    assert_true(sampling_wrap(-two_pi / 2) == two_pi / 2 && sampling_wrap(two_pi / 2) > 0);
    assert_true(sampling_turn(-1e-300) == 0 && sampling_turn(two_pi) == 0);
}

/* e = 0 exactly, K = 0, no jitter, periods at their ends: ordinary points. */
static void corners_have_densities(void **state)
{
    (void)state;
    const double corners[][N_COLUMNS] = {
        {8, 0, 0, 1, 2, 0, 0, 0}, {1, 5, 0, 0, 0, 50, 0, 0}, {1000, 5, 1 - 1e-12, 1, 1, 0, 0, 99}};
    const prior_density eccentricities[] = {
        prior_density_uniform(0, 1), prior_density_rayleigh(0.2, 0, 1),
        prior_density_beta(0.867, 3.03, 0, 1), prior_density_beta(2, 5, 0, 1)};
    for (size_t prior = 0; prior < 4; prior++)
        for (size_t n = 0; n < 3; n++) {
            coordinate_map map = map_with_all_free();
            density[2] = eccentricities[prior];
            double x[N_COLUMNS], parameters[N_COLUMNS];
            coordinate_map_coordinates(&map, corners[n], x);
            assert_true(isfinite(coordinate_map_prepare(&map, x, parameters)));
            assert_true(fabs(parameters[2] - corners[n][2]) < 1e-15);
            assert_true(parameters[1] == 0 || n > 0);
        }
}

/* Each of e, omega and the rest may be fixed: coordinates vanish, values stay. */
static void fixed_parameters_have_no_coordinate(void **state)
{
    (void)state;
    for (unsigned mask = 1; mask < 1u << N_COLUMNS; mask++) {
        coordinate_map map = map_with_all_free();
        size_t n_free = N_COLUMNS;
        for (size_t i = 0; i < N_COLUMNS; i++)
            if (mask >> i & 1) {
                density[i] = prior_density_fixed(orbits[0][i]);
                n_free--;
            }
        double x[N_COLUMNS + 1], back[N_COLUMNS];
        unsigned char is_angle[N_COLUMNS];
        assert_int_equal(coordinate_map_layout(&map, is_angle), n_free);
        x[n_free] = 12345;
        coordinate_map_coordinates(&map, orbits[0], x);
        assert_true(x[n_free] == 12345);
        assert_true(isfinite(coordinate_map_prepare(&map, x, back)));
        for (size_t i = 0; i < N_COLUMNS; i++)
            assert_true(fabs(back[i] - orbits[0][i]) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_come_back),
        cmocka_unit_test(volumes_are_those_of_differences),
        cmocka_unit_test(the_plane_is_normalised),
        cmocka_unit_test(outside_the_prior_is_outside),
        cmocka_unit_test(angles_wrap),
        cmocka_unit_test(corners_have_densities),
        cmocka_unit_test(fixed_parameters_have_no_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
