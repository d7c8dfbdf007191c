#include "planning/future_times.h"

#include <math.h>
#include <stdlib.h>

#include "equant.h"
#include "files/line_reader.h"
#include "files/number_text.h"
#include "files/table_line.h"
#include "terminal/messages.h"

/* Nobody waits for more. */
#define MOST_TIMES 1000000.0

#define OPTIONS_OF struct future_request
const struct option_row future_request_rows[] = {
    {"times", "FILE", OPTION_FILE(file),
     "file with times in the first column; for a plan also costs\n"
     "in the second and weights in the third"},
    {"start", "T", OPTION_TEXT(start),
     "first time, in the days of the data, or a UTC date such as\n"
     "2026-11-16; default: the last observation"},
    {"end", "T", OPTION_TEXT(end), "last time; default: --days after the first"},
    {"days", "D", OPTION_POSITIVE(days), "length of the interval; default: 100"},
    {"step", "D", OPTION_POSITIVE(step_days), "days between two times"},
    {0}};

int future_times_read(const char *command, const char *option, const char *text, double *days)
{
    if (number_text_parse(text, days) && isfinite(*days))
        return EXIT_CODE_OK;
    if (equant_utc_read(text, days) != EQUANT_SUCCESS)
        return messages_usage(command, "--%s: '%s' is neither a number of days nor a date", option,
                              text);
    return EXIT_CODE_OK;
}

/* ---- files ------------------------------------------------------------------ */

static bool make_larger(struct future_times *times, size_t room)
{
    double **const columns[] = {&times->days, &times->costs, &times->weights};
    for (size_t i = 0; i < 3; i++) {
        double *larger = realloc(*columns[i], room * sizeof *larger);
        if (larger == NULL)
            return false;
        *columns[i] = larger;
    }
    return true;
}

/* The next number of a line, or what is usual where there is none; false where it is no number. */
static bool read_next(char **line, char delimiter, double usual, double *value)
{
    const char *field = table_line_cell(line, delimiter);
    *value = usual;
    return field == NULL || field[0] == '\0' || number_text_parse(field, value);
}

static int read_lines(struct line_reader *reader, struct future_times *times)
{
    size_t room = 0;
    bool may_be_heading = true;
    enum line_result result;
    char *line;
    while ((result = line_reader_next_content(reader, &line)) == LINE_READ) {
        double time = NAN, cost, weight;
        char delimiter = table_line_delimiter(line);
        const char *field = table_line_cell(&line, delimiter);
        bool is_time = number_text_parse(field, &time) && isfinite(time);
        if (!is_time && may_be_heading) {
            may_be_heading = false;
            continue;
        }
        may_be_heading = false;
        if (!is_time || !read_next(&line, delimiter, 1.0, &cost) ||
            !read_next(&line, delimiter, 1.0, &weight))
            return messages_failure("%s:%zu: this is no time, with cost and weight behind it or "
                                    "without",
                                    reader->name, reader->number);
        if (times->n == room && !make_larger(times, room = room == 0 ? 1024 : 2 * room))
            return messages_out_of_memory();
        if (times->n > 0 && time < times->days[times->n - 1])
            return messages_failure("%s:%zu: this time is earlier than the one before",
                                    reader->name, reader->number);
        times->days[times->n] = time;
        times->costs[times->n] = cost;
        times->weights[times->n++] = weight;
    }
    if (result == LINE_END && times->n == 0)
        return messages_failure("%s: there are no times in it", reader->name);
    return result == LINE_END ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

static int read_file(const char *path, struct future_times *times)
{
    struct line_reader reader;
    int code = line_reader_open(&reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    code = read_lines(&reader, times);
    line_reader_close(&reader);
    return code;
}

/* ---- from a start to an end ------------------------------------------------------ */

static int make(const char *command, const struct future_request *request,
                const struct future_usual *usual, struct future_times *times)
{
    double start = usual->start_days, end = 0.0, length = request->days;
    int code = EXIT_CODE_OK;
    if (request->start != NULL)
        code = future_times_read(command, "start", request->start, &start);
    if (code == EXIT_CODE_OK && request->end != NULL)
        code = future_times_read(command, "end", request->end, &end);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->end == NULL)
        end = start + (length > 0.0 ? length : usual->length_days);
    double step = request->step_days > 0.0 ? request->step_days
                  : usual->step_days > 0.0 ? usual->step_days
                                           : (end - start) / 500.0;
    if (!(end > start))
        return messages_usage(command, "the end, %.10g, is not after the start, %.10g", end, start);
    double n = floor((end - start) / step + 1e-9) + 1.0;
    if (n > MOST_TIMES)
        return messages_usage(command, "that would be %.10g times: make --step larger", n);
    times->n = (size_t)n;
    times->days = malloc(times->n * sizeof *times->days);
    if (times->days == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < times->n; i++)
        times->days[i] = start + step * (double)i;
    return EXIT_CODE_OK;
}

int future_times_find(const char *command, const struct future_request *request,
                      const struct future_usual *usual, struct future_times *times)
{
    *times = (struct future_times){0};
    if (request->file != NULL && (request->start != NULL || request->end != NULL ||
                                  request->days > 0.0 || request->step_days > 0.0))
        return messages_usage(command, "--times says all: no --start, --end, --days or --step");
    if (request->end != NULL && request->days > 0.0)
        return messages_usage(command, "--end and --days say the same: give one of them");
    return request->file != NULL ? read_file(request->file, times)
                                 : make(command, request, usual, times);
}

void future_times_free(struct future_times *times)
{
    free(times->days);
    free(times->sky);
    free(times->costs);
    free(times->weights);
    *times = (struct future_times){0};
}
