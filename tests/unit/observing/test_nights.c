/* Nights and windows: laws that they keep, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

static const equant_star_position hd164922 = {
    .struct_size = sizeof hd164922, .ra_deg = 270.629, .dec_deg = 26.313};

static equant_site site_named(const char *name)
{
    equant_site site = {.struct_size = sizeof site};
    assert_int_equal(equant_site_find(name, &site), EQUANT_SUCCESS);
    return site;
}

static double time_of(const char *text)
{
    double jd;
    assert_int_equal(equant_utc_read(text, &jd), EQUANT_SUCCESS);
    return jd;
}

static bool has_sky(void)
{
    const equant_site site = {.struct_size = sizeof site};
    equant_sky_conditions sky = {.struct_size = sizeof sky};
    return equant_sky_conditions_at(&site, &hd164922, 2460000.5, &sky) != EQUANT_ERROR_UNAVAILABLE;
}

static equant_nights *make_nights(const char *place, const equant_star_position *star,
                                  const char *from, const char *to,
                                  const equant_observing_limits *limits)
{
    equant_nights *nights = NULL;
    equant_site site = site_named(place);
    if (equant_nights_create(1, &site, star, time_of(from), time_of(to), limits, &nights) !=
        EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return nights;
}

static void windows_keep_all_limits(void **state)
{
    (void)state;
    if (!has_sky())
        skip();
    const equant_observing_limits limits = {.struct_size = sizeof limits,
                                            .sun_altitude_deg = -18.0,
                                            .airmass_max = 1.6,
                                            .moon_separation_deg = 60.0};
    equant_site site = site_named("Mauna Kea");
    equant_nights *nights =
        make_nights("mauna kea", &hd164922, "2026-06-01", "2026-07-01", &limits);
    size_t n = equant_nights_n_windows(nights);
    double hours = 0.0, hours_of_nights = 0.0;
    assert_int_equal(equant_nights_n(nights), 31);
    assert_true(n > 15 && n < 60);
    for (size_t i = 0; i < n; i++) {
        equant_window window = {.struct_size = sizeof window};
        assert_int_equal(equant_nights_window(nights, i, &window), EQUANT_SUCCESS);
        hours += 24.0 * (window.end_jd_utc - window.start_jd_utc);
        for (int k = 0; k <= 10; k++) {
            equant_sky_conditions sky = {.struct_size = sizeof sky};
            double jd = window.start_jd_utc + k / 10.0 * (window.end_jd_utc - window.start_jd_utc);
            assert_int_equal(equant_sky_conditions_at(&site, &hd164922, jd, &sky), EQUANT_SUCCESS);
            assert_true(sky.sun_altitude_deg < -18.0 + 2e-3);
            assert_true(sky.airmass < 1.6 + 1e-3);
            assert_true(sky.moon_altitude_deg < -0.8 || sky.moon_separation_deg > 60.0 - 1e-2);
        }
    }
    for (size_t i = 0; i < equant_nights_n(nights); i++) {
        equant_night night = {.struct_size = sizeof night};
        assert_int_equal(equant_nights_at(nights, i, &night), EQUANT_SUCCESS);
        hours_of_nights += night.hours;
        assert_true(night.hours > 0.0 || night.reason[0] != '\0');
    }
    assert_true(fabs(hours - hours_of_nights) < 1e-6);
    equant_nights_free(nights);
}

static void times_keep_their_gap(void **state)
{
    (void)state;
    if (!has_sky())
        skip();
    equant_nights *nights =
        make_nights("La Palma", &hd164922, "2026-06-01T12:00", "2026-06-11T12:00", NULL);
    assert_int_equal(equant_nights_find_times(nights, 0.0, 0.0), EQUANT_SUCCESS);
    size_t n_all = equant_nights_n_times(nights);
    assert_true(n_all > 300 && n_all < 600);
    double before = 0.0;
    for (size_t i = 0; i < n_all; i++) {
        equant_sky_conditions sky = {.struct_size = sizeof sky};
        assert_int_equal(equant_nights_time(nights, i, NULL, &sky), EQUANT_SUCCESS);
        assert_true(sky.jd_utc > before);
        assert_true(fabs(remainder(sky.jd_utc - 0.5, 1.0 / 144.0)) < 1e-8);
        before = sky.jd_utc;
    }
    assert_int_equal(equant_nights_find_times(nights, 10.0, 12.0), EQUANT_SUCCESS);
    assert_int_equal(equant_nights_n_times(nights), 10);
    assert_int_equal(equant_nights_find_times(nights, 10.0, 30.0), EQUANT_SUCCESS);
    assert_true(equant_nights_n_times(nights) <= 6);
    assert_int_equal(equant_nights_find_times(nights, -1.0, 0.0), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_nights_free(nights);
}

static void sites_take_turns(void **state)
{
    (void)state;
    if (!has_sky())
        skip();
    const equant_site sites[] = {site_named("Mauna Kea"), site_named("La Palma")};
    equant_nights *nights = NULL;
    assert_int_equal(equant_nights_create(2, sites, &hd164922, time_of("2026-06-10T12:00"),
                                          time_of("2026-06-13T12:00"), NULL, &nights),
                     EQUANT_SUCCESS);
    double before = 0.0;
    size_t n_of[2] = {0, 0};
    for (size_t i = 0; i < equant_nights_n(nights); i++) {
        equant_night night = {.struct_size = sizeof night};
        assert_int_equal(equant_nights_at(nights, i, &night), EQUANT_SUCCESS);
        assert_true(night.noon_jd_utc >= before);
        before = night.noon_jd_utc;
        n_of[night.site]++;
    }
    assert_true(n_of[0] >= 3 && n_of[1] >= 3);
    equant_nights_free(nights);
}

static void slots_are_heeded(void **state)
{
    (void)state;
    static const char text[] = "night,site\n2026-06-12,La Palma\n2026-06-14,\n2026-06-15,Paranal\n";
    equant_slots *slots = NULL;
    if (!has_sky())
        skip();
    assert_int_equal(equant_slots_from_text(text, strlen(text), "slots.csv", &slots),
                     EQUANT_SUCCESS);
    const equant_observing_limits limits = {.struct_size = sizeof limits, .slots = slots};
    equant_nights *nights = make_nights("la palma", &hd164922, "2026-06-10", "2026-06-20", &limits);
    size_t n_with_hours = 0;
    for (size_t i = 0; i < equant_nights_n(nights); i++) {
        equant_night night = {.struct_size = sizeof night};
        assert_int_equal(equant_nights_at(nights, i, &night), EQUANT_SUCCESS);
        bool is_slot =
            strcmp(night.date, "2026-06-12") == 0 || strcmp(night.date, "2026-06-14") == 0;
        assert_int_equal(night.hours > 0.0, is_slot);
        n_with_hours += night.hours > 0.0;
        if (!is_slot)
            assert_string_equal(night.reason, "outside the interval or its slots");
    }
    assert_int_equal(n_with_hours, 2);
    equant_nights_free(nights);
    equant_slots_free(slots);
}

static void expect_refusal(const char *place, const equant_star_position *star, const char *from,
                           const char *to, const char *words)
{
    equant_nights *nights = NULL;
    equant_site site = site_named(place);
    assert_int_equal(
        equant_nights_create(1, &site, star, time_of(from), time_of(to), NULL, &nights),
        EQUANT_ERROR_INVALID_ARGUMENT);
    if (strstr(equant_last_error(), words) == NULL)
        fail_msg("%s", equant_last_error());
}

static void stars_that_never_rise_are_refused(void **state)
{
    (void)state;
    const equant_star_position polaris = {
        .struct_size = sizeof polaris, .ra_deg = 37.95, .dec_deg = 89.26};
    const equant_star_position capella = {
        .struct_size = sizeof capella, .ra_deg = 79.17, .dec_deg = 45.998};
    expect_refusal("La Silla", &polaris, "2026-06-01", "2026-07-01", "never rises at La Silla");
    expect_refusal("La Silla", &capella, "2026-06-01", "2026-07-01", "never rises above 14.7");
    expect_refusal("La Silla", &hd164922, "2026-07-01", "2026-06-01", "later end");
    expect_refusal("La Palma", &hd164922, "1950-07-01", "1951-06-01", "1972");
    expect_refusal("La Palma", &hd164922, "1972-07-01", "2099-06-01", "nights");
}

static void the_poles_have_long_nights(void **state)
{
    (void)state;
    const equant_star_position canopus = {
        .struct_size = sizeof canopus, .ra_deg = 95.99, .dec_deg = -52.7};
    equant_night night = {.struct_size = sizeof night};
    if (!has_sky())
        skip();
    equant_nights *summer = make_nights("Dome C", &canopus, "2026-12-10", "2026-12-20", NULL);
    assert_int_equal(equant_nights_n_windows(summer), 0);
    if (strstr(equant_nights_trouble(summer), "the sun does not sink below -12 degrees") == NULL)
        fail_msg("%s", equant_nights_trouble(summer));
    assert_int_equal(equant_nights_at(summer, 0, &night), EQUANT_SUCCESS);
    assert_int_equal(night.kind, EQUANT_NIGHT_NEVER_DARK);
    assert_true(isnan(night.sunset_jd_utc) && isnan(night.best_jd_utc));
    equant_nights_free(summer);

    const equant_site pole = {
        .struct_size = sizeof pole, .name = "the pole", .latitude_deg = -89.99};
    equant_nights *winter = NULL;
    assert_int_equal(equant_nights_create(1, &pole, &canopus, time_of("2026-06-18"),
                                          time_of("2026-06-22"), NULL, &winter),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_nights_at(winter, 1, &night), EQUANT_SUCCESS);
    assert_int_equal(night.kind, EQUANT_NIGHT_ALL_DARK);
    assert_true(isnan(night.dusk_jd_utc) && night.hours > 23.99);
    assert_string_equal(equant_nights_trouble(winter), "");
    equant_nights_free(winter);
}

/* Each failure is a status with a sentence, whatever is NULL. */
static void nothing_is_taken_for_granted(void **state)
{
    (void)state;
    equant_site site = site_named("Lick");
    equant_nights *nights = NULL;
    const equant_observing_limits impossible = {.struct_size = sizeof impossible,
                                                .airmass_max = 0.5};
    assert_int_equal(equant_nights_create(0, &site, &hd164922, 2460000, 2460001, NULL, &nights),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_nights_create(1, &site, NULL, 2460000, 2460001, NULL, &nights),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(
        equant_nights_create(1, &site, &hd164922, 2460000, 2460001, &impossible, &nights),
        EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "airmass"));
    assert_int_equal(equant_nights_n(NULL), 0);
    equant_nights_free(NULL);
    equant_slots_free(NULL);
    equant_calendar_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_keep_all_limits),
        cmocka_unit_test(times_keep_their_gap),
        cmocka_unit_test(sites_take_turns),
        cmocka_unit_test(slots_are_heeded),
        cmocka_unit_test(stars_that_never_rise_are_refused),
        cmocka_unit_test(the_poles_have_long_nights),
        cmocka_unit_test(nothing_is_taken_for_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
