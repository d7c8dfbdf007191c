/* equant solve: Kepler's equation as a filter, from `M e` to `E sinE cosE`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/number_text.h"
#include "commands/commands.h"
#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "files/line_reader.h"
#include "files/table_line.h"
#include "terminal/messages.h"

static const struct option_table command_options = {
    .usage = {"[OPTIONS] < PAIRS > SOLUTIONS"},
    .about = "Solves M = E - e sin E. Each line of standard input is `M e`, mean anomaly in\n"
             "radians and eccentricity, separated by blanks or a comma; blank lines and lines\n"
             "that begin with # are skipped. Each line of standard output is `E sinE cosE`\n"
             "with 17 digits. M may be any finite number, 0 <= e < 1. An invalid line ends\n"
             "the run, after the solutions of all lines before it.",
    .sections = {{"Computation", engine_options_rows, 0}, {"", option_table_help_rows, 0}},
    .example = "echo '1.5 0.3' | equant solve --precision double",
};

enum { BATCH_SIZE = 4096 };

/* Pairs waiting to be solved together, and room for their solutions. */
struct batch {
    size_t n;
    double mean_anomaly_rad[BATCH_SIZE], eccentricity[BATCH_SIZE];
    double eccentric_anomaly_rad[BATCH_SIZE], sine[BATCH_SIZE], cosine[BATCH_SIZE];
};

static int solve_batch(struct batch *batch, const equant_engine_options *engine)
{
    equant_status status =
        equant_kepler_solve(batch->n, batch->mean_anomaly_rad, batch->eccentricity, engine,
                            batch->eccentric_anomaly_rad, batch->sine, batch->cosine);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    for (size_t i = 0; i < batch->n; i++)
        printf("%.17g %.17g %.17g\n", batch->eccentric_anomaly_rad[i], batch->sine[i],
               batch->cosine[i]);
    batch->n = 0;
    return fflush(stdout) == 0 ? EXIT_CODE_OK : messages_file("write", "standard output");
}

/* Adds the pair of one line; a sentence when it is none. */
static int add_pair(struct batch *batch, const struct line_reader *reader, char *line)
{
    char *cursor = line, delimiter = table_line_delimiter(line);
    char *fields[3];
    for (int i = 0; i < 3; i++)
        fields[i] = table_line_cell(&cursor, delimiter);
    if (fields[1] == NULL || (fields[2] != NULL && fields[2][0] != '\0'))
        return messages_failure("%s:%zu: two numbers are wanted, `M e`", reader->name,
                                reader->number);
    double values[2];
    for (int i = 0; i < 2; i++)
        if (!number_text_parse(fields[i], &values[i]))
            return messages_failure("%s:%zu: '%s' is not a number", reader->name, reader->number,
                                    fields[i]);
    if (!isfinite(values[0]))
        return messages_failure("%s:%zu: the mean anomaly must be finite, not %s", reader->name,
                                reader->number, fields[0]);
    if (!(values[1] >= 0.0 && values[1] < 1.0))
        return messages_failure("%s:%zu: the eccentricity must be in [0, 1), not %s", reader->name,
                                reader->number, fields[1]);
    batch->mean_anomaly_rad[batch->n] = values[0];
    batch->eccentricity[batch->n] = values[1];
    batch->n++;
    return EXIT_CODE_OK;
}

/* A batch is solved when it is full, and before waiting for more input, so that
 * whoever writes one line at a time is answered at once. */
static int solve_lines(struct line_reader *reader, struct batch *batch,
                       const equant_engine_options *engine)
{
    int code = EXIT_CODE_OK;
    while (code == EXIT_CODE_OK) {
        char *line;
        enum line_result result = line_reader_next(reader, &line);
        if (result == LINE_READ && line_reader_has_content(&line))
            code = add_pair(batch, reader, line);
        else if (result == LINE_FAILED)
            code = EXIT_CODE_FAILED;
        else if (result == LINE_INTERRUPTED)
            code = EXIT_CODE_INTERRUPTED;
        bool is_due = batch->n == BATCH_SIZE || !line_reader_is_ready(reader);
        bool is_last = result != LINE_READ || code != EXIT_CODE_OK;
        if (batch->n > 0 && (is_due || is_last)) {
            int solved = solve_batch(batch, engine);
            code = code == EXIT_CODE_OK ? solved : code;
        }
        if (result == LINE_END)
            break;
    }
    return code;
}

int command_solve(int argc, char **argv)
{
    equant_engine_options engine = engine_options_default();
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &engine, &files);
    if (code == EXIT_CODE_OK && files.n > 0)
        code = messages_usage(argv[0], "solve reads standard input; write < %s", files.paths[0]);
    if (code == EXIT_CODE_OK)
        code = engine_options_check(argv[0], &engine);
    if (code != EXIT_CODE_OK)
        return code;

    struct line_reader reader;
    struct batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return messages_out_of_memory();
    interrupt_watch();
    code = line_reader_open(&reader, "-");
    if (code == EXIT_CODE_OK) {
        code = solve_lines(&reader, batch, &engine);
        line_reader_close(&reader);
    }
    free(batch);
    return code;
}
