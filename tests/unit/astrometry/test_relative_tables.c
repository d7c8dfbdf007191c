/* Positions of companions, scans of GOST, and rows of the catalogue of accelerations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/astrometry/sky_file.h"

static const double degree = 3.14159265358979323846 / 180;

static equant_sky_rows rows_of(const sky_file *file, size_t source)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (file->status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    assert_true(source < file->n);
    assert_int_equal(equant_astrometry_rows(file->sources[source], &rows), 0);
    return rows;
}

/* What the two rows k, k + 1 say of a point: its offsets and their covariance. */
static void point_of(const equant_sky_rows *rows, size_t k, double point[2], double covariance[3])
{
    double n[2][2] = {{0}}, right[2] = {0};
    for (size_t i = k; i < k + 2; i++) {
        double s = sin(rows->angle_rad[i]), c = cos(rows->angle_rad[i]);
        double weight = pow(rows->uncertainty_mas[i], -2);
        n[0][0] += weight * s * s;
        n[0][1] += weight * s * c;
        n[1][1] += weight * c * c;
        right[0] += weight * s * rows->abscissa_mas[i];
        right[1] += weight * c * rows->abscissa_mas[i];
    }
    double determinant = n[0][0] * n[1][1] - n[0][1] * n[0][1];
    covariance[0] = n[1][1] / determinant;
    covariance[1] = -n[0][1] / determinant;
    covariance[2] = n[0][0] / determinant;
    point[0] = covariance[0] * right[0] + covariance[1] * right[1];
    point[1] = covariance[1] * right[0] + covariance[2] * right[1];
}

static void separations_of_orbitize(void **state)
{
    (void)state;
    sky_file file = sky_file_read("epoch,object,sep,sep_err,pa,pa_err,seppa_corr,rv,rv_err\n"
                                  "57936.375,1,200,10,30,1.5,0.5,,\n57937.375,2,100,10,0,6,,,\n"
                                  "57938,1,,,,,,12,1\n");
    equant_sky_rows rows = rows_of(&file, 0);
    double point[2], covariance[3];
    assert_int_equal(file.is_recognised, 1);
    assert_int_equal(file.n, 2);
    assert_int_equal(rows.n_rows, 2);
    assert_int_equal(rows.kind[0], EQUANT_SKY_COMPANION);
    assert_true(rows.time_days[0] == 0 && rows.parallax_factor[0] == 0);
    point_of(&rows, 0, point, covariance);
    assert_float_equal(point[0], 200 * sin(30 * degree), 1e-10);
    assert_float_equal(point[1], 200 * cos(30 * degree), 1e-10);
    /* the rotated covariance, written out */
    double sr = 10, st = 200 * 1.5 * degree, c = 0.5 * sr * st;
    double s = sin(30 * degree), k = cos(30 * degree);
    assert_float_equal(covariance[0], sr * sr * s * s + st * st * k * k + 2 * c * s * k, 1e-9);
    assert_float_equal(covariance[2], sr * sr * k * k + st * st * s * s - 2 * c * s * k, 1e-9);
    assert_float_equal(covariance[1], (sr * sr - st * st) * s * k + c * (k * k - s * s), 1e-9);
    assert_true(sky_file_says(file.sources[0], "not read here: 1 rows"));
    assert_true(sky_file_says(file.sources[1], "above 5 degrees"));
    assert_string_equal(equant_astrometry_name(file.sources[1]), "companion 2");
    sky_file_free(&file);
}

static void offsets_of_orbitize(void **state)
{
    (void)state;
    sky_file file = sky_file_read("epoch,object,raoff,raoff_err,decoff,decoff_err,radec_corr\n"
                                  "57936.375,1,-30,2,40,1,-0.25\n");
    equant_sky_rows rows = rows_of(&file, 0);
    double point[2], covariance[3];
    point_of(&rows, 0, point, covariance);
    assert_float_equal(point[0], -30, 1e-10);
    assert_float_equal(point[1], 40, 1e-10);
    assert_float_equal(covariance[0], 4, 1e-10);
    assert_float_equal(covariance[1], -0.5, 1e-10);
    assert_float_equal(covariance[2], 1, 1e-10);
    sky_file_free(&file);
    file =
        sky_file_read("epoch,object,quant1,quant1_err,quant2,quant2_err,quant12_corr,quant_type\n"
                      "57936.375,1,-30,2,40,1,-0.25,radec\n57936.375,1,50,1,90,1,,seppa\n");
    rows = rows_of(&file, 0);
    assert_int_equal(rows.n_rows, 4);
    point_of(&rows, 2, point, covariance);
    assert_float_equal(point[0], 50, 1e-10);
    sky_file_free(&file);
}

static void velocities_of_the_star_stay_velocities(void **state)
{
    (void)state;
    sky_file file = sky_file_read("epoch,object,sep,sep_err,pa,pa_err,rv,rv_err\n"
                                  "57936.375,1,200,10,30,1.5,,\n57938,0,,,,,0.5,0.001\n");
    equant_sky_rows rows = rows_of(&file, 0);
    assert_int_equal(file.is_recognised, 0); /* `equant data` reads its velocities */
    assert_int_equal(rows.n_rows, 2);
    sky_file_free(&file);
}

static void positions_of_orvara(void **state)
{
    (void)state;
    sky_file file =
        sky_file_read("# Date     Sep    Err_Sep      PA  Err_PA  Sep_PA_Corr  PlanetID\n"
                      " 2017.5   0.600    0.010   90.0     1.0            0         0\n");
    equant_sky_rows rows = rows_of(&file, 0);
    double point[2], covariance[3];
    assert_int_equal(file.is_recognised, 1);
    assert_float_equal(rows.time_days[0], 0, 1e-9);
    point_of(&rows, 0, point, covariance);
    assert_float_equal(point[0], 600, 1e-9);
    assert_float_equal(point[1], 0, 1e-9);
    assert_float_equal(sqrt(covariance[2]), 600 * degree, 1e-9);
    sky_file_free(&file);
}

static void bad_positions_are_refused(void **state)
{
    (void)state;
    sky_file_refuse("epoch,object,sep,sep_err,pa,pa_err\n57936,1,200,0,30,1\n",
                    ":2: separation and errors");
    sky_file_refuse("epoch,object,sep,sep_err,pa,pa_err\n57936,0,200,1,30,1\n",
                    ":2: a position needs a date");
    sky_file_refuse("epoch,object,sep,sep_err,pa,pa_err\n57936,1,far,1,30,1\n", ":2: a cell");
    sky_file_refuse("epoch,object,sep,sep_err,pa,pa_err\n57936,1,200\n", ":2: this row has not");
    sky_file_refuse("epoch,object,sep,sep_err,pa,pa_err\n236682000,1,200,1,30,1\n",
                    ":2: the date of a position is neither MJD nor JD");
    sky_file_refuse("# Date  Sep  Err_Sep  PA  Err_PA  Sep_PA_Corr  PlanetID\n"
                    "57936.4 0.6 0.01 90.0 1.0 0 0\n",
                    ":2: the date of a position is not a year");
}

static void scans_of_gost(void **state)
{
    (void)state;
    sky_file file =
        sky_file_read("Target, ra[rad], scanAngle[rad], parallaxFactorAlongScan, "
                      "ObservationTimeAtBarycentre[BarycentricJulianDateInTCB]\n"
                      "bet Pic,1.5,-2.5,0.5,2457937.875\nbet Pic,1.5,0.5,0.25,2457936.875\n"
                      "bet Pic,1.5,0.5,0.25,2457936.875\nother,1.5,0.5,0.25,2457936.875\n");
    equant_sky_rows rows = rows_of(&file, 0);
    assert_int_equal(file.is_recognised, 1);
    assert_int_equal(file.n, 2);
    assert_int_equal(rows.n_rows, 2);
    assert_int_equal(rows.kind[0], EQUANT_SKY_SCAN);
    assert_true(rows.time_days[0] == 0 && rows.time_days[1] == 1);
    assert_true(rows.angle_rad[1] == -2.5 && rows.parallax_factor[1] == 0.5);
    assert_true(sky_file_says(file.sources[0], "left out: 1 scans"));
    assert_string_equal(equant_astrometry_name(file.sources[0]), "bet Pic");
    sky_file_free(&file);
    sky_file_refuse("Target,scanAngle[rad],parallaxFactorAlongScan,ObservationTimeAtBarycentre[]\n"
                    "x,0.5,0.25,soon\n",
                    ":2: a scan of GOST");
}

static void motions_need_a_catalogue(void **state)
{
    (void)state;
    equant_sky_motions motions = {.struct_size = sizeof motions};
    assert_int_not_equal(equant_sky_motions_read("/nowhere/at/all", 1, &motions), 0);
    assert_int_not_equal(equant_sky_motions_read(NULL, 1, &motions), 0);
    assert_true(motions.hip_id == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separations_of_orbitize),
        cmocka_unit_test(offsets_of_orbitize),
        cmocka_unit_test(velocities_of_the_star_stay_velocities),
        cmocka_unit_test(positions_of_orvara),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(scans_of_gost),
        cmocka_unit_test(motions_need_a_catalogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
