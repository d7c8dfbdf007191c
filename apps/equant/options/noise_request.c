#include "options/noise_request.h"

#include <stdio.h>
#include <stdlib.h>

#include "terminal/messages.h"

/* Four numbers with commas between them. */
int noise_request_read_kernel(const char *command, const char *argument,
                              equant_quasi_periodic *kernel)
{
    double *members[] = {&kernel->amplitude_m_s, &kernel->period_days, &kernel->width,
                         &kernel->decay_days};
    const char *text = argument;
    char *end = NULL;
    for (size_t i = 0; i < 4; i++) {
        *members[i] = strtod(text, &end);
        bool is_number = end != text && *members[i] > 0.0 && *end == (i < 3 ? ',' : '\0');
        if (!is_number)
            return messages_usage(command,
                                  "--kernel wants four numbers above zero, "
                                  "AMPLITUDE,PERIOD,WIDTH,LIFE, not '%s'",
                                  argument);
        text = end + 1;
    }
    return EXIT_CODE_OK;
}

/* The term qp with these values. */
static int take_kernel(const char *command, char *argument, void *into)
{
    struct noise_request *request = into;
    equant_quasi_periodic kernel = {.struct_size = sizeof kernel};
    int code = noise_request_read_kernel(command, argument, &kernel);
    if (code == EXIT_CODE_OK)
        snprintf(request->kernel_words, sizeof request->kernel_words,
                 "qp(amplitude=%.17g,period=%.17g,decay=%.17g,width=%.17g)", kernel.amplitude_m_s,
                 kernel.period_days, kernel.decay_days, kernel.width);
    request->has_kernel = true;
    return code;
}

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
    {"kernel", "A,P,W,L", OPTION_CALL(take_kernel),
     "in place of --noise: the term qp with these values,\n"
     "amplitude m/s, period days, width, life days"},
    {0}};

int noise_request_check(const char *command, struct noise_request *request)
{
    if (request->has_kernel && request->terms != NULL && request->terms != request->kernel_words)
        return messages_usage(command, "--kernel is a noise of its own; leave --noise out");
    if (request->has_kernel)
        request->terms = request->kernel_words;
    return equant_fit_check_noise(request->terms) == EQUANT_SUCCESS
               ? EXIT_CODE_OK
               : messages_usage(command, "--noise: %s", equant_last_error());
}
