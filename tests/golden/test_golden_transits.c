/* Transits of planets that attract each other, against those that REBOUND's IAS15 integrated over
 * ten years (tests/oracle/make_transit_table.py): systems of two to seven planets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "equant.h"

enum { MOST = 128, N_VALUES = EQUANT_N_NBODY_TRANSIT };
static const double most_error_s = 0.05, epoch = 2457000.0;

typedef struct wanted_transits {
    size_t n;
    int planet[MOST], number[MOST];
    double expected[MOST][N_VALUES];
} wanted_transits;

typedef struct worst_of {
    double seconds, distance, speed; /* the latter of the speed */
} worst_of;

static FILE *open_table(void)
{
    const char *source = getenv("EQUANT_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/golden/transit_table.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s: set EQUANT_SOURCE to the source folder", path);
    return file;
}

static void read_elements(FILE *file, size_t n_planets, double *elements)
{
    for (size_t k = 0; k < n_planets * EQUANT_N_NBODY_ELEMENTS; k++)
        assert_int_equal(fscanf(file, "%lf", &elements[k]), 1);
}

static wanted_transits read_transits(FILE *file)
{
    wanted_transits out = {.n = 0};
    while (out.n < MOST) {
        double *value = out.expected[out.n];
        if (fscanf(file, " %d %d %lf %lf %lf", &out.planet[out.n], &out.number[out.n], &value[0],
                   &value[1], &value[2]) != 5)
            break;
        out.n++;
    }
    return out;
}

static void compare(size_t n_planets, double star_mass, const double *elements,
                    const wanted_transits *wanted, worst_of *worst)
{
    double got[MOST][N_VALUES];
    equant_nbody_options options = {
        .struct_size = sizeof options, .star_mass = star_mass, .epoch_days = epoch};
    equant_nbody_end end;
    assert_int_equal(equant_nbody_transits(n_planets, elements, NULL, wanted->n, wanted->planet,
                                           wanted->number, &options, got[0], NULL, &end),
                     EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_FINE);
    for (size_t k = 0; k < wanted->n; k++) {
        const double *expected = wanted->expected[k];
        worst->seconds = fmax(worst->seconds, 86400.0 * fabs(got[k][0] - epoch - expected[0]));
        worst->distance = fmax(worst->distance, fabs(got[k][1] - expected[1]));
        worst->speed = fmax(worst->speed, fabs(got[k][2] / expected[2] - 1.0));
    }
}

static void test_transits_are_those_of_rebound(void **state)
{
    (void)state;
    FILE *file = open_table();
    char word[1024];
    size_t n_systems = 0, n_transits = 0, n_planets;
    double star_mass;
    worst_of worst = {0.0, 0.0, 0.0};
    while (fscanf(file, "%1023s", word) == 1) {
        if (word[0] == '#' && fgets(word, sizeof word, file))
            continue;
        double elements[EQUANT_NBODY_MAX_PLANETS * EQUANT_N_NBODY_ELEMENTS];
        assert_int_equal(fscanf(file, "%zu %lf", &n_planets, &star_mass), 2);
        read_elements(file, n_planets, elements);
        wanted_transits wanted = read_transits(file);
        assert_true(wanted.n > 0 && wanted.n < MOST);
        compare(n_planets, star_mass, elements, &wanted, &worst);
        n_transits += wanted.n;
        n_systems++;
    }
    fclose(file);
    printf("%zu systems, %zu transits: largest differences %.1e s, %.1e au, speeds by %.1e\n",
           n_systems, n_transits, worst.seconds, worst.distance, worst.speed);
    assert_true(n_systems >= 10);
    assert_true(worst.seconds < most_error_s);
    assert_true(worst.distance < 1e-6 && worst.speed < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_transits_are_those_of_rebound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
