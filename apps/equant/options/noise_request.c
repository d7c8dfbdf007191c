#include "options/noise_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"
#include "terminal/watched_call.h"

static const struct option_choice series_choices[] = {{"columns", 0}, {"series", 1}, {0}};

#define OPTIONS_OF struct noise_request
const struct option_row noise_request_rows[] = {
    {"noise", "TERMS", OPTION_TEXT(terms),
     "noise besides jitters: white; auto: the terms that the data\n"
     "support, of nights, rotation, slow drifts and indicators; or\n"
     "a list of terms to include, with values or ranges:\n"
     "'rotation(period=20:30,decay=60),night'. Default: auto when\n"
     "the number of planets is free and jitters are fitted,\n"
     "otherwise white"},
    {"indicators", "NAMES", OPTION_TEXT(indicators),
     "activity indicators in the model, named as in `equant data`:\n"
     "auto (default): those that the data support, unless the\n"
     "noise is white; none; or a list to include: fwhm,bis"},
    {"indicators-as", "HOW", OPTION_CHOICE(as_series, series_choices),
     "columns (default): linear regression on each indicator;\n"
     "series: one Gaussian process of starspots for indicators and\n"
     "velocities, in which the velocities also follow its\n"
     "derivative"},
    {"outliers", "SHARE", OPTION_TEXT(outliers),
     "observations and nights that the model does not explain:\n"
     "auto: inflates the errors of significant outliers; none; or\n"
     "the prior fraction of outliers, such as 0.05. Default: auto\n"
     "when the noise is auto, otherwise none"},
    {0}};

const char *noise_request_indicators(const struct noise_request *request)
{
    return request->as_series ? EQUANT_SPOTS "," EQUANT_SPOTS_RATE : request->indicators;
}

int noise_request_learn(const struct noise_request *request, equant_dataset **dataset,
                        char text[NOISE_REQUEST_TEXT_SIZE])
{
    text[0] = '\0';
    if (!request->as_series)
        return EXIT_CODE_OK;
    struct watched_call call = watched_call_start("");
    const equant_spots_options options = {.struct_size = sizeof options,
                                          .indicators = request->indicators,
                                          .progress = watched_call_progress,
                                          .progress_context = &call};
    equant_spots found = {.struct_size = sizeof found};
    equant_dataset *made = NULL;
    int code = watched_call_end(&call, equant_spots_learn(*dataset, &options, &found, &made));
    if (code != EXIT_CODE_OK)
        return code;
    equant_dataset_free(*dataset);
    *dataset = made;
    char without[64] = "";
    if (found.n_without_uncertainty > 0)
        snprintf(without, sizeof without, ", %zu of them without uncertainty",
                 found.n_without_uncertainty);
    snprintf(text, NOISE_REQUEST_TEXT_SIZE,
             "Spots were fitted to %zu values of indicators%s: stellar rotation period %.3g days.",
             found.n_values, without, found.period_days);
    return EXIT_CODE_OK;
}

int noise_request_check(const char *command, struct noise_request *request)
{
    if (request->as_series && request->indicators != NULL &&
        strcmp(request->indicators, "none") == 0)
        return messages_usage(command, "--indicators none leaves no series; leave --indicators-as "
                                       "out");
    if (equant_fit_check_noise(request->terms) != EQUANT_SUCCESS)
        return messages_usage(command, "--noise: %s", equant_last_error());
    return equant_fit_check_outliers(request->outliers) == EQUANT_SUCCESS
               ? EXIT_CODE_OK
               : messages_usage(command, "--outliers: %s", equant_last_error());
}
