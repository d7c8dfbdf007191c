/* Sites, positions and dates as people write them; slots from tables and calendars. */
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

static void expect_words(const char *words)
{
    if (strstr(equant_last_error(), words) == NULL)
        fail_msg("%s", equant_last_error());
}

static void sites_are_found_by_many_names(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *name;
    } cases[] = {{"La Silla", "La Silla"}, {"lasilla", "La Silla"},    {"la_silla", "La Silla"},
                 {"Keck", "Mauna Kea"},    {"MAUNA KEA", "Mauna Kea"}, {"HARPS-N", "La Palma"},
                 {"ohp", "OHP"},           {"kitt-peak", "Kitt Peak"}, {"APF", "Lick"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        equant_site site = {.struct_size = sizeof site};
        assert_int_equal(equant_site_find(cases[i].typed, &site), EQUANT_SUCCESS);
        assert_string_equal(site.name, cases[i].name);
    }
    for (size_t i = 0; i < equant_n_sites(); i++) {
        equant_site site = {.struct_size = sizeof site}, same = {.struct_size = sizeof same};
        assert_int_equal(equant_site_at(i, &site), EQUANT_SUCCESS);
        assert_int_equal(equant_site_find(site.name, &same), EQUANT_SUCCESS);
        assert_true(site.longitude_deg == same.longitude_deg && site.source[0] != '\0');
    }
}

static void other_sites_are_told(void **state)
{
    (void)state;
    equant_site site = {.struct_size = sizeof site};
    assert_int_equal(equant_site_find("-70.5,-30.25,2400", &site), EQUANT_SUCCESS);
    assert_true(site.longitude_deg == -70.5 && site.latitude_deg == -30.25 &&
                site.height_m == 2400.0);
    assert_int_equal(equant_site_find("La Sila", &site), EQUANT_ERROR_INVALID_ARGUMENT);
    expect_words("did you mean 'La Silla'?");
    assert_int_equal(equant_site_find("Atlantis Deep Station", &site),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    expect_words("LONGITUDE,LATITUDE");
    assert_int_equal(equant_site_find("10,95", &site), EQUANT_ERROR_INVALID_ARGUMENT);
    expect_words("there is no place at");
}

static void positions_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *ra, *dec;
        double ra_deg, dec_deg;
    } cases[] = {
        {"18:02:30.862", "+26:18:46.81", 270.62859166666667, 26.313002777777776},
        {"18h02m30.862s", "26d18m46.81s", 270.62859166666667, 26.313002777777776},
        {"18 02 30.862", "26 18 46.81", 270.62859166666667, 26.313002777777776},
        {"270.5", "-0.25", 270.5, -0.25},
        {"6h", "-00:30:00", 90.0, -0.5},
        {"00:00:00", "-90", 0.0, -90.0},
    };
    static const char *const bad[][2] = {{"25:00:00", "0"}, {"370", "0"},     {"-5", "0"},
                                         {"10:61:00", "0"}, {"10:00", "91"},  {"ten", "0"},
                                         {"", "0"},         {"1:2:3:4", "0"}, {"10", "5h"}};
    equant_star_position star = {.struct_size = sizeof star};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(equant_star_position_read(cases[i].ra, cases[i].dec, &star),
                         EQUANT_SUCCESS);
        assert_true(fabs(star.ra_deg - cases[i].ra_deg) < 1e-9);
        assert_true(fabs(star.dec_deg - cases[i].dec_deg) < 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(equant_star_position_read(bad[i][0], bad[i][1], &star),
                         EQUANT_ERROR_INVALID_ARGUMENT);
}

static void dates_go_there_and_back(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *text;
        double jd;
    } cases[] = {
        {"2000-01-01T12:00", "2000-01-01T12:00:00", 2451545.0},
        {"2026-11-16", "2026-11-16T00:00:00", 2461360.5},
        {"2024-02-29 23:59:59.9Z", "2024-03-01T00:00:00", 2460370.5 - 0.1 / 86400.0},
        {"20240229T060000Z", "2024-02-29T06:00:00", 2460369.75},
        {"2451545.25", "2000-01-01T18:00:00", 2451545.25},
    };
    static const char *const bad[] = {"2026-13-01",
                                      "2026-02-30",
                                      "tomorrow",
                                      "2026-11-16T25:00",
                                      "12345",
                                      "",
                                      "2026-11-16T10:00+02:00"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[EQUANT_UTC_TEXT_BYTES];
        double jd;
        assert_int_equal(equant_utc_read(cases[i].typed, &jd), EQUANT_SUCCESS);
        assert_true(fabs(jd - cases[i].jd) < 1e-8);
        assert_int_equal(equant_utc_text(jd, text, sizeof text), EQUANT_SUCCESS);
        assert_string_equal(text, cases[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double jd = 0.0;
        assert_int_equal(equant_utc_read(bad[i], &jd), EQUANT_ERROR_INVALID_ARGUMENT);
    }
}

static equant_slots *slots_of(const char *text)
{
    equant_slots *slots = NULL;
    if (equant_slots_from_text(text, strlen(text), "slots", &slots) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return slots;
}

static void tables_become_slots(void **state)
{
    (void)state;
    equant_slot slot = {.struct_size = sizeof slot};
    equant_slots *dates = slots_of("# my nights\n2026-11-16\n2026-11-18\n");
    assert_int_equal(equant_slots_n(dates), 2);
    assert_int_equal(equant_slots_at(dates, 1, &slot), EQUANT_SUCCESS);
    assert_true(slot.is_night && slot.start_jd_utc == 2461362.5);
    equant_slots_free(dates);

    equant_slots *times = slots_of("label,start,end,site\n"
                                   "half,2026-11-16T22:00,2026-11-17 03:30:00Z,\"La Palma\"\n");
    assert_int_equal(equant_slots_at(times, 0, &slot), EQUANT_SUCCESS);
    assert_int_equal(slot.is_night, 0);
    assert_true(fabs((slot.end_jd_utc - slot.start_jd_utc) * 24.0 - 5.5) < 1e-6);
    assert_string_equal(slot.site, "La Palma");
    assert_string_equal(slot.label, "half");
    equant_slots_free(times);
}

static const char calendar[] = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
                               "BEGIN:VEVENT\r\nDTSTART:20261116T220000Z\r\nDURATION:PT2H30M\r\n"
                               "SUMMARY:second\r\n  half\\, bright\r\nLOCATION:La Silla\r\n"
                               "END:VEVENT\r\n"
                               "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261120\r\n"
                               "DTEND;VALUE=DATE:20261123\r\nLOCATION:my desk\r\nEND:VEVENT\r\n"
                               "BEGIN:VEVENT\r\nDTSTART:20261201T220000Z\r\nDTEND:"
                               "20261201T230000Z\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n"
                               "END:VCALENDAR\r\n";

static void calendars_become_slots(void **state)
{
    (void)state;
    equant_slot slot = {.struct_size = sizeof slot};
    equant_slots *slots = slots_of(calendar);
    assert_int_equal(equant_slots_n(slots), 4);
    assert_int_equal(equant_slots_at(slots, 0, &slot), EQUANT_SUCCESS);
    assert_true(fabs((slot.end_jd_utc - slot.start_jd_utc) * 24.0 - 2.5) < 1e-6);
    assert_string_equal(slot.label, "second half, bright");
    assert_string_equal(slot.site, "La Silla");
    assert_int_equal(equant_slots_at(slots, 3, &slot), EQUANT_SUCCESS);
    assert_true(slot.is_night && slot.start_jd_utc == 2461366.5);
    assert_string_equal(slot.site, "");
    equant_slots_free(slots);
}

static void expect_refusal(const char *text, const char *words)
{
    equant_slots *slots = NULL;
    assert_int_equal(equant_slots_from_text(text, strlen(text), "file", &slots),
                     EQUANT_ERROR_FORMAT);
    expect_words(words);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    equant_slots *slots = NULL;
    expect_refusal("BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n", "a VCARD and no calendar");
    expect_refusal("BEGIN:VCALENDAR\nBEGIN:VTODO\nDUE:20260101\nEND:VTODO\nEND:VCALENDAR\n",
                   "no events in this calendar");
    expect_refusal("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=America/Santiago:20261116T200000\n"
                   "END:VEVENT\nEND:VCALENDAR\n",
                   "file:3: this event is in the time zone America/Santiago");
    expect_refusal("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261116T200000\n", "no zone");
    expect_refusal("BEGIN:VCALENDAR\nBEGIN:VEVENT\nRRULE:FREQ=DAILY\n", "repeats");
    expect_refusal("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261116T200000Z\n", "within an event");
    expect_refusal("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n", "when it begins");
    expect_refusal("time,rv,err\n2450000.5,1.0,2.0\n", "is no time of a slot");
    expect_refusal("start,end\n2026-11-17,2026-11-16\n", "file:2: this slot ends before it begins");
    expect_refusal("night\nsoon\n", "file:2: 'soon' is no time");
    expect_refusal("night\n", "no slots");
    assert_int_equal(equant_slots_read("/no/such/file", &slots), EQUANT_ERROR_IO);
}

/* Two stars that are observed from the same minute on, as first events of two calendars: programs
 * that merge these tell events by their names. */
static void events_of_two_stars_have_two_names(void **state)
{
    (void)state;
    enum { N_NAMES = 2, NAME = 96 };
    static const char *const summaries[N_NAMES] = {"HD 164922", "HD 47747"};
    char names[N_NAMES][NAME];
    for (size_t i = 0; i < N_NAMES; i++) {
        const equant_event event = {.struct_size = sizeof event,
                                    .start_jd_utc = 2461360.75,
                                    .end_jd_utc = 2461360.765625,
                                    .summary = summaries[i]};
        char *text = NULL;
        assert_int_equal(equant_calendar_write(1, &event, &text, NULL), EQUANT_SUCCESS);
        const char *name = strstr(text, "UID:");
        assert_non_null(name);
        snprintf(names[i], NAME, "%.*s", (int)strcspn(name, "\r"), name);
        equant_calendar_free(text);
    }
    assert_string_not_equal(names[0], names[1]);
}

static void calendars_go_there_and_back(void **state)
{
    (void)state;
    char *text = NULL, *again = NULL;
    size_t n = 0;
    const equant_event events[] = {
        {.struct_size = sizeof events[0],
         .start_jd_utc = 2461360.75,
         .end_jd_utc = 2461360.765625,
         .summary = "HD 164922; planet c, 41.7 d",
         .description =
             "a sentence that is so long that it does not fit on one line of a calendar, "
             "with an umlaut: Ä, and another Ä.\nA second one.",
         .location = "La Silla"},
        {.struct_size = sizeof events[0], .start_jd_utc = 2461361.75, .end_jd_utc = 2461361.8}};
    assert_int_equal(equant_calendar_write(2, events, &text, &n), EQUANT_SUCCESS);
    assert_int_equal(strlen(text), n);
    assert_int_equal(equant_calendar_write(2, events, &again, NULL), EQUANT_SUCCESS);
    assert_string_equal(text, again);
    for (const char *line = text; *line != '\0'; line = strstr(line, "\r\n") + 2)
        assert_true(strstr(line, "\r\n") - line <= 75);
    equant_slots *slots = slots_of(text);
    equant_slot slot = {.struct_size = sizeof slot};
    assert_int_equal(equant_slots_n(slots), 2);
    assert_int_equal(equant_slots_at(slots, 0, &slot), EQUANT_SUCCESS);
    assert_true(fabs(slot.start_jd_utc - 2461360.75) < 1e-8);
    assert_string_equal(slot.label, "HD 164922; planet c, 41.7 d");
    assert_string_equal(slot.site, "La Silla");
    equant_slots_free(slots);
    equant_calendar_free(text);
    equant_calendar_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_are_found_by_many_names),
        cmocka_unit_test(other_sites_are_told),
        cmocka_unit_test(positions_are_read),
        cmocka_unit_test(dates_go_there_and_back),
        cmocka_unit_test(tables_become_slots),
        cmocka_unit_test(calendars_become_slots),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(calendars_go_there_and_back),
        cmocka_unit_test(events_of_two_stars_have_two_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
