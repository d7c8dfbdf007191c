#include "options/fit_request.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/command_line.h"
#include "options/engine_options.h"
#include "terminal/messages.h"

const char fit_request_help[] =
    "The planets:\n"
    "  --planets N         how many, or auto (default): as many as the data ask for\n"
    "  --max-planets N     where auto stops at the latest; default 10\n"
    "  --fap X             false-alarm probability allowed to a new planet;\n"
    "                      default 0.001\n"
    "  --start FILE        planets to start from, refined with the rest: a table of\n"
    "                      orbits, or fit.json or planets.ecsv of an earlier fit\n"
    "  --fixed FILE        planets to be kept as they are\n"
    "  --star-mass M       solar masses; gives m sin i and the semi-major axes\n"
    "  --leave-out NAME    an instrument whose observations do not count; may be\n"
    "                      given several times\n"
    "  --no-jitter         takes the uncertainties as they are\n"
    "  --method M          scan (default): exact scans, planet by planet; de:\n"
    "                      differential evolution of all planets together\n\n";

enum { MOST_PLANETS = 20 };

static const char *const method_names[] = {[EQUANT_FIT_SCAN] = "scan", [EQUANT_FIT_DE] = "de"};

struct fit_request fit_request_default(void)
{
    return (struct fit_request){.source = data_source_default(), .range = search_range_default()};
}

void fit_request_free(struct fit_request *request)
{
    free(request->leave_out.names);
    *request = (struct fit_request){0};
}

static bool is_source_option(int option)
{
    return option >= DATA_SOURCE_OPTION_UNIT && option < DATA_SOURCE_OPTION_END;
}

bool fit_request_owns(int option)
{
    return is_source_option(option) || search_range_owns(option) ||
           (option >= FIT_REQUEST_OPTION_FIRST && option < FIT_REQUEST_OPTION_END);
}

static int take_planets(const char *command, const char *argument, int *n_planets)
{
    uint64_t n = 0;
    if (strcmp(argument, "auto") == 0) {
        *n_planets = 0;
        return EXIT_CODE_OK;
    }
    int code = command_line_count(command, "--planets", argument, 0, MOST_PLANETS, &n);
    *n_planets = n == 0 ? -1 : (int)n; /* the library's word for none is -1 */
    return code;
}

static int take_false_alarm(const char *command, const char *argument, double *probability)
{
    int code = command_line_positive(command, "--fap", argument, probability);
    if (code == EXIT_CODE_OK && *probability >= 1.0)
        code = messages_usage(command, "--fap wants a probability between 0 and 1, not '%s'",
                              argument);
    return code;
}

static int take_method(const char *command, const char *argument, equant_fit_method *method)
{
    for (int i = EQUANT_FIT_SCAN; i <= EQUANT_FIT_DE; i++) {
        if (strcmp(argument, method_names[i]) == 0) {
            *method = (equant_fit_method)i;
            return EXIT_CODE_OK;
        }
    }
    return messages_usage(command, "--method is scan or de, not '%s'", argument);
}

int fit_request_take(const char *command, int option, char *argument, struct fit_request *request)
{
    uint64_t count = 0;
    int code = EXIT_CODE_OK;
    if (is_source_option(option))
        return data_source_take(command, option, argument, &request->source);
    if (search_range_owns(option))
        return search_range_take(command, option, argument, &request->range);
    switch (option) {
    case FIT_REQUEST_OPTION_PLANETS:
        return take_planets(command, argument, &request->n_planets);
    case FIT_REQUEST_OPTION_MAX_PLANETS:
        code = command_line_count(command, "--max-planets", argument, 1, MOST_PLANETS, &count);
        request->max_planets = (int)count;
        return code;
    case FIT_REQUEST_OPTION_FAP:
        return take_false_alarm(command, argument, &request->false_alarm_max);
    case FIT_REQUEST_OPTION_STAR_MASS:
        return command_line_positive(command, "--star-mass", argument, &request->star_mass);
    case FIT_REQUEST_OPTION_START:
        request->start = argument;
        return EXIT_CODE_OK;
    case FIT_REQUEST_OPTION_FIXED:
        request->fixed = argument;
        return EXIT_CODE_OK;
    case FIT_REQUEST_OPTION_LEAVE_OUT:
        return instrument_filter_add(&request->leave_out, argument);
    case FIT_REQUEST_OPTION_METHOD:
        return take_method(command, argument, &request->method);
    default:
        request->has_no_jitter = true;
        return EXIT_CODE_OK;
    }
}

int fit_request_check(const char *command, const struct fit_request *request)
{
    if (request->n_planets < 0 && (request->start != NULL || request->fixed != NULL))
        return messages_usage(command, "--planets 0 leaves no room for --start and --fixed");
    return search_range_check(command, &request->range);
}

/* Adds to a line of n bytes; what does not fit is cut off. */
__attribute__((format(printf, 3, 4))) static void append(char *line, size_t n, const char *format,
                                                         ...)
{
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, n - used, format, arguments);
    va_end(arguments);
}

static void append_number(char *line, size_t n, const char *option, double value)
{
    if (value != 0.0)
        append(line, n, " --%s %.17g", option, value);
}

static void append_text(char *line, size_t n, const char *option, const char *text)
{
    if (text != NULL)
        append(line, n, " --%s %s", option, text);
}

void fit_request_describe(const struct fit_request *request, char *line, size_t n)
{
    const struct search_range *range = &request->range;
    const equant_dataset_options *data = &request->source.options;
    line[0] = '\0';
    append(line, n, "--seed %" PRIu64, range->seed);
    if (request->n_planets != 0)
        append(line, n, " --planets %d", request->n_planets > 0 ? request->n_planets : 0);
    append_number(line, n, "max-planets", request->max_planets);
    append_number(line, n, "fap", request->false_alarm_max);
    append_number(line, n, "period-min", range->period_min_days);
    append_number(line, n, "period-max", range->period_max_days);
    append_number(line, n, "max-eccentricity", range->eccentricity_max);
    append_number(line, n, "star-mass", request->star_mass);
    if (range->trend != EQUANT_TREND_AUTO)
        append_text(line, n, "trend", search_range_trend_name(range->trend));
    if (request->method != EQUANT_FIT_SCAN)
        append_text(line, n, "method", method_names[request->method]);
    if (range->has_precision)
        append_text(line, n, "precision", engine_options_precision_name(range->engine.precision));
    if (data->velocity_unit != EQUANT_UNIT_FROM_FILE)
        append_text(line, n, "unit", data->velocity_unit == EQUANT_UNIT_KM_S ? "km/s" : "m/s");
    if (data->has_reference_time)
        append(line, n, " --t-ref %.17g", data->reference_time_days);
    append_text(line, n, "start", request->start);
    append_text(line, n, "fixed", request->fixed);
    for (size_t i = 0; i < request->leave_out.n; i++)
        append_text(line, n, "leave-out", request->leave_out.names[i]);
    if (request->has_no_jitter)
        append(line, n, " --no-jitter");
}
