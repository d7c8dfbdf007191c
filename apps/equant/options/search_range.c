#include "options/search_range.h"

#include <stdio.h>
#include <string.h>

#include "options/command_line.h"
#include "terminal/messages.h"

const char search_range_help[] =
    "What is looked for:\n"
    "  --period MIN:MAX    days; either may be left out; default 0.5 to twice the\n"
    "                      span of the data; also --period-min, --period-max\n"
    "  --max-eccentricity E\n"
    "                      of the scans; default 0.9\n"
    "  --trend T           none, linear, quadratic, or auto (default): a line or\n"
    "                      a parabola where the data ask for one\n"
    "  --seed K            of whatever is drawn; default 1\n";

const char search_range_engine_help[] =
    "How to compute:\n"
    "  --precision P       of the scans: mixed (default), double, single or pair\n"
    "  --backend B         a name that `equant info` lists; default: the fastest\n"
    "  --threads N         default: all that the machine offers\n";

/* Indexed by the values of equant_trend. */
static const char *const trend_names[] = {"auto", "none", "linear", "quadratic"};

struct search_range search_range_default(void)
{
    return (struct search_range){.seed = 1, .engine = engine_options_default()};
}

bool search_range_owns(int option)
{
    bool is_engine = option >= ENGINE_OPTION_FIRST && option < ENGINE_OPTION_END;
    return is_engine || (option >= SEARCH_RANGE_OPTION_FIRST && option < SEARCH_RANGE_OPTION_END);
}

/* "2:500", "2:" or ":500". */
static int take_period(const char *command, const char *argument, struct search_range *range)
{
    char text[80];
    if (strlen(argument) >= sizeof text || strchr(argument, ':') == NULL || argument[1] == '\0')
        return messages_usage(command, "--period wants MIN:MAX in days, not '%s'", argument);
    snprintf(text, sizeof text, "%s", argument);
    char *maximum = strchr(text, ':');
    *maximum++ = '\0';
    int code = EXIT_CODE_OK;
    if (text[0] != '\0')
        code = command_line_positive(command, "--period", text, &range->period_min_days);
    if (code == EXIT_CODE_OK && maximum[0] != '\0')
        code = command_line_positive(command, "--period", maximum, &range->period_max_days);
    return code;
}

static int take_trend(const char *command, const char *argument, equant_trend *trend)
{
    for (int i = EQUANT_TREND_AUTO; i <= EQUANT_TREND_QUADRATIC; i++) {
        if (strcmp(argument, trend_names[i]) == 0) {
            *trend = (equant_trend)i;
            return EXIT_CODE_OK;
        }
    }
    return messages_usage(command, "--trend is none, linear, quadratic or auto, not '%s'",
                          argument);
}

int search_range_take(const char *command, int option, const char *argument,
                      struct search_range *range)
{
    switch (option) {
    case SEARCH_RANGE_OPTION_PERIOD:
        return take_period(command, argument, range);
    case SEARCH_RANGE_OPTION_PERIOD_MIN:
        return command_line_positive(command, "--period-min", argument, &range->period_min_days);
    case SEARCH_RANGE_OPTION_PERIOD_MAX:
        return command_line_positive(command, "--period-max", argument, &range->period_max_days);
    case SEARCH_RANGE_OPTION_ECCENTRICITY:
        return command_line_positive(command, "--max-eccentricity", argument,
                                     &range->eccentricity_max);
    case SEARCH_RANGE_OPTION_TREND:
        return take_trend(command, argument, &range->trend);
    case SEARCH_RANGE_OPTION_SEED:
        return command_line_count(command, "--seed", argument, 0, UINT64_MAX, &range->seed);
    default:
        range->has_precision |= option == ENGINE_OPTION_PRECISION;
        return engine_options_take(command, option, argument, &range->engine);
    }
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
    return trend_names[trend];
}
