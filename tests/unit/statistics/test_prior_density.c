/* Priors of one variable: normalised, quantiles undo cumulatives, and words say them. A new kind
 * is tested by its lines in fill_catalogue and nonsense_is_improper. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/priors/prior_text.h"
#include "statistics/prior_density.h"

typedef struct named_prior {
    const char *name;
    prior_density density;
    double low, high; /* where all of it lies but a part that double cannot see */
} named_prior;

enum { MAX_PRIORS = 32 };

static named_prior catalogue[MAX_PRIORS];
static size_t n_catalogue;

static void add(const char *name, prior_density density, double low, double high)
{
    assert_true(n_catalogue < MAX_PRIORS);
    catalogue[n_catalogue++] = (named_prior){name, density, low, high};
}

static int fill_catalogue(void **state)
{
    (void)state;
    add("uniform", prior_density_uniform(-3, 8), -3, 8);
    add("log-uniform", prior_density_log_uniform(1, 365250), 1, 365250);
    add("modified", prior_density_modified_log_uniform(1, 0, 2129), 0, 2129);
    add("modified between", prior_density_modified_log_uniform(2, 3, 50), 3, 50);
    add("falling", prior_density_falling_limit(1, 2129, 1), 0, 2129);
    add("normal", prior_density_normal(5, 2, -INFINITY, INFINITY), -75, 85);
    add("normal above", prior_density_normal(0, 1, 0, INFINITY), 0, 40);
    add("normal tail", prior_density_normal(0, 1, 9, 12), 9, 12);
    add("normal lower tail", prior_density_normal(0, 0.5, -6, -4), -6, -4);
    add("normal middle", prior_density_normal(1, 3, 0, 0.5), 0, 0.5);
    add("beta of Kipping", prior_density_beta(0.867, 3.03, 0, 1), 0, 1);
    add("beta 2 5", prior_density_beta(2, 5, 0, 1), 0, 1);
    add("beta cut", prior_density_beta(0.867, 3.03, 0.1, 0.7), 0.1, 0.7);
    add("beta flat", prior_density_beta(1, 1, 0, 1), 0, 1);
    add("beta steep", prior_density_beta(40, 90, 0, 1), 0, 1);
    add("beta of two ends", prior_density_beta(0.5, 0.5, 0, 1), 0, 1);
    add("Rayleigh", prior_density_rayleigh(0.2, 0, 1), 0, 1);
    add("Rayleigh without end", prior_density_rayleigh(3, 0, INFINITY), 0, 120);
    add("Rayleigh tail", prior_density_rayleigh(0.2, 0.9, 1), 0.9, 1);
    add("log-normal", prior_density_log_normal(1, 0.5, 0, INFINITY), 1e-8, 1e10);
    add("log-normal in bounds", prior_density_log_normal(1, 2, 0, 5), 1e-30, 5);
    add("log-normal tail", prior_density_log_normal(0, 0.5, 100, 300), 100, 300);
    add("turns", prior_density_turns(1, 4), 1, 4);
    prior_density turns = prior_density_turns(1, 4);
    add("turns at a period", prior_density_at_period(&turns, 25.0), 25, 100);
    const double periods[] = {1, 30, 365250}, shapes[] = {0, 0.5, 0.999};
    prior_density falling = prior_density_falling_limit(1, 2129, 1);
    for (size_t i = 0; i < 3; i++) {
        prior_density at = prior_density_at_orbit(&falling, periods[i], shapes[2 - i]);
        add("falling at an orbit", at, 0, at.upper);
    }
    for (size_t i = 0; i < n_catalogue; i++)
        assert_true(prior_density_is_proper(&catalogue[i].density));
    return 0;
}

/* The integral of the density between two ends by the rule of Takahasi & Mori (1974), whose
 * nodes crowd there: ends where a density is infinite do no harm. The distance of a node from
 * the nearer end is kept, and not only its place. */
static double integrate(const prior_density *prior, double low, double high)
{
    const double step = 1.0 / 64, half_pi = 1.57079632679489661923;
    double sum = 0;
    for (int i = -320; i <= 320; i++) {
        double t = i * step, inner = half_pi * sinh(t);
        double from_end = (high - low) / (1 + exp(2 * fabs(inner)));
        double x = i < 0 ? low + from_end : high - from_end;
        double weight = (high - low) * 0.5 * half_pi * cosh(t) / (cosh(inner) * cosh(inner));
        if (x > low && x < high && weight > 0)
            sum += weight * exp(prior_density_log(prior, x));
    }
    return sum * step;
}

/* With infinite ends the quadrature is cut into pieces, so that it sees narrow peaks. */
static double integrate_in_pieces(const prior_density *prior, double low, double high)
{
    enum { N = 40 };
    double sum = 0, from = low;
    for (int i = 1; i <= N; i++) {
        double to = low > 0 ? low * pow(high / low, (double)i / N) : low + (high - low) * i / N;
        sum += integrate(prior, from, to);
        from = to;
    }
    return sum;
}

static void densities_are_normalised(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_catalogue; i++) {
        const named_prior *p = &catalogue[i];
        double mass = integrate_in_pieces(&p->density, p->low, p->high);
        /* Near an end with a root singularity, 1 - x is not told from 0 early enough. */
        double tolerance = p->density.kind == PRIOR_BETA && p->density.second < 1 ? 3e-8 : 1e-11;
        if (!(fabs(mass - 1) < tolerance))
            fail_msg("%s has the mass %.15g", p->name, mass);
    }
}

static void cumulatives_are_integrals(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_catalogue; i++) {
        const named_prior *p = &catalogue[i];
        for (int n = 1; n < 20; n++) {
            double x = prior_density_quantile(&p->density, n / 20.0);
            double below = integrate_in_pieces(&p->density, p->low, x);
            if (!(fabs(below - prior_density_cumulative(&p->density, x)) < 1e-10))
                fail_msg("%s below %g: %.15g", p->name, x, below);
        }
    }
}

static void quantiles_undo_cumulatives(void **state)
{
    (void)state;
    const double ends[] = {0x1p-53, 1e-12, 1e-6, 1e-3, 0.999, 1 - 1e-6, 1 - 1e-12, 1 - 0x1p-53};
    for (size_t i = 0; i < n_catalogue; i++) {
        const named_prior *p = &catalogue[i];
        double last = -INFINITY;
        for (int n = -4; n < 1004; n++) {
            double u = n < 0 ? ends[n + 4] : n >= 1000 ? ends[n - 996] : (n + 0.5) / 1000;
            if (n == 0 || n == 1000)
                last = -INFINITY; /* the order begins anew */
            double x = prior_density_quantile(&p->density, u);
            assert_true(x >= p->density.lower && x <= p->density.upper);
            assert_true(x >= last);
            last = x;
            double back = prior_density_cumulative(&p->density, x);
            /* By how much the rounding of x moves the probability. */
            double rounding = fabs(x) * 4e-16 * exp(prior_density_log(&p->density, x));
            if (!(fabs(back - u) < 4e-14 + (isfinite(rounding) ? rounding : 1e-7)))
                fail_msg("%s at %.17g: %.17g comes back", p->name, u, back);
        }
    }
}

/* Values from other sources: the moments of the Rayleigh distribution, of arcsine, I_x at
 * points where it is a polynomial. */
static void values_are_known(void **state)
{
    (void)state;
    prior_density rayleigh = prior_density_rayleigh(3, 0, INFINITY);
    assert_true(fabs(prior_density_quantile(&rayleigh, 0.5) - 3 * sqrt(2 * log(2))) < 1e-14);
    prior_density arcsine = prior_density_beta(0.5, 0.5, 0, 1);
    assert_true(fabs(prior_density_cumulative(&arcsine, 0.25) - 1.0 / 3) < 1e-14);
    /* I_x(2, 3) = 6 x^2 - 8 x^3 + 3 x^4 */
    prior_density beta = prior_density_beta(2, 3, 0, 1);
    assert_true(fabs(prior_density_cumulative(&beta, 0.3) - 0.3483) < 1e-14);
    assert_true(fabs(prior_density_cumulative(&beta, 0.9) - 0.9963) < 1e-14);
    prior_density normal = prior_density_normal(0, 1, -INFINITY, INFINITY);
    assert_true(fabs(prior_density_quantile(&normal, 0.975) - 1.959963984540054) < 1e-13);
    assert_true(fabs(prior_density_log(&normal, 0) + 0.918938533204672742) < 1e-15);
    prior_density log_normal = prior_density_log_normal(log(3), 0.25, 0, INFINITY);
    assert_true(fabs(prior_density_cumulative(&log_normal, 3 * exp(0.25)) - 0.841344746068542949) <
                1e-14);
    assert_true(fabs(prior_density_log(&log_normal, 3) + log(0.75) + 0.918938533204672742) < 1e-14);
    assert_true(prior_density_log(&log_normal, 0) == -INFINITY);
    prior_density modified = prior_density_modified_log_uniform(1, 0, 999);
    assert_true(fabs(prior_density_log(&modified, 9) + log(10 * log(1000))) < 1e-14);
    prior_density falling = prior_density_falling_limit(1, 2129, 1);
    prior_density wide = prior_density_at_orbit(&falling, 8, 0.6);
    assert_true(fabs(wide.upper - 2129 / 2.0 / 0.8) < 1e-9);
}

static void outside_there_is_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_catalogue; i++) {
        const prior_density *p = &catalogue[i].density;
        assert_true(prior_density_log(p, NAN) == -INFINITY);
        assert_true(prior_density_log(p, nextafter(p->lower, -INFINITY)) == -INFINITY ||
                    isinf(p->lower));
        assert_true(prior_density_log(p, nextafter(p->upper, INFINITY)) == -INFINITY ||
                    isinf(p->upper));
        assert_true(prior_density_cumulative(p, p->lower) == 0);
        assert_true(prior_density_cumulative(p, p->upper) == 1);
        assert_true(isnan(prior_density_cumulative(p, NAN)));
    }
    prior_density fixed = prior_density_fixed(3);
    assert_true(prior_density_log(&fixed, 3) == 0 && prior_density_log(&fixed, 2) == -INFINITY);
    assert_true(prior_density_quantile(&fixed, 0.3) == 3);
    assert_true(prior_density_cumulative(&fixed, 3) == 1);
}

/* Every kind has words, which bring it back to the bit. */
static void words_bring_them_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_catalogue; i++) {
        const prior_density *p = &catalogue[i].density;
        prior_density again;
        char text[PRIOR_TEXT_SIZE], complaint[PRIOR_COMPLAINT_SIZE];
        if (p->kind == PRIOR_MODIFIED_LOG_UNIFORM && p->lower > 0)
            continue; /* in words it begins at zero */
        prior_text_write(p, text);
        if (!prior_text_read(text, -INFINITY, INFINITY, &again, complaint))
            fail_msg("%s: \"%s\" %s", catalogue[i].name, text, complaint);
        assert_int_equal(again.kind, p->kind);
        assert_true(again.first == p->first && again.second == p->second);
        assert_true(again.lower == p->lower && again.upper == p->upper);
    }
}

static void nonsense_is_improper(void **state)
{
    (void)state;
    const double nan = NAN;
    const prior_density wrong[] = {
        prior_density_fixed(INFINITY),
        prior_density_uniform(3, 3),
        prior_density_uniform(4, 3),
        prior_density_uniform(0, INFINITY),
        prior_density_uniform(nan, 1),
        prior_density_log_uniform(0, 1),
        prior_density_log_uniform(-2, -1),
        prior_density_modified_log_uniform(0, 0, 1),
        prior_density_modified_log_uniform(-1, 0, 1),
        prior_density_modified_log_uniform(1, 0, INFINITY),
        prior_density_falling_limit(1, 10, 0),
        prior_density_falling_limit(1, 10, nan),
        prior_density_normal(0, 0, -1, 1),
        prior_density_normal(0, -1, -1, 1),
        prior_density_normal(nan, 1, -1, 1),
        prior_density_normal(0, 1, 60, 61),
        prior_density_beta(0, 1, 0, 1),
        prior_density_beta(1, -1, 0, 1),
        prior_density_beta(2, 2, 0.5, 2),
        prior_density_beta(2, 2, -1, 0.5),
        prior_density_rayleigh(0, 0, 1),
        prior_density_rayleigh(nan, 0, 1),
        prior_density_rayleigh(1, -1, 1),
        prior_density_log_normal(0, 0, 0, 1),
        prior_density_log_normal(nan, 1, 0, 1),
        prior_density_log_normal(0, 1, -1, 1),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (prior_density_is_proper(&wrong[i]))
            fail_msg("number %zu passes for a density", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_normalised),   cmocka_unit_test(cumulatives_are_integrals),
        cmocka_unit_test(quantiles_undo_cumulatives), cmocka_unit_test(values_are_known),
        cmocka_unit_test(outside_there_is_nothing),   cmocka_unit_test(words_bring_them_back),
        cmocka_unit_test(nonsense_is_improper),
    };
    return cmocka_run_group_tests(tests, fill_catalogue, NULL);
}
