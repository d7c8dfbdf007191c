/* equant simulate: a data file from an orbit, for tests and experiments. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/command_line.h"
#include "commands/commands.h"
#include "terminal/messages.h"
#include "options/observation_times.h"
#include "options/orbit_table.h"

static const char help[] =
    "Usage: equant simulate --orbits ORBITS.csv --times FILE [OPTIONS]\n"
    "       equant simulate --orbits ORBITS.csv --start T --n-obs N --cadence DAYS [OPTIONS]\n\n"
    "Writes the velocities that a star with these planets would show, with noise, as a\n"
    "table time,mnvel,errvel,tel that `equant data` and RadVel read. The table of\n"
    "orbits is that of `equant evaluate`. M0 is the mean anomaly at the reference\n"
    "time; without --t-ref that is the one which `equant data` chooses for the file\n"
    "written, so that evaluating the same orbit against it fits.\n\n"
    "The orbit:\n"
    "  --orbits FILE       the table of orbits; - for standard input\n"
    "  --row N             which row of it; default 1\n"
    "  --t-ref T           reference time; default: near the middle of the times\n\n"
    "The times:\n"
    "  --times FILE        the first column of a file; a first line that is no number\n"
    "                      is passed over\n"
    "  --start T --n-obs N --cadence DAYS\n"
    "                      N times, evenly spaced from T on\n"
    "  --jitter-times      moves each of these by up to half a cadence either way\n\n"
    "The velocities:\n"
    "  --noise SIGMA       Gaussian noise in m/s; default 0. A column jitter_m_s_1\n"
    "                      adds to it in quadrature\n"
    "  --uncertainty S     what the file states; default: the noise, or 1 m/s without\n"
    "  --offset V          added to all velocities, m/s; default 0\n"
    "  --instrument NAME   default: simulated\n"
    "  --seed S            default 1; the same seed gives the same file\n"
    "  --out FILE          default: standard output\n\n"
    "  --help              this text\n\n"
    "Example:\n"
    "  equant simulate --orbits orbits.csv --start 2460000 --n-obs 50 --cadence 7 \\\n"
    "      --jitter-times --noise 2 --seed 42 --out simulated.csv\n";

struct simulate_options {
    char *orbits, *times, *out;
    const char *instrument;
    uint64_t row, n_obs, seed;
    double start_days, cadence_days;
    bool has_start, has_cadence, jitters_times;
    double noise_m_s, uncertainty_m_s, offset_m_s;
    equant_dataset_options dataset;
};

/* An option's value, or EXIT_CODE_USAGE with a sentence. */
static int take_option(const char *command, int option, struct simulate_options *chosen)
{
    switch (option) {
    case 'i':
        chosen->orbits = optarg;
        return EXIT_CODE_OK;
    case 'T':
        chosen->times = optarg;
        return EXIT_CODE_OK;
    case 'o':
        chosen->out = optarg;
        return EXIT_CODE_OK;
    case 'I':
        chosen->instrument = optarg;
        if (optarg[0] == '\0' || optarg[strcspn(optarg, " \t,;#\"")] != '\0')
            return messages_usage(command,
                                  "--instrument wants a name without blanks, commas, "
                                  "quotes or #, not '%s'",
                                  optarg);
        return EXIT_CODE_OK;
    case 'r':
        return command_line_count(command, "--row", optarg, 1, UINT64_MAX, &chosen->row);
    case 'R':
        chosen->dataset.has_reference_time = 1;
        return command_line_number(command, "--t-ref", optarg,
                                   &chosen->dataset.reference_time_days);
    case 's':
        chosen->has_start = true;
        return command_line_number(command, "--start", optarg, &chosen->start_days);
    case 'n':
        return command_line_count(command, "--n-obs", optarg, 1, 100000000, &chosen->n_obs);
    case 'c':
        chosen->has_cadence = true;
        return command_line_positive(command, "--cadence", optarg, &chosen->cadence_days);
    case 'j':
        chosen->jitters_times = true;
        return EXIT_CODE_OK;
    case 'N':
        if (command_line_number(command, "--noise", optarg, &chosen->noise_m_s) != EXIT_CODE_OK)
            return EXIT_CODE_USAGE;
        if (chosen->noise_m_s < 0.0)
            return messages_usage(command, "--noise cannot be negative, as %s is", optarg);
        return EXIT_CODE_OK;
    case 'u':
        return command_line_positive(command, "--uncertainty", optarg, &chosen->uncertainty_m_s);
    case 'v':
        return command_line_number(command, "--offset", optarg, &chosen->offset_m_s);
    default:
        return command_line_count(command, "--seed", optarg, 0, UINT64_MAX, &chosen->seed);
    }
}

/* Options that are fine one by one and make no sense together. */
static int check_options(const char *command, const struct simulate_options *chosen)
{
    bool has_all = chosen->has_start && chosen->has_cadence && chosen->n_obs > 0;
    bool has_some = chosen->has_start || chosen->has_cadence || chosen->n_obs > 0;
    if (chosen->orbits == NULL)
        return messages_usage(command, "no orbits: name their table with --orbits");
    if (chosen->times != NULL && (has_some || chosen->jitters_times))
        return messages_usage(command, "--times stands in place of --start, --n-obs, --cadence "
                                       "and --jitter-times");
    if (chosen->times == NULL && !has_all)
        return messages_usage(command, "no times: give --times, or --start, --n-obs and "
                                       "--cadence together");
    char *inputs[] = {chosen->orbits, chosen->times};
    return command_line_check_output(command, chosen->out, chosen->times != NULL ? 2 : 1, inputs);
}

static int parse_options(int argc, char **argv, struct simulate_options *chosen)
{
    static const struct option options[] = {{"orbits", required_argument, NULL, 'i'},
                                            {"row", required_argument, NULL, 'r'},
                                            {"t-ref", required_argument, NULL, 'R'},
                                            {"times", required_argument, NULL, 'T'},
                                            {"start", required_argument, NULL, 's'},
                                            {"n-obs", required_argument, NULL, 'n'},
                                            {"cadence", required_argument, NULL, 'c'},
                                            {"jitter-times", no_argument, NULL, 'j'},
                                            {"noise", required_argument, NULL, 'N'},
                                            {"offset", required_argument, NULL, 'v'},
                                            {"uncertainty", required_argument, NULL, 'u'},
                                            {"seed", required_argument, NULL, 'S'},
                                            {"instrument", required_argument, NULL, 'I'},
                                            {"out", required_argument, NULL, 'o'},
                                            {0}};
    int option, code = EXIT_CODE_OK;
    opterr = 0;
    while (code == EXIT_CODE_OK && (option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        bool is_known = option != '?' && option != ':';
        code = is_known ? take_option(argv[0], option, chosen)
                        : command_line_reject(argv[0], argv, option);
    }
    if (code == EXIT_CODE_OK && optind < argc)
        code = messages_usage(argv[0], "what is '%s'? simulate takes options only", argv[optind]);
    return code == EXIT_CODE_OK ? check_options(argv[0], chosen) : code;
}

/* One parameter set, the chosen row, into a new array. */
static int read_orbit(struct orbit_table *table, uint64_t row, double **parameters)
{
    size_t n_rows = 0;
    int code = orbit_table_skip(table, row - 1);
    if (code != EXIT_CODE_OK)
        return code;
    *parameters = calloc(table->n_parameters, sizeof **parameters);
    if (*parameters == NULL)
        return messages_out_of_memory();
    code = orbit_table_read(table, 1, *parameters, &n_rows);
    if (code == EXIT_CODE_OK && n_rows == 0)
        code = table->interrupted ? EXIT_CODE_INTERRUPTED
                                  : messages_failure("%s: the table ends after row %" PRIu64,
                                                     table->reader.name, row - 1);
    return code;
}

/* A data set with the times and no velocities yet: what the model is asked at. */
static int make_dataset(const struct simulate_options *chosen, equant_dataset **dataset)
{
    struct observation_times times = {0};
    double *velocities = NULL, *uncertainties = NULL;
    int code =
        chosen->times != NULL
            ? observation_times_read(&times, chosen->times)
            : observation_times_make(&times, (size_t)chosen->n_obs, chosen->start_days,
                                     chosen->cadence_days, chosen->jitters_times, chosen->seed);
    if (code == EXIT_CODE_OK) {
        velocities = calloc(times.n, sizeof *velocities);
        uncertainties = calloc(times.n, sizeof *uncertainties);
        if (velocities == NULL || uncertainties == NULL)
            code = messages_out_of_memory();
    }
    if (code == EXIT_CODE_OK) {
        for (size_t k = 0; k < times.n; k++)
            uncertainties[k] = chosen->uncertainty_m_s;
        equant_status status =
            equant_dataset_from_arrays(times.n, times.days, velocities, uncertainties, NULL, 1,
                                       &chosen->instrument, &chosen->dataset, dataset);
        code = status == EQUANT_SUCCESS ? EXIT_CODE_OK : messages_status(status);
    }
    observation_times_free(&times);
    free(velocities);
    free(uncertainties);
    return code;
}

static int predict(const equant_dataset *dataset, const struct orbit_table *table,
                   const double *parameters, double *velocities)
{
    equant_evaluator *evaluator;
    double chi_square;
    equant_results results = {
        .struct_size = sizeof results, .chi_square = &chi_square, .velocities = velocities};
    equant_status status = equant_evaluator_create(dataset, table->model, NULL, &evaluator);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    status = equant_evaluator_evaluate(evaluator, 1, parameters, &results);
    equant_evaluator_free(evaluator);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    if (!isfinite(velocities[0]))
        return messages_failure("%s:%zu: this is no orbit: 0 <= e < 1, period > 0, jitter >= 0 "
                                "and finite numbers are wanted",
                                table->reader.name, table->reader.number);
    return EXIT_CODE_OK;
}

/* Scatter beyond the stated noise: the jitter column, the last there is. */
static double total_noise_m_s(double noise_m_s, const struct orbit_table *table,
                              const double *parameters)
{
    size_t last = table->n_parameters - 1;
    const char *name = equant_model_parameter_name(table->model, last);
    return strcmp(name, "jitter_m_s_1") == 0 ? hypot(noise_m_s, parameters[last]) : noise_m_s;
}

/* As few digits as bring the same number back. */
static void write_number(FILE *out, double value)
{
    char text[32];
    int digits = 15;
    do {
        snprintf(text, sizeof text, "%.*g", digits, value);
    } while (strtod(text, NULL) != value && ++digits <= 17);
    fputs(text, out);
}

static int write_data(const struct simulate_options *chosen, const equant_dataset *dataset,
                      const double *velocities)
{
    const double *times = equant_dataset_times_days(dataset);
    const char *name = chosen->out != NULL ? chosen->out : "standard output";
    FILE *out = chosen->out != NULL ? fopen(chosen->out, "w") : stdout;
    if (out == NULL)
        return messages_file("write", name);
    fputs("time,mnvel,errvel,tel\n", out);
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        write_number(out, times[k]);
        fputc(',', out);
        write_number(out, velocities[k]);
        fputc(',', out);
        write_number(out, chosen->uncertainty_m_s);
        fprintf(out, ",%s\n", chosen->instrument);
    }
    int failed = fflush(out) != 0;
    if (out != stdout && fclose(out) != 0)
        failed = 1;
    return failed ? messages_file("write", name) : EXIT_CODE_OK;
}

static int simulate(const struct simulate_options *chosen, const struct orbit_table *table,
                    const double *parameters, const equant_dataset *dataset)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    double sigma_m_s = total_noise_m_s(chosen->noise_m_s, table, parameters);
    double *velocities = calloc(n_obs, sizeof *velocities);
    double *noise = calloc(n_obs, sizeof *noise);
    int code = velocities == NULL || noise == NULL
                   ? messages_out_of_memory()
                   : predict(dataset, table, parameters, velocities);
    if (code == EXIT_CODE_OK) {
        equant_status status =
            equant_random_normal(chosen->seed, OBSERVATION_NOISE_PURPOSE, 0, n_obs, noise);
        code = status == EQUANT_SUCCESS ? EXIT_CODE_OK : messages_status(status);
    }
    if (code == EXIT_CODE_OK) {
        for (size_t k = 0; k < n_obs; k++)
            velocities[k] += chosen->offset_m_s + sigma_m_s * noise[k];
        code = write_data(chosen, dataset, velocities);
    }
    free(velocities);
    free(noise);
    return code;
}

int command_simulate(int argc, char **argv)
{
    struct simulate_options chosen = {.row = 1,
                                      .seed = 1,
                                      .instrument = "simulated",
                                      .dataset = {.struct_size = sizeof chosen.dataset}};
    if (command_line_wants_help(argc, argv)) {
        fputs(help, stdout);
        return EXIT_CODE_OK;
    }
    int code = parse_options(argc, argv, &chosen);
    if (code != EXIT_CODE_OK)
        return code;
    if (chosen.uncertainty_m_s == 0.0)
        chosen.uncertainty_m_s = chosen.noise_m_s > 0.0 ? chosen.noise_m_s : 1.0;

    struct orbit_table table;
    struct orbit_table_options table_options = {.n_instruments = 1};
    code = orbit_table_open(&table, chosen.orbits, &table_options);
    if (code != EXIT_CODE_OK)
        return code;
    double *parameters = NULL;
    equant_dataset *dataset = NULL;
    code = read_orbit(&table, chosen.row, &parameters);
    if (code == EXIT_CODE_OK)
        code = make_dataset(&chosen, &dataset);
    if (code == EXIT_CODE_OK)
        code = simulate(&chosen, &table, parameters, dataset);
    equant_dataset_free(dataset);
    free(parameters);
    orbit_table_close(&table);
    return code;
}
