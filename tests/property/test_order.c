/* A fit does not depend on the order of rows, nor on that of instruments: the same planets, the
 * same noise and the same likelihood. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/random_system.h"
#include "unit/simulated_star.h"

enum { N = 40 };
#define TWO_PI 6.283185307179586476925286766559

typedef struct observed {
    double times[N], velocities[N], sigmas[N];
    int instruments[N];
} observed;

/* A planet of 31 days with two instruments and, of the second kind, one that turns besides. */
static observed observe(bool turns)
{
    random_system random = {turns ? 5 : 4};
    observed made;
    for (size_t k = 0; k < N; k++) {
        double t = 4.0 * ((double)k + random_system_between(&random, 0.0, 0.9)), noise = -6.0;
        for (int i = 0; i < 12; i++)
            noise += random_system_between(&random, 0.0, 1.0);
        made.times[k] = 2455000.0 + t;
        made.sigmas[k] = 1.5;
        made.instruments[k] = k % 3 == 0;
        made.velocities[k] = 9.0 * sin(TWO_PI * t / 31.0) + 1.5 * noise + 20.0 * (k % 3 == 0);
        if (turns)
            made.velocities[k] += 5.0 * sin(TWO_PI * t / 12.0 + 1.5 * sin(t / 20.0));
    }
    return made;
}

/* Rows from the last to the first, every second one first, instruments the other way round. */
static observed shuffle(const observed *given)
{
    observed made;
    size_t n = 0;
    for (size_t first = 0; first < 2; first++)
        for (size_t k = first; k < N; k += 2) {
            size_t from = N - 1 - k;
            made.times[n] = given->times[from];
            made.velocities[n] = given->velocities[from];
            made.sigmas[n] = given->sigmas[from];
            made.instruments[n++] = 1 - given->instruments[from];
        }
    return made;
}

static equant_fit *fit(const observed *star, const char *const *names)
{
    const equant_fit_options options = {.struct_size = sizeof options,
                                        .engine = &on_one_thread,
                                        .period_min_days = 3.0,
                                        .eccentricity_max = 0.5};
    equant_dataset *dataset = NULL;
    equant_fit *made = NULL;
    assert_int_equal(equant_dataset_from_arrays(N, star->times, star->velocities, star->sigmas,
                                                star->instruments, 2, names, NULL, &dataset),
                     EQUANT_SUCCESS);
    if (equant_fit_star(dataset, &options, &made) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_dataset_free(dataset);
    return made;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance) && !(isnan(a) && isnan(b)))
        fail_msg("%.12g is not %.12g", a, b);
}

static void order_does_not_matter(void **state)
{
    (void)state;
    const char *const names[] = {"A", "B"}, *const other_names[] = {"B", "A"};
    for (int turns = 0; turns < 2; turns++) {
        const observed star = observe(turns), shuffled = shuffle(&star);
        equant_fit *one = fit(&star, names), *other = fit(&shuffled, other_names);
        equant_fit_summary a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        assert_int_equal(equant_fit_summarize(one, &a), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_summarize(other, &b), EQUANT_SUCCESS);
        assert_near(a.log_likelihood, b.log_likelihood, 1e-3);
        assert_int_equal(equant_fit_n_planets(one), equant_fit_n_planets(other));
        assert_true(equant_fit_n_planets(one) > 0);
        for (size_t p = 0; p < equant_fit_n_planets(one); p++) {
            equant_planet x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
            assert_int_equal(equant_fit_planet(one, p, &x), EQUANT_SUCCESS);
            assert_int_equal(equant_fit_planet(other, p, &y), EQUANT_SUCCESS);
            assert_near(x.period_days, y.period_days, 0.02 * x.period_days_err);
            assert_near(x.probability, y.probability,
                        0.02); /* integrals of noise are sums over draws */
        }
        size_t n = equant_fit_n_noise_parameters(one);
        assert_int_equal(n, equant_fit_n_noise_parameters(other));
        for (size_t i = 0; i < n; i++) {
            equant_fitted_noise_parameter x = {.struct_size = sizeof x},
                                          y = {.struct_size = sizeof y};
            assert_int_equal(equant_fit_noise_parameter(one, i, &x), EQUANT_SUCCESS);
            assert_int_equal(equant_fit_noise_parameter(other, i, &y), EQUANT_SUCCESS);
            assert_string_equal(x.term, y.term);
        }
        equant_fit_free(one);
        equant_fit_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
