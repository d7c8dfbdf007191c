/* Any bytes as a table of orbits, read a few rows at a time, and as planets that are known: rows
 * come out, or an exit code. */
#include <math.h>

#include "inputs/known_planets.h"
#include "inputs/orbit_table.h"
#include "scratch.h"
#include "terminal/messages.h"

enum { ROWS_AT_ONCE = 3, MOST_ROWS = 100000 };

static void read_rows(struct orbit_table *table)
{
    size_t n_rows = ROWS_AT_ONCE, n_read = 0;
    double *rows = malloc((ROWS_AT_ONCE * table->n_parameters + 1) * sizeof *rows);
    PROMISE(rows != NULL);
    int code = EXIT_CODE_OK;
    while (code == EXIT_CODE_OK && n_rows == ROWS_AT_ONCE && n_read < MOST_ROWS) {
        code = orbit_table_read(table, ROWS_AT_ONCE, rows, &n_rows);
        PROMISE(code == EXIT_CODE_OK || code == EXIT_CODE_FAILED);
        PROMISE(n_rows <= ROWS_AT_ONCE);
        n_read += n_rows;
    }
    free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static const struct orbit_table_options options[] = {
        {.n_instruments = 1, .solves_offsets = true}, {.n_instruments = 3, .trend_order = 2}};
    scratch_write("orbits.csv", n_bytes, data);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct orbit_table table;
        int code = orbit_table_open(&table, scratch_path("orbits.csv"), &options[i]);
        PROMISE(code == EXIT_CODE_OK || code == EXIT_CODE_FAILED);
        if (code == EXIT_CODE_OK) {
            read_rows(&table);
            orbit_table_close(&table);
        }
    }
    return 0;
}
