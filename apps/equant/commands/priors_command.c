/* equant priors: the priors that a run of the sampler would have, as a file to edit and give to
 * `equant sample --priors`. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "options/data_source.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/table.h"

struct priors_request {
    struct data_source source;
    size_t n_planets;
    int trend;
    const char *set, *noise;
    bool lists_sets;
};

static const struct option_choice trends[] = {{"none", EQUANT_TREND_NONE},
                                              {"linear", EQUANT_TREND_LINEAR},
                                              {"quadratic", EQUANT_TREND_QUADRATIC},
                                              {0}};

#define OPTIONS_OF struct priors_request
static const struct option_row model_rows[] = {
    {"planets", "N", OPTION_COUNT(n_planets, 0, 100), "number of planets; default: 1"},
    {"trend", "T", OPTION_CHOICE(trend, trends), "none (default), linear or quadratic"},
    {"noise", "TERMS", OPTION_TEXT(noise), "noise terms, as in `equant sample`: 'rotation,night'"},
    {"prior-set", "S", OPTION_TEXT(set), "one of the sets of --sets; default: ford-gregory"},
    {"sets", NULL, OPTION_FLAG(lists_sets), "lists the sets of priors"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "--demo [OPTIONS]", "--sets"},
    .about = "Writes the default priors of `equant sample` for these data as YAML, to be edited\n"
             "and used with `equant sample --priors FILE`.",
    .sections = {{"The model", model_rows, 0},
                 {"The data", data_source_rows, offsetof(struct priors_request, source)},
                 {"", option_table_help_rows, 0}},
    .example = "equant priors --demo --planets 2 > priors.yaml",
};

static int print_sets(void)
{
    struct table table = table_start("ll");
    table_add(&table, "set");
    table_add(&table, "what it is");
    for (size_t i = 0; i < equant_n_prior_sets(); i++) {
        table_add(&table, "%s", equant_prior_set_name(i));
        table_add(&table, "%s", equant_prior_set_description(i));
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* The prior of the parameter with this name; NULL where the model has none. */
__attribute__((format(printf, 2, 3))) static const char *prior_of(const equant_priors *priors,
                                                                  const char *format, ...)
{
    char name[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < equant_priors_n(priors); i++)
        if (strcmp(equant_priors_name(priors, i), name) == 0)
            return equant_priors_text(priors, i);
    return NULL;
}

static void print_planets(const equant_priors *priors, size_t n_planets)
{
    static const char *const elements[] = {"period_days", "k_m_s", "eccentricity", "omega_rad",
                                           "m0_rad"};
    for (size_t p = 1; p <= n_planets; p++)
        for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
            printf("%s  %s %s: %s\n", p == 1 && i == 0 ? "planets:\n" : "", i == 0 ? "-" : " ",
                   elements[i], prior_of(priors, "%s_%zu", elements[i], p));
}

/* A name in quotes, whatever is in it: YAML understands "\x1b", too. */
static void print_quoted(const char *name)
{
    putchar('"');
    while (*name != '\0') {
        size_t n = strcspn(name, "\"\\");
        plain_text_write_n(stdout, name, n);
        name += n;
        if (*name != '\0')
            printf("\\%c", *name++);
    }
    puts("\"");
}

static void print_instruments(const equant_priors *priors, const equant_dataset *dataset)
{
    puts("instruments:");
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        fputs("  - name: ", stdout);
        print_quoted(equant_dataset_instrument_name(dataset, i));
        printf("    offset_m_s: %s\n", prior_of(priors, "offset_m_s_%zu", i + 1));
        printf("    jitter_m_s: %s\n", prior_of(priors, "jitter_m_s_%zu", i + 1));
    }
    static const char *const trend[] = {"trend_m_s_day", "trend_m_s_day2"};
    for (size_t i = 0; i < sizeof trend / sizeof *trend; i++)
        if (prior_of(priors, "%s", trend[i]) != NULL)
            printf("%s: %s\n", trend[i], prior_of(priors, "%s", trend[i]));
}

/* What is neither a planet's nor an instrument's nor of a trend. */
static void print_noise(const equant_priors *priors)
{
    bool is_first = true;
    for (size_t i = 0; i < equant_priors_n(priors); i++) {
        equant_quantity_info kind = {.struct_size = sizeof kind};
        const char *name = equant_priors_name(priors, i);
        size_t index;
        if (equant_quantity_find(name, &index) != EQUANT_SUCCESS ||
            equant_quantity_at(index, &kind) != EQUANT_SUCCESS ||
            kind.role != EQUANT_QUANTITY_NOISE || kind.axis != EQUANT_QUANTITY_ALONE)
            continue;
        printf("%s  - parameter: %s\n    prior: %s\n", is_first ? "noise:\n" : "", name,
               equant_priors_text(priors, i));
        is_first = false;
    }
}

static int print_priors(const struct priors_request *request, const equant_dataset *dataset)
{
    equant_priors_options wanted = {.struct_size = sizeof wanted,
                                    .n_planets = request->n_planets,
                                    .trend = (equant_trend)request->trend,
                                    .prior_set = request->set,
                                    .noise = request->noise};
    equant_priors *priors = NULL;
    equant_status status = equant_priors_create(dataset, &wanted, &priors);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    printf("set: %s\n", request->set != NULL ? request->set : equant_prior_set_name(0));
    print_planets(priors, request->n_planets);
    print_instruments(priors, dataset);
    print_noise(priors);
    equant_priors_free(priors);
    return EXIT_CODE_OK;
}

int command_priors(int argc, char **argv)
{
    struct priors_request request = {.source = data_source_default(), .n_planets = 1};
    struct file_list files;
    equant_dataset *dataset = NULL;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (request.lists_sets && (files.n > 0 || request.source.is_demonstration))
        return messages_usage(argv[0], "--sets lists sets of priors for any data; leave %s%s%s out",
                              files.n > 0 ? "'" : "--demo", files.n > 0 ? files.paths[0] : "",
                              files.n > 0 ? "'" : "");
    if (request.lists_sets)
        return print_sets();
    code = data_source_load(argv[0], &request.source, &files, &dataset);
    if (code == EXIT_CODE_OK)
        code = print_priors(&request, dataset);
    equant_dataset_free(dataset);
    data_source_free(&request.source);
    return code;
}
