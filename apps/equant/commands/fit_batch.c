#include "commands/fit_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "inputs/batch_list.h"
#include "results/batch_summary.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "terminal/progress.h"
#include "terminal/spoken_number.h"

enum { LABEL_SIZE = 64, SENTENCE_SIZE = 1024, OPTIONS_SIZE = 4096 };

struct fit_batch {
    const struct fit_request *request;
    const char *command, *folder;
    const struct fit_folder_options *options;
    struct batch_list list;
    struct batch_summary summary;
    bool *done; /* [list.n] by an earlier run */
    size_t n_fitted, n_failed, n_done_before;
};

/* The mark of an older run goes first: from now on the folder is incomplete. */
static int prepare_folder(const char *folder)
{
    int code = output_folder_create(folder);
    if (code != EXIT_CODE_OK)
        return code;
    char *mark = output_folder_join(folder, FIT_FOLDER_MARK);
    if (mark == NULL)
        return EXIT_CODE_FAILED;
    unlink(mark);
    free(mark);
    return EXIT_CODE_OK;
}

static int fit_into(const struct fit_batch *batch, size_t index, struct star_result *result)
{
    const struct batch_star *star = &batch->list.stars[index];
    struct file_list files = {star->n_paths, (const char *const *)star->paths};
    char label[LABEL_SIZE];
    snprintf(label, sizeof label, "%zu/%zu %.40s", index + 1, batch->list.n, star->name);
    char *folder = output_folder_join(batch->folder, star->name);
    int code = folder == NULL ? EXIT_CODE_FAILED
                              : output_check_folder(batch->command, folder, fit_folder_members,
                                                    files.n, files.paths);
    if (code == EXIT_CODE_OK)
        code = prepare_folder(folder);
    if (code == EXIT_CODE_OK)
        code = star_result_load(batch->request, batch->command, &files, result);
    if (code == EXIT_CODE_OK)
        code = star_result_run(batch->request, label, result);
    struct fit_folder_options options = *batch->options;
    options.star_name = star->name;
    if (code == EXIT_CODE_OK)
        code = fit_folder_write(result, folder, &options);
    free(folder);
    return code;
}

/* Five digits, or the bound of a period that has no error. */
static struct measured_value period_of(const struct star_planet *planet)
{
    struct measured_value text;
    if (star_planet_has_bound(planet, EQUANT_ELEMENT_PERIOD))
        return star_planet_bound(planet, EQUANT_ELEMENT_PERIOD);
    snprintf(text.text, sizeof text.text, "%s",
             spoken_number_digits(planet->values[EQUANT_ELEMENT_PERIOD], 5).text);
    return text;
}

static void print_star(const struct fit_batch *batch, size_t index, const struct star_result *star,
                       double seconds, const char *sentence)
{
    enum { MOST_PERIODS = 6, NAME_WIDTH = 16 };
    printf("%5zu/%zu  ", index + 1, batch->list.n);
    int width = plain_text_write(stdout, batch->list.stars[index].name);
    printf("%*s  ", width < NAME_WIDTH ? NAME_WIDTH - width : 0, "");
    if (star == NULL) {
        fputs("failed: ", stdout);
        plain_text_write(stdout, sentence);
        putchar('\n');
    } else {
        printf("%5zu observations  %zu planet%s", star->summary.n_obs, star->n_planets,
               star->n_planets == 1 ? " " : "s");
        for (size_t i = 0; i < star->n_planets && i < MOST_PERIODS; i++)
            printf("%s%s", i == 0 ? "  " : ", ", period_of(&star->planets[i]).text);
        printf("%s  %.1f s\n", star->n_planets == 0 ? "" : " days", seconds);
    }
    fflush(stdout);
}

/* One star; its failure is noted and is none of the batch. */
static int run_star(struct fit_batch *batch, size_t index)
{
    char sentence[SENTENCE_SIZE] = "it failed without a word";
    struct star_result star = {0};
    double start_s = progress_clock_s();
    messages_hold(sentence, sizeof sentence);
    int code = fit_into(batch, index, &star);
    messages_hold(NULL, 0);
    double seconds = progress_clock_s() - start_s;
    const struct star_result *result = code == EXIT_CODE_OK ? &star : NULL;
    if (result != NULL || !interrupt_requested()) { /* what was finished in time counts */
        *(result != NULL ? &batch->n_fitted : &batch->n_failed) += 1;
        print_star(batch, index, result, seconds, sentence);
        code = batch_summary_add(&batch->summary, batch->list.stars[index].name, result, seconds,
                                 sentence);
    }
    star_result_free(&star);
    return interrupt_requested() ? EXIT_CODE_INTERRUPTED : code;
}

static int run_stars(struct fit_batch *batch)
{
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < batch->list.n; i++)
        batch->n_done_before += batch->done[i];
    if (batch->n_done_before > 0)
        printf("%zu of %zu stars are done already.\n", batch->n_done_before, batch->list.n);
    for (size_t i = 0; i < batch->list.n && code == EXIT_CODE_OK; i++)
        if (!batch->done[i])
            code = run_star(batch, i);
    if (code == EXIT_CODE_INTERRUPTED)
        messages_note("interrupted after %zu of %zu stars; the same command goes on from there",
                      batch->n_done_before + batch->n_fitted + batch->n_failed, batch->list.n);
    if (code != EXIT_CODE_OK)
        return code;
    printf("%zu star%s: %zu fitted%s, %zu failed; ", batch->list.n, batch->list.n == 1 ? "" : "s",
           batch->n_done_before + batch->n_fitted, batch->n_done_before > 0 ? " in all" : "",
           batch->n_failed);
    plain_text_write(stdout, batch->summary.path);
    puts(" tells all");
    return batch->n_failed == 0 ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

int fit_batch_run(const struct fit_request *request, const char *command, const char *list_path,
                  const char *folder, const struct fit_folder_options *options, bool is_forced)
{
    struct folder_lock lock = {0};
    char described[OPTIONS_SIZE];
    struct fit_batch batch = {
        .request = request, .command = command, .folder = folder, .options = options};
    fit_request_describe(request, described, sizeof described);
    int code = batch_list_read(&batch.list, list_path);
    if (code == EXIT_CODE_OK)
        code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = folder_lock_take(&lock, folder, is_forced);
    if (code == EXIT_CODE_OK) {
        batch.done = calloc(batch.list.n, sizeof *batch.done);
        code = batch.done == NULL
                   ? messages_out_of_memory()
                   : batch_summary_open(&batch.summary, folder, described, &batch.list, batch.done);
    }
    if (code == EXIT_CODE_OK)
        code = run_stars(&batch);
    batch_summary_close(&batch.summary);
    folder_lock_release(&lock);
    batch_list_free(&batch.list);
    free(batch.done);
    return code;
}
