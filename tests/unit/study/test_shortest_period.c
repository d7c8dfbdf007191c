/* Which stars are searched for periods below half a day: those that are followed through nights. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/study/shortest_period.h"

enum { NIGHTS = 9, MOST = 40 };

/* n_long nights with observations `hours` apart, the others with two within minutes; by two
 * telescopes on other sides of the Earth. */
static double shortest_period(int n_long, double hours)
{
    double times[MOST], velocities[MOST] = {0}, errors[MOST];
    int instruments[MOST], n = 0;
    for (int night = 0; night < NIGHTS; night++) {
        int telescope = night % 2;
        double first = 2455000.6 + 3.0 * night + 0.45 * telescope;
        double later = night < n_long ? hours / 24.0 : 0.01;
        for (int i = 0; i < 3; i++, n++) {
            times[n] = first + 0.5 * i * later;
            errors[n] = 1.0;
            instruments[n] = telescope;
        }
    }
    equant_dataset *dataset;
    double found = NAN;
    assert_int_equal(equant_dataset_from_arrays((size_t)n, times, velocities, errors, instruments,
                                                2, NULL, NULL, &dataset),
                     EQUANT_SUCCESS);
    assert_int_equal(shortest_period_find(dataset, &found), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return found;
}

static void two_thirds_of_the_nights_decide(void **state)
{
    (void)state;
    assert_true(shortest_period(0, 3.0) == 0.5);
    assert_true(shortest_period(5, 3.0) == 0.5);
    assert_true(shortest_period(6, 3.0) == 0.25);
    assert_true(shortest_period(9, 3.0) == 0.25);
    assert_true(shortest_period(9, 1.0) == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_thirds_of_the_nights_decide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
