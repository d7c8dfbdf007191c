#include "planning/time_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/paragraph.h"
#include "drawing/time_axis.h"
#include "pictures/picture.h"
#include "terminal/messages.h"

static const double margin = 10.0, left = 56.0, right = 14.0, top = 26.0, height = 220.0,
                    axis_height = 46.0;

/* A frame over all times, with its axes and the small print below it. */
struct time_frame {
    struct picture picture;
    struct plot plot;
    struct time_axis axis;
    const char *notes;
    double notes_top;
};

static int begin(struct time_frame *frame, const equant_posterior *posterior, const char *label,
                 const char *notes)
{
    double lines = paragraph_height(notes, PICTURE_WIDTH - 2.0 * margin);
    frame->axis = time_axis_of(equant_posterior_dataset(posterior));
    frame->notes = notes;
    frame->notes_top = top + height + axis_height;
    int code =
        picture_begin(&frame->picture, PICTURE_WIDTH, frame->notes_top + lines + margin, label);
    frame->plot.page = frame->picture.page;
    frame->plot.left = left;
    frame->plot.top = top;
    frame->plot.width = PICTURE_WIDTH - left - right;
    frame->plot.height = height;
    return code;
}

static int end(struct time_frame *frame, const char *quantity, const char *folder, const char *name,
               enum picture_format format)
{
    const struct plot *plot = &frame->plot;
    struct ticks below = ticks_linear(plot->x.low, plot->x.high, 6),
                 beside = ticks_linear(plot->y.low, plot->y.high, 6);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &below, true);
    plot_ticks(plot, PLOT_LEFT, &beside, true);
    plot_label_below(plot, 34.0, frame->axis.label);
    plot_label_left(plot, 40.0, quantity);
    paragraph_draw(plot->page, frame->notes, margin, frame->notes_top,
                   PICTURE_WIDTH - 2.0 * margin);
    return picture_finish(&frame->picture, folder, name, format, EXIT_CODE_OK);
}

/* Columns of numbers along the times. */
enum { TIME, MIDDLE, LOW_95, LOW_68, HIGH_68, HIGH_95, N_COLUMNS };

static void draw_observations(const struct time_frame *frame, const equant_posterior *posterior)
{
    const equant_dataset *dataset = equant_posterior_dataset(posterior);
    const double *times = equant_dataset_times_days(dataset);
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        double x = times[k] - frame->axis.zero;
        if (x >= frame->plot.x.low && x <= frame->plot.x.high)
            plot_mark(&frame->plot, "interval", x);
    }
}

int time_picture_band(const equant_posterior *posterior, const equant_prediction *prediction,
                      const char *folder, enum picture_format format)
{
    static const char notes[] =
        "What all draws foretell, correlated noise included: the median, and where 68.3 and 95.4 % "
        "lie. Dashes: times of observations.";
    size_t n = equant_prediction_n(prediction);
    struct time_frame frame = {.notes = NULL};
    double *numbers = calloc(N_COLUMNS * n, sizeof *numbers), low = INFINITY, high = -INFINITY;
    if (numbers == NULL)
        return messages_out_of_memory();
    int code = begin(&frame, posterior, "The velocity that is foretold", notes);
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++) {
        equant_predicted_time own = {.struct_size = sizeof own};
        equant_prediction_at(prediction, i, &own); /* the index is in range */
        numbers[TIME * n + i] = own.time_days - frame.axis.zero;
        numbers[MIDDLE * n + i] = own.median_m_s;
        numbers[LOW_95 * n + i] = own.low_95_m_s;
        numbers[LOW_68 * n + i] = own.low_68_m_s;
        numbers[HIGH_68 * n + i] = own.high_68_m_s;
        numbers[HIGH_95 * n + i] = own.high_95_m_s;
        low = fmin(low, own.low_95_m_s);
        high = fmax(high, own.high_95_m_s);
    }
    if (code == EXIT_CODE_OK) {
        double room = 0.05 * (high - low);
        frame.plot.x = (struct plot_axis){numbers[TIME * n], numbers[TIME * n + n - 1], false};
        frame.plot.y = (struct plot_axis){low - room, high + room, false};
        if (n == 1) {
            frame.plot.x.low -= 0.5;
            frame.plot.x.high += 0.5;
        }
        plot_begin_inside(&frame.plot);
        draw_observations(&frame, posterior);
        plot_band(&frame.plot, "band-95", n, numbers, numbers + LOW_95 * n, numbers + HIGH_95 * n);
        plot_band(&frame.plot, "band-68", n, numbers, numbers + LOW_68 * n, numbers + HIGH_68 * n);
        bool is_drawn = plot_curve(&frame.plot, "curve", n, numbers, numbers + MIDDLE * n);
        plot_end_inside(&frame.plot);
        code = is_drawn ? end(&frame, "velocity (m/s)", folder, "prediction", format)
                        : picture_finish(&frame.picture, folder, "prediction", format,
                                         messages_out_of_memory());
    }
    free(numbers);
    return code;
}

static void draw_chosen(const struct time_frame *frame, const equant_plan *plan)
{
    for (size_t i = 0; i < equant_plan_n_chosen(plan); i++) {
        equant_planned own = {.struct_size = sizeof own};
        char number[24];
        equant_plan_chosen(plan, i, &own);
        double x = own.time_days - frame->axis.zero;
        snprintf(number, sizeof number, "%zu", i + 1);
        svg_text(frame->plot.page, "mid small", frame->plot.left + plot_x(&frame->plot, x),
                 frame->plot.top - 6.0, number);
    }
}

/* Times of one night follow each other within this. */
#define NIGHT_PAUSE_DAYS 0.3

/* Night by night: grey where the star can be observed, what would be learnt, and above it the part
 * of the moon that is lit then. */
static bool draw_nights(const struct time_frame *frame, size_t n, const double *times,
                        const double *gains, const struct candidate_sky *sky)
{
    const struct plot *plot = &frame->plot;
    const double moon_height = 0.1 * plot->height, least_width = 1.0;
    bool is_drawn = true;
    for (size_t first = 0, next = 0; first < n; first = next) {
        for (next = first + 1; next < n && times[next] - times[next - 1] < NIGHT_PAUSE_DAYS;)
            next++;
        double x = plot_x(plot, times[first]),
               width = fmax(plot_x(plot, times[next - 1]) - x, least_width),
               lit = moon_height * sky[(first + next - 1) / 2].moon_illumination;
        svg_rectangle(plot->page, "spread i7", x, 0.0, width, plot->height);
        svg_rectangle(plot->page, "dot i5", x, moon_height - lit, width, lit);
        is_drawn &= plot_curve(plot, "curve strong", next - first, times + first, gains + first);
    }
    plot_level(plot, "zero", plot->y.high - 0.1 * (plot->y.high - plot->y.low));
    return is_drawn;
}

int time_picture_gain(const equant_posterior *posterior, const equant_plan *plan,
                      const struct candidate_sky *sky, const char *folder,
                      enum picture_format format)
{
    const char *notes =
        sky != NULL
            ? "The information that one observation is expected to bring, in nats, while the star "
              "can be observed (grey). Numbers: those that are chosen, in their order. Along the "
              "upper edge: the part of the moon that is lit."
            : "The information that one observation is expected to bring, in nats, at each time "
              "that may be observed. Numbers: those that are chosen, in their order.";
    size_t n = equant_plan_n_candidates(plan);
    struct time_frame frame = {.notes = NULL};
    double *times = calloc(2 * n, sizeof *times), *gains = times + n, high = 1e-9;
    if (times == NULL)
        return messages_out_of_memory();
    int code = begin(&frame, posterior, "What an observation would teach", notes);
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++) {
        equant_planned own = {.struct_size = sizeof own};
        equant_plan_candidate(plan, i, &own);
        times[i] = own.time_days - frame.axis.zero;
        gains[i] = own.gain;
        high = fmax(high, own.gain);
    }
    if (code == EXIT_CODE_OK) {
        double room = n > 1 ? 0.0 : 0.5;
        frame.plot.x = (struct plot_axis){times[0] - room, times[n - 1] + room, false};
        frame.plot.y = (struct plot_axis){0.0, (sky != NULL ? 1.2 : 1.08) * high, false};
        plot_begin_inside(&frame.plot);
        for (size_t i = 0; i < equant_plan_n_chosen(plan); i++) {
            equant_planned own = {.struct_size = sizeof own};
            equant_plan_chosen(plan, i, &own);
            plot_mark(&frame.plot, "planet-mark", own.time_days - frame.axis.zero);
        }
        bool is_drawn = sky != NULL ? draw_nights(&frame, n, times, gains, sky)
                                    : plot_curve(&frame.plot, "curve strong", n, times, gains);
        plot_end_inside(&frame.plot);
        draw_chosen(&frame, plan);
        code = is_drawn ? end(&frame, "gain (nats)", folder, "plan", format)
                        : picture_finish(&frame.picture, folder, "plan", format,
                                         messages_out_of_memory());
    }
    free(times);
    return code;
}
