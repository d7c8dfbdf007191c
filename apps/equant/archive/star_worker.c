/* The side of a batch that computes: one star after the other, as they are dealt out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/star_batch.h"
#include "archive/star_record.h"
#include "files/input_file.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/progress_display.h"
#include "terminal/spoken_number.h"

enum { SENTENCE_SIZE = 1024 };

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

static void answer(const struct star_entry *entry)
{
    enum { MOST_PERIODS = 6 };
    const struct star_result *star = entry->star;
    if (star == NULL) {
        fputs("failed\tfailed: ", stdout);
        plain_text_write(stdout, entry->message);
    } else {
        size_t n_found = star_result_n_found(star), n_candidates = star_result_n_candidates(star);
        printf("ok\t%5zu observations  %zu planet%s", star->summary.n_obs, n_found,
               n_found == 1 ? " " : "s");
        if (n_candidates > 0)
            printf(" and %zu candidate%s", n_candidates, n_candidates == 1 ? "" : "s");
        for (size_t i = 0; i < star->n_planets && i < MOST_PERIODS; i++)
            printf("%s%s", i == 0 ? "  " : ", ", period_of(&star->planets[i]).text);
        printf("%s  %.1f s%s%s", star->n_planets == 0 ? "" : " days", entry->seconds,
               entry->message[0] != '\0' ? "; " : "", entry->message);
    }
    putchar('\n');
    fflush(stdout);
}

/* Begun, so that a star which takes the whole machine down is not begun for ever. */
static int begin(const struct star_batch_work *work, const char *folder, struct star_entry *entry)
{
    struct star_record before;
    int code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = star_record_read(folder, &before);
    if (code != EXIT_CODE_OK)
        return code;
    entry->status = STAR_RUNNING;
    entry->attempts = before.attempts + 1;
    star_record_free(&before);
    return star_record_write(folder, work->options, entry);
}

/* One star; its failure is noted and is none of the batch. */
static void work_on(const struct star_batch_work *work, const struct batch_star *star)
{
    char sentence[SENTENCE_SIZE] = "it failed without a word";
    char remark[STAR_BATCH_REMARK_SIZE] = "";
    struct star_result result = {0};
    struct star_entry entry = {.name = star->name, .message = ""};
    double start_s = progress_clock_s();
    messages_hold(sentence, sizeof sentence);
    char *folder = output_folder_join(work->folder, star->name);
    int code = folder == NULL ? EXIT_CODE_FAILED : begin(work, folder, &entry);
    if (code == EXIT_CODE_OK) /* of an older run: from now on the folder is incomplete */
        code = output_file_remove(folder, work->mark, work->members);
    if (code == EXIT_CODE_OK)
        code = work->work(work->context, star, folder, &result, remark);
    entry.seconds = progress_clock_s() - start_s;
    entry.status = code == EXIT_CODE_OK ? STAR_OK : STAR_FAILED;
    entry.star = code == EXIT_CODE_OK ? &result : NULL;
    entry.message = remark;
    if (code == EXIT_CODE_OK)
        code = star_record_write(folder, work->options, &entry);
    if (code != EXIT_CODE_OK && interrupt_requested()) { /* what was finished in time counts */
        if (folder != NULL)
            output_file_remove(folder, STAR_RECORD_FILE, star_record_members);
    } else {
        entry.star = code == EXIT_CODE_OK ? &result : NULL;
        entry.status = code == EXIT_CODE_OK ? STAR_OK : STAR_FAILED;
        entry.message = code == EXIT_CODE_OK ? remark : sentence;
        char last_words[SENTENCE_SIZE]; /* where even this cannot be written, the answer says why */
        messages_hold(last_words, sizeof last_words);
        if (code != EXIT_CODE_OK && folder != NULL)
            star_record_write(folder, work->options, &entry);
        answer(&entry);
    }
    messages_hold(NULL, 0);
    star_result_free(&result);
    free(folder);
}

int star_worker_run(const struct star_batch_work *work)
{
    struct line_reader reader;
    enum line_result result;
    char *line;
    int code = line_reader_open(&reader, "-");
    if (code != EXIT_CODE_OK)
        return code;
    progress_silence();
    while (!interrupt_requested() && code == EXIT_CODE_OK &&
           (result = line_reader_next(&reader, &line)) == LINE_READ) {
        struct batch_star star;
        code = batch_star_read(line, &star);
        for (int i = 0; code == EXIT_CODE_OK && i < star.n_paths; i++)
            input_file_note(star.paths[i]);
        if (code == EXIT_CODE_OK)
            work_on(work, &star);
        batch_star_free(&star);
    }
    line_reader_close(&reader);
    return interrupt_requested() ? EXIT_CODE_INTERRUPTED : code;
}
