#include "inputs/observation_times.h"

#include <math.h>
#include <stdlib.h>

#include "files/number_text.h"
#include "equant.h"
#include "files/line_reader.h"
#include "files/table_line.h"
#include "terminal/messages.h"

static int append(struct observation_times *times, size_t *capacity, double time_days)
{
    if (times->n == *capacity) {
        *capacity = *capacity == 0 ? 1024 : 2 * *capacity;
        double *larger = realloc(times->days, *capacity * sizeof *larger);
        if (larger == NULL)
            return messages_out_of_memory();
        times->days = larger;
    }
    times->days[times->n++] = time_days;
    return EXIT_CODE_OK;
}

static int read_lines(struct observation_times *times, struct line_reader *reader)
{
    size_t capacity = 0;
    bool may_be_heading = true;
    enum line_result result;
    char *line;
    while ((result = line_reader_next_content(reader, &line)) == LINE_READ) {
        double time_days;
        const char *field = table_line_cell(&line, table_line_delimiter(line));
        bool is_time = number_text_parse(field, &time_days) && isfinite(time_days);
        if (!is_time && !may_be_heading)
            return messages_failure("%s:%zu: '%s' is not a time", reader->name, reader->number,
                                    field);
        may_be_heading = false;
        if (is_time && append(times, &capacity, time_days) != EXIT_CODE_OK)
            return EXIT_CODE_FAILED;
    }
    if (result == LINE_END && times->n == 0)
        return messages_failure("%s: there are no times in it", reader->name);
    return result == LINE_END ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

int observation_times_read(struct observation_times *times, const char *path)
{
    struct line_reader reader;
    int code = line_reader_open(&reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    code = read_lines(times, &reader);
    line_reader_close(&reader);
    return code;
}

int observation_times_make(struct observation_times *times, size_t n, double start_days,
                           double cadence_days, bool moves, uint64_t seed)
{
    times->n = n;
    times->days = calloc(n, sizeof *times->days);
    if (times->days == NULL)
        return messages_out_of_memory();
    if (moves) {
        equant_status status =
            equant_random_uniform(seed, OBSERVATION_TIMES_PURPOSE, 0, n, times->days);
        if (status != EQUANT_SUCCESS)
            return messages_status(status);
    }
    for (size_t k = 0; k < n; k++) {
        double shift = moves ? times->days[k] - 0.5 : 0.0;
        times->days[k] = start_days + ((double)k + shift) * cadence_days;
    }
    return EXIT_CODE_OK;
}

void observation_times_free(struct observation_times *times)
{
    free(times->days);
    *times = (struct observation_times){0};
}
