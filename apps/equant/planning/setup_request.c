#include "planning/setup_request.h"

#include <math.h>

#include "files/number_text.h"
#include "planning/run_source.h"
#include "terminal/messages.h"

#define OPTIONS_OF struct setup_request
const struct option_row setup_request_rows[] = {
    {"instrument", "NAME", OPTION_LIST(instruments),
     "instrument, by name or number; default: that of the last\n"
     "observation. A plan takes one for all sites, or one for each\n"
     "--site"},
    {"error", "S", OPTION_LIST(errors),
     "uncertainty of an observation in m/s; default: the median of\n"
     "the instrument. A plan takes one for all sites, or one for\n"
     "each --site"},
    {0}};

const struct option_row setup_request_cost_rows[] = {
    {"exposure", "MINUTES", OPTION_LIST(exposures),
     "duration of an observation; gains are then per hour, and\n"
     "observations at one site do not overlap. One for all, or one\n"
     "for each --site"},
    {"overhead", "MINUTES", OPTION_LIST(overheads),
     "time before each exposure, in the same way; default: 0"},
    {0}};

/* The text for a setup; NULL: none was given. */
static const char *text_of(const struct text_list *list, size_t index)
{
    return list->n == 0 ? NULL : list->texts[list->n == 1 ? 0 : index];
}

static int check_count(const char *command, const char *option, const struct text_list *list,
                       size_t n_sites, size_t *n)
{
    if (list->n > SETUP_REQUEST_MOST)
        return messages_usage(command, "--%s may be given up to %d times", option,
                              SETUP_REQUEST_MOST);
    if (list->n > 1 && n_sites > 1 && list->n != n_sites)
        return messages_usage(command,
                              "--%s is given %zu times for %zu sites: give one for all, or one for "
                              "each --site",
                              option, list->n, n_sites);
    if (list->n > 1 && *n > 1 && list->n != *n)
        return messages_usage(command, "--%s is given %zu times, and others %zu times", option,
                              list->n, *n);
    if (list->n > *n)
        *n = list->n;
    return EXIT_CODE_OK;
}

static int read_number(const char *command, const char *option, const char *text, double scale,
                       bool may_be_zero, double *value)
{
    double given = 0.0;
    if (text == NULL)
        return EXIT_CODE_OK;
    if (!number_text_parse(text, &given) || !isfinite(given) || given < 0.0 ||
        (given == 0.0 && !may_be_zero))
        return messages_usage(command, "--%s: '%s' is no number %s", option, text,
                              may_be_zero ? "of zero or more" : "above zero");
    *value = scale * given;
    return EXIT_CODE_OK;
}

/* The instrument that observed last, from 1. */
static size_t last_instrument(const equant_dataset *dataset)
{
    return (size_t)equant_dataset_instruments(dataset)[equant_dataset_n_obs(dataset) - 1] + 1;
}

int setup_request_find(const char *command, const struct setup_request *request,
                       const equant_dataset *velocities, size_t n_sites, struct setups *found)
{
    const double day_per_minute = 1.0 / 1440.0;
    size_t n = n_sites > 1 ? n_sites : 1;
    int code = check_count(command, "instrument", &request->instruments, n_sites, &n);
    if (code == EXIT_CODE_OK)
        code = check_count(command, "error", &request->errors, n_sites, &n);
    if (code == EXIT_CODE_OK)
        code = check_count(command, "exposure", &request->exposures, n_sites, &n);
    if (code == EXIT_CODE_OK)
        code = check_count(command, "overhead", &request->overheads, n_sites, &n);
    *found = (struct setups){.n = n};
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++) {
        struct setup *own = &found->of[i];
        code = run_source_instrument(command, velocities, text_of(&request->instruments, i),
                                     &own->instrument);
        if (own->instrument == 0)
            own->instrument = last_instrument(velocities);
        if (code == EXIT_CODE_OK)
            code = read_number(command, "error", text_of(&request->errors, i), 1.0, false,
                               &own->uncertainty_m_s);
        if (code == EXIT_CODE_OK)
            code = read_number(command, "exposure", text_of(&request->exposures, i), day_per_minute,
                               false, &own->exposure_days);
        if (code == EXIT_CODE_OK)
            code = read_number(command, "overhead", text_of(&request->overheads, i), day_per_minute,
                               true, &own->overhead_days);
    }
    return code;
}

int setup_request_check(const char *command, const struct setup_request *request, const char *run,
                        size_t n_sites)
{
    equant_dataset *velocities = NULL;
    struct setups unused;
    if (request->instruments.n == 0 && request->errors.n == 0 && request->exposures.n == 0 &&
        request->overheads.n == 0)
        return EXIT_CODE_OK;
    int code = run_source_dataset(run, &velocities);
    if (code == EXIT_CODE_OK && velocities != NULL)
        code = setup_request_find(command, request, velocities, n_sites, &unused);
    equant_dataset_free(velocities);
    return code;
}

void setup_request_free(struct setup_request *request)
{
    text_list_free(&request->instruments);
    text_list_free(&request->errors);
    text_list_free(&request->exposures);
    text_list_free(&request->overheads);
}
