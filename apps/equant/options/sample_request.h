/* What a person asks of a run of the sampler. */
#ifndef EQUANT_APP_OPTIONS_SAMPLE_REQUEST_H
#define EQUANT_APP_OPTIONS_SAMPLE_REQUEST_H

#include <stdbool.h>

#include "equant.h"
#include "options/batch_request.h"
#include "options/data_source.h"
#include "options/engine_options.h"
#include "options/picture_options.h"
#include "options/sky_request.h"
#include "options/states_request.h"

/* A prior as it was given: --prior NAME=TEXT, in one piece of memory. */
struct sample_prior {
    char *name;
    const char *text;
};

struct sample_request {
    struct data_source source;
    equant_engine_options engine;
    equant_sample_options options; /* numbers only; what points elsewhere is filled later  */
    equant_star star;
    bool has_planets;
    const char *prior_set, *prior_file;
    size_t n_priors;
    struct sample_prior *priors;
    struct states_request states;
    const char *start_file; /* planets to begin with; NULL: none                           */
    const char *out, *resume;
    const char *new_only; /* an option that a resumed run does not take; NULL: none was given */
    const char
        *velocity_only; /* an option that means nothing for astrometry; NULL: none was given */
    struct sky_request sky;
    struct picture_options pictures;
    bool as_json, is_forced;
    struct batch_request batch;
};

extern const struct option_table sample_request_table;

struct sample_request sample_request_default(void);
void sample_request_free(struct sample_request *request);

/* The options that draws depend on, as a line: the same line, the same draws. */
void sample_request_describe(const struct sample_request *request, char *line, size_t n);

/* Takes the options of a command line; what is left are files. Returns EXIT_CODE_OK, or another
 * code with a sentence. */
int sample_request_parse(int argc, char **argv, struct sample_request *request,
                         struct file_list *files);

#endif
