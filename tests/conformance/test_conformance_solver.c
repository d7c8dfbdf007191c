/* Kepler's equation alone, on every backend: accuracy on random and on stress
 * sets, any bit pattern, any count, any subset of outputs. EQUANT_FULL=1 runs
 * the full ten million pairs. */
#include <math.h>
#include <quadmath.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"
#include "oracle/quad_kepler.h"
#include "oracle/random_system.h"
#include "quick.h"

enum { CHUNK = 1 << 14, N_SOLVERS = 4 * 2 };

/* Pairs with their exact solutions, and what the library made of them. */
static struct pairs {
    double mean[CHUNK], e[CHUNK];
    quad_kepler exact[CHUNK];
    double eccentric[CHUNK], sine[CHUNK], cosine[CHUNK];
} pairs;

static size_t n_random_pairs(void)
{
    const char *full = getenv("EQUANT_FULL");
    if (full && *full && strcmp(full, "0") != 0)
        return 10000000;
    return quick_run() ? 50000 : 1000000;
}

/* The eight combinations of precision and solver. */
static equant_engine_options solver_way(const char *backend, size_t index)
{
    return engines_way(backend, 2 * index);
}

static void solve_chunk(const equant_engine_options *options, size_t n)
{
    trial_require(equant_kepler_solve(n, pairs.mean, pairs.e, options, pairs.eccentric, pairs.sine,
                                      pairs.cosine),
                  "equant_kepler_solve");
}

/* Allowed errors of pair k, of a form that every set below shares. */
typedef struct allowance {
    double angle;         /* of E, in radians                            */
    double sine_cosine;   /* of sin E and cos E                          */
    double mean_absolute; /* an error of M, magnified by dE/dM           */
    double mean_ulps;     /* the same, in units in the last place of M   */
} allowance;

/* What an error of M does to E, and so to its sine and cosine. */
static double allowed_of_mean(const allowance *allow, size_t k)
{
    double ulp = nextafter(fabs(pairs.mean[k]), INFINITY) - fabs(pairs.mean[k]);
    return (allow->mean_absolute + allow->mean_ulps * ulp) / (double)pairs.exact[k].slope;
}

/* Largest errors of a run over many chunks, and where the largest beside what
 * is allowed was found. */
typedef struct worst_errors {
    double eccentric, sine_cosine;
    double ratio, ratio_mean, ratio_e;
} worst_errors;

static void measure_chunk(const equant_engine_options *options, size_t n, const allowance *allow,
                          worst_errors *worst)
{
    solve_chunk(options, n);
    for (size_t k = 0; k < n; k++) {
        const quad_kepler *exact = &pairs.exact[k];
        double eccentric = (double)fabsq(pairs.eccentric[k] - exact->eccentric);
        double rest = (double)fmaxq(fabsq(pairs.sine[k] - exact->sine),
                                    fabsq(pairs.cosine[k] - exact->cosine));
        double of_mean = allowed_of_mean(allow, k);
        double ratio =
            fmax(eccentric / (allow->angle + of_mean), rest / (allow->sine_cosine + of_mean));
        worst->eccentric = fmax(worst->eccentric, eccentric);
        worst->sine_cosine = fmax(worst->sine_cosine, rest);
        if (!(ratio <= worst->ratio)) {
            worst->ratio = ratio;
            worst->ratio_mean = pairs.mean[k];
            worst->ratio_e = pairs.e[k];
        }
    }
}

/* Prints what was found; false where an error was larger than allowed. */
static bool report_worst(const char *set, const char *way, const worst_errors *worst)
{
    printf("%-7s %-13s largest |dE| %.3e, |d sin E|, |d cos E| %.3e; %.2f of the allowed at "
           "M = %.17g, e = %.17g\n",
           set, way, worst->eccentric, worst->sine_cosine, worst->ratio, worst->ratio_mean,
           worst->ratio_e);
    return worst->ratio <= 1;
}

static const char *solver_name(size_t index)
{
    static const char *const names[] = {"double fast", "double danby", "mixed fast", "mixed danby",
                                        "single fast", "single danby", "pair fast",  "pair danby"};
    return names[index];
}

/* M in [0, 2 pi), e in [0, 0.99), rounded to what the precision holds. */
static void draw_random_chunk(random_system *random, equant_precision precision)
{
    for (size_t k = 0; k < CHUNK; k++) {
        pairs.mean[k] = random_system_between(random, 0, 6.283185307179586);
        pairs.e[k] = random_system_between(random, 0, 0.99);
        if (precision != EQUANT_PRECISION_DOUBLE)
            pairs.e[k] = (float)pairs.e[k];
        if (precision == EQUANT_PRECISION_SINGLE)
            pairs.mean[k] = (float)pairs.mean[k];
    }
}

static allowance random_allowance(const equant_engine_options *options)
{
    bool wide = engines_is_double(options);
    allowance allow = {.angle = wide ? 2e-15 : 4e-7, .sine_cosine = wide ? 2e-15 : 6e-7};
    if (options->solver == EQUANT_SOLVER_DANBY)
        allow.mean_absolute = wide ? options->danby_tolerance + 1e-15 : 1e-6 + 5e-7;
    return allow;
}

static void random_pairs_are_accurate(void **state)
{
    (void)state;
    assert_true(engines_announce());
    bool within = true;
    for (int precision = 0; precision < 4; precision++) {
        size_t n_pairs = n_random_pairs() / (precision == EQUANT_PRECISION_DOUBLE ? 1 : 5);
        random_system random = {20080101};
        worst_errors worst[2] = {{0}};
        for (size_t done = 0; done < n_pairs; done += CHUNK) {
            draw_random_chunk(&random, (equant_precision)precision);
            quad_kepler_solve_all(CHUNK, pairs.mean, pairs.e, pairs.exact);
            for (size_t b = 0; b < engines_n_backends(); b++) {
                for (size_t solver = 0; solver < 2; solver++) {
                    equant_engine_options options =
                        solver_way(engines_backend(b), 2 * (size_t)precision + solver);
                    allowance allow = random_allowance(&options);
                    measure_chunk(&options, CHUNK, &allow, &worst[solver]);
                }
            }
        }
        for (size_t solver = 0; solver < 2; solver++)
            within &=
                report_worst("random", solver_name(2 * (size_t)precision + solver), &worst[solver]);
    }
    assert_true(within);
}

/* Near pericentre of nearly parabolic orbits, and the mirror images of that. */
static void draw_stress_chunk(random_system *random)
{
    for (size_t k = 0; k < CHUNK; k++) {
        double mean = random_system_log_between(random, 1e-12, 1e-2);
        pairs.e[k] = 1 - random_system_log_between(random, 1e-9, 1e-2);
        pairs.mean[k] = k % 3 == 0 ? mean : k % 3 == 1 ? -mean : 6.283185307179586 - mean;
    }
    quad_kepler_solve_all(CHUNK, pairs.mean, pairs.e, pairs.exact);
}

static void stress_pairs_are_accurate(void **state)
{
    (void)state;
    const allowance fast = {.angle = 1e-15, .sine_cosine = 1e-15, .mean_ulps = 0.5};
    random_system random = {20080102};
    worst_errors worst = {0};
    for (size_t done = 0; done < n_random_pairs() / 2; done += CHUNK) {
        draw_stress_chunk(&random);
        for (size_t b = 0; b < engines_n_backends(); b++) {
            equant_engine_options options = solver_way(engines_backend(b), 0);
            measure_chunk(&options, CHUNK, &fast, &worst);
        }
    }
    assert_true(report_worst("stress", solver_name(0), &worst));
}

/* Any finite M and any e of the domain: sine and cosine are one of some angle,
 * never NaN. Anything else: NaN. And it ends, whatever the bits. Returns how
 * many pairs were not answered so, and shows the first of them. */
static size_t count_bad_answers(const equant_engine_options *options, bool show)
{
    solve_chunk(options, CHUNK);
    double slack = engines_is_double(options) ? 1e-14 : 4e-6;
    size_t n_bad = 0;
    for (size_t k = 0; k < CHUNK; k++) {
        double m = pairs.mean[k], e = pairs.e[k];
        double radius = hypot(pairs.sine[k], pairs.cosine[k]);
        bool valid = isfinite(m) && e >= 0 && e < 1;
        bool good =
            valid ? isfinite(pairs.eccentric[k]) && fabs(radius - 1) < slack
                  : isnan(pairs.eccentric[k]) && isnan(pairs.sine[k]) && isnan(pairs.cosine[k]);
        if (!good && n_bad++ < 3 && show)
            printf("%s: M = %a, e = %a: E = %g, sin E = %g, cos E = %g\n", engines_name(options), m,
                   e, pairs.eccentric[k], pairs.sine[k], pairs.cosine[k]);
    }
    return n_bad;
}

static double random_pattern(random_system *random)
{
    uint64_t bits = random_system_bits(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void draw_patterns(random_system *random)
{
    static const double special[] = {
        0.0,       -0.0,      NAN,         -NAN,      INFINITY,
        -INFINITY, 0x1p-1074, -0x1p-1074,  0x1p-1022, 0x1.fffffffffffffp1023,
        1.0,       0.5,       1 - 0x1p-53, 0x1p-149,  1 - 0x1p-25};
    enum { N_SPECIAL = sizeof special / sizeof *special };
    for (size_t k = 0; k < CHUNK; k++) {
        pairs.mean[k] = random_pattern(random);
        /* Half of the eccentricities inside the domain, at all scales. */
        pairs.e[k] =
            k % 2 ? random_pattern(random)
                  : ldexp(random_system_uniform(random), -(int)random_system_below(random, 1075));
        if (k % 8 == 2)
            pairs.e[k] = 1 - pairs.e[k];
        if (k % 16 == 4)
            pairs.mean[k] = special[random_system_below(random, N_SPECIAL)];
        if (k % 16 >= 12)
            pairs.e[k] = special[random_system_below(random, N_SPECIAL)];
    }
}

static void any_bit_pattern_is_answered(void **state)
{
    (void)state;
    random_system random = {20080103};
    size_t n_bad = 0;
    for (int round = 0; round < (quick_run() ? 1 : 6); round++) {
        draw_patterns(&random);
        for (size_t b = 0; b < engines_n_backends(); b++) {
            for (size_t way = 0; way < N_SOLVERS; way++) {
                equant_engine_options options = solver_way(engines_backend(b), way);
                n_bad += count_bad_answers(&options, b == 0 && round == 0);
                options.danby_tolerance = 1e-300;
                options.danby_max_iterations = 1000;
                if (options.solver == EQUANT_SOLVER_DANBY && round == 0)
                    n_bad += count_bad_answers(&options, b == 0);
            }
        }
    }
    assert_int_equal(n_bad, 0);
}

static void processors_give_the_same_bits(void **state)
{
    (void)state;
    for (size_t way = 0; way < N_SOLVERS; way++) {
        uint64_t first = 0;
        for (size_t b = 0; b < engines_n_backends(); b++) {
            if (!engines_is_processor(b))
                continue;
            equant_engine_options options = solver_way(engines_backend(b), way);
            uint64_t hash = TRIAL_HASH_START;
            random_system random = {20080104};
            for (int round = 0; round < 3; round++) {
                if (round == 0)
                    draw_patterns(&random);
                else
                    draw_random_chunk(&random, EQUANT_PRECISION_DOUBLE);
                solve_chunk(&options, CHUNK);
                hash = trial_hash(hash, pairs.eccentric, CHUNK);
                hash = trial_hash(hash, pairs.sine, CHUNK);
                hash = trial_hash(hash, pairs.cosine, CHUNK);
            }
            if (b == 0)
                printf("%-14s %016llx\n", solver_name(way), (unsigned long long)hash);
            first = b == 0 ? hash : first;
            if (hash != first)
                fail_msg("%s: hash %016llx differs", engines_name(&options),
                         (unsigned long long)hash);
        }
    }
}

/* Every count up to a few lane groups: right bits inside, nothing outside. */
static void any_count_works(void **state)
{
    (void)state;
    enum { MOST = 70 };
    random_system random = {20080105};
    draw_random_chunk(&random, EQUANT_PRECISION_DOUBLE);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < N_SOLVERS; way++) {
            equant_engine_options options = solver_way(engines_backend(b), way);
            solve_chunk(&options, MOST);
            for (size_t n = 0; n <= MOST; n++) {
                double got[3][MOST + 1];
                for (size_t i = 0; i < 3 * (MOST + 1); i++)
                    got[i / (MOST + 1)][i % (MOST + 1)] = -77;
                trial_require(
                    equant_kepler_solve(n, pairs.mean, pairs.e, &options, got[0], got[1], got[2]),
                    "equant_kepler_solve");
                const double *expected[] = {pairs.eccentric, pairs.sine, pairs.cosine};
                for (size_t i = 0; i < 3; i++) {
                    assert_memory_equal(got[i], expected[i], n * sizeof(double));
                    for (size_t k = n; k <= MOST; k++)
                        assert_true(got[i][k] == -77);
                }
            }
        }
    }
}

static void any_output_may_be_left_out(void **state)
{
    (void)state;
    enum { N = 21 };
    random_system random = {20080106};
    draw_random_chunk(&random, EQUANT_PRECISION_DOUBLE);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < N_SOLVERS; way++) {
            equant_engine_options options = solver_way(engines_backend(b), way);
            solve_chunk(&options, N);
            for (int chosen = 0; chosen < 8; chosen++) {
                double eccentric[N] = {0}, sine[N] = {0}, cosine[N] = {0};
                trial_require(equant_kepler_solve(
                                  N, pairs.mean, pairs.e, &options, chosen & 1 ? eccentric : NULL,
                                  chosen & 2 ? sine : NULL, chosen & 4 ? cosine : NULL),
                              "equant_kepler_solve");
                if (chosen & 1)
                    assert_memory_equal(eccentric, pairs.eccentric, sizeof eccentric);
                if (chosen & 2)
                    assert_memory_equal(sine, pairs.sine, sizeof sine);
                if (chosen & 4)
                    assert_memory_equal(cosine, pairs.cosine, sizeof cosine);
            }
        }
    }
    assert_int_equal(equant_kepler_solve(0, NULL, NULL, NULL, NULL, NULL, NULL), EQUANT_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs_are_accurate),
        cmocka_unit_test(stress_pairs_are_accurate),
        cmocka_unit_test(any_bit_pattern_is_answered),
        cmocka_unit_test(processors_give_the_same_bits),
        cmocka_unit_test(any_count_works),
        cmocka_unit_test(any_output_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
