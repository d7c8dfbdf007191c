/* equant sample: draws from the posterior of a star's planets. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands/commands.h"
#include "terminal/interrupt.h"
#include "inputs/known_planets.h"
#include "terminal/messages.h"
#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "results/sample_folder.h"
#include "results/sample_json.h"
#include "terminal/sample_progress.h"
#include "options/sample_request.h"
#include "results/sample_text.h"
#include "sky/sky_sample.h"
#include "options/star_name.h"

/* What a call of the library needs, and frees. */
struct sample_call {
    const struct sample_request *request;
    equant_dataset *dataset;
    equant_priors *priors;
    struct known_planets known;
    const char *folder; /* NULL: none */
    char *path;         /* of the run's file; NULL: none */
    struct folder_lock lock;
    struct star_name star_name;
    const char *typed; /* the command line */
};

/* ---- before ------------------------------------------------------------------------ */

static int load_data(const char *command, const struct file_list *files, struct sample_call *call)
{
    const struct sample_request *request = call->request;
    int code = data_source_load_and_warn(command, &request->source, files, &call->dataset);
    if (code != EXIT_CODE_OK)
        return code;
    code = instrument_filter_apply(&request->leave_out, &call->dataset);
    if (code == EXIT_CODE_OK && request->start_file != NULL)
        code = known_planets_read(&call->known, request->start_file, call->dataset);
    return code;
}

static int create_priors(struct sample_call *call)
{
    const struct sample_request *request = call->request;
    equant_priors_options options = {.struct_size = sizeof options,
                                     .n_planets = request->options.n_planets,
                                     .trend = request->options.trend,
                                     .prior_set = request->prior_set,
                                     .noise = request->options.noise};
    equant_status status =
        request->prior_file != NULL
            ? equant_priors_from_file(request->prior_file, call->dataset, &options, &call->priors)
            : equant_priors_create(call->dataset, &options, &call->priors);
    for (size_t i = 0; i < request->n_priors && status == EQUANT_SUCCESS; i++)
        status =
            equant_priors_change(call->priors, request->priors[i].name, request->priors[i].text);
    return messages_status(status);
}

static int check_folder(const char *command, const struct sample_request *request,
                        const struct file_list *files)
{
    const char *folder = request->resume != NULL ? request->resume : request->out;
    const char *inputs[] = {request->prior_file, request->start_file};
    int code = output_check_folder(command, folder, sample_folder_members, files->n, files->paths);
    if (code == EXIT_CODE_OK)
        code = output_check_folder(command, folder, sample_folder_members, 2, inputs);
    return code;
}

/* The folder, which must not hold a run already: hours of work would be gone. */
static int prepare_folder(const char *command, struct sample_call *call)
{
    const struct sample_request *request = call->request;
    call->folder = request->resume != NULL ? request->resume : request->out;
    if (call->folder == NULL)
        return EXIT_CODE_OK;
    call->path = output_folder_join(call->folder, SAMPLE_FOLDER_RUN);
    if (call->path == NULL)
        return EXIT_CODE_FAILED;
    bool is_there = access(call->path, F_OK) == 0;
    if (request->resume != NULL && !is_there) /* the library has a sentence for that */
        return EXIT_CODE_OK;
    int code = output_folder_create(call->folder);
    if (code == EXIT_CODE_OK)
        code = folder_lock_take(&call->lock, call->folder, request->is_forced);
    if (code != EXIT_CODE_OK || request->resume != NULL)
        return code;
    if (access(call->path, F_OK) == 0)
        return messages_usage(command,
                              "%s is there already; go on with it by --resume %s, or name another "
                              "folder",
                              call->path, call->folder);
    return EXIT_CODE_OK;
}

/* ---- the run ------------------------------------------------------------------------- */

/* What a person should know about a run that was stopped. */
static int report_interruption(const struct sample_call *call, uint64_t step)
{
    if (call->path == NULL)
        messages_note("interrupted at step %" PRIu64 "; without --out nothing is kept", step);
    else if (access(call->path, F_OK) != 0)
        messages_note("interrupted before the first step");
    else
        messages_note("interrupted at step %" PRIu64 "; go on with: equant sample --resume %s",
                      step, call->folder);
    return EXIT_CODE_INTERRUPTED;
}

static int sample(const struct sample_call *call, equant_posterior **posterior)
{
    const struct sample_request *request = call->request;
    struct sample_progress line = sample_progress_start();
    equant_sample_options options = request->options;
    options.engine = &request->engine;
    options.priors = call->priors;
    options.quasi_periodic = request->has_quasi_periodic ? &request->quasi_periodic : NULL;
    options.n_known = call->known.n;
    options.known = call->known.elements;
    options.path = call->path;
    options.star_name = call->star_name.text;
    options.command = call->typed;
    options.progress = sample_progress_show;
    options.progress_context = &line;
    equant_status status = request->resume != NULL
                               ? equant_sample_resume(call->path, &options, posterior)
                               : equant_sample(call->dataset, &options, posterior);
    progress_clear(&line.progress);
    if (status == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    if (status == EQUANT_ERROR_CANCELLED && interrupt_requested())
        return report_interruption(call, line.step);
    return messages_status(status);
}

static int report(const struct sample_call *call, const equant_posterior *posterior)
{
    int written = EXIT_CODE_OK;
    const struct posterior_view view = posterior_view_of(posterior);
    if (call->folder != NULL)
        written = sample_folder_write(&view, call->folder, &call->request->pictures);
    /* A result that could not be kept is shown all the same. */
    int printed =
        call->request->as_json ? sample_json_write(stdout, &view) : sample_text_print(&view);
    return written != EXIT_CODE_OK ? written : printed;
}

static int run(const char *command, const struct sample_request *request, const char *typed,
               const struct file_list *files)
{
    struct sample_call call = {
        .request = request, .star_name = star_name_guess(&request->source, files), .typed = typed};
    equant_posterior *posterior = NULL;
    int code = check_folder(command, request, files);
    if (code == EXIT_CODE_OK && request->resume == NULL) {
        code = load_data(command, files, &call);
        if (code == EXIT_CODE_OK)
            code = create_priors(&call);
    }
    if (code == EXIT_CODE_OK)
        code = prepare_folder(command, &call);
    if (code == EXIT_CODE_OK)
        code = sample(&call, &posterior);
    if (code == EXIT_CODE_OK)
        code = report(&call, posterior);
    folder_lock_release(&call.lock);
    equant_posterior_free(posterior);
    equant_priors_free(call.priors);
    known_planets_free(&call.known);
    equant_dataset_free(call.dataset);
    free(call.path);
    return code;
}

int command_sample(int argc, char **argv)
{
    struct sample_request request = sample_request_default();
    struct file_list files;
    if (option_table_helps(&sample_request_table, argc, argv))
        return EXIT_CODE_OK;
    char *typed = command_line_typed(argc, argv);
    int code = typed == NULL ? messages_out_of_memory()
                             : sample_request_parse(argc, argv, &request, &files);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = sky_request_is_meant(&files) ? sky_sample_run(argv[0], &request, &files)
                                            : run(argv[0], &request, typed, &files);
    }
    sample_request_free(&request);
    free(typed);
    return code;
}
