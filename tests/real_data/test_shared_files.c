/* Real files of the field, where they are at hand: each is read with the count,
 * unit, instruments and mean that expected.tsv has from make_expected.py, or is
 * refused with a sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"
#include "shared_data.h"

typedef struct expectation {
    char file[256], unit[8];
    size_t n_obs, n_instruments;
    double mean_m_s;
    int is_refused;
} expectation;

static int parse(const char *line, expectation *expected)
{
    *expected = (expectation){.n_obs = 0};
    if (sscanf(line, "%255[^\t]\t%zu\t%7[^\t]\t%zu\t%lf", expected->file, &expected->n_obs,
               expected->unit, &expected->n_instruments, &expected->mean_m_s) == 5)
        return 1;
    expected->is_refused = strstr(line, "\tREFUSED") != NULL;
    return expected->is_refused;
}

static double mean_of(const equant_dataset *dataset)
{
    double sum = 0;
    size_t n = equant_dataset_n_obs(dataset);
    for (size_t k = 0; k < n; k++)
        sum += equant_dataset_velocities_m_s(dataset)[k];
    return sum / (double)n;
}

/* Says what is wrong and returns 1, or returns 0. */
static int check(const char *path, const expectation *expected)
{
    equant_dataset *dataset = NULL;
    equant_status status = equant_dataset_from_files(1, &path, NULL, &dataset);
    if (expected->is_refused) {
        int is_wrong = status == EQUANT_SUCCESS || strstr(equant_last_error(), ": ") == NULL;
        if (is_wrong)
            print_error("%s should be refused\n", expected->file);
        equant_dataset_free(dataset);
        return is_wrong;
    }
    if (status != EQUANT_SUCCESS) {
        print_error("%s\n", equant_last_error());
        return 1;
    }
    const char *unit = equant_dataset_unit(dataset) == EQUANT_UNIT_KM_S ? "km/s" : "m/s";
    double mean = mean_of(dataset);
    int is_wrong = equant_dataset_n_obs(dataset) != expected->n_obs ||
                   equant_dataset_n_instruments(dataset) != expected->n_instruments ||
                   strcmp(unit, expected->unit) != 0 ||
                   fabs(mean - expected->mean_m_s) > 1e-7 * (1 + fabs(expected->mean_m_s));
    if (is_wrong)
        print_error("%s: read %zu rows, %s, %zu instruments, mean %.9g m/s\n", expected->file,
                    equant_dataset_n_obs(dataset), unit, equant_dataset_n_instruments(dataset),
                    mean);
    equant_dataset_free(dataset);
    return is_wrong;
}

static void reads_real_files_right(void **state)
{
    (void)state;
    const char *source = getenv("EQUANT_SOURCE");
    char expectations[4096], line[1024];
    if (source == NULL)
        skip();
    snprintf(expectations, sizeof expectations, "%s/tests/real_data/expected.tsv", source);
    FILE *table = fopen(expectations, "r");
    assert_non_null(table);
    int n_checked = 0, n_absent = 0, n_wrong = 0;
    while (fgets(line, sizeof line, table) != NULL) {
        expectation expected;
        if (line[0] == '#' || !parse(line, &expected))
            continue;
        expected.file[strcspn(expected.file, "\n")] = '\0';
        const char *path = shared_file(expected.file);
        if (path == NULL) {
            n_absent++;
            continue;
        }
        n_wrong += check(path, &expected);
        n_checked++;
    }
    fclose(table);
    print_message("%d real files checked, %d not here\n", n_checked, n_absent);
    assert_int_equal(n_wrong, 0);
    if (n_checked == 0)
        skip();
}

/* Counts of numbers in the columns, found with awk. */
static void indicators_of_real_files_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name;
        size_t n_values;
    } cases[] = {{"agatha/CoRoT7_HARPS_TERRA.dat", "fwhm", 165},
                 {"agatha/CoRoT7_HARPS_TERRA.dat", "s_index", 165},
                 {"agatha/HD001461_HARPS_TERRA.dat", "s_index", 443},
                 {"agatha/HD039194_HARPS_TERRA.dat", "bis", 253},
                 {"agatha/HD41248_HARPS_TERRA.dat", "na_d2", 221},
                 {"agatha/HD020794_HARPS_TERRA.dat", "h_alpha", 5103},
                 {"arvi/HD86226_PFS1.rdb", "s_index", 48},
                 {"radvel/164922_fixed.txt", "s_index", 349}};
    size_t n_checked = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *file = shared_file(cases[i].file);
        if (file == NULL)
            continue;
        equant_dataset *dataset = NULL;
        size_t n_values = 0;
        assert_int_equal(equant_dataset_from_files(1, &file, NULL, &dataset), EQUANT_SUCCESS);
        for (size_t j = 0; j < equant_dataset_n_indicators(dataset); j++) {
            const equant_indicator *indicator = equant_dataset_indicator(dataset, j);
            bool is_wanted = strcmp(indicator->name, cases[i].name) == 0;
            for (size_t k = 0; is_wanted && k < equant_dataset_n_obs(dataset); k++)
                n_values += !isnan(indicator->values[k]);
        }
        assert_int_equal(n_values, cases[i].n_values);
        equant_dataset_free(dataset);
        n_checked++;
    }
    if (n_checked == 0)
        skip();
}

static void demonstration_is_the_published_table(void **state)
{
    (void)state;
    const char *file = shared_file("radvel/164922_fixed.txt");
    if (file == NULL)
        skip();
    equant_dataset *embedded = NULL, *read = NULL;
    assert_int_equal(equant_dataset_demonstration(&embedded), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_from_files(1, &file, NULL, &read), EQUANT_SUCCESS);
    size_t n = equant_dataset_n_obs(read);
    assert_int_equal(equant_dataset_n_obs(embedded), n);
    assert_memory_equal(equant_dataset_times_days(embedded), equant_dataset_times_days(read),
                        n * sizeof(double));
    assert_memory_equal(equant_dataset_velocities_m_s(embedded),
                        equant_dataset_velocities_m_s(read), n * sizeof(double));
    assert_memory_equal(equant_dataset_uncertainties_m_s(embedded),
                        equant_dataset_uncertainties_m_s(read), n * sizeof(double));
    assert_memory_equal(equant_dataset_instruments(embedded), equant_dataset_instruments(read),
                        n * sizeof(int));
    equant_dataset_free(embedded);
    equant_dataset_free(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_real_files_right),
        cmocka_unit_test(indicators_of_real_files_are_kept),
        cmocka_unit_test(demonstration_is_the_published_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
