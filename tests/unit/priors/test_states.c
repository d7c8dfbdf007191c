/* States as sentences: what is understood, and what is said about those that are not. */
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
#include "unit/small_star.h"

static equant_states *new_states(void)
{
    equant_states *states = NULL;
    assert_int_equal(equant_states_create(&states), EQUANT_SUCCESS);
    return states;
}

static void sentences_are_understood(void **state)
{
    (void)state;
    static const char *const sentences[] = {"b.period_days=normal(20.8851, 0.0003)",
                                            " b.t_conj = normal(2406.9628, 0.0012) ",
                                            "c.eccentricity=0",
                                            "c.omega_deg=free",
                                            "c.k_m_s=0:10",
                                            "c.m_sin_i_jupiter=log-normal(0, 1)",
                                            "b.transit=normal(2406.9628, 0.0012)",
                                            "b.transit=normal(2427.8480, 0.0012)",
                                            "jitter[HARPS]=1.5",
                                            "jitter=uniform(0, 10)",
                                            "trend=quadratic",
                                            "trend_m_s_day=normal(0, 1)",
                                            "rotation_period_days=20:30"};
    const size_t n = sizeof sentences / sizeof *sentences;
    equant_states *states = new_states();
    for (size_t i = 0; i < n; i++)
        assert_int_equal(equant_states_set(states, sentences[i], "here"), EQUANT_SUCCESS);
    assert_int_equal(equant_states_n(states), n);
    assert_string_equal(equant_states_name(states, 1), "b.t_conj");
    assert_string_equal(equant_states_text(states, 1), "normal(2406.9628, 0.0012)");
    assert_string_equal(equant_states_where(states, 1), "here");
    assert_null(equant_states_name(states, n));
    assert_int_equal(equant_states_n_planets(states), 2);
    assert_int_equal(equant_states_letter(states, 1), 'c');
    assert_int_equal(equant_states_letter(states, 2), 0);
    assert_int_equal(equant_states_check(states), EQUANT_SUCCESS);
    equant_states_free(states);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *sentence, *complaint;
    } cases[] = {
        {"b.perod_days=3", "did you mean 'b.period_days'?"},
        {"b.period=3", "did you mean 'b.period_days'?"},
        {"b.tc=3", "did you mean 'b.t_conj'?"},
        {"b.nonsense_at_all=3", "planets have period_days"},
        {"period_days=3", "write its letter before it, 'b.period_days'"},
        {"b.jitter=3", "belongs to no planet"},
        {"B.period_days=3", "the letter of a planet, b to z"},
        {"a.period_days=3", "the letter of a planet, b to z"},
        {"bc.period_days=3", "the letter of a planet, b to z"},
        {"b.period_days", "a state reads NAME=VALUE"},
        {"b.period_days=", "lacks a name or a value"},
        {"=3", "lacks a name or a value"},
        {"b.period_days=0", "above zero"},
        {"b.period_days=-3", "above zero"},
        {"b.eccentricity=1", "below one"},
        {"b.eccentricity=0:1.2", "below one"},
        {"b.k_m_s=-1:3", "zero or more"},
        {"b.k_m_s=3:1", "nothing lies between these bounds"},
        {"b.k_m_s=3:3", "nothing lies between these bounds"},
        {"b.k_m_s=normal(3)", "should read normal(mean, sigma)"},
        {"b.k_m_s=normal(3, -1)", "is no density"},
        {"b.k_m_s=gauss(3, 1)", "is no prior: there are"},
        {"b.omega_deg=beta(1, 2)", "is an angle"},
        {"b.omega_deg=0:400", "wider than a turn"},
        {"b.transit=2406.9", "a transit is a time with its error"},
        {"b.m_sin_i_jupiter=3", "follows from the orbit"},
        {"jitter[=3", "an instrument in brackets"},
        {"jitter[HARPS]=-1", "zero or more"},
        {"b.k_m_s[HARPS]=3", "is of no instrument"},
        {"trend=cubic", "trend is none, linear or quadratic"},
        {"trendd=none", "did you mean 'trend'?"},
        {"b.k_m_s=ford-gregory(1, 2129, 1)", "is a prior of --prior"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_states *states = new_states();
        assert_int_equal(equant_states_set(states, cases[i].sentence, "star.yaml:7"),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        if (!strstr(equant_last_error(), cases[i].complaint))
            fail_msg("%s: %s", cases[i].sentence, equant_last_error());
        assert_int_equal(strncmp(equant_last_error(), "star.yaml:7: ", 13), 0);
        assert_int_equal(equant_states_n(states), 0);
        equant_states_free(states);
    }
}

static void contradictions_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *complaint;
    } cases[] = {
        {"b.k_m_s=3", "b.k_m_s=4", "was already said to be 3"},
        {"b.eccentricity=0", "b.omega_deg=10", "a circle has no pericentre"},
        {"b.eccentricity=0", "b.t_peri=normal(3, 1)", "a circle has no pericentre"},
        {"b.t_conj=3", "b.m0_deg=10", "both say where the planet is"},
        {"b.t_conj=3", "b.transit=normal(3, 1)", "both say where the planet is"},
        {"trend=none", "trend_m_s_day=1", "contradicts trend=none"},
        {"trend=linear", "trend_m_s_day2=1", "contradicts trend=linear"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_states *states = new_states();
        assert_int_equal(equant_states_set(states, cases[i].first, NULL), EQUANT_SUCCESS);
        equant_status status = equant_states_set(states, cases[i].second, NULL);
        if (status == EQUANT_SUCCESS)
            status = equant_states_check(states);
        assert_int_equal(status, EQUANT_ERROR_INVALID_ARGUMENT);
        if (!strstr(equant_last_error(), cases[i].complaint))
            fail_msg("%s, %s: %s", cases[i].first, cases[i].second, equant_last_error());
        equant_states_free(states);
    }
}

static void letters_are_checked(void **state)
{
    (void)state;
    equant_states *states = new_states();
    static const char *const wrong[] = {"b,b", "a", "b;c", "b,", "bc"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(equant_states_name_planets(states, wrong[i], "--letters"),
                         EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_states_name_planets(states, "c,b", NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_states_letter(states, 0), 'c');
    assert_int_equal(equant_states_set(states, "d.k_m_s=3", NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_states_free(states);
}

/* What is wrong with a fit of a small star with this state. */
/* Letters that are refused change nothing: planets keep those that they had. */
static void letters_stay_where_they_are_refused(void **state)
{
    (void)state;
    equant_states *states = NULL;
    assert_int_equal(equant_states_create(&states), EQUANT_SUCCESS);
    assert_int_equal(equant_states_set(states, "c.eccentricity=0", NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_states_name_planets(states, "b", NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_states_n_planets(states), 2);
    assert_int_equal(equant_states_name_planets(states, "d,c", NULL), EQUANT_SUCCESS);
    static const char *const refused[] = {"b", "b,c,b", "b,", "B", "c;d"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(equant_states_name_planets(states, refused[i], NULL),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        assert_int_equal(equant_states_n_planets(states), 2);
        assert_int_equal(equant_states_letter(states, 0), 'd');
    }
    equant_states_free(states);
}

static void expect_of_fit(const char *sentence, double star_mass, const char *complaint)
{
    equant_dataset *dataset = small_star(2);
    equant_states *states = new_states();
    equant_fit *fit = NULL;
    equant_fit_options options = {
        .struct_size = sizeof options, .star_mass = star_mass, .states = states};
    assert_int_equal(equant_states_set(states, sentence, "--set"), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_star(dataset, &options, &fit), EQUANT_ERROR_INVALID_ARGUMENT);
    if (!strstr(equant_last_error(), complaint))
        fail_msg("%s: %s", sentence, equant_last_error());
    equant_states_free(states);
    equant_dataset_free(dataset);
}

static void stars_are_asked(void **state)
{
    (void)state;
    expect_of_fit("jitter[frist]=1", 0.0, "did you mean 'first'?");
    expect_of_fit("jitter[ESPRESSO]=1", 0.0, "no instrument 'ESPRESSO'");
    expect_of_fit("b.m_sin_i_jupiter=normal(1, 0.1)", 0.0, "needs the mass of the star");
    expect_of_fit("b.t_conj=5100", 0.0, "years before the observations");
    expect_of_fit("b.t_peri=-2400000.5", 0.0, "count it from the same day as the data");
    expect_of_fit("b.transit=normal(57744.07, 0.01)", 0.0, "count it from the same day");
}

static void transits_come_from_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/equant_transits_XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, "# letter time error\nb 2406.9628 0.0012\n\nc, 2082.62516, 0.002\n");
    fclose(file);
    equant_states *states = new_states();
    assert_int_equal(equant_states_read_transits(states, path), EQUANT_SUCCESS);
    assert_int_equal(equant_states_n(states), 2);
    assert_string_equal(equant_states_text(states, 1), "normal(2082.62516, 0.002)");
    file = fopen(path, "w");
    fprintf(file, "b 2406.9628\n");
    fclose(file);
    assert_int_equal(equant_states_read_transits(states, path), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), ":1: "));
    unlink(path);
    assert_int_equal(equant_states_read_transits(states, path), EQUANT_ERROR_IO);
    equant_states_free(states);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_understood),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(contradictions_are_named),
        cmocka_unit_test(letters_are_checked),
        cmocka_unit_test(letters_stay_where_they_are_refused),
        cmocka_unit_test(stars_are_asked),
        cmocka_unit_test(transits_come_from_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
