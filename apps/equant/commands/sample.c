/* equant sample: draws from the posterior of a star's planets. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands/commands.h"
#include "terminal/interrupt.h"
#include "inputs/known_planets.h"
#include "terminal/messages.h"
#include "files/output_folder.h"
#include "results/sample_folder.h"
#include "results/sample_json.h"
#include "terminal/sample_progress.h"
#include "options/sample_request.h"
#include "results/sample_text.h"
#include "options/star_name.h"

/* What a call of the library needs, and frees. */
struct sampling {
    const struct sample_request *request;
    equant_dataset *dataset;
    equant_priors *priors;
    struct known_planets known;
    const char *folder; /* NULL: none */
    char *path;         /* of the run's file; NULL: none */
    struct star_name star_name;
    const char *typed; /* the command line */
};

/* ---- before ------------------------------------------------------------------------ */

static int load_data(const char *command, const struct file_list *files, struct sampling *session)
{
    const struct sample_request *request = session->request;
    int code = data_source_load_and_warn(command, &request->source, files, &session->dataset);
    if (code != EXIT_CODE_OK)
        return code;
    code = instrument_filter_apply(&request->leave_out, &session->dataset);
    if (code == EXIT_CODE_OK && request->start_file != NULL)
        code = known_planets_read(&session->known, request->start_file, session->dataset);
    return code;
}

static int create_priors(struct sampling *session)
{
    const struct sample_request *request = session->request;
    equant_priors_options options = {.struct_size = sizeof options,
                                     .n_planets = request->options.n_planets,
                                     .trend = request->options.trend,
                                     .set = request->prior_set};
    equant_status status = request->prior_file != NULL
                               ? equant_priors_from_file(request->prior_file, session->dataset,
                                                         &options, &session->priors)
                               : equant_priors_create(session->dataset, &options, &session->priors);
    for (size_t i = 0; i < request->n_priors && status == EQUANT_SUCCESS; i++)
        status =
            equant_priors_change(session->priors, request->priors[i].name, request->priors[i].text);
    return status == EQUANT_SUCCESS ? EXIT_CODE_OK : messages_status(status);
}

/* The folder, which must not hold a run already: hours of work would be gone. */
static int prepare_folder(const char *command, struct sampling *session)
{
    const struct sample_request *request = session->request;
    session->folder = request->resume != NULL ? request->resume : request->out;
    if (session->folder == NULL)
        return EXIT_CODE_OK;
    session->path = output_folder_join(session->folder, SAMPLE_FOLDER_RUN);
    if (session->path == NULL)
        return EXIT_CODE_FAILED;
    if (request->resume != NULL)
        return EXIT_CODE_OK;
    if (access(session->path, F_OK) == 0)
        return messages_usage(command,
                              "%s is there already; go on with it by --resume %s, or name another "
                              "folder",
                              session->path, session->folder);
    return output_folder_create(session->folder);
}

/* ---- the run ------------------------------------------------------------------------- */

/* What a person should know about a run that was stopped. */
static int report_interruption(const struct sampling *session, uint64_t step)
{
    if (session->path == NULL)
        messages_note("interrupted at step %" PRIu64 "; without --out nothing is kept", step);
    else if (access(session->path, F_OK) != 0)
        messages_note("interrupted before the first step");
    else
        messages_note("interrupted at step %" PRIu64 "; go on with: equant sample --resume %s",
                      step, session->folder);
    return EXIT_CODE_INTERRUPTED;
}

static int sample(const struct sampling *session, equant_posterior **posterior)
{
    const struct sample_request *request = session->request;
    struct sample_progress line = sample_progress_start();
    equant_sample_options options = request->options;
    options.engine = &request->engine;
    options.priors = session->priors;
    options.kernel = request->has_kernel ? &request->kernel : NULL;
    options.n_known = session->known.n;
    options.known = session->known.elements;
    options.path = session->path;
    options.star_name = session->star_name.text;
    options.command = session->typed;
    options.watch = sample_progress_watch;
    options.watch_context = &line;
    equant_status status = request->resume != NULL
                               ? equant_sample_resume(session->path, &options, posterior)
                               : equant_sample(session->dataset, &options, posterior);
    progress_clear(&line.progress);
    if (status == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    if (status == EQUANT_ERROR_CANCELLED && interrupt_requested())
        return report_interruption(session, line.step);
    return messages_status(status);
}

static int report(const struct sampling *session, const equant_posterior *posterior)
{
    int code = EXIT_CODE_OK;
    if (session->folder != NULL)
        code = sample_folder_write(posterior, session->folder, &session->request->pictures);
    if (code != EXIT_CODE_OK)
        return code;
    return session->request->as_json ? sample_json_write(stdout, posterior)
                                     : sample_text_print(posterior);
}

static int run(const char *command, const struct sample_request *request, const char *typed,
               const struct file_list *files)
{
    struct sampling session = {
        .request = request, .star_name = star_name_guess(&request->source, files), .typed = typed};
    equant_posterior *posterior = NULL;
    int code = EXIT_CODE_OK;
    if (request->resume == NULL) {
        code = load_data(command, files, &session);
        if (code == EXIT_CODE_OK)
            code = create_priors(&session);
    }
    if (code == EXIT_CODE_OK)
        code = prepare_folder(command, &session);
    if (code == EXIT_CODE_OK)
        code = sample(&session, &posterior);
    if (code == EXIT_CODE_OK)
        code = report(&session, posterior);
    equant_posterior_free(posterior);
    equant_priors_free(session.priors);
    known_planets_free(&session.known);
    equant_dataset_free(session.dataset);
    free(session.path);
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
        code = run(argv[0], &request, typed, &files);
    }
    sample_request_free(&request);
    free(typed);
    return code;
}
