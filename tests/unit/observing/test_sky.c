/* The sky over places, against astropy and astroplan: tests/fixtures/observing, which
 * tools/make_sky_reference.py has made. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { MOST_CELLS = 20 };

static FILE *open_reference(const char *name)
{
    char path[1024];
    const char *source = getenv("EQUANT_SOURCE");
    snprintf(path, sizeof path, "%s/tests/fixtures/observing/%s", source != NULL ? source : ".",
             name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* The cells of the next row, in place. */
static int read_row(FILE *file, char *line, int n_line, char *cells[MOST_CELLS])
{
    int n = 0;
    if (fgets(line, n_line, file) == NULL)
        return 0;
    for (char *cell = strtok(line, ",\n"); cell != NULL && n < MOST_CELLS;
         cell = strtok(NULL, ",\n"))
        cells[n++] = cell;
    return n;
}

static bool has_sky(void)
{
    const equant_site site = {.struct_size = sizeof site};
    const equant_star_position star = {.struct_size = sizeof star};
    equant_sky_conditions sky = {.struct_size = sizeof sky};
    return equant_sky_conditions_at(&site, &star, 2460000.5, &sky) != EQUANT_ERROR_UNAVAILABLE;
}

static double turned(double degrees)
{
    return fabs(remainder(degrees, 360.0));
}

static void altitudes_are_those_of_astropy(void **state)
{
    (void)state;
    char line[1024], *cells[MOST_CELLS];
    double worst[8] = {0};
    int n_rows = 0;
    if (!has_sky())
        skip();
    FILE *file = open_reference("conditions.csv");
    read_row(file, line, sizeof line, cells);
    while (read_row(file, line, sizeof line, cells) == 16) {
        double at[16];
        for (int i = 0; i < 16; i++)
            at[i] = strtod(cells[i], NULL);
        const equant_site site = {.struct_size = sizeof site,
                                  .longitude_deg = at[0],
                                  .latitude_deg = at[1],
                                  .height_m = at[2]};
        const equant_star_position star = {.struct_size = sizeof star,
                                           .ra_deg = at[3],
                                           .dec_deg = at[4],
                                           .pm_ra_mas_per_yr = at[5],
                                           .pm_dec_mas_per_yr = at[6]};
        equant_sky_conditions sky = {.struct_size = sizeof sky};
        assert_int_equal(equant_sky_conditions_at(&site, &star, at[7], &sky), EQUANT_SUCCESS);
        double errors[8] = {
            fabs(sky.altitude_deg - at[8]),
            turned(sky.azimuth_deg - at[9]) * cos(at[8] * 0.0174533),
            fabs(sky.sun_altitude_deg - at[10]),
            fabs(sky.moon_altitude_deg - at[11]),
            fabs(sky.moon_separation_deg - at[12]),
            fabs(sky.moon_illumination - at[13]),
            fabs(sky.bjd_tdb - sky.jd_utc - at[14]) * 86400.0,
            fabs(sky.barycentric_velocity_m_s - at[15]),
        };
        for (int i = 0; i < 8; i++)
            worst[i] = fmax(worst[i], errors[i]);
        n_rows++;
    }
    fclose(file);
    print_message("worst of %d: star %.4f, %.4f, sun %.4f, moon %.4f, %.4f deg, lit %.4f; BJD "
                  "%.4f s; velocity %.2f m/s\n",
                  n_rows, worst[0], worst[1], worst[2], worst[3], worst[4], worst[5], worst[6],
                  worst[7]);
    assert_int_equal(n_rows, 64);
    assert_true(worst[0] < 0.02 && worst[1] < 0.02 && worst[2] < 0.02);
    assert_true(worst[3] < 0.02 && worst[4] < 0.02); /* half a degree would do */
    assert_true(worst[5] < 0.01);
    assert_true(worst[6] < 0.01);
    assert_true(worst[7] < 20.0); /* astropy's has terms of relativity */
}

static double event_of(const equant_night *night, const char *name)
{
    const struct {
        const char *name;
        double jd;
    } events[] = {
        {"sunset", night->sunset_jd_utc},
        {"sunrise", night->sunrise_jd_utc},
        {"dusk", night->dusk_jd_utc},
        {"dawn", night->dawn_jd_utc},
        {"dark_start", night->dark_start_jd_utc},
        {"dark_end", night->dark_end_jd_utc},
        {"rise", night->rise_jd_utc},
        {"set", night->set_jd_utc},
        {"transit", night->transit_jd_utc},
        {"moon_rise", night->moon_rise_jd_utc},
        {"moon_set", night->moon_set_jd_utc},
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (strcmp(events[i].name, name) == 0)
            return events[i].jd;
    return NAN;
}

static void risings_are_those_of_astroplan(void **state)
{
    (void)state;
    char line[1024], *cells[MOST_CELLS];
    double worst_s = 0.0, worst_moon_s = 0.0;
    int n_rows = 0;
    if (!has_sky())
        skip();
    const equant_observing_limits limits = {.struct_size = sizeof limits, .altitude_min_deg = -1.0};
    FILE *file = open_reference("events.csv");
    read_row(file, line, sizeof line, cells);
    while (read_row(file, line, sizeof line, cells) == 10) {
        const equant_site site = {.struct_size = sizeof site,
                                  .longitude_deg = strtod(cells[0], NULL),
                                  .latitude_deg = strtod(cells[1], NULL),
                                  .height_m = strtod(cells[2], NULL)};
        const equant_star_position star = {.struct_size = sizeof star,
                                           .ra_deg = strtod(cells[4], NULL),
                                           .dec_deg = strtod(cells[5], NULL),
                                           .pm_ra_mas_per_yr = strtod(cells[6], NULL),
                                           .pm_dec_mas_per_yr = strtod(cells[7], NULL)};
        double expected = strtod(cells[9], NULL), date;
        equant_nights *nights = NULL;
        equant_night night = {.struct_size = sizeof night};
        assert_int_equal(equant_utc_read(cells[3], &date), EQUANT_SUCCESS);
        double noon = date + 0.5 - site.longitude_deg / 360.0;
        assert_int_equal(
            equant_nights_create(1, &site, &star, noon + 0.01, noon + 0.99, &limits, &nights),
            EQUANT_SUCCESS);
        assert_int_equal(equant_nights_n(nights), 1);
        assert_int_equal(equant_nights_at(nights, 0, &night), EQUANT_SUCCESS);
        assert_string_equal(night.date, cells[3]);
        double error_s = fabs(event_of(&night, cells[8]) - expected) * 86400.0;
        if (!(error_s < 30.0))
            print_message("%s %s %s %s: %.1f s\n", cells[1], cells[3], cells[5], cells[8], error_s);
        assert_true(error_s < 30.0);
        double *worst = strncmp(cells[8], "moon", 4) == 0 ? &worst_moon_s : &worst_s;
        *worst = fmax(*worst, error_s);
        equant_nights_free(nights);
        n_rows++;
    }
    fclose(file);
    print_message("worst of %d: %.2f s, of the moon %.2f s\n", n_rows, worst_s, worst_moon_s);
    assert_true(n_rows > 150);
}

/* Pickering's formula gives 1 at the zenith, and 38.75 at the horizon (his own figures). */
static void airmasses_are_pickerings(void **state)
{
    (void)state;
    const equant_site site = {.struct_size = sizeof site};
    equant_star_position star = {.struct_size = sizeof star};
    equant_sky_conditions sky = {.struct_size = sizeof sky};
    if (!has_sky())
        skip();
    for (star.ra_deg = 0.0; star.ra_deg < 360.0; star.ra_deg += 7.0) {
        assert_int_equal(equant_sky_conditions_at(&site, &star, 2460000.5, &sky), EQUANT_SUCCESS);
        double z = (90.0 - sky.altitude_deg) * 0.017453292519943295;
        if (sky.altitude_deg > 25.0)
            assert_true(fabs(sky.airmass * cos(z) - 1.0) < 0.008);
        else if (sky.altitude_deg < 0.0)
            assert_true(isinf(sky.airmass));
        else
            assert_true(sky.airmass < 38.8 && sky.airmass > 2.0);
    }
}

static void ages_without_leap_seconds_are_refused(void **state)
{
    (void)state;
    const equant_site site = {.struct_size = sizeof site};
    const equant_star_position star = {.struct_size = sizeof star};
    equant_sky_conditions sky = {.struct_size = sizeof sky};
    if (!has_sky())
        skip();
    assert_int_equal(equant_sky_conditions_at(&site, &star, 2430000.5, &sky),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "1972"));
    assert_int_equal(equant_sky_conditions_at(&site, &star, NAN, &sky),
                     EQUANT_ERROR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(altitudes_are_those_of_astropy),
        cmocka_unit_test(risings_are_those_of_astroplan),
        cmocka_unit_test(airmasses_are_pickerings),
        cmocka_unit_test(ages_without_leap_seconds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
