/* equant models: the adopted fit beside those that differ from it by one choice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "text/json_writer.h"
#include "options/fit_request.h"
#include "options/star_options.h"
#include "options/star_request.h"
#include "stars/star_result.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/watched_call.h"
#include "terminal/wrapped_text.h"

struct models_command {
    struct fit_request fit;
    bool as_json;
};

#define OPTIONS_OF struct models_command
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"}, {0}};

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "STAR.yaml [OPTIONS]", "--demo [OPTIONS]"},
    .about =
        "Fits the star, then alternative models that differ by one choice: without each\n"
        "planet, with circular orbits of each planet and of all, with other trends, without\n"
        "jitter, with and without noise terms, and with the rejected candidate of the fit. A\n"
        "table lists ln L, BIC, AICc, and ln Z where the fit has it. `equant compare` samples\n"
        "the probabilities of the number of planets.",
    .sections = {{"The planets", fit_request_rows, offsetof(struct models_command, fit)},
                 {NULL, states_request_rows, offsetof(struct models_command, fit.states)},
                 {NULL, noise_request_rows, offsetof(struct models_command, fit.noise)},
                 {"The star", star_request_rows, offsetof(struct models_command, fit.star)},
                 {"Search range", search_range_rows, offsetof(struct models_command, fit.range)},
                 {"Results", result_rows, 0},
                 {"The data", data_source_rows, offsetof(struct models_command, fit.source)},
                 {"Computation", search_range_engine_rows,
                  offsetof(struct models_command, fit.range)},
                 {"", option_table_help_rows, 0}},
    .example = "equant models --demo --noise white --planets 2 --period 50:3000\n"
               "equant models star.yaml --json",
};

static int parse_star_file(int argc, char **argv, struct models_command *command,
                           struct file_list *files)
{
    const struct star_options into = {&command_options, "fit", command, &command->fit.states,
                                      &command->fit.source};
    fit_request_free(&command->fit);
    *command = (struct models_command){.fit = fit_request_default()};
    return star_options_parse(&into, argc, argv, files);
}

static int parse(int argc, char **argv, struct models_command *command, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, command, files);
    if (code == EXIT_CODE_OK && star_options_is_meant(files))
        code = parse_star_file(argc, argv, command, files);
    if (code == EXIT_CODE_OK)
        code = states_request_take(&command->fit.states, files);
    command->fit.source.states = command->fit.states.made;
    return code == EXIT_CODE_OK ? fit_request_check(argv[0], &command->fit) : code;
}

static equant_compared_model model_at(const equant_model_table *models, size_t index)
{
    equant_compared_model model = {.struct_size = sizeof model};
    (void)equant_model_table_at(models, index, &model);
    return model;
}

static int print_text(const struct star_result *star, const equant_model_table *models)
{
    struct table table = table_start("lrrrrrrl");
    const char *const headers[] = {"model", "planets", "k",      "ln L",
                                   "BIC",   "AICc",    "d ln Z", "by BIC"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < equant_model_table_n(models); i++) {
        equant_compared_model own = model_at(models, i);
        table_add(&table, "%s", own.name);
        table_add(&table, "%zu", own.n_planets);
        table_add(&table, "%zu", own.n_fitted);
        table_add(&table, "%.2f", own.log_likelihood);
        table_add(&table, "%.2f", own.bic);
        table_add(&table, "%.2f", own.aicc);
        if (isfinite(own.delta_log_evidence))
            table_add(&table, "%.1f", own.delta_log_evidence);
        else
            table_add(&table, "-");
        table_add(&table, "%s", own.words);
    }
    printf("%zu observations; planets", star->summary.n_obs);
    for (size_t p = 0; p < star->n_planets; p++)
        printf("%s %c of %.5g days", p > 0 ? "," : "", equant_fit_letter(star->fit, p),
               star->planets[p].values[EQUANT_ELEMENT_PERIOD]);
    printf("%s\n\n", star->n_planets == 0 ? ": none" : "");
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    wrapped_text_print(
        "\n  Differences of the BIC to the lowest: below 2 no worse, below 6 worse, below 10\n"
        "  much worse, else ruled out.\n");
    return code;
}

static void write_json(const equant_model_table *models)
{
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    json_key(&json, "models");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_model_table_n(models); i++) {
        equant_compared_model own = model_at(models, i);
        json_object_begin(&json);
        json_key_string(&json, "name", own.name);
        json_key_boolean(&json, "is_adopted", own.is_adopted);
        json_key_unsigned(&json, "n_planets", own.n_planets);
        json_key_unsigned(&json, "n_fitted", own.n_fitted);
        json_key_number(&json, "log_likelihood", own.log_likelihood);
        json_key_number(&json, "bic", own.bic);
        json_key_number(&json, "aicc", own.aicc);
        json_key_number(&json, "delta_log_evidence", own.delta_log_evidence);
        json_key_string(&json, "words", own.words);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

static int compare(const struct models_command *command, struct star_result *star)
{
    equant_model_table *models = NULL;
    struct watched_call call = watched_call_start("");
    equant_fit_options options = star_result_fit_options(&command->fit);
    options.progress = watched_call_progress;
    options.progress_context = &call;
    int code =
        watched_call_end(&call, equant_models_compare(star->dataset, star->fit, &options, &models));
    if (code == EXIT_CODE_OK && command->as_json)
        write_json(models);
    else if (code == EXIT_CODE_OK)
        code = print_text(star, models);
    equant_model_table_free(models);
    return code;
}

static int run(const struct models_command *command, const char *name,
               const struct file_list *files)
{
    struct star_result star;
    int code = star_result_load(&command->fit, name, files, &star);
    for (size_t i = 0; i < star.warnings.n; i++)
        messages_warning("%s", star.warnings.texts[i]);
    if (code == EXIT_CODE_OK)
        code = star_result_run(&command->fit, "", &star);
    if (code == EXIT_CODE_OK)
        code = compare(command, &star);
    star_result_free(&star);
    return code;
}

int command_models(int argc, char **argv)
{
    struct models_command command = {.fit = fit_request_default()};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &command, &files);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = run(&command, argv[0], &files);
    }
    fit_request_free(&command.fit);
    return code;
}
