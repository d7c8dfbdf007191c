#include "options/sample_request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options/noise_request.h"
#include "options/option_line.h"
#include "options/star_request.h"
#include "options/star_options.h"
#include "files/input_file.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

static const struct option_choice trends[] = {{"none", EQUANT_TREND_NONE},
                                              {"linear", EQUANT_TREND_LINEAR},
                                              {"quadratic", EQUANT_TREND_QUADRATIC},
                                              {0}};

static int take_planets(const char *command, char *argument, void *into)
{
    struct sample_request *request = into;
    uint64_t n = 0;
    int code = command_line_count(command, "planets", argument, 0, 20, &n);
    request->options.n_planets = (size_t)n;
    request->has_planets = true;
    return code;
}

static int take_prior(const char *command, char *argument, void *into)
{
    struct sample_request *request = into;
    char *equals = strchr(argument, '=');
    if (equals == NULL || equals == argument)
        return messages_usage(command,
                              "--prior wants NAME=TEXT, such as eccentricity=fixed(0), "
                              "not '%s'",
                              argument);
    struct sample_prior *longer =
        realloc(request->priors, (request->n_priors + 1) * sizeof *request->priors);
    if (longer == NULL)
        return messages_out_of_memory();
    request->priors = longer;
    char *name = strdup(argument); /* the command line stays whole, for workers of a batch */
    if (name == NULL)
        return messages_out_of_memory();
    name[equals - argument] = '\0';
    request->priors[request->n_priors++] =
        (struct sample_prior){name, name + (equals - argument) + 1};
    return EXIT_CODE_OK;
}

static int take_start(const char *command, char *argument, void *into)
{
    (void)command;
    struct sample_request *request = into;
    request->options.start = EQUANT_START_FIT;
    request->start_file = NULL;
    if (strcmp(argument, "prior") == 0)
        request->options.start = EQUANT_START_PRIOR;
    else if (strcmp(argument, "fit") != 0)
        input_file_note(request->start_file = argument);
    return EXIT_CODE_OK;
}

#define OPTIONS_OF struct sample_request
static const struct option_row model_rows[] = {
    {"planets", "N", OPTION_CALL(take_planets), "number of planets"},
    {"trend", "T", OPTION_CHOICE(options.trend, trends), "none (default), linear or quadratic"},
    {"marginalise-offsets", NULL, OPTION_VALUE(options.marginalise_offsets, 1),
     "marginalises the offsets of instruments analytically"},
    {"outliers", "SHARE", OPTION_TEXT(options.outliers),
     "inflates the errors of the outliers of a fit with the same\n"
     "noise, as in equant fit: auto, a prior fraction, or none\n"
     "(default)"},
    {"noise", "TERMS", OPTION_TEXT(options.noise),
     "correlated noise whose parameters are sampled, written as in\n"
     "equant fit: 'rotation(period=20:30),night'"},
    {0}};

static const struct option_row prior_rows[] = {
    {"prior-set", "S", OPTION_TEXT(prior_set),
     "set of priors: ford-gregory (default), kipping, circular or\n"
     "eprv3"},
    {"priors", "FILE", OPTION_FILE(prior_file), "reads the priors from a YAML file"},
    {"prior", "NAME=TEXT", OPTION_CALL(take_prior),
     "prior of one parameter, such as 'period_days_1=normal(4.2,\n"
     "0.1)', or of all of one kind, such as\n"
     "'eccentricity=beta(0.867, 3.03)'; may be repeated"},
    {0}};

#define MOST_STEPS UINT64_C(1000000000000)

static const struct option_row walker_rows[] = {
    {"populations", "N", OPTION_COUNT(options.n_populations, 1, 10000),
     "number of independent populations; default: 4"},
    {"walkers", "N", OPTION_COUNT(options.n_walkers, 2, 100000000),
     "walkers of each population, an even number; default: set by\n"
     "the number of parameters"},
    {"temperatures", "N", OPTION_COUNT(options.n_temperatures, 1, 1000),
     "number of temperatures of parallel tempering; more than 1\n"
     "give the evidence. Default: 1"},
    {"start", "S", OPTION_CALL(take_start),
     "initial walkers: fit (default): around the best fit and its\n"
     "alternatives; prior: drawn from the prior; or a file of\n"
     "planets with which the fit begins"},
    {"basis", "WORDS", OPTION_TEXT(options.basis),
     "coordinates of orbits: logper or per; logk or k; secosw,\n"
     "ecosw or e; lambda, m0, tc or tp. The posterior does not\n"
     "depend on them. Default: 'logper logk secosw lambda'"},
    {"burn-in", "N", OPTION_COUNT(options.n_burn_in, 1, MOST_STEPS),
     "steps of burn-in; default: 400, with temperatures 3200"},
    {"thinning", "N", OPTION_COUNT(options.thinning, 1, MOST_STEPS),
     "initial number of steps between two kept draws; default: 4"},
    {"seed", "K", OPTION_COUNT(options.seed, 0, UINT64_MAX),
     "seed of the random numbers; default: 1"},
    {0}};

static const struct option_row length_rows[] = {
    {"max-rhat", "R", OPTION_POSITIVE(options.max_rhat),
     "required R-hat of every parameter; default: 1.01"},
    {"min-ess", "N", OPTION_POSITIVE(options.min_ess),
     "required effective sample size of every parameter; default:\n"
     "1000"},
    {"max-steps", "N", OPTION_COUNT(options.max_steps, 1, MOST_STEPS),
     "upper limit of steps; default: 1 million"},
    {"budget", "SECONDS", OPTION_POSITIVE(options.max_seconds), "upper limit of the run time"},
    {0}};

static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out), "writes run.nc, summary.ecsv and pictures to this folder"},
    {"checkpoint", "SECONDS", OPTION_POSITIVE(options.checkpoint_seconds),
     "time between two checkpoints, written to run.nc; default: 60"},
    {"resume", "DIR", OPTION_TEXT(resume),
     "continues the run of this folder; for astrometry, with the\n"
     "files and options of its start"},
    {"force", NULL, OPTION_FLAG(is_forced),
     "ignores the lock that keeps a second run out of the folder,\n"
     "for file systems without locks"},
    {0}};

/* A run that is resumed goes on as it began, save for when it ends and what is shown. */
static void notice(const char *option, void *into)
{
    static const char *const may_change[] = {"max-rhat", "min-ess",     "max-steps",  "budget",
                                             "json",     "resume",      "checkpoint", "format",
                                             "captions", "no-pictures", "threads",    "force"};
    struct sample_request *request = into;
    if (sky_request_is_of_velocities(option))
        request->velocity_only = option;
    for (size_t i = 0; i < sizeof may_change / sizeof may_change[0]; i++)
        if (strcmp(option, may_change[i]) == 0)
            return;
    request->new_only = option;
}

const struct option_table sample_request_table = {
    .usage = {"FILE... --planets N [OPTIONS]", "ASTROMETRY [FILE...] [OPTIONS]",
              "--demo --planets N [OPTIONS]", "[ASTROMETRY [FILE...]] --resume DIR [OPTIONS]",
              "--batch LIST --planets N --out DIR [OPTIONS]"},
    .about = "Samples the posterior of a star's planets with an ensemble of thousands of walkers\n"
             "in independent populations, until the populations agree and every parameter has\n"
             "enough effective draws. Ctrl-C writes a checkpoint; a resumed run gives the same\n"
             "draws as an uninterrupted one.",
    .sections = {{"The model", model_rows, 0},
                 {"The star", star_request_rows, offsetof(struct sample_request, star)},
                 {"Priors", prior_rows, 0},
                 {NULL, states_request_rows, offsetof(struct sample_request, states)},
                 {"Astrometry", sky_request_rows, offsetof(struct sample_request, sky)},
                 {"The walkers", walker_rows, 0},
                 {"Convergence", length_rows, 0},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct sample_request, pictures)},
                 {"Many stars", batch_request_rows, offsetof(struct sample_request, batch)},
                 {"The data", data_source_rows, offsetof(struct sample_request, source)},
                 {"Computation", engine_options_rows, offsetof(struct sample_request, engine)},
                 {"", option_table_help_rows, 0}},
    .example = "equant sample --demo --planets 2 --star-mass 0.87 --out posterior",
    .notice = notice,
};

struct sample_request sample_request_default(void)
{
    return (struct sample_request){
        .source = data_source_default(),
        .engine = engine_options_default(),
        .options = {.struct_size = sizeof(equant_sample_options), .seed = 1},
        .batch = batch_request_default(),
        .star = {.struct_size = sizeof(equant_star)}};
}

void sample_request_free(struct sample_request *request)
{
    data_source_free(&request->source);
    for (size_t i = 0; i < request->n_priors; i++)
        free(request->priors[i].name);
    free(request->priors);
    states_request_free(&request->states);
}

static int check(const char *command, const struct file_list *files,
                 const struct sample_request *request)
{
    if (request->options.max_rhat != 0.0 && request->options.max_rhat <= 1.0)
        return messages_usage(command, "--max-rhat wants a number above 1, not %g",
                              request->options.max_rhat);
    bool is_sky = sky_request_is_meant(files);
    if (is_sky && request->resume != NULL && request->out != NULL)
        return messages_usage(command, "--resume names the folder; leave --out out");
    if (request->resume != NULL && request->new_only != NULL && !is_sky)
        return messages_usage(command, "--resume goes on as the run began; leave --%s out",
                              request->new_only);
    if (request->resume != NULL && files->n > 0 && !is_sky)
        return messages_usage(command, "--resume takes the data from its run; leave the files out");
    int code = is_sky ? sky_request_refuse(command, request->velocity_only) : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK && is_sky && request->has_planets)
        code = sky_request_check_companions(command, request->options.n_planets);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->resume == NULL && !request->has_planets && !is_sky)
        return messages_usage(command, "how many planets? Say it with --planets");
    code = batch_request_check(command, &request->batch, request->out,
                               files->n + request->source.is_demonstration, request->as_json);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->prior_file != NULL && request->prior_set != NULL)
        return messages_usage(command, "--priors names its own set; leave --prior-set out");
    if (request->options.noise != NULL &&
        equant_fit_check_noise(request->options.noise) != EQUANT_SUCCESS)
        return messages_usage(command, "--noise: %s", equant_last_error());
    if (equant_fit_check_outliers(request->options.outliers) != EQUANT_SUCCESS)
        return messages_usage(command, "--outliers: %s", equant_last_error());
    if (request->options.n_walkers % 2 != 0)
        return messages_usage(command, "--walkers wants an even number, not %zu",
                              request->options.n_walkers);
    return engine_options_check(command, &request->engine);
}

static void describe_priors(const struct sample_request *request, char *line, size_t n)
{
    option_line_text(line, n, "prior-set", request->prior_set);
    option_line_text(line, n, "priors", request->prior_file);
    for (size_t i = 0; i < request->n_priors; i++)
        text_line_append(line, n, " --prior %s=%s", request->priors[i].name,
                         request->priors[i].text);
    option_line_text(line, n, "noise", request->options.noise);
    option_line_text(line, n, "outliers", request->options.outliers);
}

void sample_request_describe(const struct sample_request *request, char *line, size_t n)
{
    const equant_sample_options *options = &request->options;
    line[0] = '\0';
    text_line_append(line, n, "sample --seed %" PRIu64 " --planets %zu", options->seed,
                     options->n_planets);
    star_request_describe(&request->star, line, n);
    option_line_number(line, n, "populations", (double)options->n_populations);
    option_line_number(line, n, "walkers", (double)options->n_walkers);
    option_line_number(line, n, "temperatures", (double)options->n_temperatures);
    option_line_number(line, n, "burn-in", (double)options->n_burn_in);
    option_line_number(line, n, "thinning", (double)options->thinning);
    option_line_number(line, n, "max-rhat", options->max_rhat);
    option_line_number(line, n, "min-ess", options->min_ess);
    option_line_number(line, n, "max-steps", (double)options->max_steps);
    option_line_number(line, n, "budget", options->max_seconds);
    if (options->trend != EQUANT_TREND_DEFAULT)
        option_line_text(line, n, "trend", command_line_choice_name(trends, (int)options->trend));
    if (options->marginalise_offsets)
        text_line_append(line, n, " --marginalise-offsets");
    option_line_text(line, n, "start",
                     options->start == EQUANT_START_PRIOR ? "prior" : request->start_file);
    if (request->engine.precision != EQUANT_PRECISION_DOUBLE)
        option_line_text(line, n, "precision",
                         engine_options_precision_name(request->engine.precision));
    describe_priors(request, line, n);
    states_request_describe(&request->states, line, n);
    option_line_text(line, n, "basis", options->basis);
    option_line_source(line, n, &request->source);
}

/* The planets and the trend that states name are there. */
static void take_states(struct sample_request *request)
{
    size_t n = equant_states_n_planets(request->states.made);
    equant_trend trend = states_request_trend(&request->states);
    if (request->options.n_planets < n) {
        request->options.n_planets = n;
        request->has_planets = true;
    }
    if (trend != EQUANT_TREND_DEFAULT)
        request->options.trend = trend;
}

static int parse_star_file(int argc, char **argv, struct sample_request *request,
                           struct file_list *files)
{
    const struct star_options into = {&sample_request_table, "sample", request, &request->states,
                                      &request->source};
    sample_request_free(request);
    *request = sample_request_default();
    return star_options_parse(&into, argc, argv, files);
}

int sample_request_parse(int argc, char **argv, struct sample_request *request,
                         struct file_list *files)
{
    int code = option_table_parse(&sample_request_table, argc, argv, request, files);
    if (code == EXIT_CODE_OK && star_options_is_meant(files))
        code = parse_star_file(argc, argv, request, files);
    if (code == EXIT_CODE_OK)
        code = states_request_take(&request->states, files);
    request->source.states = request->states.made;
    if (code == EXIT_CODE_OK)
        take_states(request);
    if (code == EXIT_CODE_OK)
        code = sky_request_settle(argv[0], &request->sky, files, &request->star);
    if (code == EXIT_CODE_OK)
        code = check(argv[0], files, request);
    if (code == EXIT_CODE_OK && request->batch.list != NULL)
        request->pictures.has_none |= !request->batch.has_pictures;
    return code == EXIT_CODE_OK ? picture_options_check(&request->pictures) : code;
}
