#include "options/compare_request.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"

#define DEFAULT_THRESHOLD 0.95

/* "uniform", "1/3" or "0.5". */
static int take_ratio(const char *command, char *argument, void *into)
{
    struct compare_request *request = into;
    char *end = argument;
    if (strcmp(argument, "uniform") == 0) {
        request->ratio_n = 0.0;
        return EXIT_CODE_OK;
    }
    double value = strtod(argument, &end);
    if (end != argument && *end == '/') {
        char *below = end + 1;
        value /= strtod(below, &end);
        if (end == below)
            value = 0.0;
    }
    if (end == argument || *end != '\0' || !(value > 0.0 && value <= 1.0))
        return messages_usage(command,
                              "--prior-n wants `uniform`, or how many times as likely each planet "
                              "more is: a number up to 1, such as 1/3; '%s' is none",
                              argument);
    request->ratio_n = value;
    return EXIT_CODE_OK;
}

/* "LOW:HIGH" in m/s. */
static int take_scales(const char *command, char *argument, void *into)
{
    struct compare_request *request = into;
    char *end = argument, *last = argument;
    double low = strtod(argument, &end), high = *end == ':' ? strtod(end + 1, &last) : 0.0;
    if (*end != ':' || *last != '\0' || last == end + 1 || !(low > 0.0 && low <= high))
        return messages_usage(command, "--amplitudes wants MIN:MAX in m/s, not '%s'", argument);
    request->k_min_m_s = low;
    request->k_max_m_s = high;
    return EXIT_CODE_OK;
}

#define OPTIONS_OF struct compare_request
const struct option_row compare_request_rows[] = {
    {"max-planets", "N", OPTION_COUNT(max_planets, 1, 20),
     "largest number of planets of a model; default: 6, or two\n"
     "more than in the fit"},
    {"prior-n", "R", OPTION_CALL(take_ratio),
     "prior ratio of successive numbers of planets: n+1 planets\n"
     "are R times as probable as n, such as 1/3. Default:\n"
     "`uniform`, a ratio of 1"},
    {"amplitudes", "MIN:MAX", OPTION_CALL(take_scales),
     "range of the scale of K in m/s; default: from twice the\n"
     "standard error of an amplitude to half the range of the\n"
     "velocities"},
    {"prior-e", "DENSITY", OPTION_TEXT(prior_e),
     "prior of eccentricities: kipping (default), uniform,\n"
     "circular, or a density, such as 'rayleigh(0.2)' or 'beta(1,\n"
     "3)'"},
    {"circular", NULL, OPTION_FLAG(is_circular), "the same as --prior-e circular"},
    {"prior-jitter", "DENSITY", OPTION_TEXT(prior_jitter),
     "prior of jitters in m/s, such as 'log-uniform(0.1, 10)';\n"
     "default: modified-log-uniform(1, 2129)"},
    {"threshold", "P", OPTION_POSITIVE(threshold),
     "signals above this probability are listed as planets, the\n"
     "others as candidates; default: 0.95"},
    {"sweeps", "N", OPTION_COUNT(n_sweeps, 8, 100000000),
     "length of each chain, with the first quarter as burn-in;\n"
     "default: 400"},
    {"chains", "N", OPTION_COUNT(n_populations, 2, 64),
     "number of independent chains, whose scatter gives the\n"
     "errors; default: 4"},
    {0}};

struct compare_request compare_request_default(void)
{
    return (struct compare_request){.threshold = DEFAULT_THRESHOLD};
}

int compare_request_check(const char *command, const struct compare_request *request)
{
    if (!(request->threshold < 1.0))
        return messages_usage(command, "--threshold is a probability, below 1, not %g",
                              request->threshold);
    return EXIT_CODE_OK;
}

equant_compare_options compare_request_options(const struct compare_request *request)
{
    return (equant_compare_options){.struct_size = sizeof(equant_compare_options),
                                    .max_planets = (int)request->max_planets,
                                    .ratio_n = request->ratio_n,
                                    .k_min_m_s = request->k_min_m_s,
                                    .k_max_m_s = request->k_max_m_s,
                                    .circular = request->is_circular,
                                    .prior_e = request->prior_e,
                                    .prior_jitter = request->prior_jitter,
                                    .n_populations = (int)request->n_populations,
                                    .n_sweeps = (int)request->n_sweeps,
                                    .checkpoint = request->checkpoint};
}
