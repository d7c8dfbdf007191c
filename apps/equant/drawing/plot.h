/* A rectangle of a figure with two axes: from numbers to places, frames, ticks and labels. */
#ifndef EQUANT_APP_DRAWING_PLOT_H
#define EQUANT_APP_DRAWING_PLOT_H

#include "drawing/svg.h"
#include "drawing/ticks.h"

struct plot_axis {
    double low, high;
    bool is_logarithmic;
};

struct plot {
    FILE *page;
    double left, top, width, height; /* of the frame, in the figure */
    struct plot_axis x, y;
    bool has_small_numbers; /* along the axes */
};

/* Places within the frame, counted from its upper left. */
double plot_x(const struct plot *plot, double value);
double plot_y(const struct plot *plot, double value);

/* What is drawn in between stays within the frame, and counts from its upper left. */
void plot_begin_inside(const struct plot *plot);
void plot_end_inside(const struct plot *plot);

void plot_frame(const struct plot *plot);

/* Ticks inside the frame; numbers outside it unless they are left out. */
enum plot_side { PLOT_BELOW, PLOT_ABOVE, PLOT_LEFT };
void plot_ticks(const struct plot *plot, enum plot_side side, const struct ticks *ticks,
                bool has_numbers);

/* What an axis shows, `distance` away from it. */
void plot_label_below(const struct plot *plot, double distance, const char *text);
void plot_label_left(const struct plot *plot, double distance, const char *text);

/* A curve through n points, inside. Returns false, and draws nothing, without memory. */
bool plot_curve(const struct plot *plot, const char *class, size_t n, const double *x,
                const double *y);

/* The area between two curves over n points, inside. */
void plot_band(const struct plot *plot, const char *class, size_t n, const double *x,
               const double *low, const double *high);

/* A dashed or plain line from side to side at a height, or from top to bottom, inside. */
void plot_level(const struct plot *plot, const char *class, double y);
void plot_mark(const struct plot *plot, const char *class, double x);

#endif
