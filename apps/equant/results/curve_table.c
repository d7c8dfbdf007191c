#include "results/curve_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "results/fit_folder.h"
#include "terminal/messages.h"
#include "files/output_file.h"
#include "stars/star_curve.h"

static int write_curve_rows(const struct star_result *star, const struct star_curve *curve,
                            const char *folder)
{
    enum { NAME_SIZE = 32 };
    size_t n_columns = 2 + curve->n_planets;
    struct ecsv_column *columns = calloc(n_columns, sizeof *columns);
    char(*names)[NAME_SIZE] = calloc(n_columns, sizeof *names);
    if (columns == NULL || names == NULL) {
        free(columns);
        free(names);
        return messages_out_of_memory();
    }
    columns[0] =
        (struct ecsv_column){"time", ECSV_NUMBER, "d", equant_dataset_time_name(star->dataset)};
    columns[1] = (struct ecsv_column){"velocity", ECSV_NUMBER, "m / s", "planets and trend"};
    for (size_t i = 0; i < curve->n_planets; i++) {
        snprintf(names[i], NAME_SIZE, "planet_%zu", i + 1);
        columns[2 + i] = (struct ecsv_column){names[i], ECSV_NUMBER, "m / s", NULL};
    }
    const struct ecsv_note note = {"t_ref", NULL, star->summary.reference_time_days};
    struct output_file file;
    int code = output_file_open(&file, folder, "curve.ecsv", fit_folder_members);
    struct ecsv_writer writer = {.stream = NULL};
    if (code == EXIT_CODE_OK)
        writer = ecsv_writer_start(file.stream, n_columns, columns, 1, &note);
    free(columns);
    free(names);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t k = 0; k < curve->n; k++) {
        ecsv_writer_number(&writer, curve->time_days[k]);
        ecsv_writer_number(&writer, curve->total_m_s[k]);
        for (size_t i = 0; i < curve->n_planets; i++)
            ecsv_writer_number(&writer, curve->planets_m_s[i * curve->n + k]);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

int curve_table_write(const struct star_result *star, const char *folder)
{
    enum { MOST_POINTS = 20000 };
    struct star_curve curve;
    int code = star_curve_create(star, 0.0, MOST_POINTS, &curve);
    if (code == EXIT_CODE_OK)
        code = write_curve_rows(star, &curve, folder);
    star_curve_free(&curve);
    return code;
}
