/* Tables of single measurements, and Gaia's epoch astrometry as text: which rows count, what their
 * numbers mean, and what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/astrometry/sky_file.h"

static const double degree = 3.14159265358979323846 / 180;

static equant_sky_rows only_rows(const sky_file *file)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (file->status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    assert_int_equal(file->n, 1);
    assert_int_equal(equant_astrometry_rows(file->sources[0], &rows), 0);
    return rows;
}

static void table_of_bh3(void **state)
{
    (void)state;
    sky_file file = sky_file_read("# a comment\n"
                                  " 20114916805338633 2 2457937.875 146.5 0.25 0.5 -60 0\n"
                                  " 20114916805338633 1 2457936.875 147.0 0.50 0.5 -30 0\n"
                                  " 20114916805338634 1 2457938.875 999.0 0.50 0.5 -30 1\n");
    equant_sky_rows rows = only_rows(&file);
    assert_int_equal(file.is_recognised, 1);
    assert_int_equal(rows.n_rows, 2);
    assert_true(rows.time_days[0] == 0 && rows.time_days[1] == 1);
    assert_true(rows.abscissa_mas[0] == 147 && rows.uncertainty_mas[1] == 0.25);
    assert_float_equal(rows.angle_rad[1], -60 * degree, 1e-15);
    assert_true(rows.parallax_factor[0] == 0.5);
    assert_true(rows.transit[0] == 20114916805338633);
    assert_true(sky_file_says(file.sources[0], "left out: 1 of 3 measurements"));
    assert_true(sky_file_says(file.sources[0], "times: JD"));
    sky_file_free(&file);
}

static void named_columns_in_any_order(void **state)
{
    (void)state;
    sky_file file = sky_file_read("psi[deg],w (mas),sigma,t (MJD),f\n"
                                  "90,1,0.1,57936.375,0.25\n"
                                  "180,2,0.2,57937.375,0.5\n");
    equant_sky_rows rows = only_rows(&file);
    assert_int_equal(file.is_recognised, 1);
    assert_true(rows.time_days[1] == 1 && rows.abscissa_mas[1] == 2);
    assert_float_equal(rows.angle_rad[0], 90 * degree, 1e-15);
    assert_true(rows.parallax_factor[1] == 0.5);
    assert_int_equal(equant_astrometry_n_transits(file.sources[0]), 2);
    sky_file_free(&file);

    /* Names in a comment; angles within a turn are radians. */
    file = sky_file_read("# t w sigma psi\n2017.5 1 0.1 3\n2018.5 1 0.1 -3\n");
    rows = only_rows(&file);
    assert_float_equal(rows.time_days[1], 365.25, 1e-9);
    assert_true(rows.angle_rad[0] == 3);
    assert_true(sky_file_says(file.sources[0], "read as radians"));
    assert_true(sky_file_says(file.sources[0], "Julian years"));
    assert_true(sky_file_says(file.sources[0], "parallax cannot be"));
    sky_file_free(&file);

    /* Without names only where it is known to be astrometry: velocities look the same. */
    file = sky_file_read("2457936.875 1 0.1 100 0.25\n2457937.875 1 0.1 200 0.25\n");
    rows = only_rows(&file);
    assert_int_equal(file.is_recognised, 0);
    assert_float_equal(rows.angle_rad[1], 200 * degree, 1e-15);
    assert_true(sky_file_says(file.sources[0], "columns without names"));
    sky_file_free(&file);
}

static void flattened_table_of_the_prerelease(void **state)
{
    (void)state;
    sky_file file = sky_file_read(
        "# made from obs_time_tcb\n"
        "transit_id,epoch,scan_pos_angle,centroid_pos_al,centroid_pos_error_al,ipd_error_al,"
        "parallax_factor_al,used_by_agis_al,outlier_flag\n"
        "16390666388267149,57936.375,0.5,49.25,0.125,0.1,-0.25,true,0\n"
        "16390666388267149,57936.375056,0.5,48.25,0.125,0.1,-0.25,true,0\n"
        "16390666388267148,57936.5,0.5,48.25,0.125,0.1,-0.25,false,1\n");
    equant_sky_rows rows = only_rows(&file);
    assert_int_equal(rows.n_rows, 2);
    assert_int_equal(equant_astrometry_n_transits(file.sources[0]), 1);
    assert_true(rows.angle_rad[0] == 0.5 && rows.transit[0] == 16390666388267149);
    sky_file_free(&file);
}

static void rows_that_cannot_be_used_are_told(void **state)
{
    (void)state;
    sky_file file = sky_file_read("t,w,sigma,psi,f\n57936,1,0.1,100,0.1\n57937,1,2e8,100,0.1\n"
                                  "57938,1,0.1,100,nan\n57936,1,0.1,100,0.1\n57939,,0.1,100,0.1\n");
    equant_sky_rows rows = only_rows(&file);
    assert_int_equal(rows.n_rows, 1);
    assert_true(sky_file_says(file.sources[0], "left out: 3 measurements"));
    assert_true(sky_file_says(file.sources[0], "the first is in line 3"));
    assert_true(sky_file_says(file.sources[0], "left out: 1 rows that repeat"));
    sky_file_free(&file);
    sky_file_refuse("t,w,sigma,psi,f\n57936,1,0.1,100,0.1\n57937,1,much,100,0.1\n",
                    ":3: 'much' in column 3 is no number");
    sky_file_refuse("t,w,sigma,psi,f\n57936,1,0.1,100\n", ":2: this row has 4 cells");
    sky_file_refuse("t,w,sigma,psi,f\n", "the table has no rows");
    sky_file_refuse("t,w,sigma,psi,f\n57936,1,-1,100,0\n", "no row can be used");
    sky_file_refuse("time,mnvel,errvel,tel\n1,2,3,x\n", "no table of astrometry");
    sky_file_refuse("t,w,sigma,psi,f\n236682000000000000,1,0.1,100,0\n",
                    "a time of 2.36682e+17 is not a date in JD");
    sky_file_refuse("t,w,sigma,psi,f\n2457936,1,0.1,100,0\n1e12,1,0.1,100,0\n",
                    "a time of 1000000000000 is not a date in JD, which the first time looks like");
    sky_file_refuse("", "empty");
    sky_file_refuse("PAR1 and more", "Parquet");
}

/* ---- Gaia's own tables ------------------------------------------------- */

#define HEADINGS                                                                                   \
    "source_id,obs_time_bary_corr,centroid_pos_al,centroid_pos_error_al,scan_pos_angle,"           \
    "parallax_factor_al,obs_time_tcb,used_by_agis_al"
#define ROW_OF(id)                                                                                 \
    id ",86400000000,\"(9, 1.5, 2.5)\",\"(0.5, 0.25, 2e8)\",\"(0, 45, 90)\",0.1,"                  \
       "\"(236682000000000000, 236682000000000001, 236682005000000000)\",\"(false, true, "         \
       "true)\"\n"

static void csv_of_gaia(void **state)
{
    (void)state;
    sky_file file = sky_file_read(HEADINGS ",used_by_agis_al\n" ROW_OF(
        "9007199254740993") "9007199254740993,0,\"(1)\",\"(1)\",\"(5)\",0,\"(0)\",\"(true)\",0\n");
    /* The first row lacks a cell behind the second heading of the same name. */
    assert_int_equal(file.status, EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), ":2: this row has 8 cells"));

    file = sky_file_read(HEADINGS "\n" ROW_OF("9007199254740993") ROW_OF("9007199254740992"));
    assert_int_equal(file.status, EQUANT_SUCCESS);
    assert_int_equal(file.is_recognised, 1);
    assert_int_equal(file.n, 2);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(file.sources[0], &rows);
    /* The slot that AGIS did not use and the one without an uncertainty are out. */
    assert_int_equal(rows.n_rows, 1);
    assert_true(rows.time_days[0] == 86400000001.0 / 86400e9);
    assert_true(rows.abscissa_mas[0] == 1.5);
    assert_float_equal(rows.angle_rad[0], 45 * degree, 1e-15);
    assert_true(rows.parallax_factor[0] == (double)0.1f); /* as the other serialisations have it */
    assert_true(equant_astrometry_source_id(file.sources[0]) == 9007199254740993);
    assert_true(equant_astrometry_source_id(file.sources[1]) == 9007199254740992);
    assert_string_equal(equant_astrometry_name(file.sources[0]), "Gaia 9007199254740993");
    assert_true(sky_file_says(file.sources[0], "left out: 1 of 3 CCD measurements that AGIS"));
    assert_true(sky_file_says(file.sources[0], "left out: 1 CCD measurements whose uncertainty"));
    assert_true(sky_file_says(file.sources[0], "obs_time_bary_corr added"));
    sky_file_free(&file);

    static const char apart[] = HEADINGS "\n" ROW_OF("7") ROW_OF("8") ROW_OF("7");
    sky_file_refuse(apart, ":4: the rows of source 7 do not stand together");
    sky_file_refuse(HEADINGS "\n1,0,\"(1,2)\",\"(1,2,3)\",\"(5,5,5)\",0,\"(0,1,2)\",\"(1,1,1)\"\n",
                    ":2: centroid_pos_al has 2 values where others have 3");
    sky_file_refuse(HEADINGS "\n1,0,\"(1,x)\",1,1,0,1,true\n", ":2: centroid_pos_al is '(1,x)'");
}

static void one_source_of_many(void **state)
{
    (void)state;
    static const char both[] = HEADINGS "\n" ROW_OF("7") ROW_OF("8");
    equant_sky_reading options = {.struct_size = sizeof options, .source_id = 8};
    sky_file file = sky_file_read_bytes(both, sizeof both - 1, &options);
    assert_int_equal(file.n, 1);
    assert_true(equant_astrometry_source_id(file.sources[0]) == 8);
    sky_file_free(&file);
    options = (equant_sky_reading){.struct_size = sizeof options, .keep_rejected = 1};
    file = sky_file_read_bytes(both, sizeof both - 1, &options);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(file.sources[0], &rows);
    assert_int_equal(rows.n_rows, 1); /* a nanosecond apart is the same measurement */
    assert_true(sky_file_says(file.sources[0], "within 1 ms"));
    assert_true(sky_file_says(file.sources[0], "kept, as asked: 1 of 3"));
    sky_file_free(&file);
    options = (equant_sky_reading){.struct_size = sizeof options, .source_id = 9};
    file = sky_file_read_bytes(both, sizeof both - 1, &options);
    assert_non_null(strstr(equant_last_error(), "there is no source 9"));
    static const char plain[] = "t,w,sigma,psi_deg,f\n2457936.875,1,0.1,20,0.5\n";
    file = sky_file_read_bytes(plain, sizeof plain - 1, &options);
    assert_non_null(strstr(equant_last_error(), "no numbers of sources in this file; leave 9 out"));
}

/* Units that are not those of Gaia's own tables are seen by their size, and said. */
static void odd_units_are_told(void **state)
{
    (void)state;
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "%s\n", HEADINGS);
    for (int i = 0; i < 25; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "3,0,%d,0.5,%.4f,0.25,%lld,true\n", i,
                             0.25 * (i - 12), 236682000000000000LL + i * 86400000000000LL);
    sky_file file = sky_file_read(text);
    equant_sky_rows rows = only_rows(&file);
    assert_int_equal(rows.n_rows, 25);
    assert_float_equal(rows.angle_rad[0], -3, 1e-14);
    assert_true(sky_file_says(file.sources[0], "scan angles: read as radians"));
    assert_false(sky_file_says(file.sources[0], "outside of Gaia's mission"));
    sky_file_free(&file);
    file = sky_file_read(HEADINGS "\n3,0,1,0.5,10,0.25,-9000000000000000,true\n");
    assert_true(sky_file_says(file.sources[0], "outside of Gaia's mission"));
    assert_false(sky_file_says(file.sources[0], "radians"));
    sky_file_free(&file);
}

/* A hundred CCDs, a day apart, in a table whose clock shows `first` at J2017.5 and `step` more each
 * day, with a correction of `minute` to the barycentre. */
static sky_file table_of_clock(double first, double step, double minute)
{
    char text[16384];
    size_t used = (size_t)snprintf(text, sizeof text, "%s\n", HEADINGS);
    for (int i = 0; i < 100; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "3,%.9g,%d,0.5,%d,0.25,%.17g,true\n",
                             minute, i, 10 * i % 360, first + step * i);
    return sky_file_read(text);
}

/* The same scans whatever the times count; nothing is dropped. */
static void clocks_of_other_units_are_read(void **state)
{
    (void)state;
    static const struct {
        double first, step, minute, tolerance_days;
        const char *words[2];
    } clocks[] = {
        {236682e12, 86400e9, 60e9, 1e-9, {NULL, NULL}},
        {236682e12, 86400e9, 60, 1e-9, {NULL, "obs_time_bary_corr is read as seconds"}},
        {236682000, 86400, 60, 1e-9, {"read as seconds since 2010.0", "read as seconds"}},
        {2457936.875, 1, 60 / 86400.0, 1e-8, {"read as Julian dates", "read as days"}},
        {2457936.875, 1, 60e9, 1e-8, {"read as Julian dates", NULL}},
        {57936.375, 1, 60, 1e-8, {"read as modified Julian dates", "read as seconds"}},
        {2017.5, 1 / 365.25, 0, 1e-8, {"read as Julian years", NULL}},
    };
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        sky_file file = table_of_clock(clocks[i].first, clocks[i].step, clocks[i].minute);
        equant_sky_rows rows = only_rows(&file);
        double minute = clocks[i].minute != 0 ? 60 / 86400.0 : 0;
        assert_int_equal(rows.n_rows, 100);
        for (int k = 0; k < 100; k++)
            assert_float_equal(rows.time_days[k], k + minute, clocks[i].tolerance_days);
        for (int k = 0; k < 2; k++)
            assert_true(clocks[i].words[k] == NULL ||
                        sky_file_says(file.sources[0], clocks[i].words[k]));
        assert_int_equal(sky_file_says(file.sources[0], "by the size of the numbers"),
                         clocks[i].words[0] != NULL || clocks[i].words[1] != NULL);
        sky_file_free(&file);
    }
}

static void clocks_of_no_unit_are_refused(void **state)
{
    (void)state;
    static const struct {
        double first, step;
        const char *words;
    } clocks[] = {
        {2739.375, 1, ":2: obs_time_tcb is 2739.375, which is not a time from 2013 to 2040"},
        {7936.875, 1, ":2: obs_time_tcb is 7936.875"}, /* days since JD 2450000 */
        {236682e9, 86400e6, ":2: obs_time_tcb is"},    /* microseconds since 2010.0 */
        {2020, 1,
         ":23: obs_time_tcb is 2041, which is not a time from 2013 to 2040 in Julian years"},
        {236682e12, 1, "99 of 100 CCD measurements of source 3 are within 1 ms of another one"},
    };
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        sky_file file = table_of_clock(clocks[i].first, clocks[i].step, 0);
        assert_int_equal(file.status, EQUANT_ERROR_FORMAT);
        if (strstr(equant_last_error(), clocks[i].words) == NULL)
            fail_msg("'%s' lacks '%s'", equant_last_error(), clocks[i].words);
    }
}

static void ecsv_in_camel_case(void **state)
{
    (void)state;
    sky_file file = sky_file_read(
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: sourceId, datatype: int64}\n"
        "sourceId obsTimeTcb obsTimeBaryCorr centroidPosAl centroidPosErrorAl scanPosAngle "
        "parallaxFactorAl usedByAgisAl colourFactorAl\n"
        "5 [236682000000000000,236768400000000000] 0.0 [1.5,null] [0.5,0.5] [0.0,90.0] 0.25 "
        "[true,true] [0.125,0.25]\n");
    equant_sky_rows rows = only_rows(&file);
    assert_int_equal(rows.n_rows, 1);
    assert_true(rows.time_days[0] == 0 && rows.colour_factor[0] == 0.125);
    assert_true(sky_file_says(file.sources[0], "left out: 1 CCD measurements without a finite"));
    assert_non_null(strstr(equant_astrometry_format(file.sources[0]), "ECSV"));
    sky_file_free(&file);
}

static void streams_give_one_source_at_a_time(void **state)
{
    (void)state;
    sky_file file = {0};
    static const char text[] = HEADINGS "\n" ROW_OF("7") ROW_OF("8") "9,0,1,1,1,0,1,false\n";
    sky_file_write(&file, text, sizeof text - 1);
    equant_sky_stream *stream = NULL;
    assert_int_equal(equant_sky_stream_open(file.path, NULL, &stream), 0);
    for (int64_t id = 7; id <= 8; id++) {
        equant_astrometry *source = NULL;
        assert_int_equal(equant_sky_stream_next(stream, &source), 0);
        assert_true(equant_astrometry_source_id(source) == id);
        equant_astrometry_free(source);
    }
    equant_astrometry *behind = (void *)&file;
    assert_int_equal(equant_sky_stream_next(stream, &behind), 0);
    assert_null(behind);
    assert_int_equal(equant_sky_stream_n_left_out(stream), 1);
    equant_sky_stream_free(stream);
    unlink(file.path);
    assert_int_equal(equant_sky_stream_open("/nowhere/at/all", NULL, &stream), EQUANT_ERROR_IO);
    assert_int_equal(equant_sky_stream_open(NULL, NULL, &stream), EQUANT_ERROR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_bh3),
        cmocka_unit_test(named_columns_in_any_order),
        cmocka_unit_test(flattened_table_of_the_prerelease),
        cmocka_unit_test(rows_that_cannot_be_used_are_told),
        cmocka_unit_test(csv_of_gaia),
        cmocka_unit_test(one_source_of_many),
        cmocka_unit_test(odd_units_are_told),
        cmocka_unit_test(clocks_of_other_units_are_read),
        cmocka_unit_test(clocks_of_no_unit_are_refused),
        cmocka_unit_test(ecsv_in_camel_case),
        cmocka_unit_test(streams_give_one_source_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
