#include <stdio.h>
#include <stdlib.h>

#include "drawing/key.h"
#include "drawing/plot.h"
#include "pictures/picture.h"
#include "planning/simulation_report.h"
#include "terminal/messages.h"

static const double margin = 10.0, left = 56.0, right = 14.0, height = 220.0, axis_height = 46.0;

static const char notes[] =
    "Which part of the stars has its answer, after so many observations beyond "
    "the first ones; the same stars for each strategy.";

/* Counts [n + 1] of stars that have it after 0, 1, ... n observations, as parts of all. */
static void count_answered(const struct simulation_report *report, int strategy, size_t n,
                           double *parts)
{
    size_t n_stars = report->options->n_stars;
    for (size_t i = 0; i <= n; i++)
        parts[i] = 0.0;
    for (size_t star = 0; star < n_stars; star++) {
        equant_strategy_trial own = {.struct_size = sizeof own};
        equant_strategies_trial(report->study, (equant_strategy)strategy, star, &own);
        for (size_t i = own.n_observations; own.is_answered && i <= n; i++)
            parts[i] += 1.0 / (double)n_stars;
    }
}

static bool draw_curves(const struct simulation_report *report, const struct plot *plot,
                        double *room)
{
    size_t n = report->options->n_most;
    bool is_drawn = true;
    for (size_t i = 0; i <= n; i++)
        room[i] = (double)i;
    for (int k = 0; k < EQUANT_N_STRATEGIES; k++) {
        char class[24];
        snprintf(class, sizeof class, "trace i%d", k + 1);
        count_answered(report, k, n, room + n + 1);
        is_drawn &= plot_curve(plot, class, n + 1, room, room + n + 1);
    }
    return is_drawn;
}

int simulation_report_picture(const struct simulation_report *report, const char *folder,
                              enum picture_format format)
{
    struct picture picture;
    struct key key = {.n = 0};
    double across = PICTURE_WIDTH - 2.0 * margin;
    size_t n = report->options->n_most;
    for (int k = 0; k < EQUANT_N_STRATEGIES; k++) {
        char class[24];
        snprintf(class, sizeof class, "trace i%d", k + 1);
        key_add(&key, class, KEY_LINE, equant_strategy_name((equant_strategy)k));
    }
    double *room = malloc(2 * (n + 1) * sizeof *room),
           top = margin + key_height(&key, across) + 6.0, notes_top = top + height + axis_height;
    if (room == NULL)
        return messages_out_of_memory();
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "Stars with an answer over observations, by strategy", notes);
    if (code == EXIT_CODE_OK) {
        struct plot plot = {.page = picture.page,
                            .left = left,
                            .top = top,
                            .width = PICTURE_WIDTH - left - right,
                            .height = height,
                            .x = {0.0, (double)n, false},
                            .y = {0.0, 1.0, false}};
        struct ticks below = ticks_linear(0.0, (double)n, 6), beside = ticks_linear(0.0, 1.0, 6);
        key_draw(picture.page, &key, margin, margin, across);
        plot_begin_inside(&plot);
        bool is_drawn = draw_curves(report, &plot, room);
        plot_end_inside(&plot);
        plot_frame(&plot);
        plot_ticks(&plot, PLOT_BELOW, &below, true);
        plot_ticks(&plot, PLOT_LEFT, &beside, true);
        plot_label_below(&plot, 34.0, "further observations");
        plot_label_left(&plot, 40.0, "part of the stars");
        code = picture_finish(&picture, folder, "strategies", format,
                              is_drawn ? EXIT_CODE_OK : messages_out_of_memory());
    }
    free(room);
    return code;
}
