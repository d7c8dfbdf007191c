/* Planets that attract each other, against velocities that REBOUND's IAS15 integrated over twenty
 * years (tests/oracle/make_nbody_table.py): systems of two to seven planets, every other one near
 * resonances. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "equant.h"

enum { MOST_TIMES = 64 };
static const double most_error_m_s = 1e-3;

static FILE *open_table(void)
{
    const char *source = getenv("EQUANT_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/golden/nbody_table.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s: set EQUANT_SOURCE to the source folder", path);
    return file;
}

static size_t read_rows(FILE *file, size_t most, size_t n_columns, double *values)
{
    size_t n = 0;
    char line[1024];
    long before = ftell(file);
    while (n < most && fgets(line, sizeof line, file)) {
        char *at = line, *end = line;
        size_t column = 0;
        for (; column < n_columns; column++, at = end) {
            values[n * n_columns + column] = strtod(at, &end);
            if (end == at)
                break;
        }
        if (column < n_columns)
            break;
        n++;
        before = ftell(file);
    }
    fseek(file, before, SEEK_SET);
    return n;
}

static void test_velocities_are_those_of_rebound(void **state)
{
    (void)state;
    FILE *file = open_table();
    char line[1024];
    size_t n_systems = 0, n_planets;
    double star_mass, worst = 0.0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "system %zu %lf", &n_planets, &star_mass) != 2)
            continue;
        double elements[EQUANT_NBODY_MAX_PLANETS * EQUANT_N_NBODY_ELEMENTS];
        double rows[2 * MOST_TIMES], times[MOST_TIMES], velocities[MOST_TIMES];
        assert_int_equal(read_rows(file, n_planets, EQUANT_N_NBODY_ELEMENTS, elements), n_planets);
        size_t n = read_rows(file, MOST_TIMES, 2, rows);
        assert_true(n > 0);
        for (size_t k = 0; k < n; k++)
            times[k] = rows[2 * k] + 2450000.0;
        equant_nbody_options options = {
            .struct_size = sizeof options, .star_mass = star_mass, .epoch_days = 2450000.0};
        equant_nbody_end end;
        assert_int_equal(equant_nbody_velocities(n_planets, 1, elements, n, times, &options,
                                                 velocities, NULL, &end),
                         EQUANT_SUCCESS);
        assert_int_equal(end, EQUANT_NBODY_FINE);
        for (size_t k = 0; k < n; k++)
            worst = fmax(worst, fabs(velocities[k] - rows[2 * k + 1]));
        n_systems++;
    }
    fclose(file);
    printf("%zu systems, largest difference %.2e m/s\n", n_systems, worst);
    assert_true(n_systems >= 12);
    assert_true(worst < most_error_m_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_velocities_are_those_of_rebound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
