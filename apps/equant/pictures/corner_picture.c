#include "pictures/corner_picture.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "pictures/gnuplot.h"
#include "terminal/messages.h"

enum { N_BINS = 30 };

/* Inches. */
static const double left = 0.75, bottom = 0.7, panel = 0.85, gap = 0.06, margin = 0.12;

/* The bin of a value; -1 when it is beyond the axis. */
static int bin_of(const struct posterior_column *column, double value)
{
    double place = (value - column->low) / (column->high - column->low) * N_BINS;
    if (!(place >= 0.0 && place <= (double)N_BINS))
        return -1;
    return place < N_BINS ? (int)place : N_BINS - 1;
}

static double middle_of(const struct posterior_column *column, int bin)
{
    return column->low + ((double)bin + 0.5) * (column->high - column->low) / N_BINS;
}

static void write_histogram(FILE *script, size_t n, const struct posterior_column *column)
{
    double counts[N_BINS] = {0};
    for (size_t i = 0; i < n; i++) {
        int bin = bin_of(column, column->values[i]);
        if (bin >= 0)
            counts[bin] += 1.0;
    }
    fputs("$bins << EOD\n", script);
    for (int i = 0; i < N_BINS; i++)
        fprintf(script, "%.12g %g\n", middle_of(column, i), counts[i]);
    fputs("EOD\nset yrange [0:*]\nplot $bins using 1:2 with boxes fillstyle solid 1 noborder "
          "linecolor rgb '#7fb8d8'\n",
          script);
}

static void write_density(FILE *script, size_t n, const struct posterior_column *across,
                          const struct posterior_column *up)
{
    double counts[N_BINS][N_BINS];
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < n; i++) {
        int column = bin_of(across, across->values[i]), row = bin_of(up, up->values[i]);
        if (column >= 0 && row >= 0)
            counts[row][column] += 1.0;
    }
    fputs("$bins << EOD\n", script);
    for (int row = 0; row < N_BINS; row++)
        for (int column = 0; column < N_BINS; column++)
            fprintf(script, "%.12g %.12g %g\n", middle_of(across, column), middle_of(up, row),
                    counts[row][column]);
    fprintf(script, "EOD\nset yrange [%.12g:%.12g]\nplot $bins using 1:2:3 with image\n", up->low,
            up->high);
}

/* A round number near a share of the way along an axis. */
static double mark_at(const struct posterior_column *column, double share)
{
    double width = column->high - column->low;
    double unit = pow(10.0, floor(log10(width)) - 1.0);
    return round((column->low + share * width) / unit) * unit;
}

/* Numbers only at two places, so that those of neighbours do not touch. */
static void write_tics(FILE *script, char axis, const struct posterior_column *column,
                       bool has_text)
{
    fprintf(script, "set format %c '%s'\nset %ctics (%.10g, %.10g) font ',6'\n", axis,
            has_text ? "%.6g" : "", axis, mark_at(column, 0.2), mark_at(column, 0.8));
}

/* Names of quantities stand in line, however long the numbers are. */
static void write_names(FILE *script, const char *below, const char *beside)
{
    fputs("set label 1 ", script);
    picture_text(script, below);
    fputs(" at graph 0.5, graph -0.62 center font ',7'\nset label 2 ", script);
    picture_text(script, beside);
    fputs(" at graph -0.72, graph 0.5 center rotate by 90 font ',7'\n", script);
}

static void write_panel(FILE *script, const struct posterior_columns *columns, size_t row,
                        size_t column, double size)
{
    const struct posterior_column *across = &columns->column[column], *up = &columns->column[row];
    double from_left = left + (double)column * (panel + gap);
    double from_bottom = bottom + (double)(columns->n - 1 - row) * (panel + gap);
    picture_place(script, (struct picture_frame){.left = from_left / size,
                                                 .right = (from_left + panel) / size,
                                                 .bottom = from_bottom / size,
                                                 .top = (from_bottom + panel) / size});
    fprintf(script, "set xrange [%.12g:%.12g]\n", across->low, across->high);
    write_names(script, row + 1 == columns->n ? across->label : "",
                column == 0 && row > 0 ? up->label : "");
    write_tics(script, 'x', across, row + 1 == columns->n);
    if (row == column) {
        fputs("unset ytics\n", script);
        write_histogram(script, columns->n_draws, across);
    } else {
        write_tics(script, 'y', up, column == 0);
        write_density(script, columns->n_draws, across, up);
    }
}

int corner_picture_draw(const struct posterior_columns *columns, const char *folder,
                        enum picture_format format)
{
    char name[16];
    double n = (double)columns->n, size = left + n * panel + (n - 1.0) * gap + margin;
    if (columns->n == 0)
        return EXIT_CODE_OK;
    FILE *script = picture_start(format, size, size);
    if (script == NULL)
        return EXIT_CODE_FAILED;
    fputs(
        "set palette defined (0 '#ffffff', 0.1 '#d6e8f2', 0.5 '#5fa3cc', 1 '#004c7f')\n"
        "unset colorbox\nunset mxtics\nunset mytics\nset xtics rotate by 35 right\nset multiplot\n",
        script);
    for (size_t row = 0; row < columns->n; row++)
        for (size_t column = 0; column <= row; column++)
            write_panel(script, columns, row, column, size);
    fputs("unset multiplot\n", script);
    snprintf(name, sizeof name, "corner.%s", picture_format_name(format));
    int code = gnuplot_draw(script, folder, name);
    fclose(script);
    return code;
}
