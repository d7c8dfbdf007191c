#include "pictures/trace_picture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pictures/gnuplot.h"
#include "terminal/messages.h"

/* Inches. */
static const double width = 5.0, left = 0.7, right = 0.12, top = 0.1, panel = 0.75, gap = 0.07,
                    label = 0.14, bottom = 0.42;

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* A line for each kept step: its number, the median of the walkers, and the ends of the 68 %
 * around it. `sorted` has room for the walkers. */
static void write_population(FILE *script, const struct posterior_columns *columns,
                             const struct posterior_column *column, size_t population,
                             double *sorted)
{
    const double low = 0.1587;
    size_t n = columns->n_walkers;
    double steps = (double)(columns->last_step - columns->first_step) / (double)columns->n_kept;
    fprintf(script, "$population%zu << EOD\n", population);
    for (size_t s = 0; s < columns->n_kept; s++) {
        memcpy(sorted, column->values + (population * columns->n_kept + s) * n, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_number);
        fprintf(script, "%.8g %.10g %.10g %.10g\n",
                (double)columns->first_step + steps * (double)(s + 1), sorted[n / 2],
                sorted[(size_t)(low * (double)n)], sorted[(size_t)((1.0 - low) * (double)n)]);
    }
    fputs("EOD\n", script);
}

static void write_panel(FILE *script, const struct posterior_columns *columns, size_t index,
                        double height, double *sorted)
{
    const struct posterior_column *column = &columns->column[index];
    double from_top = top + (double)index * (panel + gap);
    bool is_last = index + 1 == columns->n;
    picture_place(script, (struct picture_frame){.left = left / width,
                                                 .right = 1.0 - right / width,
                                                 .bottom = 1.0 - (from_top + panel) / height,
                                                 .top = 1.0 - from_top / height});
    for (size_t p = 0; p < columns->n_populations; p++)
        write_population(script, columns, column, p, sorted);
    picture_vertical_axis(script, column->low, column->high, 3);
    fprintf(script, "set xrange [%llu:%llu]\nset format x '%s'\nset xlabel '%s'\nset label 1 ",
            columns->first_step, columns->last_step, is_last ? "%.0f" : "", is_last ? "step" : "");
    picture_text(script, column->label);
    fprintf(script, " at screen %.4f, graph 0.5 center rotate by 90 font ',7'\nplot ",
            label / width);
    for (size_t p = 0; p < columns->n_populations; p++)
        fprintf(script,
                "%s$population%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.15 "
                "noborder linecolor rgb '%s', \\\n $population%zu using 1:2 with lines linewidth "
                "0.8 linecolor rgb '%s'",
                p == 0 ? "" : ", \\\n", p, picture_colour(p), p, picture_colour(p));
    fputc('\n', script);
}

int trace_picture_draw(const struct posterior_columns *columns, const char *folder,
                       enum picture_format format)
{
    char name[16];
    double n = (double)columns->n, height = top + n * (panel + gap) - gap + bottom;
    if (columns->n == 0)
        return EXIT_CODE_OK;
    double *sorted = malloc(columns->n_walkers * sizeof *sorted);
    if (sorted == NULL)
        return messages_out_of_memory();
    FILE *script = picture_start(format, width, height);
    if (script == NULL) {
        free(sorted);
        return EXIT_CODE_FAILED;
    }
    fputs("set format y '%g'\nset ytics font ',7'\nset xtics font ',7'\nset multiplot\n", script);
    for (size_t i = 0; i < columns->n; i++)
        write_panel(script, columns, i, height, sorted);
    fputs("unset multiplot\n", script);
    snprintf(name, sizeof name, "trace.%s", picture_format_name(format));
    int code = gnuplot_draw(script, folder, name);
    fclose(script);
    free(sorted);
    return code;
}
