/* Kepler's equation on the edge grid of kepler_table.txt, which mpmath wrote:
 * the quadruple-precision oracle must reproduce it, and the library be within
 * the error that its precision allows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"
#include "oracle/quad_kepler.h"

enum { MAX_ROWS = 2000 };

static struct table {
    size_t n_rows;
    double mean[MAX_ROWS], e[MAX_ROWS], eccentric[MAX_ROWS], sine[MAX_ROWS], cosine[MAX_ROWS];
    quad_kepler exact[MAX_ROWS];
} table;

static int read_table(void **state)
{
    (void)state;
    const char *source = getenv("EQUANT_SOURCE");
    char path[4096], line[512];
    snprintf(path, sizeof path, "%s/tests/golden/kepler_table.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "cannot open %s: set EQUANT_SOURCE to the source folder\n", path);
        return 1;
    }
    while (table.n_rows < MAX_ROWS && fgets(line, sizeof line, file)) {
        size_t k = table.n_rows;
        if (sscanf(line, "%lf %lf %lf %lf %lf", &table.mean[k], &table.e[k], &table.eccentric[k],
                   &table.sine[k], &table.cosine[k]) == 5)
            table.n_rows++;
    }
    fclose(file);
    quad_kepler_solve_all(table.n_rows, table.mean, table.e, table.exact);
    return 0;
}

/* Half a unit in the last place. */
static double half_ulp(double x)
{
    x = fabs(x);
    return x >= 0x1p1023 ? 0x1p970 : (nextafter(x, INFINITY) - x) / 2;
}

/* Both are rounded to double from many more digits, so they agree to the last
 * bit, or, where a sine or cosine nearly vanishes, to the oracle's own 1e-32. */
static bool same_number(__float128 oracle, double golden)
{
    return (double)oracle == golden || fabs((double)oracle - golden) < 1e-32;
}

static void oracle_reproduces_the_table(void **state)
{
    (void)state;
    assert_in_range(table.n_rows, 500, MAX_ROWS - 1);
    for (size_t k = 0; k < table.n_rows; k++) {
        const quad_kepler *exact = &table.exact[k];
        if (!same_number(exact->eccentric, table.eccentric[k]) ||
            !same_number(exact->sine, table.sine[k]) ||
            !same_number(exact->cosine, table.cosine[k]))
            fail_msg("M = %.17g, e = %.17g: oracle E = %.17g, table %.17g", table.mean[k],
                     table.e[k], (double)exact->eccentric, table.eccentric[k]);
    }
}

/* Checks one engine over the table. Backward error: the result belongs to an M
 * within half a unit in its last place, which dE/dM = 1/(1 - e cos E) magnifies;
 * then it is rounded. The tolerance at which an iteration stops may reach the
 * pericentre, where that is 1/(1 - e). */
static void check_engine(const equant_engine_options *options, double rounding)
{
    static double eccentric[MAX_ROWS], sine[MAX_ROWS], cosine[MAX_ROWS];
    size_t n = table.n_rows;
    assert_int_equal(equant_kepler_solve(n, table.mean, table.e, options, eccentric, sine, cosine),
                     EQUANT_SUCCESS);
    double worst = 0;
    for (size_t k = 0; k < n; k++) {
        double allowed = rounding + half_ulp(table.mean[k]) / (double)table.exact[k].slope +
                         options->danby_tolerance / (1 - table.e[k]);
        double error = fmax(fabs(sine[k] - table.sine[k]), fabs(cosine[k] - table.cosine[k]));
        double eccentric_error = fabs(eccentric[k] - table.eccentric[k]);
        if (!(error <= allowed) || !(eccentric_error <= allowed + half_ulp(table.eccentric[k])))
            fail_msg("%s: M = %.17g, e = %.17g: E = %.17g (error %.3g), sin and cos off by %.3g; "
                     "allowed %.3g",
                     engines_name(options), table.mean[k], table.e[k], eccentric[k],
                     eccentric_error, error, allowed);
        if (half_ulp(table.mean[k]) < 1e-15)
            worst = fmax(worst, error);
    }
    printf("%-40s worst error of sin E, cos E for |M| < 16: %.2e\n", engines_name(options), worst);
}

static void library_reproduces_the_table(void **state)
{
    (void)state;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        equant_engine_options options = {.struct_size = sizeof options,
                                         .backend = engines_backend(b)};
        check_engine(&options, 2e-15);
        options.solver = EQUANT_SOLVER_DANBY;
        options.danby_tolerance = 1e-14;
        options.danby_max_iterations = 100;
        check_engine(&options, 4e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_reproduces_the_table),
        cmocka_unit_test(library_reproduces_the_table),
    };
    return cmocka_run_group_tests(tests, read_table, NULL);
}
