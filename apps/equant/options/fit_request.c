#include "options/fit_request.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options/option_line.h"
#include "options/star_request.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

enum { MOST_PLANETS = 20 };

static const struct option_choice methods[] = {
    {"scan", EQUANT_FIT_SCAN}, {"de", EQUANT_FIT_DE}, {0}};

static int take_planets(const char *command, char *argument, void *into)
{
    struct fit_request *request = into;
    uint64_t n = 0;
    if (strcmp(argument, "auto") == 0) {
        request->n_planets = 0;
        return EXIT_CODE_OK;
    }
    int code = command_line_count(command, "planets", argument, 0, MOST_PLANETS, &n);
    request->n_planets = n == 0 ? -1 : (int)n; /* the library's word for none is -1 */
    return code;
}

static int take_false_alarm(const char *command, char *argument, void *into)
{
    struct fit_request *request = into;
    int code = command_line_positive(command, "fap", argument, &request->false_alarm_max);
    if (code == EXIT_CODE_OK && request->false_alarm_max >= 1.0)
        code = messages_usage(command, "--fap wants a probability between 0 and 1, not '%s'",
                              argument);
    return code;
}

static int take_probability(const char *command, char *argument, void *into)
{
    struct fit_request *request = into;
    int code = command_line_positive(command, "probability", argument, &request->probability_min);
    if (code == EXIT_CODE_OK && request->probability_min >= 1.0)
        code = messages_usage(command, "--probability wants a number between 0 and 1, not '%s'",
                              argument);
    return code;
}

static int take_threshold(const char *command, char *argument, void *into)
{
    struct fit_request *request = into;
    int code = command_line_positive(command, "threshold", argument, &request->threshold);
    if (code == EXIT_CODE_OK && request->threshold >= 1.0)
        code = messages_usage(command, "--threshold wants a number between 0 and 1, not '%s'",
                              argument);
    return code;
}

#define OPTIONS_OF struct fit_request
const struct option_row fit_request_rows[] = {
    {"planets", "N", OPTION_CALL(take_planets),
     "number of planets, or auto (default): as many as the data\n"
     "support"},
    {"max-planets", "N", OPTION_COUNT(max_planets, 1, MOST_PLANETS),
     "upper limit of auto; default: 10, for astrometry 3"},
    {"fap", "X", OPTION_CALL(take_false_alarm),
     "highest false-alarm probability of a new planet; default:\n"
     "0.001"},
    {"probability", "P", OPTION_CALL(take_probability),
     "lowest posterior probability of an accepted planet; one\n"
     "below it is a candidate. Default: reported, not enforced"},
    {"threshold", "P", OPTION_CALL(take_threshold),
     "planets of the model below this probability are listed\n"
     "separately, as candidates; default: 0.95"},
    {"start", "FILE", OPTION_FILE(start),
     "initial planets, refined with the rest: a table of orbits,\n"
     "or fit.json or planets.ecsv of an earlier fit"},
    {"fixed", "FILE", OPTION_FILE(fixed), "planets whose parameters are held fixed"},
    {"basis", "WORDS", OPTION_TEXT(basis),
     "coordinates of the final optimisation, such as 'per tc\n"
     "secosw sesinw k': logper or per; logk or k; secosw, ecosw or\n"
     "e; lambda, m0, tc or tp. The maximum does not depend on\n"
     "them; the planets are also printed in them"},
    {"no-jitter", NULL, OPTION_FLAG(has_no_jitter),
     "takes the uncertainties as given and fits no jitter"},
    {"budget", "S", OPTION_POSITIVE(budget_s),
     "time limit in seconds: no further planet is searched for\n"
     "after half of it; when it is over, the fit so far is printed\n"
     "and marked as unfinished"},
    {"method", "M", OPTION_CHOICE(method, methods),
     "scan (default): grid scans, one planet at a time; de:\n"
     "differential evolution of all planets together"},
    {0}};

struct fit_request fit_request_default(void)
{
    return (struct fit_request){.source = data_source_default(),
                                .range = search_range_default(),
                                .star = {.struct_size = sizeof(equant_star)}};
}

void fit_request_free(struct fit_request *request)
{
    data_source_free(&request->source);
    states_request_free(&request->states);
}

int fit_request_check(const char *command, struct fit_request *request)
{
    if (request->n_planets < 0 && (request->start != NULL || request->fixed != NULL))
        return messages_usage(command, "--planets 0 leaves no room for --start and --fixed");
    if (request->has_no_probabilities && request->probability_min > 0.0)
        return messages_usage(command, "--probability asks for what --probabilities none leaves "
                                       "out");
    int code = noise_request_check(command, &request->noise);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->noise.terms != NULL && strcmp(request->noise.terms, "auto") == 0 &&
        request->has_no_jitter)
        return messages_usage(command, "--noise auto chooses noise beside jitters; leave "
                                       "--no-jitter out");
    return search_range_check(command, &request->range);
}

void fit_request_describe(const struct fit_request *request, char *line, size_t n)
{
    const struct search_range *range = &request->range;
    line[0] = '\0';
    text_line_append(line, n, "--seed %" PRIu64, range->seed);
    if (request->n_planets != 0)
        text_line_append(line, n, " --planets %d", request->n_planets > 0 ? request->n_planets : 0);
    option_line_number(line, n, "max-planets", request->max_planets);
    option_line_number(line, n, "fap", request->false_alarm_max);
    option_line_number(line, n, "probability", request->probability_min);
    option_line_number(line, n, "threshold", request->threshold);
    if (request->has_no_probabilities)
        option_line_text(line, n, "probabilities", "none");
    option_line_number(line, n, "period-min", range->period_min_days);
    option_line_number(line, n, "period-max", range->period_max_days);
    option_line_number(line, n, "max-eccentricity", range->eccentricity_max);
    option_line_number(line, n, "budget", request->budget_s);
    star_request_describe(&request->star, line, n);
    if (range->trend != EQUANT_TREND_DEFAULT)
        option_line_text(line, n, "trend", search_range_trend_name(range->trend));
    if (request->method != EQUANT_FIT_SCAN)
        option_line_text(line, n, "method",
                         command_line_choice_name(methods, (int)request->method));
    if (range->has_precision)
        option_line_text(line, n, "precision",
                         engine_options_precision_name(range->engine.precision));
    option_line_source(line, n, &request->source);
    option_line_text(line, n, "basis", request->basis);
    option_line_text(line, n, "start", request->start);
    option_line_text(line, n, "fixed", request->fixed);
    if (request->has_no_jitter)
        text_line_append(line, n, " --no-jitter");
    states_request_describe(&request->states, line, n);
    option_line_text(line, n, "noise", request->noise.terms);
    option_line_text(line, n, "indicators", request->noise.indicators);
    if (request->noise.as_series)
        option_line_text(line, n, "indicators-as", "series");
    option_line_text(line, n, "outliers", request->noise.outliers);
}
