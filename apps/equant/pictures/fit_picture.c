#include "pictures/fit_picture.h"

#include <math.h>

#include "drawing/figure_style.h"
#include "drawing/svg.h"
#include "drawing/text_width.h"
#include "figures/phase_panel.h"
#include "figures/star_marks.h"
#include "figures/star_notes.h"
#include "figures/velocity_panels.h"
#include "stars/star_curve.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

/* From top to bottom: key, velocities, residuals, then rows of phase panels, each with its title
 * above and its axis below, and what has to be said. */
static const double margin = 10.0, right = 22.0;
static const double title = 22.0, panel_height = 118.0, phase_axis = 24.0, last_axis = 20.0;
static const double least_left = 56.0, digit = 8.0;

struct layout {
    struct velocity_panels_layout panels;
    struct key key;
    struct star_notes notes;
    size_t n_columns, n_rows; /* of phase panels */
    double key_height, phases_top, notes_top, height;
};

/* Numbers with more digits push their label to the left. */
static double room_for_numbers(const struct star_result *star)
{
    double largest = 0.0;
    for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++) {
        size_t instrument = (size_t)equant_dataset_instruments(star->dataset)[k];
        double offset = star_result_offset(star, instrument).value;
        largest = fmax(largest, fabs(equant_dataset_velocities_m_s(star->dataset)[k] - offset));
    }
    return least_left + digit * fmax(0.0, floor(log10(largest + 1.0)) - 2.0);
}

static void lay_out(const struct star_result *star, struct layout *layout)
{
    char line[64];
    *layout = (struct layout){.panels = {.width = PICTURE_WIDTH,
                                         .left = room_for_numbers(star),
                                         .right = right,
                                         .velocities = 165.0,
                                         .residuals = 70.0,
                                         .most_turns = 100.0,
                                         .scale = 0.85,
                                         .n_times = 8,
                                         .n_years = 6,
                                         .n_velocities = 6},
                              .n_columns = star->n_planets > 1 ? 2 : 1};
    double shortest = velocity_panels_shortest(star, &layout->panels);
    double across = PICTURE_WIDTH - layout->panels.left - right;
    star_marks_key(&layout->key, star);
    star_curve_title(star, shortest, line, sizeof line);
    if (line[0] != '\0')
        key_add(&layout->key, "curve", KEY_LINE, line);
    layout->notes = star_notes_of(star, shortest);
    layout->key_height = key_height(&layout->key, across);
    layout->n_rows = (star->n_planets + layout->n_columns - 1) / layout->n_columns;
    layout->phases_top =
        margin + layout->key_height + velocity_panels_height(star, &layout->panels) + 2.0;
    layout->notes_top = layout->phases_top +
                        (double)layout->n_rows * (title + panel_height + phase_axis) +
                        (layout->n_rows > 0 ? last_axis : 0.0);
    layout->height = layout->notes_top;
}

/* "b: P 75.76 d, K 2.22 m/s, e 0.11", above the frame. */
static void write_title(FILE *page, const struct phase_panel *panel,
                        const struct star_planet *planet, struct planet_name name)
{
    char text[480], cut[480];
    snprintf(text, sizeof text, "%s: P %s d, K %s m/s, e %.2f", name.text,
             star_planet_has_bound(planet, EQUANT_ELEMENT_PERIOD)
                 ? star_planet_bound(planet, EQUANT_ELEMENT_PERIOD).text
                 : spoken_number_digits(planet->values[EQUANT_ELEMENT_PERIOD], 4).text,
             spoken_number_digits(planet->values[EQUANT_ELEMENT_K], 3).text,
             planet->values[EQUANT_ELEMENT_ECCENTRICITY]);
    text_width_cut(text, FIGURE_SMALL_SIZE, panel->width + right, cut, sizeof cut);
    svg_text(page, "small", panel->left, panel->top - 6.0, cut);
}

static int draw_phase(FILE *page, const struct star_result *star, const struct layout *layout,
                      size_t index)
{
    size_t row = index / layout->n_columns, column = index % layout->n_columns;
    double left = layout->panels.left, n = (double)layout->n_columns;
    double gap = left - 12.0;
    double across = (PICTURE_WIDTH - left - right - gap * (n - 1.0)) / n;
    struct phase_panel panel = {.page = page,
                                .left = left + (double)column * (across + gap),
                                .top = layout->phases_top + title +
                                       (double)row * (title + panel_height + phase_axis),
                                .width = across,
                                .height = panel_height,
                                .has_phase = index + layout->n_columns >= star->n_planets,
                                .has_velocity = column == 0,
                                .label_distance = left - 14.0,
                                .scale = 0.8};
    write_title(page, &panel, &star->planets[index], planet_name_short(&star->letters, index));
    svg_group_begin(page, "phase");
    int code = phase_panel_draw(&panel, star, index);
    svg_group_end(page);
    return code;
}

static int draw(FILE *page, const struct star_result *star, const struct layout *layout)
{
    double left = layout->panels.left;
    key_draw(page, &layout->key, left, margin, PICTURE_WIDTH - left - right);
    int code = velocity_panels_draw(page, star, &layout->panels, margin + layout->key_height);
    for (size_t i = 0; i < star->n_planets && code == EXIT_CODE_OK; i++)
        code = draw_phase(page, star, layout, i);
    return code;
}

int fit_picture_draw(const struct star_result *star, const char *folder, enum picture_format format)
{
    struct picture picture;
    struct layout layout;
    lay_out(star, &layout);
    int code = picture_begin(&picture, PICTURE_WIDTH, layout.height,
                             "Velocities with the model, residuals, and each planet folded at its "
                             "period",
                             layout.notes.text);
    if (code != EXIT_CODE_OK)
        return code;
    return picture_finish(&picture, folder, "fit", format, draw(picture.page, star, &layout));
}
