#include "archive/star_sampling.h"

#include <stdlib.h>

#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/sample_progress.h"

static int create_priors(struct star_sampling *star)
{
    const struct sample_request *request = star->request;
    equant_priors_options options = {.struct_size = sizeof options,
                                     .n_planets = request->options.n_planets,
                                     .trend = request->options.trend,
                                     .prior_set = request->prior_set,
                                     .noise = request->options.noise};
    equant_status status =
        request->prior_file != NULL
            ? equant_priors_from_file(request->prior_file, star->dataset, &options, &star->priors)
            : equant_priors_create(star->dataset, &options, &star->priors);
    for (size_t i = 0; i < request->n_priors && status == EQUANT_SUCCESS; i++)
        status =
            equant_priors_change(star->priors, request->priors[i].name, request->priors[i].text);
    return messages_status(status);
}

int star_sampling_load(struct star_sampling *star, const char *command,
                       const struct file_list *files, bool has_warnings)
{
    const struct sample_request *request = star->request;
    int code = has_warnings
                   ? data_source_load_and_warn(command, &request->source, files, &star->dataset)
                   : data_source_load(command, &request->source, files, &star->dataset);
    if (code == EXIT_CODE_OK && request->start_file != NULL)
        code = known_planets_read(&star->known, request->start_file, star->dataset);
    return code == EXIT_CODE_OK ? create_priors(star) : code;
}

int star_sampling_run(struct star_sampling *star, bool goes_on, equant_posterior **posterior)
{
    const struct sample_request *request = star->request;
    struct sample_progress line = sample_progress_start();
    equant_sample_options options = request->options;
    options.engine = &request->engine;
    options.priors = star->priors;
    options.star = &request->star;
    options.states = request->states.made;
    options.n_known = star->known.n;
    options.known = star->known.elements;
    options.path = star->path;
    options.star_name = star->name;
    options.command = star->typed;
    options.progress = sample_progress_show;
    options.progress_context = &line;
    equant_status status = goes_on ? equant_sample_resume(star->path, &options, posterior)
                                   : equant_sample(star->dataset, &options, posterior);
    progress_clear(&line.progress);
    star->step = line.step;
    if (status == EQUANT_ERROR_CANCELLED && interrupt_requested())
        return EXIT_CODE_INTERRUPTED;
    star->is_too_short = status == EQUANT_ERROR_CANCELLED;
    return star->is_too_short ? messages_failure("%s", equant_last_error())
                              : messages_status(status);
}

void star_sampling_free(struct star_sampling *star)
{
    equant_priors_free(star->priors);
    known_planets_free(&star->known);
    equant_dataset_free(star->dataset);
    free(star->path);
}
