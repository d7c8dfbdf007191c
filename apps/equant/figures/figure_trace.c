#include "figures/figure_trace.h"

#include <stdlib.h>
#include <string.h>

#include "drawing/plot.h"
#include "figures/posterior_axis.h"
#include "figures/star_marks.h"
#include "terminal/messages.h"

static const double left = 84.0, right = 24.0, panel = 72.0, gap = 8.0, bottom = 44.0;

/* More points along the axis than this could not be seen. */
enum { MOST_POINTS = 400 };

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* What is known of the walkers of a population: the middle and the ends of 68 % of them, over
 * MOST_POINTS stretches of kept steps. */
struct course {
    size_t n;
    double step[MOST_POINTS], median[MOST_POINTS], low[MOST_POINTS], high[MOST_POINTS];
};

/* Of the walkers in the steps from `first` to before `end`, all together; `sorted` has room for
 * them. */
static void add_point(const struct posterior_columns *columns, const double *values, size_t first,
                      size_t end, double *sorted, struct course *course)
{
    const double low = 0.1587;
    size_t n = (end - first) * columns->n_walkers;
    double steps_per_kept =
        (double)(columns->last_step - columns->first_step) / (double)columns->n_kept;
    memcpy(sorted, values + first * columns->n_walkers, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_number);
    course->step[course->n] =
        (double)columns->first_step + steps_per_kept * (0.5 * (double)(first + end) + 0.5);
    course->median[course->n] = sorted[n / 2];
    course->low[course->n] = sorted[(size_t)(low * (double)n)];
    course->high[course->n] = sorted[(size_t)((1.0 - low) * (double)n)];
    course->n++;
}

static void follow(const struct posterior_columns *columns, const struct posterior_column *column,
                   size_t population, double *sorted, struct course *course)
{
    const double *values = column->values + population * columns->n_kept * columns->n_walkers;
    size_t n = columns->n_kept < MOST_POINTS ? columns->n_kept : MOST_POINTS;
    course->n = 0;
    for (size_t i = 0; i < n; i++)
        add_point(columns, values, i * columns->n_kept / n, (i + 1) * columns->n_kept / n, sorted,
                  course);
}

static void draw_course(const struct plot *plot, const struct course *course, size_t population)
{
    char class[32];
    size_t colour = population % STAR_MARKS_COLOURS + 1;
    snprintf(class, sizeof class, "spread i%zu", colour);
    svg_path_begin(plot->page, class);
    for (size_t i = 0; i < course->n; i++)
        (i == 0 ? svg_path_move : svg_path_line)(plot->page, plot_x(plot, course->step[i]),
                                                 plot_y(plot, course->high[i]));
    for (size_t i = course->n; i-- > 0;)
        svg_path_line(plot->page, plot_x(plot, course->step[i]), plot_y(plot, course->low[i]));
    svg_path_close(plot->page);
    svg_path_end(plot->page);
    snprintf(class, sizeof class, "trace i%zu", colour);
    svg_path_begin(plot->page, class);
    for (size_t i = 0; i < course->n; i++)
        (i == 0 ? svg_path_move : svg_path_line)(plot->page, plot_x(plot, course->step[i]),
                                                 plot_y(plot, course->median[i]));
    svg_path_end(plot->page);
}

static void draw_panel(const struct plot *plot, const struct posterior_columns *columns,
                       size_t index, double *sorted, struct course *course)
{
    const struct posterior_column *column = &columns->column[index];
    struct posterior_axis axis = posterior_axis_of(column, plot->height);
    struct ticks values = short_axis_upwards(&axis.axis, plot->height);
    struct ticks steps = ticks_linear(plot->x.low, plot->x.high, 6);
    bool is_last = index + 1 == columns->n;
    plot_begin_inside(plot);
    for (size_t p = 0; p < columns->n_populations; p++) {
        follow(columns, column, p, sorted, course);
        draw_course(plot, course, p);
    }
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &steps, is_last);
    plot_ticks(plot, PLOT_LEFT, &values, true);
    posterior_axis_left(&axis, plot, 57.0);
    if (is_last)
        plot_label_below(plot, 36.0, "step");
}

double figure_trace_height(const struct posterior_columns *columns)
{
    return (double)columns->n * (panel + gap) - gap + bottom;
}

int figure_trace_draw(FILE *page, const struct posterior_columns *columns, double top, double width)
{
    size_t kept_per_point = columns->n_kept / MOST_POINTS + 1;
    double *sorted = malloc(kept_per_point * columns->n_walkers * sizeof *sorted);
    struct course *course = malloc(sizeof *course);
    for (size_t i = 0; i < columns->n && sorted != NULL && course != NULL; i++) {
        const struct posterior_column *column = &columns->column[i];
        struct plot plot = {.page = page,
                            .left = left,
                            .top = top + (double)i * (panel + gap),
                            .width = width - left - right,
                            .height = panel,
                            .x = {(double)columns->first_step, (double)columns->last_step, false},
                            .y = {column->low, column->high, false},
                            .has_small_numbers = true};
        draw_panel(&plot, columns, i, sorted, course);
    }
    bool has_memory = sorted != NULL && course != NULL;
    free(sorted);
    free(course);
    return has_memory ? EXIT_CODE_OK : messages_out_of_memory();
}

void figure_trace_key(struct key *key, const struct posterior_columns *columns)
{
    for (size_t p = 0; p < columns->n_populations; p++) {
        char class[24], text[48];
        snprintf(class, sizeof class, "trace i%zu", p % STAR_MARKS_COLOURS + 1);
        snprintf(text, sizeof text, "population %zu", p + 1);
        key_add(key, class, KEY_LINE, text);
    }
}
