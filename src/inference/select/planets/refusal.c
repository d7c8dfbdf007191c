#include "inference/select/planets/refusal.h"

#include <math.h>
#include <stdio.h>

equant_refusal refusal_of(const verdict *judged)
{
    if (!(judged->false_alarm <= judged->false_alarm_max))
        return EQUANT_REFUSED_FALSE_ALARM;
    if (!(judged->delta_bic > 0.0))
        return EQUANT_REFUSED_BIC;
    if (!judged->measured.is_one)
        return isnan(judged->measured.n_sharing) ? EQUANT_REFUSED_UNDETERMINED
                                                 : EQUANT_REFUSED_FEW_OBSERVATIONS;
    if (judged->cycle)
        return EQUANT_REFUSED_CYCLE;
    if (judged->probability < judged->probability_min)
        return EQUANT_REFUSED_IMPROBABLE;
    return EQUANT_REFUSED_NOT;
}

const char *equant_refusal_name(equant_refusal because)
{
    switch (because) {
    case EQUANT_REFUSED_NOT:
        return "not";
    case EQUANT_REFUSED_FALSE_ALARM:
        return "false_alarm";
    case EQUANT_REFUSED_BIC:
        return "bic";
    case EQUANT_REFUSED_FEW_OBSERVATIONS:
        return "few_observations";
    case EQUANT_REFUSED_UNDETERMINED:
        return "undetermined";
    case EQUANT_REFUSED_IMPROBABLE:
        return "improbable";
    case EQUANT_REFUSED_CYCLE:
        return "cycle";
    }
    return "unknown";
}

/* " of the planet at 12.3 days beside it", where the new one is not to blame. */
static void name_other(const verdict *judged, char text[64])
{
    text[0] = '\0';
    if (!judged->is_new)
        snprintf(text, 64, " of the planet at %.5g days beside it", judged->period_days);
}

/* How probable the planet is beside wrong observations, where that was asked; else what would be
 * enough without asking. */
static void say_probable(const verdict *judged, char text[96])
{
    if (!(judged->few_probability > 0.0))
        snprintf(text, 96, ", where %g are asked for", MEASUREMENT_SHARERS);
    else
        snprintf(text, 96, ", and beside their being wrong it has a probability of %.0f %%",
                 100.0 * judged->few_probability);
}

void refusal_describe(const verdict *judged, char sentence[REFUSAL_SENTENCE_SIZE])
{
    char other[64], probable[96];
    const char *whose = judged->is_new ? "its" : "the";
    name_other(judged, other);
    say_probable(judged, probable);
    switch (refusal_of(judged)) {
    case EQUANT_REFUSED_NOT:
        sentence[0] = '\0';
        break;
    case EQUANT_REFUSED_FALSE_ALARM:
        snprintf(sentence, REFUSAL_SENTENCE_SIZE,
                 "its false-alarm probability, %.2g, is above %.2g", judged->false_alarm,
                 judged->false_alarm_max);
        break;
    case EQUANT_REFUSED_BIC:
        snprintf(
            sentence, REFUSAL_SENTENCE_SIZE,
            judged->replaces_trend
                ? "the trend whose place it would take does as well with fewer parameters (the "
                  "BIC is lower by %.1f)"
                : "it is not worth its parameters (the BIC is lower by %.1f without it)",
            -judged->delta_bic);
        break;
    case EQUANT_REFUSED_FEW_OBSERVATIONS:
        snprintf(sentence, REFUSAL_SENTENCE_SIZE,
                 "too few observations share in %s signal%s: those near pericentre count as %.1f%s",
                 whose, other, judged->measured.n_sharing, probable);
        break;
    case EQUANT_REFUSED_UNDETERMINED:
        snprintf(sentence, REFUSAL_SENTENCE_SIZE,
                 "the data leave %s orbit%s open: no error can be given for it%s", whose, other,
                 judged->few_probability > 0.0 ? probable : "");
        break;
    case EQUANT_REFUSED_IMPROBABLE:
        snprintf(sentence, REFUSAL_SENTENCE_SIZE,
                 "the probability that it is there, %.0f %%, is below %.3g %%",
                 100.0 * judged->probability, 100.0 * judged->probability_min);
        break;
    case EQUANT_REFUSED_CYCLE:
        snprintf(sentence, REFUSAL_SENTENCE_SIZE,
                 "its period is that of %s, and its amplitude of the size of the noise: what "
                 "repeats with the observations is more likely theirs",
                 judged->cycle);
        break;
    }
}
