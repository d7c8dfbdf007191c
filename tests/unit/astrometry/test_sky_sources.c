/* Lists of sources: what tables say of a source is joined, names and numbers of DR3 find it, and
 * masses by magnitude are those that the literature has for well-known stars. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"

static const char *write_file(const char *name, const char *text)
{
    static char path[2][200];
    static int turn;
    char *own = path[turn++ % 2];
    snprintf(own, 200, "%s/equant_%d_%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             (int)getpid(), name);
    FILE *file = fopen(own, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return own;
}

static void tables_are_joined(void **state)
{
    (void)state;
    const char *paths[] = {
        write_file("masses.ecsv", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: source_id, "
                                  "datatype: int64}\nsource_id m1 m1_lower m1_upper\n"
                                  "40 0.8 0.7 0.9\n30 1.1 1.0 1.2\n30 1.2 1.0 1.4\n"),
        write_file("facts.csv", "SOURCE_ID,tentativeParallaxBias,name,dr3_source_id,"
                                "angular_distance,probable_match,has_epoch_rvs,other\n"
                                "30,-0.04,HD 1,7,3.0,,2,x\n50,,GJ 2,7,1.0,,null,x\n"
                                "60,,,8,1.0,false,0,x\n70,,,8,9.0,true,0,x\n")};
    equant_sky_sources *list = NULL;
    equant_sky_source one = {.struct_size = sizeof one};
    assert_int_equal(equant_sky_sources_read(2, paths, &list), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_sources_n(list), 5);
    assert_true(equant_sky_sources_find(list, 30, &one));
    assert_float_equal(one.star_mass, 1.2, 1e-12);
    assert_float_equal(one.star_mass_err, 0.2, 1e-12);
    assert_float_equal(one.parallax_bias_mas, -0.04, 1e-12);
    assert_int_equal(one.has_epoch_rvs, 2);
    assert_int_equal(one.has_epoch_astrometry, -1);
    assert_true(isnan(one.ks_mag));
    assert_false(equant_sky_sources_find(list, 31, &one));
    assert_int_equal(equant_sky_sources_id(list, "HD 1"), 30);
    assert_int_equal(equant_sky_sources_id(list, "HD 2"), 0);
    assert_int_equal(equant_sky_sources_id(list, "7"), 50); /* the nearer one */
    assert_int_equal(equant_sky_sources_id(list, "8"), 70); /* the probable one */
    assert_int_equal(equant_sky_sources_id(list, "40"), 40);
    assert_int_equal(equant_sky_sources_id(NULL, "4295806720123456789"), 4295806720123456789);
    equant_sky_sources_free(list);
    remove(paths[0]);
    remove(paths[1]);
}

/* Proxima: Ks 4.384, 768.07 mas, 0.1221 +- 0.0022 suns (Mann et al. 2015). GJ 1214: Ks 8.782, 68.30
 * mas, 0.178 +- 0.010 (Cloutier et al. 2021). */
static void masses_are_those_of_known_stars(void **state)
{
    (void)state;
    double error;
    assert_float_equal(equant_sky_mass_from_ks(4.384, 768.07, &error), 0.1221, 0.005);
    assert_float_equal(equant_sky_mass_from_ks(8.782, 68.30, &error), 0.178, 0.010);
    assert_true(error > 0.003 && error < 0.005);
    assert_true(isnan(equant_sky_mass_from_ks(8.0, 1.0, NULL)));
    assert_true(isnan(equant_sky_mass_from_ks(8.0, -1.0, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_joined),
        cmocka_unit_test(masses_are_those_of_known_stars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
