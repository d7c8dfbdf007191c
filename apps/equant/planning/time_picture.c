#include "planning/time_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/label_row.h"
#include "drawing/svg.h"
#include "drawing/text_width.h"
#include "drawing/time_axis.h"
#include "pictures/picture.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

static const double left = 56.0, right = 24.0, top = 26.0, height = 220.0, axis_height = 46.0;

/* A frame over all times, with its axes. */
struct time_frame {
    struct picture picture;
    struct plot plot;
    struct time_axis axis;
};

static int begin(struct time_frame *frame, struct time_axis time, const char *label,
                 const char *notes)
{
    frame->axis = time;
    int code =
        picture_begin(&frame->picture, PICTURE_WIDTH, top + height + axis_height, label, notes);
    frame->plot.page = frame->picture.page;
    frame->plot.left = left;
    frame->plot.top = top;
    frame->plot.width = PICTURE_WIDTH - left - right;
    frame->plot.height = height;
    return code;
}

static void draw_axes(const struct time_frame *frame, const char *quantity)
{
    const struct plot *plot = &frame->plot;
    struct ticks below = ticks_linear(plot->x.low, plot->x.high, 6),
                 beside = ticks_linear(plot->y.low, plot->y.high, 6);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &below, true);
    plot_ticks(plot, PLOT_LEFT, &beside, true);
    plot_label_below(plot, 34.0, frame->axis.label);
    plot_label_left(plot, 40.0, quantity);
}

static int end(struct time_frame *frame, const char *quantity, const char *folder, const char *name,
               enum picture_format format)
{
    draw_axes(frame, quantity);
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

static struct time_axis axis_of_prediction(const equant_posterior *posterior,
                                           const equant_prediction *prediction)
{
    equant_predicted_time first = {.struct_size = sizeof first}, last = first;
    equant_prediction_at(prediction, 0, &first);
    equant_prediction_at(prediction, equant_prediction_n(prediction) - 1, &last);
    return time_axis_of_range(equant_posterior_dataset(posterior), first.time_days, last.time_days);
}

int time_picture_band(const equant_posterior *posterior, const equant_prediction *prediction,
                      const char *folder, enum picture_format format)
{
    static const char notes[] =
        "What all draws predict, correlated noise included: the median, and where 68.3 and 95.4 % "
        "lie. Dashes: times of observations.";
    size_t n = equant_prediction_n(prediction);
    struct time_frame frame = {.axis = {.zero = 0.0}};
    double *numbers = calloc(N_COLUMNS * n, sizeof *numbers), low = INFINITY, high = -INFINITY;
    if (numbers == NULL)
        return messages_out_of_memory();
    int code = begin(&frame, axis_of_prediction(posterior, prediction),
                     "The velocity that is predicted", notes);
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

static equant_planned candidate_of(const equant_plan *plan, size_t index)
{
    equant_planned own = {.struct_size = sizeof own};
    equant_plan_candidate(plan, index, &own); /* the index is in range */
    return own;
}

static struct time_axis axis_of_plan(const equant_posterior *posterior, const equant_plan *plan)
{
    return time_axis_of_range(equant_posterior_dataset(posterior), candidate_of(plan, 0).time_days,
                              candidate_of(plan, equant_plan_n_candidates(plan) - 1).time_days);
}

static double chosen_x(const struct time_frame *frame, const equant_plan *plan, size_t index)
{
    equant_planned own = {.struct_size = sizeof own};
    equant_plan_chosen(plan, index, &own); /* the index is in range */
    return plot_x(&frame->plot, own.time_days - frame->axis.zero);
}

/* Numbers of those that are chosen, above their marks: "1, 3" where several are at one place. */
static void draw_chosen(const struct time_frame *frame, const equant_plan *plan)
{
    const double same_place = 9.0, type_size = 10.5;
    size_t n = equant_plan_n_chosen(plan);
    struct label_row row = {0};
    for (size_t i = 0; i < n; i++) {
        char numbers[64] = "";
        double x = chosen_x(frame, plan, i);
        bool is_told = false;
        for (size_t k = 0; k < n && !is_told; k++) {
            if (fabs(chosen_x(frame, plan, k) - x) >= same_place)
                continue;
            is_told = k < i; /* an earlier one has spoken for this place */
            text_line_append(numbers, sizeof numbers, "%s%zu", numbers[0] == '\0' ? "" : ", ",
                             k + 1);
        }
        char cut[64];
        text_width_cut(numbers, type_size, 60.0, cut, sizeof cut);
        if (!is_told && label_row_take(&row, x, text_width_of(cut, type_size) + 4.0))
            svg_text(frame->plot.page, "mid small", frame->plot.left + x, frame->plot.top - 6.0,
                     cut);
    }
}

/* Times of one night follow each other within this. */
#define NIGHT_PAUSE_DAYS 0.3

/* Candidates of one telescope and instrument, in the order of their times. */
struct candidate_line {
    size_t n;
    double *times, *gains; /* [n] */
    double *lit;           /* [n]: the part of the moon */
};

/* Night by night: grey where the star can be observed, what would be learnt, and above it the part
 * of the moon that is lit then. */
static bool draw_nights(const struct time_frame *frame, const struct candidate_line *line)
{
    const struct plot *plot = &frame->plot;
    const double moon_height = 0.1 * plot->height, least_width = 1.0;
    const double *times = line->times;
    bool is_drawn = true;
    for (size_t first = 0, next = 0; first < line->n; first = next) {
        for (next = first + 1; next < line->n && times[next] - times[next - 1] < NIGHT_PAUSE_DAYS;)
            next++;
        double x = plot_x(plot, times[first]),
               width = fmax(plot_x(plot, times[next - 1]) - x, least_width),
               lit = moon_height * line->lit[(first + next - 1) / 2];
        svg_rectangle(plot->page, "spread i7", x, 0.0, width, plot->height);
        svg_rectangle(plot->page, "dot i5", x, moon_height - lit, width, lit);
        is_drawn &=
            plot_curve(plot, "curve strong", next - first, times + first, line->gains + first);
    }
    plot_level(plot, "zero", plot->y.high - 0.1 * (plot->y.high - plot->y.low));
    return is_drawn;
}

/* Whether two candidates are of one telescope and instrument. */
static bool is_same_line(const equant_planned *a, const equant_planned *b,
                         const struct candidate_sky *sky)
{
    return a->instrument == b->instrument && a->uncertainty_m_s == b->uncertainty_m_s &&
           (sky == NULL || sky[a->candidate].site_number == sky[b->candidate].site_number);
}

/* One line after the other: of each candidate that is of no line before it. */
static bool draw_lines(const struct time_frame *frame, const equant_plan *plan,
                       const struct candidate_sky *sky, double *room)
{
    equant_planned first[64];
    const size_t n = equant_plan_n_candidates(plan), most_lines = sizeof first / sizeof *first;
    struct candidate_line line = {0, room, room + n, room + 2 * n};
    bool is_drawn = true;
    for (size_t i = 0, n_lines = 0; i < n && n_lines < most_lines; i++) {
        equant_planned own = candidate_of(plan, i);
        size_t k = 0;
        while (k < n_lines && !is_same_line(&own, &first[k], sky))
            k++;
        if (k < n_lines)
            continue;
        first[n_lines++] = own;
        line.n = 0;
        for (size_t j = i; j < n; j++) {
            equant_planned other = candidate_of(plan, j);
            if (!is_same_line(&own, &other, sky))
                continue;
            line.times[line.n] = other.time_days - frame->axis.zero;
            line.gains[line.n] = other.gain;
            line.lit[line.n++] = sky != NULL ? sky[j].moon_illumination : 0.0;
        }
        is_drawn &= sky != NULL
                        ? draw_nights(frame, &line)
                        : plot_curve(&frame->plot, "curve strong", line.n, line.times, line.gains);
    }
    return is_drawn;
}

/* All but the axes; false without memory. */
static bool draw_gain(struct time_frame *frame, const equant_plan *plan,
                      const struct candidate_sky *sky)
{
    size_t n = equant_plan_n_candidates(plan);
    double *columns = calloc(3 * n, sizeof *columns), high = 1e-9;
    if (columns == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        high = fmax(high, candidate_of(plan, i).gain);
    double start = candidate_of(plan, 0).time_days - frame->axis.zero,
           end_of_all = candidate_of(plan, n - 1).time_days - frame->axis.zero,
           room = end_of_all > start ? 0.0 : 0.5;
    frame->plot.x = (struct plot_axis){start - room, end_of_all + room, false};
    frame->plot.y = (struct plot_axis){0.0, (sky != NULL ? 1.2 : 1.08) * high, false};
    plot_begin_inside(&frame->plot);
    for (size_t i = 0; i < equant_plan_n_chosen(plan); i++) {
        equant_planned own = {.struct_size = sizeof own};
        equant_plan_chosen(plan, i, &own);
        plot_mark(&frame->plot, "planet-mark", own.time_days - frame->axis.zero);
    }
    bool is_drawn = draw_lines(frame, plan, sky, columns);
    plot_end_inside(&frame->plot);
    draw_chosen(frame, plan);
    free(columns);
    return is_drawn;
}

static const char gain_words[] = "gain (nats)", gain_label[] = "What an observation would teach";

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
    struct time_frame frame = {.axis = {.zero = 0.0}};
    int code = begin(&frame, axis_of_plan(posterior, plan), gain_label, notes);
    if (code != EXIT_CODE_OK)
        return code;
    return draw_gain(&frame, plan, sky)
               ? end(&frame, gain_words, folder, "plan", format)
               : picture_finish(&frame.picture, folder, "plan", format, messages_out_of_memory());
}

void time_picture_gain_on_page(FILE *page, const equant_posterior *posterior,
                               const equant_plan *plan)
{
    static const struct {
        const char *class;
        double width;
    } layouts[] = {{"wide", 920.0}, {"narrow", 380.0}};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        struct time_frame frame = {.axis = axis_of_plan(posterior, plan),
                                   .plot = {.page = page,
                                            .left = left,
                                            .top = top,
                                            .width = layouts[i].width - left - right,
                                            .height = height}};
        svg_begin(page, layouts[i].class, layouts[i].width, top + height + axis_height, gain_label);
        draw_gain(&frame, plan, NULL); /* without memory the frame stays empty */
        draw_axes(&frame, gain_words);
        svg_end(page);
    }
}
