#include "options/sample_request.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "options/command_line.h"
#include "options/engine_options.h"
#include "terminal/messages.h"

const char sample_request_help[] =
    "The model:\n"
    "  --planets N         how many\n"
    "  --trend T           none (default), linear or quadratic\n"
    "  --star-mass M       solar masses; gives m sin i and the semi-major axes\n"
    "  --leave-out NAME    an instrument whose observations do not count; may be\n"
    "                      given several times\n"
    "  --marginalise-offsets\n"
    "                      integrates the offsets of instruments out\n"
    "  --kernel A,P,W,L    correlated noise of a star that turns: amplitude m/s,\n"
    "                      period days, width of features, their life days\n\n"
    "Priors:\n"
    "  --prior-set S       ford-gregory (default), kipping, circular or eprv3\n"
    "  --priors FILE       from a YAML file\n"
    "  --prior NAME=TEXT   of one parameter, such as 'period_days_1=normal(4.2, 0.1)', or\n"
    "                      of all of a kind, such as 'eccentricity=beta(0.867, 3.03)';\n"
    "                      may be given several times\n\n"
    "The walkers:\n"
    "  --populations N     independent of each other; default 4\n"
    "  --walkers N         of each; an even number; default: by the model\n"
    "  --temperatures N    of a ladder; default 1, none; more give the evidence\n"
    "  --start S           fit (default): around the best fit and its rivals; prior;\n"
    "                      or a file of planets for the fit to begin with\n"
    "  --burn-in N         steps before draws are kept; default 400, 3200 with\n"
    "                      temperatures\n"
    "  --thinning N        steps from one kept to the next, at first; default 4\n"
    "  --seed K            default 1\n\n"
    "How long:\n"
    "  --max-rhat R        of every parameter; default 1.01\n"
    "  --min-ess N         effective draws of every parameter; default 1000\n"
    "  --max-steps N       where it stops at the latest; default 1 million\n"
    "  --budget SECONDS    the same in time\n\n"
    "Results:\n"
    "  --json              one JSON object in place of the text\n"
    "  --out DIR           run.nc, summary.ecsv and pictures in this folder\n"
    "  --checkpoint SECONDS\n"
    "                      between two writings of run.nc; default 60\n"
    "  --resume DIR        goes on with the run of this folder\n"
    "  --format F          of the pictures: png (default), svg or pdf\n"
    "  --no-pictures       tables only\n\n";

enum option_code {
    OPTION_FIRST = 5000,
    /* What decides the draws, and is settled once a run has begun. */
    OPTION_PLANETS = OPTION_FIRST,
    OPTION_TREND,
    OPTION_STAR_MASS,
    OPTION_LEAVE_OUT,
    OPTION_MARGINALISE,
    OPTION_KERNEL,
    OPTION_PRIOR_SET,
    OPTION_PRIORS,
    OPTION_PRIOR,
    OPTION_POPULATIONS,
    OPTION_WALKERS,
    OPTION_TEMPERATURES,
    OPTION_START,
    OPTION_BURN_IN,
    OPTION_THINNING,
    OPTION_SEED,
    OPTION_OUT,
    /* What may be changed. */
    OPTION_MAX_RHAT,
    OPTION_MIN_ESS,
    OPTION_MAX_STEPS,
    OPTION_BUDGET,
    OPTION_CHECKPOINT,
    OPTION_RESUME,
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_NO_PICTURES
};

static const struct option long_options[] = {
    {"planets", required_argument, NULL, OPTION_PLANETS},
    {"trend", required_argument, NULL, OPTION_TREND},
    {"star-mass", required_argument, NULL, OPTION_STAR_MASS},
    {"leave-out", required_argument, NULL, OPTION_LEAVE_OUT},
    {"marginalise-offsets", no_argument, NULL, OPTION_MARGINALISE},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"prior-set", required_argument, NULL, OPTION_PRIOR_SET},
    {"priors", required_argument, NULL, OPTION_PRIORS},
    {"prior", required_argument, NULL, OPTION_PRIOR},
    {"populations", required_argument, NULL, OPTION_POPULATIONS},
    {"walkers", required_argument, NULL, OPTION_WALKERS},
    {"temperatures", required_argument, NULL, OPTION_TEMPERATURES},
    {"start", required_argument, NULL, OPTION_START},
    {"burn-in", required_argument, NULL, OPTION_BURN_IN},
    {"thinning", required_argument, NULL, OPTION_THINNING},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"out", required_argument, NULL, OPTION_OUT},
    {"max-rhat", required_argument, NULL, OPTION_MAX_RHAT},
    {"min-ess", required_argument, NULL, OPTION_MIN_ESS},
    {"max-steps", required_argument, NULL, OPTION_MAX_STEPS},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"checkpoint", required_argument, NULL, OPTION_CHECKPOINT},
    {"resume", required_argument, NULL, OPTION_RESUME},
    {"json", no_argument, NULL, OPTION_JSON},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"no-pictures", no_argument, NULL, OPTION_NO_PICTURES},
    DATA_SOURCE_LONG,
    ENGINE_OPTIONS_LONG,
    {0}};

struct sample_request sample_request_default(void)
{
    return (struct sample_request){
        .source = data_source_default(),
        .engine = engine_options_default(),
        .options = {.struct_size = sizeof(equant_sample_options), .seed = 1},
        .kernel = {.struct_size = sizeof(equant_kernel)}};
}

void sample_request_free(struct sample_request *request)
{
    free(request->leave_out.names);
    free(request->priors);
}

static int take_trend(const char *command, const char *argument, int *order)
{
    static const char *const names[] = {"none", "linear", "quadratic"};
    for (int i = 0; i < 3; i++)
        if (strcmp(argument, names[i]) == 0) {
            *order = i;
            return EXIT_CODE_OK;
        }
    return messages_usage(command, "--trend is none, linear or quadratic, not '%s'", argument);
}

/* Four numbers with commas between them. */
static int take_kernel(const char *command, const char *argument, struct sample_request *request)
{
    double *members[] = {&request->kernel.amplitude_m_s, &request->kernel.period_days,
                         &request->kernel.width, &request->kernel.decay_days};
    const char *text = argument;
    char *end = NULL;
    for (size_t i = 0; i < 4; i++) {
        *members[i] = strtod(text, &end);
        bool is_number = end != text && *members[i] > 0.0 && *end == (i < 3 ? ',' : '\0');
        if (!is_number)
            return messages_usage(command,
                                  "--kernel wants four numbers above zero, "
                                  "AMPLITUDE,PERIOD,WIDTH,LIFE, not '%s'",
                                  argument);
        text = end + 1;
    }
    request->has_kernel = true;
    return EXIT_CODE_OK;
}

static int take_prior(const char *command, char *argument, struct sample_request *request)
{
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
    *equals = '\0';
    request->priors = longer;
    request->priors[request->n_priors++] = (struct sample_prior){argument, equals + 1};
    return EXIT_CODE_OK;
}

static void take_start(char *argument, struct sample_request *request)
{
    request->options.start = EQUANT_START_FIT;
    request->start_file = NULL;
    if (strcmp(argument, "prior") == 0)
        request->options.start = EQUANT_START_PRIOR;
    else if (strcmp(argument, "fit") != 0)
        request->start_file = argument;
}

/* A count from `least` on, into a number of the library's kind. */
static int take_size(const char *command, const char *option, const char *argument, uint64_t least,
                     uint64_t most, size_t *value)
{
    uint64_t count = 0;
    int code = command_line_count(command, option, argument, least, most, &count);
    *value = (size_t)count;
    return code;
}

/* Options of the model and its priors. */
static int take_model(const char *command, int option, char *argument,
                      struct sample_request *request)
{
    equant_sample_options *options = &request->options;
    switch (option) {
    case OPTION_PLANETS:
        request->has_planets = true;
        return take_size(command, "--planets", argument, 0, 20, &options->n_planets);
    case OPTION_TREND:
        return take_trend(command, argument, &options->trend_order);
    case OPTION_STAR_MASS:
        return command_line_positive(command, "--star-mass", argument, &options->star_mass);
    case OPTION_LEAVE_OUT:
        return instrument_filter_add(&request->leave_out, argument);
    case OPTION_MARGINALISE:
        options->marginalise_offsets = 1;
        return EXIT_CODE_OK;
    case OPTION_KERNEL:
        return take_kernel(command, argument, request);
    case OPTION_PRIOR_SET:
        request->prior_set = argument;
        return EXIT_CODE_OK;
    case OPTION_PRIORS:
        request->prior_file = argument;
        return EXIT_CODE_OK;
    default:
        return take_prior(command, argument, request);
    }
}

/* Options of the walkers. */
static int take_walkers(const char *command, int option, char *argument,
                        struct sample_request *request)
{
    const uint64_t most_steps = UINT64_C(1000000000000);
    equant_sample_options *options = &request->options;
    switch (option) {
    case OPTION_POPULATIONS:
        return take_size(command, "--populations", argument, 1, 10000, &options->n_populations);
    case OPTION_WALKERS:
        return take_size(command, "--walkers", argument, 2, 100000000, &options->n_walkers);
    case OPTION_TEMPERATURES:
        return take_size(command, "--temperatures", argument, 1, 1000, &options->n_temperatures);
    case OPTION_START:
        take_start(argument, request);
        return EXIT_CODE_OK;
    case OPTION_BURN_IN:
        return command_line_count(command, "--burn-in", argument, 1, most_steps,
                                  &options->n_burn_in);
    case OPTION_THINNING:
        return command_line_count(command, "--thinning", argument, 1, most_steps,
                                  &options->thinning);
    default:
        return command_line_count(command, "--seed", argument, 0, UINT64_MAX, &options->seed);
    }
}

/* Options of where a run ends and what becomes of it. */
static int take_results(const char *command, int option, char *argument,
                        struct sample_request *request)
{
    equant_sample_options *options = &request->options;
    switch (option) {
    case OPTION_OUT:
        request->out = argument;
        return EXIT_CODE_OK;
    case OPTION_MAX_RHAT:
        return command_line_positive(command, "--max-rhat", argument, &options->max_rhat);
    case OPTION_MIN_ESS:
        return command_line_positive(command, "--min-ess", argument, &options->min_ess);
    case OPTION_MAX_STEPS:
        return command_line_count(command, "--max-steps", argument, 1, UINT64_C(1000000000000),
                                  &options->max_steps);
    case OPTION_BUDGET:
        return command_line_positive(command, "--budget", argument, &options->max_seconds);
    case OPTION_CHECKPOINT:
        return command_line_positive(command, "--checkpoint", argument,
                                     &options->checkpoint_seconds);
    case OPTION_RESUME:
        request->resume = argument;
        return EXIT_CODE_OK;
    case OPTION_FORMAT:
        return picture_options_take_format(command, argument, &request->format);
    case OPTION_JSON:
        request->as_json = true;
        return EXIT_CODE_OK;
    default:
        request->has_no_pictures = true;
        return EXIT_CODE_OK;
    }
}

static bool is_new_only(int option)
{
    bool is_engine = option >= ENGINE_OPTION_FIRST && option < ENGINE_OPTION_END;
    bool is_source = option >= DATA_SOURCE_OPTION_UNIT && option < DATA_SOURCE_OPTION_END;
    return is_source || (is_engine && option != ENGINE_OPTION_THREADS) ||
           (option >= OPTION_FIRST && option <= OPTION_OUT);
}

static int take(const char *command, int option, char *argument, struct sample_request *request)
{
    if (option >= DATA_SOURCE_OPTION_UNIT && option < DATA_SOURCE_OPTION_END)
        return data_source_take(command, option, argument, &request->source);
    if (option >= ENGINE_OPTION_FIRST && option < ENGINE_OPTION_END)
        return engine_options_take(command, option, argument, &request->engine);
    if (option < OPTION_POPULATIONS)
        return take_model(command, option, argument, request);
    return option < OPTION_OUT ? take_walkers(command, option, argument, request)
                               : take_results(command, option, argument, request);
}

static int check(const char *command, int n_files, const struct sample_request *request)
{
    if (request->options.max_rhat != 0.0 && request->options.max_rhat <= 1.0)
        return messages_usage(command, "--max-rhat wants a number above 1, not %g",
                              request->options.max_rhat);
    if (request->resume != NULL && request->new_only != NULL)
        return messages_usage(command, "--resume goes on as the run began; leave --%s out",
                              request->new_only);
    if (request->resume != NULL && n_files > 0)
        return messages_usage(command, "--resume takes the data from its run; leave the files out");
    if (request->resume == NULL && !request->has_planets)
        return messages_usage(command, "how many planets? Say it with --planets");
    if (request->prior_file != NULL && request->prior_set != NULL)
        return messages_usage(command, "--priors names its own set; leave --prior-set out");
    if (request->options.n_walkers % 2 != 0)
        return messages_usage(command, "--walkers wants an even number, not %zu",
                              request->options.n_walkers);
    return engine_options_check(command, &request->engine);
}

int sample_request_parse(int argc, char **argv, struct sample_request *request)
{
    int option, code = EXIT_CODE_OK, place = 0;
    opterr = 0;
    while (code == EXIT_CODE_OK &&
           (option = getopt_long(argc, argv, ":", long_options, &place)) != -1) {
        if (option == '?' || option == ':') {
            code = command_line_reject(argv[0], argv, option);
            continue;
        }
        if (is_new_only(option))
            request->new_only = long_options[place].name;
        code = take(argv[0], option, optarg, request);
    }
    return code == EXIT_CODE_OK ? check(argv[0], argc - optind, request) : code;
}
