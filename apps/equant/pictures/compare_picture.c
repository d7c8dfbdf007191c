#include "pictures/compare_picture.h"

#include <math.h>

#include "drawing/label_row.h"
#include "drawing/paragraph.h"
#include "drawing/plot.h"
#include "drawing/text_width.h"
#include "figures/probability_panels.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

static const double margin = 10.0, left = 54.0, right = 24.0, axis = 46.0;

/* FIPs are shown from 1 down to this power of ten. */
#define MOST_POWERS 12.0
/* Signals whose periods are written. */
enum { MOST_PERIODS = 8, MOST_NUMBERS = 32 };
#define LEAST_PROBABILITY 0.05

static const char fip_notes[] =
    "FIP: the probability that no planet has a frequency within half of what the data resolve of "
    "this one, over all numbers of planets. Above the dashed line it is below 1 %.";

static const char alias_notes[] =
    "A row for each signal, with the probability that it is a planet; in it every period that it "
    "may have, as high as its share.";

static const char caveat[] =
    "The chains disagree. These probabilities cannot be claimed: run longer.";

/* What stands above a picture of chains that disagree, and its height. */
static double caveat_height(const equant_comparison *comparison, double across)
{
    return equant_comparison_agrees(comparison) ? 0.0 : paragraph_height(caveat, across) + 8.0;
}

static void draw_caveat(const equant_comparison *comparison, FILE *page, double across)
{
    if (!equant_comparison_agrees(comparison))
        paragraph_draw(page, caveat, margin, margin, across);
}

static double power_of(double fip)
{
    return fmin(-log10(fmax(fip, 1e-300)), MOST_POWERS);
}

/* Of each half unit across the highest. */
static void draw_area(const struct plot *plot, const equant_comparison *comparison)
{
    const double *frequency = equant_comparison_frequencies(comparison),
                 *fip = equant_comparison_fip_periodogram(comparison);
    double highest = 0.0, place = 0.0, column = NAN;
    svg_path_begin(plot->page, "power");
    svg_path_move(plot->page, plot->width, plot->height);
    for (size_t i = 0; i < equant_comparison_n_frequencies(comparison); i++) {
        double x = plot_x(plot, 1.0 / frequency[i]), power = power_of(fip[i]);
        if (floor(2.0 * x) != column) {
            if (!isnan(column))
                svg_path_line(plot->page, place, plot_y(plot, highest));
            column = floor(2.0 * x);
            highest = -1.0;
        }
        if (power > highest) {
            highest = power;
            place = x;
        }
    }
    svg_path_line(plot->page, place, plot_y(plot, fmax(highest, 0.0)));
    svg_path_line(plot->page, 0.0, plot->height);
    svg_path_end(plot->page);
}

/* Periods above the frame, where there is room beside those that are more probable. */
static void write_periods(const struct plot *plot, const equant_comparison *comparison)
{
    struct label_row row = {0};
    for (size_t i = 0; i < equant_comparison_n_signals(comparison) && row.n < MOST_PERIODS; i++) {
        equant_signal signal = {.struct_size = sizeof signal};
        if (equant_comparison_signal(comparison, i, &signal) != EQUANT_SUCCESS ||
            signal.probability < LEAST_PROBABILITY)
            continue;
        struct spoken_number text = spoken_number_digits(signal.period_days, 4);
        double half = 0.5 * text_width_of(text.text, 10.5) + 3.0,
               x = plot->left + plot_x(plot, signal.period_days);
        if (!label_row_take(&row, x, 2.0 * half))
            continue;
        svg_text(plot->page, "small mid", x, plot->top - 4.0, text.text);
    }
}

static int draw_fip(const equant_comparison *comparison, const char *folder,
                    enum picture_format format)
{
    const double *frequency = equant_comparison_frequencies(comparison);
    size_t n = equant_comparison_n_frequencies(comparison);
    double height = 190.0;
    double top = margin + 16.0 + caveat_height(comparison, PICTURE_WIDTH - 2.0 * margin);
    double notes_top = top + height + axis, highest = 2.5;
    struct picture picture;
    for (size_t i = 0; i < n; i++)
        highest = fmax(highest, power_of(equant_comparison_fip_periodogram(comparison)[i]));
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "False inclusion probability over period", fip_notes);
    if (code != EXIT_CODE_OK)
        return code;
    struct plot plot = {.page = picture.page,
                        .left = left,
                        .top = top,
                        .width = PICTURE_WIDTH - left - right,
                        .height = height,
                        .x = {1.0 / frequency[n - 1], 1.0 / frequency[0], true},
                        .y = {0.0, 1.05 * highest, false}};
    struct ticks below = ticks_logarithmic(plot.x.low, plot.x.high),
                 beside = ticks_linear(0.0, plot.y.high, 6);
    draw_caveat(comparison, picture.page, PICTURE_WIDTH - 2.0 * margin);
    plot_begin_inside(&plot);
    draw_area(&plot, comparison);
    plot_level(&plot, "level", 2.0);
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &below, true);
    plot_ticks(&plot, PLOT_LEFT, &beside, true);
    plot_label_below(&plot, 34.0, "period [days]");
    plot_label_left(&plot, 36.0, "-log10 FIP");
    write_periods(&plot, comparison);
    return picture_finish(&picture, folder, "fip", format, EXIT_CODE_OK);
}

static int draw_numbers(const equant_comparison *comparison, const char *folder,
                        enum picture_format format)
{
    double numbers[MOST_NUMBERS], height = 150.0, width = 260.0;
    size_t n = 0;
    struct picture picture;
    double top = margin + caveat_height(comparison, width - 2.0 * margin);
    int code = picture_begin(&picture, width, top + height + axis + margin,
                             "Probability of each number of planets", "");
    if (code != EXIT_CODE_OK)
        return code;
    draw_caveat(comparison, picture.page, width - 2.0 * margin);
    for (; n <= equant_comparison_max_planets(comparison) && n < MOST_NUMBERS; n++)
        numbers[n] = equant_comparison_probability(comparison, n, NULL);
    const struct probability_place place = {picture.page, left, top, width - left - right, height};
    probability_panels_numbers(&place, n, numbers);
    return picture_finish(&picture, folder, "n_planets", format, EXIT_CODE_OK);
}

/* The signals that are drawn, with their periods. */
static size_t list_families(const equant_comparison *comparison,
                            struct probability_family families[MOST_PERIODS])
{
    size_t n = 0;
    for (size_t i = 0; i < equant_comparison_n_signals(comparison) && n < MOST_PERIODS; i++) {
        struct probability_family *own = &families[n];
        equant_signal signal = {.struct_size = sizeof signal};
        if (equant_comparison_signal(comparison, i, &signal) != EQUANT_SUCCESS ||
            signal.probability < LEAST_PROBABILITY)
            continue;
        snprintf(own->name, sizeof own->name, "%s%.0f %%", signal.fip < 5e-3 ? "> " : "",
                 signal.fip < 5e-3 ? 99.0 : 100.0 * signal.probability);
        for (own->n = 0; own->n < signal.n_aliases && own->n < PROBABILITY_PANELS_MOST_PERIODS;
             own->n++) {
            equant_alias alias = {.struct_size = sizeof alias};
            equant_comparison_alias(comparison, i, own->n, &alias);
            own->period_days[own->n] = alias.period_days;
            own->share[own->n] = alias.probability;
        }
        n++;
    }
    return n;
}

static int draw_aliases(const equant_comparison *comparison, const char *folder,
                        enum picture_format format)
{
    struct probability_family families[MOST_PERIODS];
    size_t n = list_families(comparison, families);
    double height = probability_panels_families_height(n), across = PICTURE_WIDTH - 2.0 * margin;
    double top = margin + caveat_height(comparison, across), notes_top = top + height + axis;
    struct picture picture;
    if (n == 0)
        return EXIT_CODE_OK;
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "Periods that each signal may have", alias_notes);
    if (code != EXIT_CODE_OK)
        return code;
    draw_caveat(comparison, picture.page, across);
    const struct probability_place place = {picture.page, left, top, PICTURE_WIDTH - left - right,
                                            height};
    probability_panels_families(&place, n, families);
    return picture_finish(&picture, folder, "aliases", format, EXIT_CODE_OK);
}

int compare_picture_draw(const equant_comparison *comparison, const char *folder,
                         enum picture_format format)
{
    int code = draw_fip(comparison, folder, format);
    if (code == EXIT_CODE_OK)
        code = draw_numbers(comparison, folder, format);
    return code == EXIT_CODE_OK ? draw_aliases(comparison, folder, format) : code;
}
