/* equant evaluate: chi-square of a table of orbits against data, as a stream. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/row_file.h"
#include "options/data_source.h"
#include "options/engine_options.h"
#include "options/noise_request.h"
#include "options/star_request.h"
#include "options/star_options.h"
#include "options/states_request.h"
#include "platform/system_file.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "inputs/fixed_noise.h"
#include "inputs/orbit_table.h"
#include "terminal/progress_display.h"

struct evaluate_request {
    const char *orbits, *out;
    struct noise_request noise; /* of which terms are read */
    int trend_order;
    uint64_t n_skip, batch_size;
    struct states_request states;
    equant_star star;
    struct data_source source;
    equant_engine_options engine;
};

#define OPTIONS_OF struct evaluate_request
static const struct option_row option_rows[] = {
    {"orbits", "FILE", OPTION_FILE(orbits), "the table of orbits; - for standard input"},
    {"trend", "N", OPTION_COUNT(trend_order, 0, 2), "0 (default) none, 1 linear, 2 quadratic"},
    {"noise", "TERMS", OPTION_TEXT(noise.terms),
     "correlated noise: terms with values, 'night(amplitude=1.5)',\n"
     "or terms by name, with their parameters as columns of the\n"
     "table"},
    {"out", "FILE", OPTION_TEXT(out), "output file; default: standard output"},
    {"skip", "N", OPTION_COUNT(n_skip, 0, UINT64_MAX),
     "skips the first N orbits and appends the others to the\n"
     "output file"},
    {"batch", "N", OPTION_COUNT(batch_size, 1, 1 << 24),
     "number of orbits evaluated together; does not change the\n"
     "results"},
    {0}};

static const struct option_table command_options = {
    .usage = {"--orbits ORBITS.csv FILE... [OPTIONS]", "--orbits ORBITS.csv STAR.yaml [OPTIONS]",
              "--orbits ORBITS.csv --demo [OPTIONS]"},
    .about = "Evaluates each orbit of a table against the data and writes one row for each:\n"
             "chi_square, log_likelihood, then the fitted offsets and trend. The header of the\n"
             "table names its columns, in any order:\n"
             "  period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1,period_days_2,...\n"
             "omega_deg_1 and m0_deg_1 are understood, too; M0 is the mean anomaly at the\n"
             "reference time, which `equant data` prints. Optional columns: offset_m_s_1,... (one\n"
             "per instrument), trend_m_s_day, trend_m_s_day2, jitter_m_s_1,... Offsets and trend\n"
             "without columns are solved for exactly. With --noise, chi-square is that of its\n"
             "covariance matrix, whose parameters may be columns, too (mep_period_days).\n"
             "Parameters fixed by --set need no column; planet b is the first. The logarithm of\n"
             "priors and ranges is written as log_prior. An orbit outside the domain (e < 0, e >=\n"
             "1, period <= 0, not finite) gets chi-square inf and log-likelihood -inf; all rows\n"
             "are written, and the exit code is 1.\n"
             "\n"
             "Rows are streamed: memory does not grow with their number. Ctrl-C finishes the\n"
             "current rows and prints how to continue with --skip.",
    .sections = {{"Orbits and results", option_rows, 0},
                 {"Known parameters", states_request_rows,
                  offsetof(struct evaluate_request, states)},
                 {NULL, star_request_rows, offsetof(struct evaluate_request, star)},
                 {"The data", data_source_rows, offsetof(struct evaluate_request, source)},
                 {"Computation", engine_options_rows, offsetof(struct evaluate_request, engine)},
                 {"", option_table_help_rows, 0}},
    .example = "equant evaluate --orbits orbits.csv --demo --trend 1 --out chi_square.csv",
};

/* Where noise is judged by whole matrices: residuals of one orbit, and the columns of linear terms
 * that are solved for. */
struct whole_columns {
    size_t n, first_jitter; /* n_parameters: there are no jitters */
    size_t *place;          /* [n], among linear terms */
    double *columns, *residuals, *coefficients;
};

/* Everything the loop over batches needs. */
struct evaluation {
    struct orbit_table table;
    equant_evaluator *evaluator;
    size_t n_linear, batch_size;
    double *parameters, *chi_square, *log_likelihood, *linear;
    double *log_prior; /* NULL: no states have one */
    const equant_star *star;
    const equant_dataset *dataset;
    struct fixed_noise noise;
    struct whole_columns whole; /* of noise that evaluators lack */
    FILE *out;                  /* NULL: nothing has been written yet */
    struct row_file file;       /* that it belongs to, where it is one */
    const char *out_path, *out_name;
    size_t n_instruments;
    uint64_t n_written;                /* rows of results, those of an earlier run included */
    uint64_t n_outside, first_outside; /* rows that are no orbits, and the first of them */
};

static const struct output_kind results_kind =
    OUTPUT_KIND("a table of `equant evaluate`", "chi_square,log_likelihood");

/* `trend=linear` is --trend 1. */
static int take_trend(const char *command, struct evaluate_request *request)
{
    for (size_t i = 0; i < equant_states_n(request->states.made); i++)
        if (strcmp(equant_states_name(request->states.made, i), "trend") == 0) {
            int order = (int)(states_request_trend(&request->states) - EQUANT_TREND_NONE);
            if (request->trend_order > 0 && request->trend_order != order)
                return messages_usage(command, "--trend %d contradicts --set trend=%s",
                                      request->trend_order,
                                      equant_states_text(request->states.made, i));
            request->trend_order = order;
        }
    return EXIT_CODE_OK;
}

static struct evaluate_request evaluate_request_default(void)
{
    return (struct evaluate_request){.batch_size = 16384,
                                     .star = {.struct_size = sizeof(equant_star)},
                                     .source = data_source_default(),
                                     .engine = engine_options_default()};
}

static int parse_star_file(int argc, char **argv, struct evaluate_request *request,
                           struct file_list *files)
{
    const struct star_options into = {&command_options, "evaluate", request, &request->states,
                                      &request->source};
    states_request_free(&request->states);
    data_source_free(&request->source);
    *request = evaluate_request_default();
    return star_options_parse(&into, argc, argv, files);
}

static int parse(int argc, char **argv, struct evaluate_request *request, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, request, files);
    if (code == EXIT_CODE_OK && star_options_is_meant(files))
        code = parse_star_file(argc, argv, request, files);
    if (code == EXIT_CODE_OK)
        code = states_request_take(&request->states, files);
    request->source.states = request->states.made;
    if (code == EXIT_CODE_OK)
        code = take_trend(argv[0], request);
    if (code == EXIT_CODE_OK && request->orbits == NULL)
        code = messages_usage(argv[0], "no orbits: name their table with --orbits");
    if (code == EXIT_CODE_OK)
        code = output_check_file(argv[0], request->out, &results_kind);
    return code == EXIT_CODE_OK ? engine_options_check(argv[0], &request->engine) : code;
}

/* The header of the results. The linear parameters have the names that the
 * columns of a table would have; a model that gives them knows those. */
static int write_header(const struct evaluation *run)
{
    size_t n_instruments = run->n_instruments;
    equant_model *linear_only;
    equant_model_options options = {
        .struct_size = sizeof options,
        .n_instruments = n_instruments,
        .trend = (equant_trend)(EQUANT_TREND_NONE + (run->n_linear - n_instruments)),
        .offset_columns = EQUANT_NUISANCE_GIVEN,
        .trend_columns = EQUANT_NUISANCE_GIVEN,
    };
    equant_status status = equant_model_create(&options, &linear_only);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    fputs("chi_square,log_likelihood", run->out);
    if (run->log_prior != NULL)
        fputs(",log_prior", run->out);
    for (size_t i = 0; i < run->n_linear; i++)
        fprintf(run->out, ",%s", equant_model_parameter_name(linear_only, i));
    fputc('\n', run->out);
    equant_model_free(linear_only);
    return EXIT_CODE_OK;
}

/* Continuing after the wrong number of rows would mix up the results without a
 * sign, so the rows that are there are counted. */
static int check_rows_written(struct row_file *file, const char *path, uint64_t n_skip)
{
    uint64_t n_lines = 0;
    int last = '\n', character;
    if (!system_file_exists(path))
        return messages_file("continue", path);
    int code = row_file_open(file, "evaluate", path, &results_kind);
    if (code != EXIT_CODE_OK || !file->is_regular)
        return code;
    while ((character = getc_unlocked(file->stream)) != EOF) {
        n_lines += character == '\n';
        last = character;
    }
    if (last != '\n')
        return messages_failure("%s: its last row is incomplete; remove that row first", path);
    if (n_lines != n_skip + 1)
        return messages_failure("%s: it holds %" PRIu64 " rows, so --skip %" PRIu64
                                " would not continue it",
                                path, n_lines > 0 ? n_lines - 1 : 0, n_skip);
    return row_file_cut(file, row_file_size(file));
}

/* Only when there are rows to write, so that a table without any costs no older results. */
static int open_output(struct evaluation *run)
{
    bool continues = run->n_written > 0;
    int code = EXIT_CODE_OK;
    if (run->out_path != NULL && run->file.stream == NULL) {
        code = row_file_open(&run->file, "evaluate", run->out_path, &results_kind);
        if (code == EXIT_CODE_OK)
            code = row_file_cut(&run->file, 0);
    }
    if (code != EXIT_CODE_OK)
        return code;
    run->out = run->out_path != NULL ? run->file.stream : stdout;
    return continues ? EXIT_CODE_OK : write_header(run);
}

static int close_output(struct evaluation *run, int code)
{
    return row_file_close(&run->file, code);
}

/* One orbit under noise that evaluators lack, in place of what they said of it. */
static equant_status judge_orbit(struct evaluation *run, size_t i)
{
    const double *set = run->parameters + i * run->table.n_parameters;
    struct whole_columns *whole = &run->whole;
    equant_results results = {.struct_size = sizeof results, .residuals = whole->residuals};
    struct fixed_noise_verdict verdict = {.coefficients = whole->coefficients};
    equant_status status = equant_evaluator_evaluate(run->evaluator, 1, set, &results);
    if (status == EQUANT_SUCCESS)
        status = fixed_noise_judge(
            &run->noise, run->dataset, whole->residuals,
            whole->first_jitter < run->table.n_parameters ? set + whole->first_jitter : NULL,
            whole->n, whole->columns, &verdict);
    if (status != EQUANT_SUCCESS)
        return status;
    run->chi_square[i] = verdict.chi_square;
    run->log_likelihood[i] = verdict.log_likelihood;
    for (size_t j = 0; j < whole->n; j++)
        run->linear[i * run->n_linear + whole->place[j]] += whole->coefficients[j];
    return EQUANT_SUCCESS;
}

static equant_status judge_batch(struct evaluation *run, size_t n_rows)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n_rows && status == EQUANT_SUCCESS; i++)
        if (!isinf(run->chi_square[i]))
            status = judge_orbit(run, i);
    return status;
}

static int evaluate_batch(struct evaluation *run, size_t n_rows)
{
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = run->chi_square,
                              .log_likelihood = run->log_likelihood,
                              .linear = run->linear};
    equant_status status =
        equant_evaluator_evaluate(run->evaluator, n_rows, run->parameters, &results);
    if (status == EQUANT_SUCCESS && run->noise.is_whole)
        status = judge_batch(run, n_rows);
    if (status == EQUANT_SUCCESS && run->log_prior != NULL)
        status = equant_states_log_prior(run->table.states, run->dataset, run->table.model,
                                         run->star, n_rows, run->parameters, run->log_prior);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    for (size_t i = 0; i < n_rows; i++) {
        if (isinf(run->chi_square[i]) && run->n_outside++ == 0)
            run->first_outside = run->n_written + i + 1;
        fprintf(run->out, "%.17g,%.17g", run->chi_square[i], run->log_likelihood[i]);
        if (run->log_prior != NULL)
            fprintf(run->out, ",%.17g", run->log_prior[i]);
        for (size_t j = 0; j < run->n_linear; j++)
            fprintf(run->out, ",%.17g", run->linear[i * run->n_linear + j]);
        fputc('\n', run->out);
    }
    int code = EXIT_CODE_OK;
    if (run->out_path != NULL)
        code = row_file_flush(&run->file);
    else if (fflush(run->out) != 0)
        code = messages_file("write", run->out_name);
    run->n_written += code == EXIT_CODE_OK ? n_rows : 0;
    return code;
}

/* After a bad row or Ctrl-C the rows before it are evaluated all the same, so
 * that no work is lost. */
static int evaluate_all(struct evaluation *run)
{
    struct progress progress = progress_start("orbits");
    uint64_t n_before = run->n_written;
    size_t n_rows = 0;
    int code;
    do {
        code = orbit_table_read(&run->table, run->batch_size, run->parameters, &n_rows);
        int evaluated = n_rows > 0 && run->out == NULL ? open_output(run) : EXIT_CODE_OK;
        if (n_rows > 0 && evaluated == EXIT_CODE_OK)
            evaluated = evaluate_batch(run, n_rows);
        if (evaluated != EXIT_CODE_OK)
            code = evaluated;
        progress_update(&progress, (double)(run->n_written - n_before),
                        line_reader_fraction(&run->table.reader));
    } while (code == EXIT_CODE_OK && n_rows == run->batch_size && !interrupt_requested());
    progress_clear(&progress);
    if (code == EXIT_CODE_OK && (run->table.interrupted || interrupt_requested()))
        code = EXIT_CODE_INTERRUPTED;
    bool wrote_some = run->n_written > n_before && !ferror(run->out);
    if (code != EXIT_CODE_OK && wrote_some)
        messages_note("stopped with %" PRIu64 " rows written; --skip %" PRIu64 " continues there",
                      run->n_written, run->n_written);
    if (code == EXIT_CODE_OK && run->n_written == 0)
        code = messages_failure("%s: the table has a header but no rows", run->table.reader.name);
    if (code == EXIT_CODE_OK && run->n_outside > 0)
        code = messages_failure("%s: row %" PRIu64 " is no orbit (%" PRIu64
                                " such in all); their chi-square is inf, the other rows are good",
                                run->table.reader.name, run->first_outside, run->n_outside);
    return code;
}

static int allocate_batch(struct evaluation *run, size_t batch_size)
{
    run->batch_size = batch_size;
    run->n_linear = equant_model_n_linear(run->table.model);
    run->parameters = calloc(batch_size * run->table.n_parameters, sizeof(double));
    run->chi_square = calloc(batch_size, sizeof(double));
    run->log_likelihood = calloc(batch_size, sizeof(double));
    run->linear = calloc(batch_size * (run->n_linear + 1), sizeof(double));
    bool has_priors = equant_states_n_priors(run->table.states) > 0;
    if (has_priors)
        run->log_prior = calloc(batch_size, sizeof(double));
    if (run->parameters == NULL || run->chi_square == NULL || run->log_likelihood == NULL ||
        run->linear == NULL || (has_priors && run->log_prior == NULL))
        return messages_out_of_memory();
    return run->table.states == NULL
               ? EXIT_CODE_OK
               : messages_status(equant_states_log_prior(
                     run->table.states, run->dataset, run->table.model, run->star, 0, NULL, NULL));
}

/* The parameter of that name; n_parameters when there is none. */
static size_t find_parameter(const struct orbit_table *table, const char *name)
{
    size_t p = 0;
    while (p < table->n_parameters && strcmp(name, equant_model_parameter_name(table->model, p)))
        p++;
    return p;
}

static double linear_column(const struct evaluation *run, size_t term, size_t k)
{
    double t = equant_dataset_times_days(run->dataset)[k] -
               equant_dataset_reference_time_days(run->dataset);
    if (term < run->n_instruments)
        return (size_t)equant_dataset_instruments(run->dataset)[k] == term ? 1.0 : 0.0;
    return term == run->n_instruments ? t : t * t;
}

/* Columns of the linear terms that the table does not give. */
static int prepare_whole(struct evaluation *run)
{
    const struct orbit_table *table = &run->table;
    struct whole_columns *whole = &run->whole;
    size_t n_obs = equant_dataset_n_obs(run->dataset);
    bool gives_offsets = find_parameter(table, "offset_m_s_1") < table->n_parameters,
         gives_trend = find_parameter(table, "trend_m_s_day") < table->n_parameters;
    whole->first_jitter = find_parameter(table, "jitter_m_s_1");
    whole->place = calloc(run->n_linear + 1, sizeof *whole->place);
    whole->columns = calloc(run->n_linear * n_obs + 1, sizeof *whole->columns);
    whole->residuals = calloc(n_obs, sizeof *whole->residuals);
    whole->coefficients = calloc(run->n_linear + 1, sizeof *whole->coefficients);
    if (whole->place == NULL || whole->columns == NULL || whole->residuals == NULL ||
        whole->coefficients == NULL)
        return messages_out_of_memory();
    for (size_t j = 0; j < run->n_linear; j++) {
        if (j < run->n_instruments ? gives_offsets : gives_trend)
            continue;
        for (size_t k = 0; k < n_obs; k++)
            whole->columns[whole->n * n_obs + k] = linear_column(run, j, k);
        whole->place[whole->n++] = j;
    }
    return EXIT_CODE_OK;
}

static void free_evaluation(struct evaluation *run)
{
    free(run->whole.place);
    free(run->whole.columns);
    free(run->whole.residuals);
    free(run->whole.coefficients);
    equant_evaluator_free(run->evaluator);
    free(run->parameters);
    free(run->chi_square);
    free(run->log_likelihood);
    free(run->log_prior);
    free(run->linear);
    orbit_table_close(&run->table);
}

static int run_evaluation(const struct evaluate_request *request, const equant_dataset *dataset,
                          const struct fixed_noise *noise)
{
    struct evaluation run = {.dataset = dataset,
                             .noise = *noise,
                             .star = &request->star,
                             .n_written = request->n_skip,
                             .n_instruments = equant_dataset_n_instruments(dataset),
                             .out_path = request->out,
                             .out_name = request->out != NULL ? request->out : "standard output"};
    struct orbit_table_options table_options = {
        .n_instruments = run.n_instruments,
        .trend_order = request->trend_order,
        .solves_offsets = true,
        .noise = noise->is_whole ? NULL : noise->names,
        .noise_values = noise->is_whole ? NULL : noise->values,
        .n_noise_values = noise->is_whole ? 0 : noise->n_values,
        .states = request->states.made,
        .dataset = dataset,
    };
    int code = orbit_table_open(&run.table, request->orbits, &table_options);
    if (code != EXIT_CODE_OK)
        return code;
    code = allocate_batch(&run, request->batch_size);
    if (code == EXIT_CODE_OK && noise->is_whole)
        code = prepare_whole(&run);
    if (code == EXIT_CODE_OK) {
        equant_status status =
            equant_evaluator_create(dataset, run.table.model, &request->engine, &run.evaluator);
        code = messages_status(status);
    }
    if (code == EXIT_CODE_OK)
        code = orbit_table_skip(&run.table, request->n_skip);
    if (code == EXIT_CODE_OK && request->out != NULL && request->n_skip > 0)
        code = check_rows_written(&run.file, request->out, request->n_skip);
    if (code == EXIT_CODE_OK)
        code = evaluate_all(&run);
    code = close_output(&run, code);
    free_evaluation(&run);
    return code;
}

int command_evaluate(int argc, char **argv)
{
    struct evaluate_request request = evaluate_request_default();
    struct file_list files;
    equant_dataset *dataset = NULL;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    struct fixed_noise noise = {.names = ""};
    int code = parse(argc, argv, &request, &files);
    if (code == EXIT_CODE_OK)
        code = data_source_load_and_warn(argv[0], &request.source, &files, &dataset);
    if (code == EXIT_CODE_OK)
        code = fixed_noise_read(argv[0], request.noise.terms, dataset, &noise);
    if (code != EXIT_CODE_OK) {
        states_request_free(&request.states);
        data_source_free(&request.source);
        fixed_noise_free(&noise);
        equant_dataset_free(dataset);
        return code;
    }
    const equant_work text = {.struct_size = sizeof text, .kind = EQUANT_WORK_SMALL_BATCHES};
    code = engine_options_settle(&request.engine, &text);
    interrupt_watch();
    if (code == EXIT_CODE_OK)
        code = run_evaluation(&request, dataset, &noise);
    states_request_free(&request.states);
    data_source_free(&request.source);
    fixed_noise_free(&noise);
    equant_dataset_free(dataset);
    return code;
}
