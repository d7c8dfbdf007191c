/* equant sample: draws from the posterior of a star's planets. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/star_sampling.h"
#include "archive/sample_worker.h"
#include "commands/commands.h"
#include "platform/system_file.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "results/repeat_file.h"
#include "results/sample_folder.h"
#include "results/sample_json.h"
#include "options/sample_request.h"
#include "results/sample_text.h"
#include "sky/sky_sampling.h"
#include "options/star_name.h"

static int check_folder(const char *command, const struct sample_request *request)
{
    const char *folder = request->resume != NULL ? request->resume : request->out;
    return output_check_folder(command, folder, sample_folder_members);
}

/* The folder, which must not hold a run already: hours of work would be gone. */
static int prepare_folder(const char *command, struct star_sampling *star,
                          equant_folder_lock **lock)
{
    const struct sample_request *request = star->request;
    const char *folder = request->resume != NULL ? request->resume : request->out;
    if (folder == NULL)
        return EXIT_CODE_OK;
    star->path = output_folder_join(folder, SAMPLE_FOLDER_RUN);
    if (star->path == NULL)
        return EXIT_CODE_FAILED;
    bool is_there = system_file_exists(star->path);
    if (request->resume != NULL && !is_there) /* the library has a sentence for that */
        return EXIT_CODE_OK;
    int code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = folder_lock_take(lock, folder, request->is_forced);
    if (code != EXIT_CODE_OK || request->resume != NULL)
        return code;
    if (system_file_exists(star->path))
        return messages_usage(command,
                              "%s is there already; go on with it by --resume %s, or name another "
                              "folder",
                              star->path, folder);
    return EXIT_CODE_OK;
}

/* What a person should know about a run that was stopped. */
static void report_interruption(const struct star_sampling *star, const char *folder)
{
    if (star->path == NULL)
        messages_note("interrupted at step %" PRIu64 "; without --out nothing is kept", star->step);
    else if (!system_file_exists(star->path))
        messages_note("interrupted before the first step");
    else
        messages_note("interrupted at step %" PRIu64 "; go on with: equant sample --resume %s",
                      star->step, folder);
}

/* Nor is a run lost that had no time to come out of its burn-in. */
static void report_short_run(const struct star_sampling *star, const char *folder)
{
    if (star->path == NULL)
        messages_note("without --out nothing is kept; give it a longer --budget or a shorter "
                      "--burn-in");
    else
        messages_note("go on with: equant sample --resume %s --budget SECONDS", folder);
}

static int report(const struct sample_request *request, const char *folder,
                  const equant_posterior *posterior)
{
    int written = EXIT_CODE_OK;
    const struct posterior_view view = posterior_view_of(posterior);
    if (folder != NULL)
        written = sample_folder_write(&view, folder, &request->pictures);
    /* A result that could not be kept is shown all the same. */
    int printed = request->as_json ? sample_json_write(stdout, &view) : sample_text_print(&view);
    return written != EXIT_CODE_OK ? written : printed;
}

static int run_one(int argc, char **argv, const struct sample_request *request, const char *typed,
                   const struct file_list *files)
{
    const char *command = argv[0];
    struct star_name name = star_name_guess(&request->source, files);
    struct star_sampling star = {.request = request, .name = name.text, .typed = typed};
    equant_folder_lock *lock = NULL;
    const char *folder = request->resume != NULL ? request->resume : request->out;
    equant_posterior *posterior = NULL;
    int code = check_folder(command, request);
    if (code == EXIT_CODE_OK && request->resume == NULL)
        code = star_sampling_load(&star, command, files, true);
    if (code == EXIT_CODE_OK)
        code = prepare_folder(command, &star, &lock);
    const struct repeat_file again = {.table = &sample_request_table,
                                      .command = "sample",
                                      .argc = argc,
                                      .argv = argv,
                                      .files = files,
                                      .states = &request->states,
                                      .star_name = name.text};
    if (code == EXIT_CODE_OK && request->out != NULL && repeat_file_is_meant(&again))
        code = repeat_file_write(&again, request->out);
    if (code == EXIT_CODE_OK)
        code = star_sampling_run(&star, request->resume != NULL, &posterior);
    if (code == EXIT_CODE_OK)
        code = report(request, folder, posterior);
    else if (code == EXIT_CODE_INTERRUPTED)
        report_interruption(&star, folder);
    else if (star.is_too_short)
        report_short_run(&star, folder);
    equant_folder_lock_release(lock);
    equant_posterior_free(posterior);
    star_sampling_free(&star);
    return code;
}

static int run_batch(struct sample_request *request, const char *typed, int argc, char **argv)
{
    struct sample_worker worker = {.request = request, .command = argv[0], .typed = typed};
    struct star_batch_work work = {.folder = request->out,
                                   .verb = "sampled",
                                   .mark = SAMPLE_FOLDER_MARK,
                                   .members = sample_folder_members,
                                   .n_threads = request->engine.n_threads,
                                   .is_forced = request->is_forced,
                                   .context = &worker,
                                   .work = sample_worker_sample};
    sample_request_describe(request, work.options, sizeof work.options);
    /* Not every star was observed with the instrument to be left out. */
    request->source.leave_out.ignores_strangers = true;
    return request->batch.is_worker ? star_worker_run(&work)
                                    : star_batch_run(&request->batch, &work, argc, argv);
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
        if (request.batch.list != NULL)
            code = run_batch(&request, typed, argc, argv);
        else if (sky_request_is_meant(&files))
            code = sky_sample_run(argv[0], &request, &files);
        else
            code = run_one(argc, argv, &request, typed, &files);
    }
    sample_request_free(&request);
    free(typed);
    return code;
}
