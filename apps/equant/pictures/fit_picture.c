#include "pictures/fit_picture.h"

#include <math.h>
#include <string.h>

#include "pictures/gnuplot.h"
#include "terminal/messages.h"
#include "pictures/phase_panel.h"
#include "pictures/time_panels.h"

/* All in inches. The picture is made to be printed 5 inches wide, and can still be read in
 * a column of 3.4. From top to bottom: key, velocities, residuals, axis of time, then rows
 * of phase panels, each with its title above and its axis below. */
static const double width = 5.0, right = 0.14;
static const double top = 0.09, key_line = 0.13, velocities_height = 1.6, residuals_height = 0.65;
static const double between = 0.07, time_axis = 0.53;
static const double title = 0.17, panel_height = 1.2, phase_axis = 0.24, last_axis = 0.26;

struct layout {
    size_t n_columns, n_rows; /* of phase panels */
    double left, gap;         /* room for the numbers at the left, and between columns */
    double key_height, height;
};

/* Lines that the key will take; the names' widths are estimated. */
static size_t count_key_lines(const struct star_result *star, double left)
{
    const double letter = 0.058, symbol = 0.45;
    size_t n = equant_dataset_n_instruments(star->dataset) + 1, longest = strlen("model");
    for (size_t i = 0; i + 1 < n; i++) {
        size_t length = strlen(equant_dataset_instrument_name(star->dataset, i));
        longest = length > longest ? length : longest;
    }
    size_t n_per_line = (size_t)((width - left - right) / (letter * (double)longest + symbol));
    if (n_per_line == 0)
        n_per_line = 1;
    return (n + n_per_line - 1) / n_per_line;
}

/* Numbers with more digits push their label to the left. */
static double room_for_numbers(const struct star_result *star)
{
    const double usual = 0.6, digit = 0.09;
    double largest = 0.0;
    for (size_t k = 0; k < star->summary.n_obs; k++) {
        size_t instrument = (size_t)equant_dataset_instruments(star->dataset)[k];
        double offset = star_result_offset(star, instrument).value;
        largest = fmax(largest, fabs(equant_dataset_velocities_m_s(star->dataset)[k] - offset));
    }
    return usual + digit * fmax(0.0, floor(log10(largest + 1.0)) - 2.0);
}

static struct layout plan(const struct star_result *star)
{
    struct layout layout = {.n_columns = star->n_planets > 1 ? 2 : 1};
    layout.n_rows = (star->n_planets + layout.n_columns - 1) / layout.n_columns;
    layout.left = room_for_numbers(star);
    layout.gap = layout.left - 0.1;
    layout.key_height = key_line * (double)count_key_lines(star, layout.left);
    layout.height = top + layout.key_height + velocities_height + between + residuals_height +
                    time_axis + (double)layout.n_rows * (title + panel_height + phase_axis);
    if (layout.n_rows > 0)
        layout.height += last_axis;
    return layout;
}

/* A frame from inches, counted from the picture's upper left. */
static struct picture_frame frame_at(const struct layout *layout, double from_left, double across,
                                     double from_top, double down)
{
    return (struct picture_frame){.left = from_left / width,
                                  .right = (from_left + across) / width,
                                  .bottom = 1.0 - (from_top + down) / layout->height,
                                  .top = 1.0 - from_top / layout->height};
}

static struct picture_frame phase_frame(const struct layout *layout, double from_top, size_t index)
{
    size_t row = index / layout->n_columns, column = index % layout->n_columns;
    double n = (double)layout->n_columns;
    double across = (width - layout->left - right - layout->gap * (n - 1.0)) / n;
    return frame_at(layout, layout->left + (double)column * (across + layout->gap), across,
                    from_top + (double)row * (title + panel_height + phase_axis) + title,
                    panel_height);
}

static int write_script(FILE *script, const struct star_result *star, const struct layout *layout)
{
    double across = width - layout->left - right;
    double velocities_top = top + layout->key_height;
    double residuals_top = velocities_top + velocities_height + between;
    double phases_top = residuals_top + residuals_height + time_axis;
    fputs("set multiplot\n", script);
    int code = time_panels_write(
        script, star, frame_at(layout, layout->left, across, velocities_top, velocities_height),
        frame_at(layout, layout->left, across, residuals_top, residuals_height),
        1.0 - 0.5 * top / layout->height);
    for (size_t i = 0; i < star->n_planets && code == EXIT_CODE_OK; i++) {
        struct phase_panel_labels labels = {.has_phase = i + layout->n_columns >= star->n_planets,
                                            .has_velocity = i % layout->n_columns == 0};
        code = phase_panel_write(script, star, i, phase_frame(layout, phases_top, i), labels);
    }
    fputs("unset multiplot\n", script);
    return code;
}

int fit_picture_draw(const struct star_result *star, const char *folder, enum picture_format format)
{
    char name[16];
    struct layout layout = plan(star);
    FILE *script = picture_start(format, width, layout.height);
    if (script == NULL)
        return EXIT_CODE_FAILED;
    snprintf(name, sizeof name, "fit.%s", picture_format_name(format));
    int code = write_script(script, star, &layout);
    if (code == EXIT_CODE_OK)
        code = gnuplot_draw(script, folder, name);
    fclose(script);
    return code;
}
