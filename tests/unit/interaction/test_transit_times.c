/* Transit times as data: files and arrays of them, what is refused, and fits to times that two
 * planets of known masses make. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"

enum { N_EACH = 40, N = 2 * N_EACH };
static const double epoch = 2456000.0, error_days = 1e-4;
/* Near 2:1, seen edge-on. */
static const double truth[2][EQUANT_N_NBODY_ELEMENTS] = {
    {2e-5, 10.0, 0.02, 0.01, 0.3, 1.5707963267948966, 0.0},
    {4e-5, 20.3, -0.01, 0.03, 2.9, 1.5707963267948966, 0.0}};

static const char *write_file(const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "/tmp/equant_transits_%ld.csv", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void test_files_are_read(void **state)
{
    (void)state;
    equant_transits *transits = NULL;
    const char *path = write_file("# a comment\nTime,Planet,epoch,err,remark\n"
                                  "110.0,b,1,0.001,x\n100.0,b,0,0.001,\n"
                                  "130.5,c,5,0.002,\n150.4,C,6,0.002,\n");
    assert_int_equal(equant_transits_is_file(path), 1);
    assert_int_equal(equant_transits_from_file(path, &transits), EQUANT_SUCCESS);
    assert_int_equal(equant_transits_n(transits), 4);
    assert_int_equal(equant_transits_n_planets(transits), 2);
    equant_transits_free(transits);
    path = write_file("1 0 100.0 0.001\n1 1 110 1e-3\n");
    assert_int_equal(equant_transits_is_file(path), 0);
    assert_int_equal(equant_transits_from_file(path, &transits), EQUANT_SUCCESS);
    equant_transits_free(transits);
    path = write_file("time,velocity,error\n1,2,3\n");
    assert_int_equal(equant_transits_is_file(path), 0);
    remove(path);
}

static void test_files_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"b,0,100,0.001\nb,1,110,0.001\nb,1,110.1,0.001\n", ":3: transit 1 of planet b is there "
                                                            "twice"},
        {"b,0,110,0.001\nb,1,100,0.001\n", ":2: transit 1 of planet b is not later"},
        {"b,0,100,0.001\nb,1,110,0\n", ":2: the error of the time, 0 days, is not positive"},
        {"b,0,100,0.001\nb,1.5,110,0.001\n", ":2: \"1.5\" is no number of a transit"},
        {"b,0,100,0.001\nb,1,nan,0.001\n", ":2: \"nan\" is no time of a transit"},
        {"b,0,100,0.001\nb,1,110\n", ":2: the line has no error of a transit"},
        {"a,0,100,0.001\n", ":1: \"a\" is no planet of a transit"},
        {"b,0,100,0.001\n", ":1: planet b has one transit"},
        {"b,0,100,1\nb,1,110,1\nb,2,120,1\nb,3,2450130,1\n", "does not count orbits"},
        {"# nothing\n", "there is no transit in this file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        equant_transits *transits = NULL;
        const char *path = write_file(cases[i].text);
        assert_int_equal(equant_transits_from_file(path, &transits), EQUANT_ERROR_FORMAT);
        if (strstr(equant_last_error(), cases[i].says) == NULL)
            fail_msg("%s: \"%s\"", cases[i].text, equant_last_error());
        assert_null(transits);
        remove(path);
    }
    equant_transits *transits = NULL;
    assert_int_equal(equant_transits_from_file("/nowhere/at_all.csv", &transits), EQUANT_ERROR_IO);
}

/* Times of the truth with differences of known size. */
static equant_transits *observe(double zero)
{
    static int planet[N], label[N], number[N];
    static double found[N][EQUANT_N_NBODY_TRANSIT], time[N], error[N];
    equant_transits *transits = NULL;
    equant_nbody_options options = {.struct_size = sizeof options, .epoch_days = epoch};
    equant_nbody_end end;
    for (int k = 0; k < N; k++) {
        planet[k] = k / N_EACH;
        label[k] = planet[k] + 1;
        number[k] = k % N_EACH - N_EACH / 2;
        error[k] = error_days;
    }
    assert_int_equal(
        equant_nbody_transits(2, truth[0], NULL, N, planet, number, &options, found[0], NULL, &end),
        EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_FINE);
    for (int k = 0; k < N; k++) {
        time[k] = found[k][0] - zero + error_days * sin(17.0 * k);
        number[k] += 100; /* people count from anywhere */
    }
    assert_int_equal(equant_transits_from_arrays(N, label, number, time, error, &transits),
                     EQUANT_SUCCESS);
    return transits;
}

static void check_fit(const equant_interacting_fit *fit)
{
    equant_interacting_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(equant_interacting_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    printf("chi-square of %zu transits %.1f, rms %.2f s\n", summary.n_transits,
           summary.chi_square_transits, summary.rms_transits_s);
    assert_int_equal(summary.n_transits, N);
    assert_true(summary.chi_square_transits < N);
    assert_int_equal(equant_interacting_fit_n_planets(fit), 2);
    for (size_t p = 0; p < 2; p++) {
        equant_interacting_planet planet = {.struct_size = sizeof planet};
        assert_int_equal(equant_interacting_fit_planet(fit, p, &planet), EQUANT_SUCCESS);
        double mass = planet.mass_jupiter / 1047.5655, error = planet.mass_jupiter_err / 1047.5655;
        printf("planet %d: mass %.3e +- %.1e, true %.1e\n", planet.label, mass, error, truth[p][0]);
        assert_int_equal(planet.label, p + 1);
        assert_true(fabs(mass - truth[p][0]) < 3.0 * error && error < 0.2 * truth[p][0]);
    }
    equant_interacting_transit transit = {.struct_size = sizeof transit};
    assert_int_equal(equant_interacting_fit_transit(fit, N - 1, &transit), EQUANT_SUCCESS);
    assert_int_equal(transit.planet, 1);
    assert_int_equal(transit.number, 100 + N_EACH / 2 - 1);
    assert_true(fabs(transit.fitted_days - transit.time_days) < 10.0 * error_days);
    assert_int_equal(equant_interacting_fit_transit(fit, N, &transit),
                     EQUANT_ERROR_INVALID_ARGUMENT);
}

static void test_transits_tell_masses(void **state)
{
    (void)state;
    equant_transits *transits = observe(0.0);
    const equant_interacting_options options = {.struct_size = sizeof options,
                                                .transits = transits};
    equant_interacting_fit *fit = NULL;
    assert_int_equal(equant_interacting_fit_create(NULL, 0, NULL, &options, &fit), EQUANT_SUCCESS);
    check_fit(fit);
    equant_interacting_fit_free(fit);
    equant_transits_free(transits);
}

static equant_dataset *make_velocities(void)
{
    enum { N_VELOCITIES = 25 };
    double time[N_VELOCITIES], velocity[N_VELOCITIES], error[N_VELOCITIES];
    equant_dataset *data = NULL;
    equant_nbody_options options = {.struct_size = sizeof options, .epoch_days = epoch};
    for (int k = 0; k < N_VELOCITIES; k++) {
        time[k] = epoch + 300.0 + 7.3 * k;
        error[k] = 0.5;
    }
    assert_int_equal(
        equant_nbody_velocities(2, 1, truth[0], N_VELOCITIES, time, &options, velocity, NULL, NULL),
        EQUANT_SUCCESS);
    for (int k = 0; k < N_VELOCITIES; k++)
        velocity[k] += 12.0 + 0.5 * sin(11.0 * k);
    assert_int_equal(
        equant_dataset_from_arrays(N_VELOCITIES, time, velocity, error, NULL, 1, NULL, NULL, &data),
        EQUANT_SUCCESS);
    return data;
}

static void test_transits_join_velocities(void **state)
{
    (void)state;
    equant_dataset *data = make_velocities();
    equant_transits *transits = observe(0.0), *other_clock = observe(2400000.0);
    equant_interacting_options options = {.struct_size = sizeof options, .transits = transits};
    equant_interacting_fit *fit = NULL;
    assert_int_equal(equant_interacting_fit_create(data, 0, NULL, &options, &fit), EQUANT_SUCCESS);
    check_fit(fit);
    equant_interacting_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(equant_interacting_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    assert_true(summary.rms_m_s < 0.6);
    equant_interacting_fit_free(fit);
    options.transits = other_clock;
    assert_int_equal(equant_interacting_fit_create(data, 0, NULL, &options, &fit),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "not of one clock"));
    equant_transits_free(transits);
    equant_transits_free(other_clock);
    equant_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files_are_read),
                                       cmocka_unit_test(test_files_that_are_none_are_refused),
                                       cmocka_unit_test(test_transits_tell_masses),
                                       cmocka_unit_test(test_transits_join_velocities)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
