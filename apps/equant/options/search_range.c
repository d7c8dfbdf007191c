#include "options/search_range.h"

#include <stdio.h>
#include <string.h>

#include "terminal/messages.h"

static const struct option_choice trends[] = {{"none", EQUANT_TREND_NONE},
                                              {"linear", EQUANT_TREND_LINEAR},
                                              {"quadratic", EQUANT_TREND_QUADRATIC},
                                              {"auto", EQUANT_TREND_DEFAULT},
                                              {0}};

/* "2:500", "2:" or ":500". */
static int take_period(const char *command, char *argument, void *into)
{
    struct search_range *range = into;
    char text[80];
    if (strlen(argument) >= sizeof text || strchr(argument, ':') == NULL || argument[1] == '\0')
        return messages_usage(command, "--period wants MIN:MAX in days, not '%s'", argument);
    snprintf(text, sizeof text, "%s", argument);
    char *maximum = strchr(text, ':');
    *maximum++ = '\0';
    int code = EXIT_CODE_OK;
    if (text[0] != '\0')
        code = command_line_positive(command, "period", text, &range->period_min_days);
    if (code == EXIT_CODE_OK && maximum[0] != '\0')
        code = command_line_positive(command, "period", maximum, &range->period_max_days);
    return code;
}

static int take_precision(const char *command, char *argument, void *into)
{
    struct search_range *range = into;
    int precision = EQUANT_PRECISION_DOUBLE;
    int code =
        command_line_choice(command, "precision", argument, engine_options_precisions, &precision);
    range->engine.precision = (equant_precision)precision;
    range->has_precision = true;
    return code;
}

#define OPTIONS_OF struct search_range
const struct option_row search_range_rows[] = {
    {"period", "MIN:MAX", OPTION_CALL(take_period),
     "range of periods in days; either end may be omitted.\n"
     "Default: from 0.5 to twice the time span of the data. Also\n"
     "--period-min, --period-max"},
    {"period-min", "P", OPTION_POSITIVE(period_min_days), NULL},
    {"period-max", "P", OPTION_POSITIVE(period_max_days), NULL},
    {"max-eccentricity", "E", OPTION_POSITIVE(eccentricity_max),
     "highest eccentricity of the scans; default: 0.9"},
    {"trend", "T", OPTION_CHOICE(trend, trends),
     "none, linear, quadratic, or auto (default): the one that the\n"
     "data support"},
    {"seed", "K", OPTION_COUNT(seed, 0, UINT64_MAX), "seed of the random numbers; default: 1"},
    {0}};

const struct option_row search_range_engine_rows[] = {
    {"precision", "P", OPTION_CALL(take_precision),
     "precision of the scans: mixed (default), double, single or\n"
     "pair"},
    {"backend", "B", OPTION_TEXT(engine.backend),
     "one of the backends of `equant info`; default: the fastest"},
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "number of CPU threads; default: all of the machine"},
    {0}};

struct search_range search_range_default(void)
{
    return (struct search_range){.seed = 1, .engine = engine_options_default()};
}

int search_range_check(const char *command, const struct search_range *range)
{
    if (range->period_max_days > 0.0 && range->period_min_days >= range->period_max_days)
        return messages_usage(command,
                              "the shortest period must be below the longest, not %g "
                              "and %g days",
                              range->period_min_days, range->period_max_days);
    if (range->eccentricity_max > 0.95)
        return messages_usage(command, "--max-eccentricity must be at most 0.95, not %g",
                              range->eccentricity_max);
    return engine_options_check(command, &range->engine);
}

const char *search_range_trend_name(equant_trend trend)
{
    return command_line_choice_name(trends, (int)trend);
}
