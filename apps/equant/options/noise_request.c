#include "options/noise_request.h"

#include "equant.h"
#include "terminal/messages.h"

#define OPTIONS_OF struct noise_request
const struct option_row noise_request_rows[] = {
    {"noise", "TERMS", OPTION_TEXT(terms),
     "beside jitters: white; auto: what the data ask for of\n"
     "nights, rotation, slow drifts, indicators; or terms that\n"
     "are there in any case, with values or ranges:\n"
     "'rotation(period=20:30,decay=60),night'; default white; of\n"
     "fits that decide how many planets there are " EQUANT_DEFAULT_NOISE},
    {"indicators", "NAMES", OPTION_TEXT(indicators),
     "that velocities may follow, as equant data lists them:\n"
     "auto (default): those that the data ask for, where the\n"
     "noise is not white; none; or names, which are there in\n"
     "any case: fwhm,bis"},
    {0}};

int noise_request_check(const char *command, const struct noise_request *request)
{
    return equant_fit_check_noise(request->terms) == EQUANT_SUCCESS
               ? EXIT_CODE_OK
               : messages_usage(command, "--noise: %s", equant_last_error());
}
