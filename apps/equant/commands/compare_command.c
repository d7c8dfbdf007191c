/* equant compare: how many planets a star has, and how probable each of them is. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/output_folder.h"
#include "options/command_line.h"
#include "options/compare_request.h"
#include "pictures/compare_picture.h"
#include "results/compare_report.h"
#include "stars/star_comparison.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

struct compare_command {
    struct fit_request fit;
    struct compare_request compare;
    const char *out;
    struct picture_options pictures;
    bool as_json;
};

#define OPTIONS_OF struct compare_command
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes compare.json, fip.ecsv and pictures to this folder;\n"
     "the same command continues an interrupted run from its\n"
     "chains.bin"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "--demo [OPTIONS]"},
    .about =
        "Fits the star, then samples models with all numbers of planets, with orbits,\n"
        "amplitudes, offsets, trend and noise as free parameters, by trans-dimensional Markov\n"
        "chains. The result is the posterior probability of each number of planets, and of\n"
        "each signal and its aliases to be a planet. It takes minutes, where a fit takes\n"
        "seconds.",
    .sections = {{"What is compared", compare_request_rows,
                  offsetof(struct compare_command, compare)},
                 {NULL, noise_request_rows, offsetof(struct compare_command, fit.noise)},
                 {"Search range", search_range_rows, offsetof(struct compare_command, fit.range)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct compare_command, pictures)},
                 {"The data", data_source_rows, offsetof(struct compare_command, fit.source)},
                 {"Computation", search_range_engine_rows,
                  offsetof(struct compare_command, fit.range)},
                 {"", option_table_help_rows, 0}},
    .example = "equant compare --demo --out hd164922\n"
               "equant compare star.csv --noise rotation --prior-n 1/3",
};

static int parse(int argc, char **argv, struct compare_command *command, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, command, files);
    if (code == EXIT_CODE_OK)
        code = compare_request_check(argv[0], &command->compare);
    if (code == EXIT_CODE_OK)
        code = fit_request_check(argv[0], &command->fit);
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&command->pictures);
    if (code == EXIT_CODE_OK)
        code = output_check_folder(argv[0], command->out, compare_report_members);
    return code;
}

static int write_report(const struct compare_command *command, const struct compare_report *report)
{
    int written = EXIT_CODE_OK;
    if (command->out != NULL) {
        written = compare_report_tables(report, command->out);
        if (written == EXIT_CODE_OK && !command->pictures.has_none)
            written =
                compare_picture_draw(report->comparison, command->out, command->pictures.format);
    }
    /* A result that could not be kept is shown all the same. */
    int printed = command->as_json ? compare_report_json(report) : compare_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

/* The chains, kept in the folder as they run. */
static int compare_chains(const struct compare_command *command, struct star_result *star)
{
    struct compare_request request = command->compare;
    char *checkpoint = NULL;
    if (command->out != NULL) {
        checkpoint = output_folder_join(command->out, COMPARE_REPORT_CHAINS);
        if (checkpoint == NULL)
            return messages_out_of_memory();
    }
    request.checkpoint = checkpoint;
    int code = star_comparison_run(&command->fit, &request, INFINITY, star);
    free(checkpoint);
    return code;
}

/* Chains know velocities alone: where indicators are series, velocities follow what is learnt from
 * them. */
static int learn(struct noise_request *noise, struct star_result *star)
{
    char learnt[NOISE_REQUEST_TEXT_SIZE] = "";
    int code = noise_request_learn(noise, &star->dataset, learnt);
    if (learnt[0] != '\0')
        text_list_add(&star->hints, "%s", learnt);
    noise->indicators = noise_request_indicators(noise);
    noise->as_series = 0;
    return code;
}

/* The same command with four times the sweeps, in new memory. */
static char *longer_command(int argc, char **argv, uint64_t n_sweeps)
{
    const uint64_t usual = 400;
    static const char option[] = "--sweeps";
    char number[32], **longer = calloc((size_t)argc + 3, sizeof *longer), name[] = "--sweeps";
    int n = 0;
    if (longer == NULL)
        return NULL;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], option) == 0)
            i++;
        else if (strncmp(argv[i], "--sweeps=", sizeof option) != 0)
            longer[n++] = argv[i];
    }
    snprintf(number, sizeof number, "%" PRIu64, 4 * (n_sweeps > 0 ? n_sweeps : usual));
    longer[n++] = name;
    longer[n++] = number;
    char *typed = command_line_typed(n, longer);
    free(longer);
    return typed;
}

static int run(struct compare_command *command, const char *name, const struct file_list *files,
               const char *longer)
{
    struct star_result star;
    double began_s = progress_clock_s();
    int code = star_result_load(&command->fit, name, files, &star);
    if (code == EXIT_CODE_OK)
        code = star_comparison_check(&command->fit, &command->compare, &star);
    if (code == EXIT_CODE_OK)
        code = learn(&command->fit.noise, &star);
    for (size_t i = 0; i < star.warnings.n; i++)
        messages_warning("%s", star.warnings.texts[i]);
    if (code == EXIT_CODE_OK && command->out != NULL)
        code = output_folder_create(command->out);
    if (code == EXIT_CODE_OK)
        code = star_result_run(&command->fit, "", &star);
    if (code == EXIT_CODE_OK)
        code = compare_chains(command, &star);
    if (code == EXIT_CODE_OK) {
        struct compare_report report = {.star = &star,
                                        .comparison = star.comparison,
                                        .threshold = command->compare.threshold,
                                        .seconds = progress_clock_s() - began_s,
                                        .longer = longer,
                                        .has_chains = command->out != NULL};
        code = write_report(command, &report);
    }
    star_result_free(&star);
    return code;
}

int command_compare(int argc, char **argv)
{
    struct compare_command command = {.fit = fit_request_default(),
                                      .compare = compare_request_default()};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    char **typed = malloc(((size_t)argc + 1) * sizeof *typed), *longer = NULL;
    if (typed == NULL)
        return messages_out_of_memory();
    memcpy(typed, argv, (size_t)argc * sizeof *typed);
    int code = parse(argc, argv, &command, &files);
    if (code == EXIT_CODE_OK) {
        longer = longer_command(argc, typed, command.compare.n_sweeps);
        code = longer == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
    }
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = run(&command, argv[0], &files, longer);
    }
    fit_request_free(&command.fit);
    free(typed);
    free(longer);
    return code;
}
