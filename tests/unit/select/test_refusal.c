/* The conditions that a planet more has to meet: the first that it does not is named. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/select/planets/refusal.h"

static const verdict good = {.false_alarm = 1e-4,
                             .false_alarm_max = 1e-3,
                             .delta_bic = 10.0,
                             .measured = {.is_one = true},
                             .is_new = true};

static void assert_refused(verdict judged, equant_refusal because, const char *name,
                           const char *part)
{
    char sentence[REFUSAL_SENTENCE_SIZE];
    assert_int_equal(refusal_of(&judged), because);
    assert_string_equal(equant_refusal_name(because), name);
    refusal_describe(&judged, sentence);
    assert_non_null(strstr(sentence, part));
    assert_int_equal(sentence[0] == '\0', because == EQUANT_REFUSED_NOT);
}

static void conditions_have_names(void **state)
{
    (void)state;
    verdict judged = good;
    assert_refused(judged, EQUANT_REFUSED_NOT, "not", "");
    judged.probability_min = 0.95;
    judged.probability = NAN; /* not known: no reason */
    assert_refused(judged, EQUANT_REFUSED_NOT, "not", "");
    judged.probability = 0.874;
    assert_refused(judged, EQUANT_REFUSED_IMPROBABLE, "improbable", "there, 87 %, is below 95 %");
    judged.cycle = "the year";
    assert_refused(judged, EQUANT_REFUSED_CYCLE, "cycle", "that of the year, and its amplitude");
    judged.measured = (measurement){.is_one = false, .n_sharing = 2.26};
    assert_refused(judged, EQUANT_REFUSED_FEW_OBSERVATIONS, "few_observations",
                   "share in its signal: those near pericentre count as 2.3, where 5");
    judged.few_probability = 0.314;
    assert_refused(judged, EQUANT_REFUSED_FEW_OBSERVATIONS, "few_observations",
                   "count as 2.3, and beside their being wrong it has a probability of 31 %");
    judged.few_probability = 0.0;
    judged.measured.n_sharing = NAN;
    assert_refused(judged, EQUANT_REFUSED_UNDETERMINED, "undetermined", "leave its orbit open");
    judged.delta_bic = -3.21;
    assert_refused(judged, EQUANT_REFUSED_BIC, "bic", "the BIC is lower by 3.2 without it");
    judged.replaces_trend = true;
    assert_refused(judged, EQUANT_REFUSED_BIC, "bic", "the trend whose place it would take");
    judged.false_alarm = 0.012;
    assert_refused(judged, EQUANT_REFUSED_FALSE_ALARM, "false_alarm", "0.012, is above 0.001");
}

/* Values at the very limit, and such as are none. */
static void limits_belong_to_one_side(void **state)
{
    (void)state;
    verdict judged = good;
    judged.false_alarm = judged.false_alarm_max;
    assert_refused(judged, EQUANT_REFUSED_NOT, "not", "");
    judged.delta_bic = 0.0;
    assert_refused(judged, EQUANT_REFUSED_BIC, "bic", "");
    judged.false_alarm = NAN;
    assert_refused(judged, EQUANT_REFUSED_FALSE_ALARM, "false_alarm", "");
}

static void the_planet_to_blame_is_named(void **state)
{
    (void)state;
    verdict judged = good;
    judged.measured = (measurement){.is_one = false, .n_sharing = 1.0};
    judged.is_new = false;
    judged.period_days = 12.345678;
    assert_refused(judged, EQUANT_REFUSED_FEW_OBSERVATIONS, "few_observations",
                   "the signal of the planet at 12.346 days beside it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_have_names),
        cmocka_unit_test(limits_belong_to_one_side),
        cmocka_unit_test(the_planet_to_blame_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
